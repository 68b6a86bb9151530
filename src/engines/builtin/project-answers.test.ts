import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promptedRun, type Reply } from "../../testing/prompted-run.ts";
import { temporaryWorkspaces, type Workspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { builtinEngine } from "./index.ts";

const newWorkspace = temporaryWorkspaces();
const run = (workspace: Workspace, prompt: string, answers?: Reply[]) =>
  promptedRun(builtinEngine(), tools, workspace, prompt, answers);
const answer = async (workspace: Workspace, prompt: string, answers?: Reply[]) =>
  (await run(workspace, prompt, answers)).result.text;
const yes = { ok: true };

const git = (workspace: Workspace, ...args: string[]) =>
  execFileSync("git", args, { cwd: workspace.path, stdio: "pipe", encoding: "utf8" }).trim();

function repository(): Workspace {
  const workspace = newWorkspace().files({ "README.md": "# It\n" });
  git(workspace, "init", "--quiet", "--initial-branch=main");
  git(workspace, "config", "user.name", "Ada");
  git(workspace, "config", "user.email", "ada@example.com");
  git(workspace, "add", "--all");
  git(workspace, "commit", "--quiet", "--message=chore: begin");
  return workspace;
}

describe("git", () => {
  test("status, diff, log and branches are told in words and lists", async () => {
    const workspace = repository();
    expect(await answer(workspace, "git status")).toBe("On branch main: nothing to commit, the working tree is clean.");
    workspace.files({ "README.md": "# That\n", "new.txt": "" });
    expect(await answer(workspace, "what changed?")).toBe(
      "On branch main: 2 changed files.\n\n- modified `README.md`\n- untracked `new.txt`",
    );
    expect(await answer(workspace, "show the diff of README.md")).toMatch(
      /^1 file changed of README\.md\.\n\n- `README\.md` \+1 -1\n\n```diff\ndiff --git [\s\S]+-# It\n\+# That\n```$/,
    );
    expect(await answer(workspace, "show staged changes")).toBe("There are no staged changes.");
    expect(await answer(workspace, "git diff")).toMatch(
      /^1 file changed\.\n\n- `README\.md` \+1 -1\n\n```diff\n[\s\S]+```\n\nNot known to git yet: `new\.txt`\.$/,
    );
    expect(await answer(workspace, "git log")).toMatch(
      /^Here is the only commit\.\n\n- `[0-9a-f]+` `chore: begin` \(Ada, \d{4}-\d\d-\d\d\)$/,
    );
    expect(await answer(workspace, "who wrote README.md?")).toMatch(/^README\.md was last changed by Ada on /);
    expect(await answer(workspace, "who wrote new.txt?")).toBe("No commit has changed new.txt.");
    expect(await answer(workspace, "create a branch feature/x", [yes])).toBe(
      "Created the branch feature/x. `feature/x` is checked out now.",
    );
    expect(await answer(workspace, "list branches")).toBe(
      "There are 2 branches, and feature/x is checked out.\n\n- **feature/x** (current)\n- main",
    );
  });

  test("outside of a repository it says so", async () => {
    expect(await answer(newWorkspace(), "git status")).toMatch(/^This failed: /);
  });

  test("a push of a new branch sets its upstream", async () => {
    const workspace = repository();
    const remote = join(workspace.around, "remote.git");
    execFileSync("git", ["init", "--quiet", "--bare", remote]);
    git(workspace, "remote", "add", "origin", remote);
    expect(await answer(workspace, "push", [yes])).toBe("Pushed main to origin.");
    expect(git(workspace, "rev-parse", "--abbrev-ref", "main@{upstream}")).toBe("origin/main");
  });

  test("a tracked file is renamed by git, any other one by itself", async () => {
    const workspace = repository().files({ "new.txt": "" });
    expect((await run(workspace, "rename README.md to READ.md", [yes])).calls.at(-1)).toEqual([
      "shell",
      { command: "git mv -- README.md READ.md", timeoutMs: 120_000 },
    ]);
    expect(await answer(workspace, "rename new.txt to old.txt", [yes])).toBe("Renamed new.txt to old.txt.");
    expect(["READ.md", "old.txt"].map((name) => existsSync(join(workspace.path, name)))).toEqual([true, true]);
  });
});

describe("committing", () => {
  test("tells the short hash, and takes only the file that was just written when that is what was said", async () => {
    const workspace = repository().files({ "other.txt": "" });
    const told = await run(workspace, "write notes.txt with hello, then commit it as docs: add notes", [yes, yes]);
    const hash = git(workspace, "rev-parse", "--short=7", "HEAD");
    expect(told.result.text).toMatch(new RegExp(`Committed \`${hash}\` \`docs: add notes\` \\(1 file\\)\\.$`));
    expect(git(workspace, "status", "--porcelain")).toBe("?? other.txt");
  });

  test("takes what is staged, or everything where nothing is", async () => {
    const workspace = repository().files({ "a.txt": "", "b.txt": "" });
    git(workspace, "add", "a.txt");
    await answer(workspace, "commit this as feat(api): add a", [yes]);
    expect(git(workspace, "log", "-1", "--format=%s", "--name-only")).toBe("feat(api): add a\n\na.txt");
    await answer(workspace, "commit this as feat!: add b", [yes]);
    expect(git(workspace, "log", "-1", "--format=%s", "--name-only")).toBe("feat!: add b\n\nb.txt");
  });

  test("a message of another form is proposed anew, and is what the user then says", async () => {
    const workspace = repository().files({ "a.txt": "" });
    const told = await run(workspace, "commit everything as Add user endpoint", [
      { value: "feat(api): add user endpoint" },
      yes,
    ]);
    expect(told.of("ask.opened")[0]).toMatchObject({ kind: "prompt", defaultValue: "feat: add user endpoint" });
    expect(git(workspace, "log", "-1", "--format=%s")).toBe("feat(api): add user endpoint");
  });

  test("a missing message is proposed from the files", async () => {
    const told = await run(repository().files({ "docs/a.md": "" }), "commit", [{ value: null }]);
    expect(told.of("ask.opened")[0]).toMatchObject({ defaultValue: "docs: add a.md" });
    expect(told.result.text).toBe("**Not done:** Commit. No message was given, so nothing was committed.");
  });

  test("where nobody can be asked, the words for it are given", async () => {
    expect(await answer(repository().files({ "a.txt": "" }), "commit everything as fix the parser")).toBe(
      'This failed: "fix the parser" is no conventional commit. Nobody answered what it should be. Say it again with one, such as: `commit as fix: fix the parser`.',
    );
    expect(await answer(repository(), "commit as fix: x", [])).toBe(
      "This failed: There is nothing to commit: the working tree is clean.",
    );
  });
});

describe("commands", () => {
  test("say their exit code and how long they took, and show the last lines of what they printed", async () => {
    const workspace = newWorkspace();
    expect(await answer(workspace, "run echo hi", [yes])).toMatch(
      /^`echo hi` ended with exit code 0 after \d+ ms\.\n\n```\nhi\n```$/,
    );
    const text = await answer(workspace, "run `seq 100; exit 4`", [yes]);
    expect(text).toMatch(/failed with exit code 4 after \d+ ms\.\n\nThe last lines:\n\n```\n76\n/);
    expect(text).toMatch(/\n100\n```$/);
  });

  test.each<[string, Record<string, string>, string]>([
    ["run the tests", { "package.json": '{"scripts":{"test":"true"}}' }, "npm test"],
    ["run the tests", { "package.json": '{"scripts":{"test":"true"}}', "pnpm-lock.yaml": "" }, "pnpm test"],
    [
      "run the tests",
      { "package.json": '{"scripts":{"test":"echo no test specified"}}', "go.mod": "" },
      "go test ./...",
    ],
    ["run the tests", { "Cargo.toml": "" }, "cargo test"],
    ["run the tests", { "pyproject.toml": "" }, "python3 -m pytest"],
    ["run the tests", { Makefile: "build:\n\ttrue\ntest:\n\ttrue\n" }, "make test"],
    ["type check the project", { "package.json": '{"scripts":{"types":"tsc"}}' }, "npm run types"],
    ["run the linter", { "package.json": '{"scripts":{"lint":"x"}}', "yarn.lock": "" }, "yarn run lint"],
    ["install dependencies", { "package.json": "{}" }, "npm install"],
  ])("%j in a project with %j is %j", async (prompt, files, command) => {
    const told = await run(newWorkspace().files(files), prompt, [{ ok: false, reason: "only asking" }]);
    expect(told.calls.at(-1)).toEqual(["shell", { command, timeoutMs: 120_000 }]);
  });

  test("a project that does not say how gets no guess", async () => {
    const workspace = newWorkspace().files({ "package.json": '{"scripts":{"dev":"x"}}' });
    expect(await answer(workspace, "run the tests", [])).toBe(
      "This failed: Nothing here says how to run the project's test. Its package.json has 1 script: `dev`. Say the command itself: `run <command>`.",
    );
  });
});
