import { readdir, stat } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { printable } from "./printable.ts";
import { readTextFile } from "./text-file.ts";

const MAX_BYTES = 1_000_000;
const MAX_ANCESTORS = 64;
const MOST_NAMED = 50;

/**
 * What git would run of this repo's own: its hooks, and the settings that hold a command. Found without git, which might already
 * run one of them.
 */
export async function gitCommands(workspace: string): Promise<string[]> {
  const folder = await gitFolder(workspace);
  if (!folder) return [];
  const hooks = (await hooksIn(join(folder, "hooks"))).map((name) => `hook ${name}`);
  const settings = await settingsIn(join(folder, "config"));
  return [...hooks, ...settings].slice(0, MOST_NAMED).map(printable);
}

async function gitFolder(workspace: string): Promise<string | undefined> {
  let folder = workspace;
  for (let up = 0; up < MAX_ANCESTORS; up++) {
    const path = join(folder, ".git");
    const stats = await stat(path).catch(() => undefined);
    if (stats?.isDirectory()) return path;
    if (stats?.isFile()) return commonFolder(path);
    if (dirname(folder) === folder) return undefined;
    folder = dirname(folder);
  }
  return undefined;
}

/** In a worktree `.git` is a file that names a folder, which names the one with the hooks. */
async function commonFolder(file: string): Promise<string | undefined> {
  const named = /^gitdir: (.+)$/m.exec(await smallText(file))?.[1];
  if (!named) return undefined;
  const folder = resolve(dirname(file), named.trim());
  const common = (await smallText(join(folder, "commondir"))).trim();
  return common ? resolve(folder, common) : folder;
}

async function hooksIn(folder: string): Promise<string[]> {
  const names = await readdir(folder).catch(() => []);
  const hooks: string[] = [];
  for (const name of names.filter((one) => !one.endsWith(".sample")).sort()) {
    const stats = await stat(join(folder, name)).catch(() => undefined);
    if (stats?.isFile() && (stats.mode & 0o111) !== 0) hooks.push(name);
  }
  return hooks;
}

const section = /^\s*\[\s*([\w.-]+)/;
const setting = /^\s*(?:\[[^\]]*\])?\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/;

/** By section and key, in lower case as git compares them. */
const runsCommands =
  /^(core\.(hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand)|sequence\.editor|pager\.|diff\.(external|command|textconv)|(merge|mergetool|difftool)\.(driver|cmd)|filter\.(clean|smudge|process)|credential\.helper|gpg\.program|include(if)?\.path|(remote|url)\.(uploadpack|receivepack|vcs))/;

async function settingsIn(file: string): Promise<string[]> {
  let name = "";
  const found: string[] = [];
  for (const line of (await smallText(file)).split(/\r?\n/)) {
    name = section.exec(line)?.[1]?.toLowerCase() ?? name;
    const [, key, value] = setting.exec(line) ?? [];
    if (!key) continue;
    const isAlias = name === "alias" && value?.startsWith("!");
    if (isAlias || runsCommands.test(`${name}.${key.toLowerCase()}`)) found.push(`setting ${name}.${key} = ${value}`);
  }
  return found;
}

/** Nothing where it cannot be read: this is shown to a person, and decides nothing. */
async function smallText(path: string): Promise<string> {
  try {
    return (await readTextFile(path, { maxBytes: MAX_BYTES, links: "follow", ownersOnly: false }))?.text ?? "";
  } catch {
    return "";
  }
}
