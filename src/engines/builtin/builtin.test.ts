import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { RunInput } from "../../core/events.ts";
import { noRules, type RuleBook } from "../../core/rules.ts";
import { promptedRun, type Reply } from "../../testing/prompted-run.ts";
import { temporaryWorkspaces, type Workspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { type Case, engineContract } from "../contract.ts";
import { builtinEngine } from "./index.ts";

const newWorkspace = temporaryWorkspaces();

const allowing: RuleBook = { ...noRules, read: async () => ({ trusted: false, allow: [{ tool: "shell" }], deny: [] }) };

const contractCase = (text: string, equipment: Pick<Case, "tools" | "ruleBook"> = { tools }): Case => ({
  engine: builtinEngine(),
  input: { text },
  workspace: newWorkspace().files({ "a.ts": "export const a = 1;\n" }).path,
  ...equipment,
});

engineContract("builtin", {
  answers: () => contractCase("list TypeScript files"),
  fails: () => contractCase("list files", {}),
  goesOn: () => contractCase("run sleep 60", { tools, ruleBook: allowing }),
  asks: () => contractCase("write notes.txt with hello"),
});

const run = (workspace: Workspace, prompt: string | RunInput, answers?: Reply[]) =>
  promptedRun(builtinEngine(), tools, workspace, prompt, answers);
const yes = { ok: true };

test("it has one model, which is none", async () => {
  expect(await builtinEngine().models()).toEqual([{ id: "builtin", name: "Built-in rules" }]);
});

describe("one request", () => {
  test("is a step, and its answer is streamed as it is in the result", async () => {
    const told = await run(newWorkspace().files({ "a.ts": "", "b.md": "" }), "List TypeScript files");
    expect(told.result).toEqual({
      text: "TypeScript files: 1.\n\n- `a.ts`",
      description: "TypeScript files: 1.",
      data: { actions: [{ action: "glob", outcome: "done" }] },
    });
    const streamed = told.of("text.delta").map(({ text }) => text);
    expect(streamed.join("")).toBe(told.result.text);
    expect(told.of("thinking.delta").map(({ text }) => text)).toEqual([]);
    expect(told.steps).toEqual([[1, "List TypeScript files", "completed"]]);
    expect(told.plans).toEqual([]);
  });

  test("that is only talk has no step", async () => {
    const told = await run(newWorkspace(), "what can you do?");
    expect(told.steps).toEqual([]);
    expect(told.result.text).toMatch(/`run npm test`[\s\S]+`List TypeScript files`[\s\S]+--engine <name>/);
  });

  test("that is not understood gets a plain answer: what it can do, and how to connect an agent", async () => {
    const told = await run(newWorkspace(), "explain the architecture");
    expect(told.calls).toEqual([]);
    expect(told.result.text).toMatch(/^I cannot do that\.[\s\S]+`help` lists all of it\.[\s\S]+--engine <name>/);
    expect(told.result.description).toBe("The built-in engine did not understand this.");
  });

  test("of no words at all fails", async () => {
    const told = await run(newWorkspace(), " \n ");
    expect(told.events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "invalid_params" } });
  });

  test("of an action that it does not have fails, and says so", async () => {
    const told = await run(newWorkspace(), { text: "Plan the feature login", action: "plan" });
    expect(told.events.at(-1)).toMatchObject({
      type: "run.failed",
      error: {
        code: "engine_unavailable",
        message: 'The built-in engine has no action "plan". Choose an engine that does, or ask in words.',
      },
    });
  });

  test("that no tool is there for fails the run with the fault itself", async () => {
    const told = await promptedRun(builtinEngine(), [], newWorkspace(), "list files");
    expect(told.events.at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "unknown_tool", message: 'There is no tool "list".' },
    });
  });

  test("whose tool a client ran in a way of its own says which field is missing, and is no fault of ours", async () => {
    const run = async () => ({ result: { path: ".", entries: "none", truncated: false } });
    const ran = tools.map((tool) => ({ ...tool, run }));
    const told = await promptedRun(builtinEngine(), ran, newWorkspace(), "list files");
    const message =
      "The client that ran list gave a result of another form than the tool's own, at entries: Invalid input: expected array, received string.";
    expect(told.events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "tool_failed", message } });
  });
});

describe("several requests", () => {
  test("have a plan that is kept current, a step each, and an answer under each heading", async () => {
    const workspace = newWorkspace().files({ "a.ts": "let x;\n" });
    const told = await run(workspace, "write notes.txt with hello, then list TypeScript files", [yes]);
    expect(told.plans).toEqual(["pending pending", "running pending", "done pending", "done running", "done done"]);
    expect(new Set(told.of("plan.updated").map(({ planId }) => planId)).size).toBe(1);
    expect(told.steps).toEqual([
      [1, "Write notes.txt", "completed"],
      [2, "List TypeScript files", "completed"],
    ]);
    expect(told.result).toMatchObject({
      text: "**Write notes.txt**\n\nCreated `notes.txt` (6 bytes).\n\n**List TypeScript files**\n\nTypeScript files: 1.\n\n- `a.ts`",
      description: "Did all 2 things.",
    });
    expect(workspace.text("notes.txt")).toBe("hello\n");
  });

  test("go on after a no with a reason, and the answer says what was left out and why", async () => {
    const workspace = newWorkspace();
    const answers = [{ ok: false, reason: "not that name" }, yes];
    const told = await run(workspace, "write a.txt with x, then write b.txt with y", answers);
    expect(told.plans.at(-1)).toBe("skipped done");
    expect(told.result.text).toMatch(
      /^\*\*Not done:\*\* Write a\.txt\. The reason: not that name\n\n\*\*Write b\.txt\*\*\n\nCreated/,
    );
    expect([existsSync(join(workspace.path, "a.txt")), workspace.text("b.txt")]).toEqual([false, "y\n"]);
  });

  test("stop at a no without one", async () => {
    const workspace = newWorkspace();
    const told = await run(workspace, "write a.txt with x, then write b.txt with y, then list files", [{ ok: false }]);
    expect(told.plans.at(-1)).toBe("skipped skipped skipped");
    expect(told.steps).toEqual([[1, "Write a.txt", "failed"]]);
    expect(told.result.text).toBe(
      [
        "**Not done:** Write a.txt. You said no.",
        "**Not done:** Write b.txt. I stopped at the no before it.",
        "**Not done:** List what is in the workspace. I stopped at the no before it.",
      ].join("\n\n"),
    );
    expect(told.result.description).toBe("Did 0 of 3 things.");
  });

  test("go on without what nobody is there to allow", async () => {
    const told = await run(newWorkspace().files({ "a.md": "" }), "write b.txt with x and then list Markdown files");
    expect(told.plans.at(-1)).toBe("skipped done");
    expect(told.result.text).toMatch(/^\*\*Not done:\*\* Write b\.txt\. .*no one is attached/);
  });

  test("leave out what needs something that failed, and nothing else", async () => {
    const workspace = newWorkspace().files({ "a.ts": "let x;\n" });
    const prompt = "replace nothing with y in a.ts, then commit it as fix: y, then write b.txt with z, then show a.ts";
    const told = await run(workspace, prompt, [yes]);
    expect(told.plans.at(-1)).toBe("failed skipped done done");
    expect(told.result.text).toMatch(/This failed: The text to be replaced is not in a\.ts\./);
    expect(told.result.text).toMatch(/\*\*Not done:\*\* Commit as fix: y\. It needs this, which was not done: Replace/);
    expect(told.result.description).toBe("Did 2 of 4 things.");
  });

  test("change nothing more after a command that failed", async () => {
    const told = await run(newWorkspace(), "run `exit 3`, then write a.txt with x", [yes]);
    expect(told.plans.at(-1)).toBe("failed skipped");
    expect(told.result.text).toMatch(/`exit 3` failed with exit code 3 after \d+ ms\.\n\nIt printed nothing\./);
  });

  test("of which one is not understood are done up to it, and it is named", async () => {
    const told = await run(newWorkspace().files({ "a.ts": "" }), "list TypeScript files and then make coffee");
    expect(told.steps).toEqual([[1, "List TypeScript files", "completed"]]);
    expect(told.result.text).toMatch(/\n\n\*\*Not done:\*\* "make coffee"\. That is more than I can do\./);
    expect(told.result.description).toBe("Did 1 of 2 things.");
  });

  test("after one that is not understood only look", async () => {
    const workspace = newWorkspace().files({ "a.ts": "" });
    const told = await run(workspace, "refactor a.ts, then write b.txt with x, then list TypeScript files", []);
    expect(told.plans.at(-1)).toBe("skipped done");
    expect(told.result.text).toMatch(
      /"refactor a\.ts"\.[\s\S]+Write b\.txt\. It comes after something that I cannot do/,
    );
    expect(existsSync(join(workspace.path, "b.txt"))).toBe(false);
  });
});
