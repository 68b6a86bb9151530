import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import type { AnyTool, ToolContext } from "../core/tool.ts";
import { gitIdentity } from "../testing/git-identity.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitBranch } from "./git-branch.ts";
import { gitCommit } from "./git-commit.ts";
import { gitDiff } from "./git-diff.ts";
import { gitPush } from "./git-push.ts";

const folder = temporaryFolder();
gitIdentity(folder);
let remote: string;
let called: string;
let context: ToolContext;

/** A clone that has left what it does not need with its remote. */
beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(folder.path, "r-")));
  remote = join(root, "remote");
  called = join(root, "called");
  context = { workspace: join(root, "w"), trusted: false };
  mkdirSync(remote);
  git(remote, "init", "--quiet");
  git(remote, "config", "uploadpack.allowFilter", "true");
  for (const text of ["1\n", "2\n"]) {
    writeFileSync(join(remote, "a"), text);
    git(remote, "add", "a");
    git(remote, "commit", "--quiet", "--message", "x");
  }
  git(root, "clone", "--quiet", "--filter=blob:none", `file://${remote}`, "w");
  git(context.workspace, "config", "protocol.file.allow", "always");
  git(context.workspace, "config", "protocol.ext.allow", "always");
});

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" });

/** How many objects are still with the remote. */
function heldBack(): number {
  const listed = git(context.workspace, "rev-list", "--objects", "--all", "--missing=print");
  return listed.split("\n").filter((line) => line.startsWith("?")).length;
}

async function call(tool: AnyTool, args: object = {}): Promise<unknown> {
  const parsed = tool.args.parse(args);
  await tool.intent(parsed, context);
  return (await tool.run(parsed, context, quietIo())).result;
}

test("a remote is not called for the objects that it holds back, until the folder is trusted", async () => {
  const why = "Some of the repository's objects are still with its remote, which git may not call from here.";
  await expect(call(gitDiff, { base: "HEAD~1" })).rejects.toMatchObject({
    code: "forbidden",
    message: `${why} Fetch them, or trust the folder; dragoman trust lifts this.`,
  });
  expect(heldBack()).toBe(1);
  context = { ...context, trusted: true };
  expect(await call(gitDiff, { base: "HEAD~1" })).toMatchObject({ files: [{ path: "a", added: 1, removed: 1 }] });
  expect(heldBack()).toBe(0);
});

test("what is here can be worked with and pushed, and nothing is fetched for it", async () => {
  writeFileSync(join(context.workspace, "a"), "mine\n");
  expect(await call(gitDiff)).toMatchObject({ files: [{ path: "a", added: 1, removed: 1 }] });
  await call(gitBranch, { action: "create", name: "mine" });
  await call(gitCommit, { type: "fix", description: "mine", all: true });
  await call(gitPush);
  expect(git(remote, "log", "-1", "--format=%s", "mine")).toBe("fix: mine\n");
  expect(heldBack()).toBe(1);
});

test("a program in the place of the remote is run neither to look nor to push", async () => {
  const program = join(context.workspace, "..", "program");
  writeFileSync(program, `#!/bin/sh\ntouch '${called}'\n`, { mode: 0o755 });
  git(context.workspace, "remote", "set-url", "origin", `ext::${program}`);
  await expect(call(gitDiff, { base: "HEAD~1" })).rejects.toMatchObject({ code: "forbidden" });
  await expect(call(gitPush)).rejects.toMatchObject({ message: expect.stringContaining("'ext' not allowed") });
  expect(existsSync(called)).toBe(false);
});
