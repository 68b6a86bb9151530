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
  const files = await Promise.all(["config", "config.worktree"].map((name) => settingsIn(join(folder, name))));
  return [...hooks, ...files.flat()].slice(0, MOST_NAMED).map(printable);
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
  const named = /^gitdir: (.+)$/m.exec((await smallText(file)) ?? "")?.[1];
  if (!named) return undefined;
  const folder = resolve(dirname(file), named.trim());
  const common = (await smallText(join(folder, "commondir")))?.trim();
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

// `[filter "x"]`, and as it was written once `[filter.x]`; a bracket in the quotes ends nothing.
const section = /^\s*\[\s*([\w-]+)/;
const setting = /^\s*(?:\[\s*[\w.-]+\s*(?:"(?:[^"\\]|\\.)*")?\s*\])?\s*([A-Za-z][\w-]*)\s*=\s*(.*)$/;

/** By section and key, in lower case as git compares them. */
const runsCommands = new RegExp(
  `^(${[
    "core\\.(hookspath|fsmonitor|sshcommand|gitproxy|editor|pager|askpass|alternaterefscommand|worktree)",
    "sequence\\.editor|pager\\.|diff\\.(external|command|textconv)|(merge|mergetool|difftool)\\.(driver|cmd|path)",
    "filter\\.(clean|smudge|process)|credential\\.helper|gpg\\.(program|defaultkeycommand)|include(if)?\\.path",
    "(tar|trailer|hook)\\.(command|cmd)|gc\\.recentobjectshook|interactive\\.difffilter|submodule\\.update|lfs\\.",
    "init\\.templatedir|(remote|url)\\.(uploadpack|receivepack|vcs)",
  ].join("|")})`,
);

async function settingsIn(file: string): Promise<string[]> {
  let name = "";
  const found: string[] = [];
  const text = await smallText(file);
  if (text === undefined) return [`settings in ${file}, which cannot be read`];
  for (const line of text.split(/\r?\n/)) {
    name = section.exec(line)?.[1]?.toLowerCase() ?? name;
    const [, key, value] = setting.exec(line) ?? [];
    if (!key) continue;
    const isAlias = name === "alias" && /^"?\s*!/.test(value ?? "");
    if (isAlias || runsCommands.test(`${name}.${key.toLowerCase()}`)) found.push(`setting ${name}.${key} = ${value}`);
  }
  return found;
}

/** `undefined` where it cannot be read: this is shown to a person, who should know. */
async function smallText(path: string): Promise<string | undefined> {
  try {
    return (await readTextFile(path, { maxBytes: MAX_BYTES, links: "follow", ownersOnly: false }))?.text ?? "";
  } catch {
    return undefined;
  }
}
