import { lstat, realpath } from "node:fs/promises";
import { homedir } from "node:os";
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import type { Target, ToolContext } from "../../core/tool.ts";

/** What decides what Dragoman itself may do, or makes git run commands, by its names in small letters. */
const controlNames = ["dragoman.json", ".agents", ".git", ".gitattributes", ".gitmodules"];
/** What Windows also calls them. */
const shortName = /^(git\w*|agents|dragom)~\d/i;

/** What a path means, as the policy has to know it: where it really leads. */
export async function documentTarget(path: string, { workspace }: ToolContext, writes: boolean): Promise<Target> {
  if (path === "" || path.includes("\0")) {
    throw new DragomanError("invalid_tool_args", "The path is empty, or has a NUL character in it. Name a file.");
  }
  const folder = await realpath(workspace);
  const given = resolve(folder, path);
  const real = await realAsFar(given);
  const data = await realAsFar(dataFolder());
  const outside = !isWithin(folder, real) || isWithin(data, real);
  const shown = outside && (isAbsolute(path) || given !== real) ? real : relative(folder, real).split(sep).join("/");
  const control = [given, real].some((one) => hasControlName(folder, one)) || isWithin(data, real);
  return { path: shown || ".", real, outside, control: control || (await hasOtherNames(real)), writes };
}

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : `${folder}${sep}`);

/** Symlinks followed as far as the path exists. A link that leads nowhere is refused by whoever opens it. */
async function realAsFar(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch {
    if (dirname(path) === path) return path;
    return join(await realAsFar(dirname(path)), basename(path));
  }
}

function hasControlName(workspace: string, path: string): boolean {
  // What the folders above the workspace are called says nothing about what is in it.
  const shown = isWithin(workspace, path) ? relative(workspace, path) : path;
  return shown.split(sep).some((name) => controlNames.includes(folded(name)) || shortName.test(name));
}

/** One spelling for all that some file system takes for the same name. */
function folded(name: string): string {
  const one = name.normalize("NFC").toUpperCase().toLowerCase();
  return one.replace(/\p{Default_Ignorable_Code_Point}/gu, "").replace(/(:.*|[. ]+)$/s, "");
}

/** A file with several names may be one of those by another: whoever is asked can tell. */
async function hasOtherNames(path: string): Promise<boolean> {
  const stats = await lstat(path).catch(() => undefined);
  return (stats?.isFile() ?? false) && (stats?.nlink ?? 1) > 1;
}

/** Where Dragoman keeps its own data. */
function dataFolder(): string {
  const { env, platform } = process;
  if (env.DRAGOMAN_HOME) return resolve(env.DRAGOMAN_HOME);
  if (platform === "darwin") return join(homedir(), "Library", "Application Support", "dragoman");
  if (platform === "win32") return join(env.LOCALAPPDATA ?? join(homedir(), "AppData", "Local"), "dragoman");
  return join(env.XDG_DATA_HOME ?? join(homedir(), ".local", "share"), "dragoman");
}
