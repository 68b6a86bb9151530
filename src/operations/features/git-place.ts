import { realpath } from "node:fs/promises";
import { resolve } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import { oddityOf, placeQuestion } from "../../tools/git-place.ts";
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

/** Nothing where there is no repository. In a folder that is not trusted, another one than its own is not worked with. */
export async function gitPlaceOf(workspace: string, trusted: boolean): Promise<GitPlace | undefined> {
  const { exitCode, stdout, stderr } = await tryGit({ cwd: workspace, args: placeQuestion });
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
  const odd = trusted ? undefined : await oddityOf({ ...place, folder: workspace }, await hasWorktree(workspace));
  if (odd === undefined) return place;
  const message = `git would use a repository that is not this folder's own: ${odd}. Look at it; dragoman trust lifts this.`;
  throw new DragomanError("forbidden", message);
}

/** As the configuration of a submodule has it: it names the folder that the repository is of. */
async function hasWorktree(workspace: string): Promise<boolean> {
  const { exitCode } = await tryGit({ cwd: workspace, args: ["config", "--local", "--get", "core.worktree"] });
  return exitCode === 0;
}
