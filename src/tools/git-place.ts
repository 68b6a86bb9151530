import { lstat, readdir, readFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { isWithin, realPath } from "./real-path.ts";

/** Asks git where the repository is that it finds. The top comes last, because where there is none git ends with that. */
export const placeQuestion = [
  "rev-parse",
  "--absolute-git-dir",
  "--git-common-dir",
  "--show-prefix",
  "--show-toplevel",
];

/** All of them real paths. */
export interface GitPlace {
  folder: string;
  gitDir: string;
  /** What linked working trees share: objects, branches, configuration. */
  commonDir: string;
  top: string;
}

// A link of these shows nothing of what it leads to: hooks are not run, nor filters, and submodules are not looked into.
const mayLeadOut = new Set(["hooks", "lfs", "modules"]);

const LONGEST_POINTER = 16 * 1024;

/** Where git finds the repository of a folder; a text says why that cannot be told; nothing where it finds none. */
export async function placeIn(answer: string, folder: string): Promise<GitPlace | string | undefined> {
  if (answer === "") return undefined;
  const lines = answer.split("\n");
  const [gitDir = "", commonDir = "", , top = ""] = lines;
  if (lines.length === 4) return `${gitDir} has no working tree`;
  if (lines.length !== 5) return "there is a line break in its path";
  const real = (path: string) => realPath(resolve(folder, path));
  return {
    folder: await real("."),
    gitDir: await real(gitDir),
    commonDir: await real(commonDir),
    top: await real(top),
  };
}

/** Whether `.git` is a file that leads to the repository, as in a linked working tree and in a submodule. */
export const isLinked = ({ gitDir, top }: GitPlace) => gitDir !== join(top, ".git");

/**
 * What is odd about where a repository is: a folder that someone else has made may lead git to one of the user's own, and have it
 * shown. A repository elsewhere is this folder's only if it says so itself.
 */
export async function oddityOf(place: GitPlace, hasWorktree: boolean): Promise<string | undefined> {
  const { folder, gitDir, commonDir, top } = place;
  const named = join(top, ".git");
  if (!isWithin(top, folder)) return `the working tree of ${gitDir} is ${top}`;
  const stats = await lstat(named).catch(() => undefined);
  if (stats?.isSymbolicLink()) return `${named} is a link to ${gitDir}`;
  if (isLinked(place)) {
    const knowsIt = (await isWorktree(place)) || (hasWorktree && (await isSubmodule(place)));
    if (!knowsIt) return `${named} leads to ${gitDir}, which does not know of this folder`;
  } else if (commonDir !== gitDir) return `${join(gitDir, "commondir")} leads to ${commonDir}`;
  return (await borrowedBy(commonDir)) ?? (await linkOut([gitDir, commonDir], commonDir));
}

/** Made by `git worktree add`. */
async function isWorktree({ gitDir, commonDir, top }: GitPlace): Promise<boolean> {
  if (gitDir !== join(commonDir, "worktrees", basename(gitDir))) return false;
  const back = await pointerIn(join(gitDir, "gitdir"));
  if (back === undefined) return false;
  const file = resolve(gitDir, back);
  return join(await realPath(dirname(file)), basename(file)) === join(top, ".git");
}

/** Its configuration names the top that git has told. */
async function isSubmodule({ gitDir, commonDir, top }: GitPlace): Promise<boolean> {
  if (commonDir !== gitDir || !/\/\.git\/(.+\/)?modules\/./.test(gitDir)) return false;
  const there = await pointerIn(join(top, ".git"));
  return there?.startsWith("gitdir:") === true && (await realPath(there.slice(7).trim(), top)) === gitDir;
}

async function pointerIn(file: string): Promise<string | undefined> {
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > LONGEST_POINTER) return undefined;
  return (await readFile(file, "utf8")).trim();
}

async function borrowedBy(commonDir: string): Promise<string | undefined> {
  const file = join(commonDir, "objects", "info", "alternates");
  const stats = await lstat(file).catch(() => undefined);
  return stats && !(stats.isFile() && stats.size === 0) ? `${file} borrows from other repositories` : undefined;
}

/** A link deeper within would have to name an object by its hash. */
async function linkOut(gitDirs: string[], commonDir: string): Promise<string | undefined> {
  const within = ["objects", "objects/pack", "objects/info", "refs", "refs/heads", "refs/remotes", "refs/tags"];
  for (const at of new Set([...gitDirs, ...within.map((name) => join(commonDir, name))])) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const links = entries.filter((entry) => entry.isSymbolicLink() && !mayLeadOut.has(entry.name));
    for (const { name } of links) {
      const real = await realPath(join(at, name));
      if (!isWithin(commonDir, real)) return `${join(at, name)} is a link to ${real}`;
    }
  }
  return undefined;
}
