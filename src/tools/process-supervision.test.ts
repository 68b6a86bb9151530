import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { newMark } from "../core/process-mark.ts";
import type { Supervise } from "../core/supervision.ts";
import type { AnyTool, ToolContext, ToolIO } from "../core/tool.ts";
import { gitIdentity } from "../testing/git-identity.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitBranch } from "./git-branch.ts";
import { gitBranches } from "./git-branches.ts";
import { gitCommit } from "./git-commit.ts";
import { gitDiff } from "./git-diff.ts";
import { gitLog } from "./git-log.ts";
import { gitPush } from "./git-push.ts";
import { gitStatus } from "./git-status.ts";
import { MARK } from "./process-descendants.ts";
import { runProcess } from "./process-run.ts";
import { shell } from "./shell.ts";

const folder = temporaryFolder();
gitIdentity(folder);
const path = process.env.PATH;
let context: ToolContext;
let around: string;
let said: unknown[][];

beforeEach(() => {
  around = realpathSync(mkdtempSync(join(folder.path, "a-")));
  context = { workspace: join(around, "w"), trusted: false };
  mkdirSync(context.workspace);
  said = [];
});

afterEach(() => {
  process.env.PATH = path;
});

const file = (name: string) => join(context.workspace, name);

/** Writes down what it is told, with the mark that it gave. */
const supervise: Supervise = async (title) => {
  const mark = newMark();
  said.push(["supervise", title, mark]);
  return {
    mark,
    started: (pid) => said.push(["started", pid, mark]),
    ended: () => said.push(["ended", mark]),
  };
};
const io = (): ToolIO => ({ ...quietIo(), supervise });

const calls = (
  [
    [shell, { command: "git status" }],
    [gitStatus, {}],
    [gitDiff, {}],
    [gitLog, {}],
    [gitBranches, {}],
    [gitCommit, { all: true, type: "feat", description: "add a file" }],
    [gitBranch, { action: "create", name: "other" }],
    [gitPush, {}],
  ] as [AnyTool, object][]
).map(([tool, args]) => [tool.name, tool, args] as const);

function makeRepository(): void {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: context.workspace, stdio: "pipe" });
  git("init", "--quiet", "--bare", join(around, "remote.git"));
  git("init", "--quiet", "--initial-branch=main");
  git("commit", "--quiet", "--allow-empty", "--message=first");
  git("remote", "add", "origin", join(around, "remote.git"));
  writeFileSync(file("a.txt"), "a");
}

test("a command is recorded before it is started, carries the mark, and is over when nothing of it is left", async () => {
  const command = `echo $$ $${MARK}; sleep 1000 & echo $! > p`;
  const { result } = await shell.run(
    { command, timeoutMs: 20_000 },
    { ...context, trusted: true },
    {
      ...io(),
      supervise: async (title) => {
        expect(existsSync(file("p"))).toBe(false);
        const supervised = await supervise(title);
        return {
          ...supervised,
          ended() {
            supervised.ended();
            said.push(["left", existsSync(`/proc/${readFileSync(file("p"), "utf8").trim()}/exe`)]);
          },
        };
      },
    },
  );
  const [pid, mark] = (result as { output: string }).output.trim().split(" ");
  expect(said).toEqual([
    ["supervise", command, mark],
    ["started", Number(pid), mark],
    ["ended", mark],
    ["left", false],
  ]);
});

test.each(calls)("each process that the run of a tool starts is recorded: %s", async (_, tool, args) => {
  makeRepository();
  const bin = join(around, "bin");
  mkdirSync(bin);
  const real = execFileSync("sh", ["-c", "command -v git"], { encoding: "utf8" }).trim();
  writeFileSync(join(bin, "git"), `#!/bin/sh\necho $$ "$${MARK}" >> '${around}/ran'\nexec '${real}' "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  process.env.PATH = `${bin}:${path}`;
  await tool.run(tool.args.parse(args), context, io());
  const told = (what: string) => said.filter(([each]) => each === what);
  const ran = readFileSync(join(around, "ran"), "utf8").split("\n").slice(0, -1);
  const marks = told("supervise").map(([, , mark]) => mark);
  // What the shell itself calls carries the shell's mark.
  expect(ran.length).toBeGreaterThan(0);
  expect(new Set(ran.map((line) => line.split(" ")[1]))).toEqual(new Set(marks));
  expect(
    told("started")
      .map(([, , mark]) => mark)
      .sort(),
  ).toEqual([...marks].sort());
  expect(
    told("ended")
      .map(([, mark]) => mark)
      .sort(),
  ).toEqual([...marks].sort());
  for (const [, title] of told("supervise")) expect(title).toMatch(/^git [a-z]/);
});

test.each(calls)("nothing is started that cannot be recorded: %s", async (_, tool, args) => {
  makeRepository();
  const refusal = new DragomanError("internal", "The record could not be kept.");
  const refusing = { ...quietIo(), supervise: () => Promise.reject(refusal) };
  await expect(tool.run(tool.args.parse(args), context, refusing)).rejects.toBe(refusal);
});

test("a cancel while the record is made starts nothing, and the record goes", async () => {
  const stop = new AbortController();
  const cancelling: ToolIO = {
    ...quietIo(stop.signal),
    supervise: (title) => {
      stop.abort();
      return supervise(title);
    },
  };
  const trusted = { ...context, trusted: true };
  await expect(shell.run({ command: "touch canary", timeoutMs: 1000 }, trusted, cancelling)).rejects.toMatchObject({
    code: "cancelled",
  });
  expect(said.map(([what]) => what)).toEqual(["supervise", "ended"]);
  expect(existsSync(file("canary"))).toBe(false);
});

test("the record of a program that could not be started goes", async () => {
  const program = {
    file: file("missing"),
    args: [],
    cwd: context.workspace,
    env: {},
    title: "missing",
    timeoutMs: 1000,
  };
  const listen = () => ({ end: async () => {} });
  await expect(runProcess({ ...io(), ...program, listen })).rejects.toMatchObject({ code: "tool_failed" });
  expect(said.map(([what]) => what)).toEqual(["supervise", "ended"]);
});

test("a title shows no credentials, is on one line, and is not long", async () => {
  makeRepository();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: context.workspace, stdio: "pipe" });
  git("remote", "set-url", "origin", "https://me:secret@localhost:1/x.git");
  await gitPush.run(gitPush.args.parse({}), context, io()).catch(() => {});
  await gitCommit.run(
    gitCommit.args.parse({ all: true, type: "fix", description: "x", body: "y\n".repeat(200) }),
    context,
    io(),
  );
  expect(JSON.stringify(said)).not.toContain("secret");
  const titles = said.filter(([what]) => what === "supervise").map(([, title]) => String(title));
  expect(titles.filter((title) => title.length > 80 || title.includes("\n"))).toEqual([]);
  expect(titles).toContainEqual(expect.stringMatching(/^git push /));
});
