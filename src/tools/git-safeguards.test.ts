import { execFileSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { AnyTool, ToolContext } from "../core/tool.ts";
import { gitIdentity } from "../testing/git-identity.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitBranch } from "./git-branch.ts";
import { gitBranches } from "./git-branches.ts";
import { gitCommit } from "./git-commit.ts";
import { gitDiff } from "./git-diff.ts";
import { gitPush } from "./git-push.ts";
import { gitStatus } from "./git-status.ts";
import { shell } from "./shell.ts";

const folder = temporaryFolder();
gitIdentity(folder);
let context: ToolContext;
let canary: string;
let bare: string;

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: context.workspace, encoding: "utf8", stdio: "pipe" });

/** Everything a repository can name that git would run, each leaving its own name behind. */
beforeEach(() => {
  const root = mkdtempSync(join(folder.path, "r-"));
  context = { workspace: realpathSync(mkdtempSync(join(root, "w-"))), trusted: false };
  canary = join(root, "canary");
  bare = join(context.workspace, "bare.git");
  git("init", "--quiet");
  writeFileSync(join(context.workspace, "a"), "1\n");
  writeFileSync(join(context.workspace, ".gitattributes"), "* filter=trap diff=trap merge=trap\n");
  writeFileSync(join(context.workspace, ".gitignore"), "bare.git\n");
  git("add", "--all");
  git("commit", "--quiet", "--message", "first");
  git("branch", "other");
  git("init", "--quiet", "--bare", bare);
  git("remote", "add", "origin", bare);
  setTraps();
  writeFileSync(join(context.workspace, "a"), "2\n");
});

function trap(name: string): string {
  const script = join(context.workspace, ".git", `trap-${name}`);
  writeFileSync(script, `#!/bin/sh\nmkdir -p '${canary}'; touch '${canary}/${name}'\ncat 2>/dev/null\n`);
  chmodSync(script, 0o755);
  return script;
}

function setTraps(): void {
  const keys =
    `core.fsmonitor core.sshCommand core.editor core.pager core.askPass core.alternateRefsCommand filter.trap.clean
    filter.trap.smudge filter.trap.process diff.trap.command diff.trap.textconv diff.external merge.trap.driver gpg.program
    gpg.ssh.program credential.helper sequence.editor remote.origin.receivepack remote.origin.uploadpack interactive.diffFilter
    pager.status pager.diff`.split(/\s+/);
  for (const key of keys) git("config", key, trap(key));
  git("config", "filter.trap.required", "true");
  for (const key of ["commit.gpgSign", "push.gpgSign", "log.showSignature", "submodule.recurse"])
    git("config", key, "true");
  git("config", "protocol.ext.allow", "always");
  const hooks = `pre-commit prepare-commit-msg commit-msg post-commit post-checkout pre-push reference-transaction
    post-index-change fsmonitor-watchman pre-auto-gc pre-receive update post-receive post-update`.split(/\s+/);
  for (const at of [join(context.workspace, ".git"), bare]) {
    for (const hook of hooks) {
      writeFileSync(join(at, "hooks", hook), `#!/bin/sh\nmkdir -p '${canary}'; touch '${canary}/hook-${hook}'\n`);
      chmodSync(join(at, "hooks", hook), 0o755);
    }
  }
}

const sprung = () => (existsSync(canary) ? readdirSync(canary) : []);

async function call(tool: AnyTool, args: object = {}): Promise<unknown> {
  const parsed = tool.args.parse(args);
  await tool.intent(parsed, context);
  return (await tool.run(parsed, context, quietIo())).result;
}

test("the traps work", () => {
  expect(() => git("status")).toThrow();
  expect(sprung()).toEqual(["core.fsmonitor", "filter.trap.process"]);
});

describe("in a folder that is not trusted nothing of the repository's own is run", () => {
  test.each<[AnyTool, object, object]>([
    [gitStatus, {}, { files: [{ path: "a", status: "modified" }] }],
    [gitDiff, {}, { files: [{ path: "a", added: 1, removed: 1 }], diff: expect.stringContaining("-1\n+2") }],
    [gitDiff, { staged: true }, { diff: "" }],
    [gitDiff, { base: "HEAD" }, { files: [{ path: "a", added: 1, removed: 1 }] }],
    [gitBranches, {}, { current: "main", branches: ["main", "other"] }],
    [gitBranch, { action: "create", name: "new" }, { current: "new" }],
    [gitBranch, { action: "switch", name: "other" }, { current: "other" }],
    [gitCommit, { type: "fix", description: "x", all: true }, { files: ["a"] }],
    [gitCommit, { type: "fix", description: "x", paths: ["a"] }, { files: ["a"] }],
    [gitPush, {}, { remote: "origin", branch: "main" }],
  ])("$name $1", async (tool, args, result) => {
    expect(await call(tool, args)).toMatchObject(result);
    expect(sprung()).toEqual([]);
  });

  test("git_branch, when files have to be written anew", async () => {
    git("config", "--unset-all", "filter.trap.process");
    execFileSync(
      "git",
      ["-c", "core.hooksPath=/dev/null", "-c", "commit.gpgSign=false", "commit", "--quiet", "--all", "-m", "x"],
      { cwd: context.workspace },
    );
    rmSync(canary, { recursive: true, force: true });
    await call(gitBranch, { action: "switch", name: "other" });
    expect(sprung()).toEqual([]);
  });

  test("git_push to an address that is a command", async () => {
    git("remote", "set-url", "origin", `ext::sh -c "mkdir -p ${canary}/ext"`);
    await expect(call(gitPush)).rejects.toMatchObject({ message: expect.stringContaining("'ext' not allowed") });
    expect(sprung()).toEqual([]);
  });

  test("git_push over ssh", async () => {
    git("remote", "set-url", "origin", "ssh://nowhere.invalid/x");
    await expect(call(gitPush)).rejects.toMatchObject({ code: "tool_failed" });
    expect(sprung()).toEqual([]);
  });

  test("a submodule's configuration neither", async () => {
    const inner = join(context.workspace, "inner");
    mkdirSync(inner);
    const innerGit = (...args: string[]) => execFileSync("git", args, { cwd: inner, stdio: "pipe" });
    innerGit("init", "--quiet");
    writeFileSync(join(inner, "b"), "1");
    innerGit("add", "b");
    innerGit("commit", "--quiet", "-m", "x");
    const plain = [
      "-c",
      "core.fsmonitor=false",
      "-c",
      "core.hooksPath=/dev/null",
      "-c",
      "filter.trap.process=",
      "-c",
      "filter.trap.clean=",
      "-c",
      "filter.trap.required=false",
    ];
    git(...plain, "add", "inner");
    innerGit("config", "core.fsmonitor", trap("inner"));
    writeFileSync(join(inner, ".gitattributes"), "* filter=inner\n");
    innerGit("config", "filter.inner.clean", trap("inner-filter"));
    rmSync(canary, { recursive: true, force: true });
    await call(gitCommit, { type: "fix", description: "x" });
    writeFileSync(join(inner, "b"), "2");
    await call(gitStatus);
    await call(gitDiff);
    await expect(call(gitCommit, { type: "fix", description: "x", all: true })).rejects.toMatchObject({
      message: expect.stringContaining("inner is a submodule with a configuration of its own."),
    });
    await call(gitCommit, { type: "fix", description: "x", paths: ["a"] });
    await call(gitBranch, { action: "create", name: "new" });
    await call(gitBranch, { action: "switch", name: "main" });
    expect(sprung()).toEqual([]);
  });

  test("a command in a shell that calls git neither", async () => {
    expect(
      await call(shell, { command: "git status --short; git commit -qam x; git log -1 --format=%s" }),
    ).toMatchObject({
      output: " M a\nx\n",
    });
    expect(sprung()).toEqual([]);
  });
});

test("a commit says that the hooks are not run", async () => {
  const { detail } = await gitCommit.intent(
    gitCommit.args.parse({ type: "fix", description: "x", all: true }),
    context,
  );
  expect(detail).toContain("The repository's hooks are not run, because the folder is not trusted.");
});

test.each([
  ["core.worktree", "/"],
  ["remote.origin.vcs", "evil"],
  ["filter.a=b.clean", "evil"],
])("%s, which cannot be made harmless, is told", async (key, value) => {
  git("config", key, value);
  await expect(call(gitStatus)).rejects.toMatchObject({
    code: "tool_failed",
    message: expect.stringContaining(`The repository's configuration has "${key}"`),
  });
});

test("a git of the folder's own is not found, though PATH names it", async () => {
  const bin = join(context.workspace, "bin");
  mkdirSync(bin);
  writeFileSync(join(bin, "git"), `#!/bin/sh\nmkdir -p '${canary}/git'\n`, { mode: 0o755 });
  const path = process.env.PATH;
  process.env.PATH = `${bin}:.:${path}`;
  try {
    await call(gitStatus);
  } finally {
    process.env.PATH = path;
  }
  expect(sprung()).toEqual([]);
});
