import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
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
import { withoutCredentials } from "./git-process.ts";
import { gitPush } from "./git-push.ts";
import { gitStatus } from "./git-status.ts";

const folder = temporaryFolder();
let context: ToolContext;
let shown: string;
gitIdentity(folder);

beforeEach(() => {
  context = { workspace: realpathSync(mkdtempSync(join(folder.path, "w-"))), trusted: true };
  shown = "";
  git("init", "--quiet");
});

const git = (...args: string[]) =>
  execFileSync("git", args, { cwd: context.workspace, encoding: "utf8", stdio: "pipe" });
const put = (name: string, content: string) => writeFileSync(join(context.workspace, name), content);

function commitAll(message = "first"): void {
  git("add", "--all");
  git("commit", "--quiet", "--message", message);
}

async function call(tool: AnyTool, args: object = {}): Promise<unknown> {
  const io = {
    ...quietIo(),
    output: async (text: string) => {
      shown += text;
    },
  };
  return (await tool.run(tool.args.parse(args), context, io)).result;
}
const intent = (tool: AnyTool, args: object = {}) => tool.intent(tool.args.parse(args), context);

describe("status", () => {
  test("of a repository without commits", async () => {
    expect(await call(gitStatus)).toEqual({ branch: "main", ahead: 0, behind: 0, clean: true, files: [] });
  });

  test("names what happened to each file, whatever it is called", async () => {
    for (const name of ["a", "b", "c", "old name"]) put(name, `${name}\n`.repeat(20));
    commitAll();
    put("a", "changed");
    git("rm", "--quiet", "b");
    git("mv", "old name", "new name");
    put("ä\n→ b", "x");
    git("add", "ä\n→ b");
    put("c d", "x");
    expect(await call(gitStatus)).toEqual({
      branch: "main",
      ahead: 0,
      behind: 0,
      clean: false,
      files: [
        { path: "a", status: "modified" },
        { path: "b", status: "deleted" },
        { path: "new name", status: "renamed" },
        { path: "ä\n→ b", status: "added" },
        { path: "c d", status: "untracked" },
      ],
    });
  });

  test("says how far it is from its upstream, what is in conflict, and that no branch is checked out", async () => {
    put("a", "1");
    commitAll();
    git("branch", "other");
    put("a", "2");
    commitAll();
    git("branch", "--set-upstream-to=other");
    expect(await call(gitStatus)).toMatchObject({ upstream: "other", ahead: 1, behind: 0 });
    git("switch", "--quiet", "other");
    put("a", "3");
    commitAll();
    expect(() => git("merge", "main")).toThrow();
    expect(await call(gitStatus)).toMatchObject({ files: [{ path: "a", status: "conflicted" }] });
    git("merge", "--abort");
    git("switch", "--quiet", "--detach");
    expect(await call(gitStatus)).toMatchObject({ branch: "(detached)", clean: true });
  });
});

describe("diff", () => {
  beforeEach(() => {
    put("a", "one\n");
    put("b", "one\n");
    commitAll();
    put("a", "two\n");
  });

  test("of the working folder, of what is staged, of some paths, and since a commit", async () => {
    const changed = {
      diff: expect.stringContaining("-one\n+two"),
      files: [{ path: "a", added: 1, removed: 1 }],
      truncated: false,
    };
    const none = { diff: "", files: [], truncated: false };
    expect(await call(gitDiff)).toEqual(changed);
    expect(await call(gitDiff, { staged: true })).toEqual(none);
    expect(await call(gitDiff, { paths: ["b"] })).toEqual(none);
    expect(await call(gitDiff, { paths: ["*"] })).toEqual(none); // it is a name and no pattern
    git("add", "a");
    expect(await call(gitDiff, { staged: true })).toEqual(changed);
    commitAll();
    expect(await call(gitDiff)).toEqual(none);
    expect(await call(gitDiff, { base: "HEAD~1" })).toEqual(changed);
  });

  test("is cut at a line when it is long", async () => {
    put("a", "0123456789\n".repeat(100_000));
    const { diff, files, truncated } = (await call(gitDiff)) as { diff: string; files: unknown; truncated: boolean };
    expect(truncated).toBe(true);
    expect(files).toEqual([{ path: "a", added: 100_000, removed: 1 }]);
    expect(diff.length).toBeLessThanOrEqual(256 * 1024);
    expect(diff.endsWith("\n+0123456789\n")).toBe(true);
  });

  test("takes nothing for an option", async () => {
    await expect(call(gitDiff, { base: "--output=canary" })).rejects.toMatchObject({ code: "invalid_tool_args" });
    await expect(call(gitDiff, { base: "nonsense" })).rejects.toMatchObject({
      code: "tool_failed",
      message: 'There is no commit "nonsense" here. Name a branch, a tag or a hash.',
    });
    expect(await call(gitDiff, { paths: ["--output=canary"] })).toMatchObject({ diff: "" });
    expect(await call(gitStatus)).toMatchObject({ files: [{ path: "a", status: "modified" }] });
  });

  test("a path outside is told before anything is done", async () => {
    const { targets } = await intent(gitDiff, { paths: ["../x"] });
    expect(targets).toMatchObject([{ path: "../x", outside: true, writes: false }]);
  });
});

describe("commit", () => {
  const feat = { type: "feat", description: "add it" };

  test("of all changes, with a conventional message", async () => {
    put("a", "1");
    put("b", "1");
    const args = { ...feat, scope: "api", breaking: true, body: "Because.\n\n# no comment", all: true };
    expect(await intent(gitCommit, args)).toEqual({
      title: "Commit feat(api)!: add it",
      detail: "feat(api)!: add it\n\nBecause.\n\n# no comment\n\n  a\n  b",
      targets: [],
      basis: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await call(gitCommit, args)).toEqual({
      hash: git("rev-parse", "HEAD").trim(),
      subject: "feat(api)!: add it",
      files: ["a", "b"],
    });
    expect(git("log", "-1", "--format=%B%an").trim()).toBe("feat(api)!: add it\n\nBecause.\n\n# no comment\nA B");
  });

  test("of the named paths only, though others are staged", async () => {
    for (const name of ["a", "b", "-c"]) put(name, "1");
    git("add", "b");
    expect(await call(gitCommit, { ...feat, paths: ["a", "-c"] })).toMatchObject({ files: ["-c", "a"] });
    expect(await call(gitStatus)).toMatchObject({ files: [{ path: "b", status: "added" }] });
    expect(await call(gitCommit, feat)).toMatchObject({ files: ["b"] });
  });

  test("of nothing is refused, and it is said why", async () => {
    put("a", "1");
    const message = (text: string) => ({ code: "tool_failed", message: `There is nothing to commit. ${text}` });
    await expect(intent(gitCommit, feat)).rejects.toMatchObject(
      message('Nothing is staged. Name the "paths", or commit "all".'),
    );
    await expect(call(gitCommit, { ...feat, paths: ["b"] })).rejects.toMatchObject(
      message("There are no changes in b."),
    );
    commitAll();
    await expect(call(gitCommit, { ...feat, all: true })).rejects.toMatchObject(
      message("There are no changes in the workspace."),
    );
  });

  test("stands on another ground when a file has changed in between", async () => {
    put("a", "1");
    const first = await intent(gitCommit, { ...feat, all: true });
    expect(await intent(gitCommit, { ...feat, all: true })).toEqual(first);
    put("a", "longer");
    expect((await intent(gitCommit, { ...feat, all: true })).basis).not.toBe(first.basis);
  });

  test("needs somebody to be the author", async () => {
    const config = process.env.GIT_CONFIG_GLOBAL;
    process.env.GIT_CONFIG_GLOBAL = "/dev/null";
    put("a", "1");
    await expect(intent(gitCommit, { ...feat, all: true }))
      .rejects.toMatchObject({
        code: "tool_failed",
        message: expect.stringContaining("git config --global user.email"),
      })
      .finally(() => {
        process.env.GIT_CONFIG_GLOBAL = config;
      });
  });

  test("runs the hooks of a trusted folder, and shows what they say", async () => {
    put("a", "1");
    writeFileSync(join(context.workspace, ".git/hooks/pre-commit"), "#!/bin/sh\necho no >&2\nexit 1\n", {
      mode: 0o755,
    });
    await expect(call(gitCommit, { ...feat, all: true })).rejects.toMatchObject({ message: "git commit failed: no" });
    expect(shown).toBe("no\n");
  });

  test("takes only what is a conventional commit", () => {
    const refused = [
      { type: "feature", description: "x" },
      { type: "feat" },
      { type: "feat", description: " " },
      { type: "feat", description: "a\nb" },
      { type: "feat", description: "x".repeat(95) },
      { type: "feat", scope: "a b", description: "x" },
      { type: "feat", scope: "-a", description: "x" },
      { type: "feat", description: "x", all: true, paths: ["a"] },
      { type: "feat", description: "x", body: "a\0b" },
    ];
    expect(refused.filter((args) => gitCommit.args.safeParse(args).success)).toEqual([]);
    expect(gitCommit.args.parse({ type: "fix", scope: "core/log", description: "x".repeat(85) })).toBeTruthy();
  });
});

describe("branches", () => {
  beforeEach(() => {
    put("a", "1");
    commitAll();
  });

  test("are listed, created and switched to", async () => {
    expect(await call(gitBranch, { action: "create", name: "feature/x" })).toEqual({
      current: "feature/x",
      branches: ["feature/x", "main"],
    });
    put("a", "2");
    commitAll();
    expect(await call(gitBranch, { action: "switch", name: "main" })).toMatchObject({ current: "main" });
    await call(gitBranch, { action: "create", name: "y", from: "feature/x" });
    expect(readFileSync(join(context.workspace, "a"), "utf8")).toBe("2");
    expect(await call(gitBranches)).toEqual({ current: "y", branches: ["feature/x", "main", "y"] });
  });

  test.each([
    [{ action: "switch", name: "none" }, 'There is no branch "none". Create it, or choose one of: main.'],
    [{ action: "create", name: "main" }, 'There is a branch "main" already. Switch to it, or choose another name.'],
    [{ action: "create", name: "-f" }, 'The branch "-f" begins with a dash, which git takes for an option.'],
    [{ action: "create", name: "a..b" }, '"a..b" cannot be the name of a branch. Use letters, digits, - and /.'],
    [
      { action: "create", name: "x", from: "--force" },
      'The revision "--force" begins with a dash, which git takes for an option.',
    ],
    [{ action: "switch", name: "main", from: "main" }, 'Only a new branch has a "from". Leave it out.'],
  ])("%j is refused before anyone is asked", async (args, message) => {
    await expect(intent(gitBranch, args)).rejects.toMatchObject({ message });
    await expect(call(gitBranch, args)).rejects.toMatchObject({ message });
  });

  test("one that brings another control file with it is said to", async () => {
    git("switch", "--quiet", "--create", "evil");
    put("dragoman.json", "{}");
    commitAll();
    git("switch", "--quiet", "main");
    expect(await intent(gitBranch, { action: "switch", name: "evil" })).toMatchObject({
      title: "Switch to the branch evil",
      targets: [{ path: "dragoman.json", control: true, writes: true }],
    });
  });
});

describe("push", () => {
  beforeEach(() => {
    put("a", "1");
    commitAll("feat: one");
    const bare = mkdtempSync(join(folder.path, "bare-"));
    execFileSync("git", ["init", "--quiet", "--bare", bare]);
    git("remote", "add", "origin", bare);
  });

  test("says where to and what before, and sends it", async () => {
    const address = git("remote", "get-url", "origin").trim();
    expect(await intent(gitPush)).toEqual({
      title: "Push main to origin",
      detail: `To ${address}\n1 commit:\n  ${git("rev-parse", "--short", "HEAD").trim()} feat: one`,
      targets: [],
      basis: expect.any(String),
    });
    expect(await call(gitPush, { setUpstream: true })).toMatchObject({ remote: "origin", branch: "main" });
    expect(await call(gitStatus)).toMatchObject({ upstream: "origin/main", ahead: 0 });
    expect((await intent(gitPush)).detail).toContain("Nothing new");
  });

  test("takes all of a password for one, a sign like that before the host included", () => {
    expect(withoutCredentials("to https://a:p@ss@host/x and ssh://host/a@b")).toBe(
      "to https://***@host/x and ssh://host/a@b",
    );
  });

  test("shows no credentials", async () => {
    git("remote", "set-url", "origin", "https://user:canary@example.invalid/x.git");
    const { detail } = await intent(gitPush);
    expect(detail).toContain("To https://***@example.invalid/x.git");
    const error = await call(gitPush).catch((thrown: Error) => thrown.message);
    expect(`${error}${shown}${detail}`).not.toContain("canary");
  });

  test.each([
    [
      { remote: "--receive-pack=id" },
      'The remote "--receive-pack=id" begins with a dash, which git takes for an option.',
    ],
    [{ remote: "https://evil.test/x" }, 'There is no remote "https://evil.test/x". Choose one of: origin.'],
    [{ branch: "none" }, 'There is no commit "refs/heads/none" here. Name a branch, a tag or a hash.'],
  ])("%j is refused", async (args, message) => {
    await expect(intent(gitPush, args)).rejects.toMatchObject({ message });
  });
});

test("without a repository each says what to do", async () => {
  rmSync(join(context.workspace, ".git"), { recursive: true });
  const message = `${context.workspace} is not a git repository. Run git init in it first.`;
  const calls: [AnyTool, object][] = [
    [gitStatus, {}],
    [gitDiff, {}],
    [gitBranches, {}],
    [gitBranch, { action: "create", name: "x" }],
    [gitCommit, { type: "fix", description: "x" }],
    [gitPush, {}],
  ];
  for (const [tool, args] of calls)
    await expect(call(tool, args)).rejects.toMatchObject({ code: "tool_failed", message });
});

test("a workspace within a repository is looked at by itself", async () => {
  mkdirSync(join(context.workspace, "sub"));
  put("a", "1");
  put("sub/b", "1");
  context = { ...context, workspace: join(context.workspace, "sub") };
  expect(await call(gitStatus)).toMatchObject({ files: [{ path: "b", status: "untracked" }] });
  expect(await call(gitCommit, { type: "fix", description: "x", all: true })).toMatchObject({ files: ["b"] });
  put("b", "2");
  expect(await call(gitDiff)).toMatchObject({ files: [{ path: "b", added: 1, removed: 1 }] });
});
