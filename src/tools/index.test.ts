import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { Workspace } from "../testing/workspace.ts";
import { tools } from "./index.ts";
import { type ToolExample, toolContract } from "./tool-contract.ts";

const withFile = (args: Record<string, unknown>): ToolExample => ({
  args,
  prepare: (workspace) => workspace.files({ "a.txt": "hello\n" }),
});

/** With a commit, a change since then, and a place to push to. */
function makeRepository(workspace: Workspace): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace.path, stdio: "ignore" });
  workspace.files({ "a.txt": "hello\n" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Someone");
  git("config", "user.email", "someone@example.com");
  git("add", "a.txt");
  git("commit", "-q", "-m", "feat: begin");
  git("init", "-q", "--bare", "../origin.git");
  git("remote", "add", "origin", "../origin.git");
  workspace.files({ "a.txt": "goodbye\n" });
}

const inRepository = (args: Record<string, unknown>): ToolExample => ({ args, prepare: makeRepository });

const examples: Record<string, ToolExample> = {
  read: withFile({ path: "a.txt" }),
  list: withFile({}),
  glob: withFile({ pattern: "*.txt" }),
  search: withFile({ query: "hello" }),
  write: withFile({ path: "new/b.txt", content: "new" }),
  edit: withFile({ path: "a.txt", find: "hello", replace: "goodbye" }),
  shell: withFile({ command: "cat a.txt" }),
  git_status: inRepository({}),
  git_diff: inRepository({}),
  git_log: inRepository({}),
  git_commit: inRepository({ type: "fix", description: "say goodbye", all: true }),
  git_branches: inRepository({}),
  git_branch: inRepository({ action: "create", name: "topic" }),
  git_push: inRepository({ branch: "main" }),
};

test("there is an example of every tool, and each has a name of its own", () => {
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(examples));
});

for (const tool of tools) toolContract(tool, examples[tool.name] ?? { args: {} });
