import type { AnyTool } from "../core/tool.ts";
import { edit } from "./edit.ts";
import { gitBranch } from "./git-branch.ts";
import { gitBranches } from "./git-branches.ts";
import { gitCommit } from "./git-commit.ts";
import { gitDiff } from "./git-diff.ts";
import { gitLog } from "./git-log.ts";
import { gitPush } from "./git-push.ts";
import { gitStatus } from "./git-status.ts";
import { glob } from "./glob.ts";
import { list } from "./list.ts";
import { read } from "./read.ts";
import { search } from "./search.ts";
import { shell } from "./shell.ts";
import { write } from "./write.ts";

/** What our own engines can do to a workspace. */
export const tools: AnyTool[] = [
  read,
  list,
  glob,
  search,
  write,
  edit,
  shell,
  gitStatus,
  gitDiff,
  gitLog,
  gitCommit,
  gitBranches,
  gitBranch,
  gitPush,
];
