import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { Event } from "../../core/events.ts";
import { faultsOf } from "../../testing/check-log.ts";
import { crashedRun, timeless } from "../../testing/crashed-run.ts";
import { temporaryWorkspaces, type Workspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { builtinEngine } from "./index.ts";

const newWorkspace = temporaryWorkspaces();
const yes = { ok: true };
const no = { ok: false };
const notThat = { ok: false, reason: "not that" };

async function run(workspace: Workspace, text: string, answers: unknown[], crashes: number[]) {
  const about = { engine: () => builtinEngine(), input: { text }, workspace: workspace.path, tools };
  const events = await crashedRun({ ...about, answers, crashes });
  expect(faultsOf(events, { ended: true })).toEqual([]);
  const whole = JSON.stringify(timeless(events, workspace.path));
  const log = whole.replace(/\b[0-9a-f]{7,40}\b/g, "<hash>").replace(/\d{4}-\d\d-\d\d(T[\d:+-]+)?/g, "<date>");
  return { events, log: JSON.parse(log) };
}

function expectAsked(events: Event[], answers: unknown[]): void {
  expect(events.filter(({ type }) => type === "ask.opened")).toHaveLength(answers.length);
  expect(events.at(-1)?.type).toBe("run.completed");
}

function repository(): Workspace {
  const workspace = newWorkspace().files({ "README.md": "# It\n" });
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace.path, stdio: "pipe" });
  git("init", "--quiet", "--initial-branch=main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  git("add", "--all");
  git("commit", "--quiet", "--message=chore: begin");
  workspace.files({ "README.md": "# That\n", "old.txt": "x\n" });
  return workspace;
}

const long = "a line of some length that is told to whoever asks\n".repeat(1900);
const folder = () => newWorkspace().files({ "a.ts": "let x = 1;\n", "long.txt": long });

describe("a run goes on in another process as if nothing had happened", () => {
  test.each<[prompt: string, answers: unknown[]]>([
    ["write a.txt with x, then write b.txt with y, then list files", [yes, yes]],
    ["write a.txt with x, then write b.txt with y, then list files", [notThat, yes]],
    ["write a.txt with x, then write b.txt with y, then list files", [yes, no]],
    ["show long.txt, then append more to a.ts, then show a.ts", [yes]],
    ["append more to new.txt, then list files", [yes]],
    ["run `echo hello; exit 3`, then write b.txt with y", [yes]],
    ["list TypeScript files, then run echo hello, then make coffee", [yes]],
    ["show a.ts, then replace let with const in a.ts, then run echo hello", [yes, yes]],
  ])("%s (%j)", async (prompt, answers) => {
    const whole = await run(folder(), prompt, answers, []);
    expectAsked(whole.events, answers);
    for (const crashes of [[0], [answers.length - 1], answers.map((_, index) => index)]) {
      expect((await run(folder(), prompt, answers, crashes)).log).toEqual(whole.log);
    }
  });

  test.each<[prompt: string, answers: unknown[]]>([
    ["commit everything as tidy the readme, then git log", [{ value: "docs: tidy it" }, yes]],
    ["commit everything as tidy the readme, then git log", [{ value: null }]],
    ["rename README.md to READ.md, then commit all as docs: rename it", [yes, yes]],
  ])("%s (%j)", async (prompt, answers) => {
    const whole = await run(repository(), prompt, answers, []);
    expectAsked(whole.events, answers);
    for (const crashes of [[0], [answers.length - 1]]) {
      expect((await run(repository(), prompt, answers, crashes)).log).toEqual(whole.log);
    }
  });
});

test("what was done before is not done again, and what was agreed to is done once", async () => {
  const workspace = newWorkspace().files({ "a.txt": "" });
  const prompt = "run `echo once >> a.txt`, then run `echo twice >> a.txt`";
  const { events } = await run(workspace, prompt, [yes, yes], [0, 1]);
  expect(workspace.text("a.txt")).toBe("once\ntwice\n");
  expect(events.filter(({ type }) => type === "tool.requested")).toHaveLength(2);
});

test("the file that a yes was about may have changed meanwhile: then it is asked about anew", async () => {
  const workspace = newWorkspace().files({ "a.txt": "one\n" });
  const engine = () => {
    const builtin = builtinEngine();
    const resume: typeof builtin.resume = (...args) => {
      workspace.files({ "a.txt": "two\n" });
      if (!builtin.resume) throw new Error("it goes on with nothing");
      return builtin.resume(...args);
    };
    return { ...builtin, resume };
  };
  const input = { text: "write a.txt with three" };
  const events = await crashedRun({
    engine,
    input,
    workspace: workspace.path,
    tools,
    answers: [yes, no],
    crashes: [0],
  });
  expect(workspace.text("a.txt")).toBe("two\n");
  expect(events.filter(({ type }) => type === "ask.opened")).toHaveLength(2);
});
