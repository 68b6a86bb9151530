import { execFileSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import type { ToolContext } from "../core/tool.ts";
import { gitIdentity } from "../testing/git-identity.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitStatus } from "./git-status.ts";
import { shell } from "./shell.ts";

const folder = temporaryFolder();
gitIdentity(folder);
let context: ToolContext;
let evil: string;
let canary: string;

/** A repository that nobody trusts yet, with a program that leaves a mark. */
beforeEach(() => {
  const root = realpathSync(mkdtempSync(join(folder.path, "r-")));
  context = { workspace: join(root, "w"), trusted: false };
  canary = join(root, "canary");
  evil = join(root, "evil");
  writeFileSync(evil, `#!/bin/sh\ntouch '${canary}'\ncat 2>/dev/null\n`, { mode: 0o755 });
  repository(context.workspace);
});

/** With a file that has changed, so that git looks at it through the filter. */
function repository(at: string): void {
  mkdirSync(at, { recursive: true });
  git(at, "init", "--quiet");
  writeFileSync(join(at, "a"), "1\n");
  writeFileSync(join(at, ".gitattributes"), "* filter=trap\n");
  git(at, "add", "--all");
  git(at, "commit", "--quiet", "--message", "first");
  git(at, "branch", "other");
  writeFileSync(join(at, "a"), "2\n");
}

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" });
const here = (...args: string[]) => git(context.workspace, ...args);
const args = (command: string) => ({ command, timeoutMs: 20_000 });
const problemOf = async (command: string) => (await shell.intent(args(command), context)).command?.problem;

async function run(command: string): Promise<string> {
  const { result } = await shell.run(args(command), context, quietIo());
  return (result as { output: string }).output;
}

const isSprung = () => existsSync(canary);

describe("git in a command obeys nothing of a repository that is not trusted", () => {
  test.each([
    ["core.worktree", ".."],
    ["remote.x.vcs", "evil"],
    ["filter.a=b.clean", "evil"],
  ])("also where its configuration has %s", async (key, value) => {
    here("config", "filter.trap.clean", evil);
    here("config", key, value);
    await run("git status");
    expect(isSprung()).toBe(false);
  });

  test("nor of one within it that the line goes to", async () => {
    repository(join(context.workspace, "inner"));
    git(join(context.workspace, "inner"), "config", "filter.trap.clean", evil);
    expect(await run("cd inner && git status --short; cd ..; git -C inner diff --stat")).toContain(" M a\n");
    expect(isSprung()).toBe(false);
  });

  test("nor of one that came with the files, as a folder without a work tree", async () => {
    const bare = join(context.workspace, "bare");
    git(context.workspace, "init", "--quiet", "--bare", bare);
    git(bare, "config", "alias.x", `!${evil}`);
    expect(await run("cd bare && git log; git x")).toContain("cannot use bare repository");
    expect(isSprung()).toBe(false);
  });

  test.each([
    ["tar.trap.command", "git archive --format=trap HEAD"],
    ["difftool.trap.cmd", "git difftool --no-prompt --tool=trap"],
    ["trailer.trap.cmd", "git commit -qam x --trailer trap=1"],
  ])("%s", async (key, command) => {
    here("config", key, evil);
    await run(command);
    expect(isSprung()).toBe(false);
  });

  test("an alias that is a command", async () => {
    here("config", "alias.st", `!${evil}`);
    await run("git st");
    expect(isSprung()).toBe(false);
  });

  test.each([
    ["http.proxy", ""],
    ["http.https://example.com.sslVerify", "true"],
    ["http.cookieFile", ""],
    ["http.saveCookies", "false"],
    ["init.templateDir", ""],
    ["gc.recentObjectsHook", "true"],
    ["hook.x.command", "true"],
    ["lfs.customtransfer.x.path", "false"],
    ["lfs.standaloneTransferAgent", ""],
  ])("%s has a harmless value", async (key, value) => {
    here("config", key, "evil");
    expect(await run(`git config --get ${key}`)).toBe(`${value}\n`);
  });
});

describe("is asked about, whatever is allowed,", () => {
  test.each([
    ["core.worktree", "."],
    ["remote.x.vcs", "evil"],
    ["includeIf.onbranch:other.path", "x"],
    ["includeIf.hasconfig:remote.*.url:https://x.path", "x"],
  ])("a line with git where its configuration has %s", async (key, value) => {
    here("config", key, value);
    const told = here("config", "--list", "--name-only").split("\n").at(-2);
    expect(await problemOf("cd . && git status")).toBe(`git would obey "${told}" of a repository that is not trusted`);
    expect(await problemOf("ls")).toBeUndefined();
    context = { ...context, trusted: true };
    expect(await problemOf("git status")).toBeUndefined();
  });

  test("a line with git where the configuration is too large to be read", async () => {
    const config = join(context.workspace, ".git", "config");
    const filler = Array.from({ length: 60_000 }, (_, at) => `[z "${"z".repeat(20)}${at}"]\nk=1\n`).join("");
    writeFileSync(config, `${filler}[filter "trap"]\nclean=${evil}\n`);
    expect(await problemOf("git status")).toContain("a configuration that cannot be read");
    await expect(gitStatus.run({}, context, quietIo(AbortSignal.timeout(20_000)))).rejects.toMatchObject({
      message: "The repository's configuration is too large to be read.",
    });
    expect(isSprung()).toBe(false);
  });
});

test("in a folder that is not trusted no program of its own takes the place of another, though PATH names it", async () => {
  const bin = join(context.workspace, "node_modules", ".bin");
  mkdirSync(bin, { recursive: true });
  copyFileSync(evil, join(bin, "ls"));
  const link = join(context.workspace, "..", "link");
  symlinkSync(context.workspace, link);
  const path = process.env.PATH;
  process.env.PATH = `${link}/node_modules/.bin:${bin}:${path}`;
  try {
    expect(await run("ls")).toContain("node_modules");
  } finally {
    process.env.PATH = path;
  }
  expect(isSprung()).toBe(false);
});
