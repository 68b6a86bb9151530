import * as z from "zod";
import type { Tool } from "../core/tool.ts";
import { GitCommand } from "./git-command.ts";

const MAX_BRANCHES = 1000;

const args = z.object({});

export interface Branches {
  /** `(detached)` when a commit is checked out and no branch. */
  current: string;
  branches: string[];
}

export async function branchesOf(git: GitCommand): Promise<Branches> {
  const listed = await git.text([
    "for-each-ref",
    `--count=${MAX_BRANCHES}`,
    "--format=%(refname:lstrip=2)",
    "refs/heads",
  ]);
  return { current: (await git.currentBranch()) ?? "(detached)", branches: listed === "" ? [] : listed.split("\n") };
}

export const gitBranches: Tool<z.infer<typeof args>> = {
  name: "git_branches",
  description: "Lists the branches, and which one is checked out.",
  kind: "read",
  risk: "read",
  args,
  intent: async () => ({ title: "List the branches", targets: [] }),
  run: async (_, context, io) => ({ result: await branchesOf(await GitCommand.open(context, io)) }),
};
