import { lstat, readdir } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { dataFolder } from "./data-folder.ts";
import { isWithin, realPath } from "./real-path.ts";

// The files that decide what Dragoman itself may do. An agent that could write to them unasked could lift its own guard rails:
// configuration and rules, skills, and what makes git run commands (hooks, config, filters).
/** Files and folders, by their names in small letters. */
export const controlNames = ["dragoman.json", ".agents", ".git", ".gitattributes", ".gitmodules"];
/** What Windows also calls them. */
const shortName = /^(git\w*|agents|dragom)~\d/i;

/** How many files a hard link is compared with. */
const MAX_COMPARED = 1000;

/** `paths` are names for the same place: the one that was given and the one it leads to. */
export async function isControlFile(workspace: string, paths: string[]): Promise<boolean> {
  if (paths.some((path) => hasControlName(workspace, path))) return true;
  const data = fold(await realPath(dataFolder()).catch(() => dataFolder()));
  if (paths.some((path) => isWithin(data, fold(path)))) return true;
  return isLinkToControlFile(workspace, paths.at(-1) ?? workspace);
}

function hasControlName(workspace: string, path: string): boolean {
  // What the folders above the workspace are called says nothing about what is in it.
  const shown = isWithin(workspace, path) ? relative(workspace, path) : path;
  return shown.split(sep).some(isControlName);
}

export const isControlName = (name: string) => controlNames.includes(fold(name)) || shortName.test(name);

/** One spelling for all that some file system takes for the same name; too much costs a question, too little a guard rail. */
function fold(name: string): string {
  return name
    .normalize("NFC")
    .toUpperCase()
    .toLowerCase()
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/(:[^\\/]*|[. ]+)$/, "");
}

/** A hard link is the same file by a name that tells nothing. */
async function isLinkToControlFile(workspace: string, path: string): Promise<boolean> {
  const file = await lstat(path).catch(() => undefined);
  if (!file?.isFile() || file.nlink < 2) return false;
  for (const known of await controlFiles(workspace)) {
    const other = await lstat(known).catch(() => undefined);
    if (other && other.ino === file.ino && other.dev === file.dev) return true;
  }
  return false;
}

/** Those that are there, where most of them are: a whole workspace is too much to look through. */
async function controlFiles(workspace: string): Promise<string[]> {
  const namesIn = (folder: string) => readdir(folder).catch(() => []);
  const inRoot = (await namesIn(workspace)).filter(isControlName).map((name) => join(workspace, name));
  const data = dataFolder();
  const folders = [join(workspace, ".git"), join(workspace, ".git", "hooks"), data, join(data, "workspaces")];
  const below = await Promise.all(
    folders.map(async (folder) => (await namesIn(folder)).map((name) => join(folder, name))),
  );
  return [...inRoot, ...below.flat()].slice(0, MAX_COMPARED);
}
