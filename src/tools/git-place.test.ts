import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { AnyTool, ToolContext } from "../core/tool.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitBranches } from "./git-branches.ts";
import { gitCommit } from "./git-commit.ts";
import { gitDiff } from "./git-diff.ts";
import { gitLog } from "./git-log.ts";
import { gitStatus } from "./git-status.ts";
import { shell } from "./shell.ts";

const folder = temporaryFolder();
const before = process.env.GIT_CONFIG_GLOBAL;
let root: string;
let context: ToolContext;
let secret: string;

beforeAll(() => {
  const config = join(folder.path, "gitconfig");
  const own = "[user]\n\tname = A B\n\temail = a@example.com\n[init]\n\tdefaultBranch = main\n";
  writeFileSync(config, `${own}[protocol "file"]\n\tallow = always\n`);
  process.env.GIT_CONFIG_GLOBAL = config;
});
afterAll(() => {
  if (before === undefined) delete process.env.GIT_CONFIG_GLOBAL;
  else process.env.GIT_CONFIG_GLOBAL = before;
});

/** A repository of the user's own, and beside it a folder that nobody trusts. */
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(folder.path, "r-")));
  secret = join(root, "secret");
  context = { workspace: join(root, "w"), trusted: false };
  repository(secret, "secret");
  mkdirSync(context.workspace);
});

const git = (cwd: string, ...args: string[]) => execFileSync("git", args, { cwd, encoding: "utf8", stdio: "pipe" });

function repository(at: string, message: string): void {
  mkdirSync(at, { recursive: true });
  git(at, "init", "--quiet");
  writeFileSync(join(at, "a"), `${message}\n`);
  git(at, "add", "--all");
  git(at, "commit", "--quiet", "--message", message);
}

/** As far as a `.git` of one's own goes: with a branch whose commit only the other repository has. */
function emptyRepository(): string {
  const at = context.workspace;
  git(at, "init", "--quiet");
  writeFileSync(join(at, ".git", "refs", "heads", "main"), git(secret, "rev-parse", "HEAD"));
  return join(at, ".git");
}

async function call(tool: AnyTool, args: object = {}): Promise<unknown> {
  const parsed = tool.args.parse(args);
  await tool.intent(parsed, context);
  return (await tool.run(parsed, context, quietIo())).result;
}

const problemOf = async (command: string) =>
  (await shell.intent({ command, timeoutMs: 20_000 }, context)).command?.problem;

/** Ways in which a folder leads git to a repository that is none of its own, and what is told about each. */
const lures: [string, () => string][] = [
  [
    "a file .git",
    () => {
      writeFileSync(join(context.workspace, ".git"), `gitdir: ${secret}/.git\n`);
      return `${context.workspace}/.git leads to ${secret}/.git, which does not know of this folder`;
    },
  ],
  [
    "a file .git that names a repository without a working tree",
    () => {
      git(root, "clone", "--quiet", "--bare", secret, "secret.git");
      writeFileSync(join(context.workspace, ".git"), `gitdir: ${root}/secret.git\n`);
      return `${root}/secret.git has no working tree`;
    },
  ],
  [
    "a file .git that names another's linked working tree",
    () => {
      git(secret, "worktree", "add", "--quiet", join(root, "linked"));
      writeFileSync(join(context.workspace, ".git"), `gitdir: ${secret}/.git/worktrees/linked\n`);
      return `${context.workspace}/.git leads to ${secret}/.git/worktrees/linked, which does not know of this folder`;
    },
  ],
  [
    "a linked working tree of its own making, which shares with another repository",
    () => {
      const made = join(context.workspace, "x", "worktrees", "y");
      mkdirSync(made, { recursive: true });
      writeFileSync(join(made, "gitdir"), `${context.workspace}/.git\n`);
      writeFileSync(join(made, "commondir"), `${secret}/.git\n`);
      writeFileSync(join(made, "HEAD"), "ref: refs/heads/main\n");
      writeFileSync(join(context.workspace, ".git"), `gitdir: ${made}\n`);
      return `${context.workspace}/.git leads to ${made}, which does not know of this folder`;
    },
  ],
  [
    "a file .git that names a submodule whose configuration has lost its folder",
    () => {
      const inner = submodule(join(root, "super"));
      git(inner, "config", "--unset", "core.worktree");
      writeFileSync(join(context.workspace, ".git"), `gitdir: ${root}/super/.git/modules/inner\n`);
      return `${context.workspace}/.git leads to ${root}/super/.git/modules/inner, which does not know of this folder`;
    },
  ],
  [
    "a link .git",
    () => {
      symlinkSync(join(secret, ".git"), join(context.workspace, ".git"));
      return `${context.workspace}/.git is a link to ${secret}/.git`;
    },
  ],
  [
    "a file commondir",
    () => {
      const at = emptyRepository();
      writeFileSync(join(at, "commondir"), `${secret}/.git\n`);
      return `${at}/commondir leads to ${secret}/.git`;
    },
  ],
  [
    "borrowed objects",
    () => {
      const at = emptyRepository();
      writeFileSync(join(at, "objects", "info", "alternates"), `${secret}/.git/objects\n`);
      return `${at}/objects/info/alternates borrows from other repositories`;
    },
  ],
  [
    "linked objects",
    () => {
      const at = emptyRepository();
      rmSync(join(at, "objects"), { recursive: true });
      symlinkSync(join(secret, ".git", "objects"), join(at, "objects"));
      return `${at}/objects is a link to ${secret}/.git/objects`;
    },
  ],
  [
    "linked packs",
    () => {
      git(secret, "gc", "--quiet");
      const at = emptyRepository();
      rmSync(join(at, "objects", "pack"), { recursive: true });
      symlinkSync(join(secret, ".git", "objects", "pack"), join(at, "objects", "pack"));
      return `${at}/objects/pack is a link to ${secret}/.git/objects/pack`;
    },
  ],
];

/** The folder of a submodule "inner", as git makes it. */
function submodule(at: string): string {
  repository(at, "super");
  git(at, "submodule", "--quiet", "add", secret, "inner");
  git(at, "commit", "--quiet", "--message", "inner");
  return join(at, "inner");
}

describe("a folder that is not trusted does not show another repository by", () => {
  test.each(lures)("%s", async (_, set) => {
    const told = set();
    const message = `git would use a repository that is not this folder's own: ${told}. Look at it; dragoman trust lifts this.`;
    for (const tool of [gitLog, gitStatus, gitDiff, gitBranches]) {
      await expect(call(tool)).rejects.toMatchObject({ code: "forbidden", message });
    }
    const problem = `git would use a repository that is not this folder's own: ${told}`;
    expect(await problemOf("git log")).toBe(problem);
    context = { workspace: root, trusted: false };
    expect(await problemOf("cd w && git log")).toBe(problem);
    expect(await problemOf("ls w")).toBeUndefined();
    context = { workspace: join(root, "w"), trusted: true };
    expect(await call(gitLog)).toMatchObject({ commits: [{ subject: "secret" }] });
    expect(await problemOf("git log")).toBeUndefined();
  });

  test("a file .git that names a submodule of another repository, which is told by its configuration", async () => {
    submodule(join(root, "super"));
    writeFileSync(join(context.workspace, ".git"), `gitdir: ${root}/super/.git/modules/inner\n`);
    await expect(call(gitLog)).rejects.toMatchObject({ message: expect.stringContaining('has "core.worktree"') });
    expect(await problemOf("git log")).toBe('git would obey "core.worktree" of a repository that is not trusted');
  });
});

/** Each gives the folder to work in. */
const ordinary: [string, () => string][] = [
  ["a repository", () => secret],
  [
    "a folder within one",
    () => {
      mkdirSync(join(secret, "sub", "deep"), { recursive: true });
      return join(secret, "sub", "deep");
    },
  ],
  [
    "a clone",
    () => {
      git(root, "clone", "--quiet", secret, "clone");
      return join(root, "clone");
    },
  ],
  [
    "a linked working tree",
    () => {
      git(secret, "worktree", "add", "--quiet", join(root, "linked"));
      return join(root, "linked");
    },
  ],
  [
    "a linked working tree that has been moved",
    () => {
      git(secret, "worktree", "add", "--quiet", join(root, "linked"));
      git(secret, "worktree", "move", join(root, "linked"), join(root, "moved"));
      return join(root, "moved");
    },
  ],
  [
    "a linked working tree that names its repository by relative paths",
    () => {
      git(secret, "worktree", "add", "--quiet", join(root, "linked"));
      writeFileSync(join(root, "linked", ".git"), "gitdir: ../secret/.git/worktrees/linked\n");
      writeFileSync(join(secret, ".git", "worktrees", "linked", "gitdir"), "../../../../linked/.git\n");
      return join(root, "linked");
    },
  ],
  [
    "a linked working tree of a repository that has none of its own",
    () => {
      git(root, "clone", "--quiet", "--bare", secret, "bare.git");
      git(join(root, "bare.git"), "worktree", "add", "--quiet", join(root, "linked"));
      return join(root, "linked");
    },
  ],
  ["a submodule", () => submodule(join(root, "super"))],
  [
    "a folder within a submodule",
    () => {
      const inner = submodule(join(root, "super"));
      mkdirSync(join(inner, "sub"));
      return join(inner, "sub");
    },
  ],
  [
    "a submodule of a linked working tree",
    () => {
      submodule(join(root, "super"));
      git(join(root, "super"), "worktree", "add", "--quiet", join(root, "linked"));
      git(join(root, "linked"), "submodule", "--quiet", "update", "--init");
      return join(root, "linked", "inner");
    },
  ],
  [
    "a linked working tree of a submodule",
    () => {
      git(submodule(join(root, "super")), "worktree", "add", "--quiet", join(root, "linked"));
      return join(root, "linked");
    },
  ],
  [
    "a repository reached by a link to its folder",
    () => {
      symlinkSync(secret, join(root, "link"));
      return join(root, "link");
    },
  ],
  [
    "one whose hooks and HEAD are links",
    () => {
      const at = join(secret, ".git");
      renameSync(join(at, "hooks"), join(root, "hooks"));
      symlinkSync(join(root, "hooks"), join(at, "hooks"));
      rmSync(join(at, "HEAD"));
      symlinkSync("refs/heads/main", join(at, "HEAD"));
      return secret;
    },
  ],
];

describe("works though it is not trusted:", () => {
  test.each(ordinary)("%s", async (_, make) => {
    context = { workspace: make(), trusted: false };
    expect(await problemOf("git log")).toBeUndefined();
    writeFileSync(join(context.workspace, "new"), "1\n");
    expect(await call(gitStatus)).toMatchObject({ files: [{ path: "new", status: "untracked" }] });
    await call(gitCommit, { type: "fix", description: "x", paths: ["new"] });
    const { commits } = (await call(gitLog)) as { commits: { subject: string }[] };
    expect([commits[0]?.subject, commits.at(-1)?.subject]).toEqual(["fix: x", "secret"]);
  });
});
