import { lstat, readdir, readFile, realpath } from "node:fs/promises";
import { basename, dirname, join, resolve, sep } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import { said, tryGit } from "./git-run.ts";

/** Where the repository of a workspace is. All of them real paths. */
export interface GitPlace {
  workspace: string;
  /** Of this working tree alone: its index, its HEAD. */
  gitDir: string;
  /** What linked working trees share: objects, branches, configuration. */
  commonDir: string;
  /** The top of the working tree. */
  top: string;
  /** From the top to the workspace, with a slash at its end; empty where they are the same. */
  prefix: string;
}

const LONGEST_POINTER = 16 * 1024;
/** A link of these shows nothing of what it leads to: hooks are not run, and submodules are not looked into. */
const mayLeadOut = new Set(["hooks", "lfs", "modules"]);

/** Nothing where there is no repository. In a folder that is not trusted, another one than its own is not worked with. */
export async function gitPlaceOf(workspace: string, trusted: boolean): Promise<GitPlace | undefined> {
  const args = ["rev-parse", "--absolute-git-dir", "--git-common-dir", "--show-prefix", "--show-toplevel"];
  const { exitCode, stdout, stderr } = await tryGit({ cwd: workspace, args });
  if (exitCode !== 0) {
    if (/not a git repository/i.test(stderr)) return undefined;
    throw new DragomanError("tool_failed", `git cannot work in ${workspace}: ${said(stderr)}`);
  }
  const [gitDir = "", commonDir = "", prefix = "", top = "", ...rest] = stdout.toString("utf8").split("\n");
  if (rest.join("") !== "") throw new DragomanError("tool_failed", "There is a line break in the repository's path.");
  const real = (path: string) => realpath(resolve(workspace, path));
  const place: GitPlace = {
    workspace,
    gitDir: await real(gitDir),
    commonDir: await real(commonDir),
    top: await real(top),
    prefix,
  };
  const odd = trusted ? undefined : await oddityOf(place);
  if (odd === undefined) return place;
  const message = `git would use a repository that is not this folder's own: ${odd}. Look at it; dragoman trust lifts this.`;
  throw new DragomanError("forbidden", message);
}

const isWithin = (folder: string, path: string) =>
  path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);

/** A folder that someone else has made may lead git to a repository of the user's, and have it shown or written to. */
async function oddityOf({ workspace, gitDir, commonDir, top }: GitPlace): Promise<string | undefined> {
  if (!isWithin(top, workspace)) return `the working tree of ${gitDir} is ${top}`;
  const named = join(top, ".git");
  if ((await lstat(named).catch(() => undefined))?.isSymbolicLink()) return `${named} is a link to ${gitDir}`;
  if (gitDir !== named) {
    const isSubmodule = commonDir === gitDir && gitDir.includes(`${sep}.git${sep}modules${sep}`);
    if (!isSubmodule && !(await knowsWorktree(gitDir, commonDir, named))) {
      return `${named} leads to ${gitDir}, which does not know of this folder`;
    }
  } else if (commonDir !== gitDir) return `${join(gitDir, "commondir")} leads to ${commonDir}`;
  return (await borrowedBy(commonDir)) ?? (await linkOut([gitDir, commonDir], commonDir));
}

/** Made by `git worktree add`. */
async function knowsWorktree(gitDir: string, commonDir: string, named: string): Promise<boolean> {
  if (gitDir !== join(commonDir, "worktrees", basename(gitDir))) return false;
  const file = join(gitDir, "gitdir");
  const stats = await lstat(file).catch(() => undefined);
  if (!stats?.isFile() || stats.size > LONGEST_POINTER) return false;
  const back = resolve(gitDir, (await readFile(file, "utf8")).trim());
  const folder = await realpath(dirname(back)).catch(() => undefined);
  return folder !== undefined && join(folder, basename(back)) === named;
}

async function borrowedBy(commonDir: string): Promise<string | undefined> {
  const file = join(commonDir, "objects", "info", "alternates");
  const stats = await lstat(file).catch(() => undefined);
  return stats && !(stats.isFile() && stats.size === 0) ? `${file} borrows from other repositories` : undefined;
}

async function linkOut(gitDirs: string[], commonDir: string): Promise<string | undefined> {
  const within = ["objects", "objects/pack", "objects/info", "refs", "refs/heads", "refs/remotes"];
  for (const at of new Set([...gitDirs, ...within.map((name) => join(commonDir, name))])) {
    const entries = await readdir(at, { withFileTypes: true }).catch(() => []);
    const links = entries.filter((entry) => entry.isSymbolicLink() && !mayLeadOut.has(entry.name));
    for (const { name } of links) {
      const real = await realpath(join(at, name)).catch(() => undefined);
      if (real === undefined || !isWithin(commonDir, real)) return `${join(at, name)} is a link that leads out of it`;
    }
  }
  return undefined;
}
