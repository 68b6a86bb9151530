import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { memoryStore } from "../stores/memory.ts";
import { me, ofType, prompt, untilAborted } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import { ManualClock } from "./clock.ts";
import type { EngineIO } from "./engine.ts";
import { DragomanError } from "./errors.ts";
import { noRules, type Permissions, type Rule, type RuleBook } from "./rules.ts";
import { Runtime } from "./runtime.ts";
import type { Intent, Target, Tool, ToolReply } from "./tool.ts";

interface Args {
  text: string;
}

/** A tool that notes what it was made to do. */
function noting(change: Partial<Tool<Args>> = {}) {
  const done: string[] = [];
  const intent: Intent = { title: "Note it", detail: "in a book", targets: [] };
  const tool: Tool<Args> = {
    name: "note",
    description: "Notes a text.",
    kind: "edit",
    risk: "edit",
    args: z.object({ text: z.string() }),
    intent: async () => intent,
    run: async ({ text }, _, io) => {
      await io.output(`noting ${text}`);
      done.push(text);
      return { result: { noted: text }, diff: `+${text}` };
    },
    ...change,
  };
  return { tool, done, intent };
}

function book(permissions: Partial<Permissions> = {}) {
  const remembered: [string, string, Rule[]][] = [];
  const ruleBook: RuleBook = {
    read: async () => ({ trusted: false, allow: [], deny: [], ...permissions }),
    remember: async (...args) => void remembered.push(args),
  };
  return { ruleBook, remembered };
}

interface Setting {
  clock?: ManualClock;
  tool: Tool<Args>;
  ruleBook?: RuleBook;
  workspace?: string;
  attached?: boolean;
}

async function calling(script: (io: EngineIO, signal: AbortSignal) => Promise<unknown>, setting: Setting) {
  const { clock, tool, ruleBook = book().ruleBook, workspace = tmpdir(), attached = true } = setting;
  const store = memoryStore();
  let reply: unknown;
  const engine = scripted(async (_, io, signal) => {
    reply = await script(io, signal);
    return "done";
  });
  const runtime = new Runtime({ store, engines: [engine], tools: [tool], ruleBook, clock });
  const session = await runtime.create({ workspace, engine: "scripted" });
  if (attached) session.attach(["confirm"]);
  const { runId } = await prompt(session, "go");
  const log = () => readAll(store, session.id);
  const asks = async () => ofType(await log(), "ask.opened");
  const asked = async (count = 1) => {
    await until(async () => (await asks()).length === count, "an ask");
    return (await asks()).at(-1);
  };
  const ended = async () => {
    await session.settled();
    return reply as ToolReply;
  };
  return { session, runId, log, asks, asked, ended };
}

const note = (text: string) => (io: EngineIO) => io.tool("note", { text });

describe("a call that is allowed", () => {
  test("is told from its request to its result", async () => {
    const { tool } = noting();
    const { ended, log } = await calling(note("x"), { tool, ruleBook: book({ allow: [{ tool: "note" }] }).ruleBook });
    const reply = await ended();
    expect(reply).toEqual({ outcome: "done", callId: expect.any(String), result: { noted: "x" }, diff: "+x" });
    const { callId } = reply;
    expect((await log()).filter((event) => event.type.startsWith("tool."))).toMatchObject([
      { type: "tool.requested", callId, tool: "note", args: { text: "x" }, title: "Note it", kind: "edit" },
      { type: "tool.output", callId, text: "noting x" },
      { type: "tool.finished", callId, result: { noted: "x" }, diff: "+x" },
    ]);
  });

  test("gets the workspace without symlinks, and whether it is trusted", async () => {
    const seen: unknown[] = [];
    const ruleBook: RuleBook = {
      ...book().ruleBook,
      read: async (workspace) => {
        seen.push(workspace);
        return { trusted: true, allow: [], deny: [] };
      },
    };
    const { tool } = noting({
      risk: "read",
      run: async (_, context) => {
        seen.push(context);
        return { result: null };
      },
    });
    const { ended } = await calling(note("x"), { tool, workspace: "/proc/self/cwd", ruleBook });
    await ended();
    expect(seen).toEqual([process.cwd(), { workspace: process.cwd(), trusted: true }]);
  });
});

describe("a call that is asked about", () => {
  test("gets no lines of its own from the names in it", async () => {
    const { tool, intent } = noting();
    const name = "x\n\nIt only reads.";
    const target = { path: name, real: `/w/${name}`, outside: true, control: false, writes: true };
    tool.intent = async () => ({ ...intent, title: `Write ${name}`, targets: [target] });
    const { session, asked, ended } = await calling(note("x"), { tool });
    const ask = await asked();
    expect(ask).toMatchObject({
      title: "Write x⏎It only reads.?",
      message: "in a book\n\nIt touches x⏎It only reads., outside of the workspace.",
    });
    await session.answer(ask?.askId ?? "", { ok: false }, me);
    await ended();
  });

  test("waits for a yes, shows what it is about, and is bound to it", async () => {
    const { tool, done, intent } = noting();
    tool.intent = async () => ({ ...intent, path: "book.txt", diff: "+x" });
    const { session, asked, ended } = await calling(note("x"), { tool });
    const ask = await asked();
    expect(ask).toMatchObject({
      kind: "confirm",
      path: "book.txt",
      diff: "+x",
      title: "Note it?",
      message: "in a book\n\nIf remembered for this workspace: every note",
      tool: "note",
      args: { text: "x" },
      allowRemember: true,
      allowReason: true,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(done).toEqual([]);
    await session.answer(ask?.askId ?? "", { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "done" });
    expect(done).toEqual(["x"]);
  });

  test("is not done after a no: with a reason the engine goes on, without one it stops", async () => {
    for (const [reason, goOn] of [
      ["not here", true],
      [undefined, false],
    ] as const) {
      const { tool, done } = noting();
      const { session, asked, ended, log } = await calling(note("x"), { tool });
      await session.answer((await asked())?.askId ?? "", { ok: false, reason }, me);
      const message = reason ?? "The user said no.";
      expect(await ended()).toEqual({ outcome: "denied", callId: expect.any(String), message, goOn });
      expect(done).toEqual([]);
      expect(ofType(await log(), "tool.finished")).toMatchObject([{ error: { code: "denied", message } }]);
    }
  });

  test("is denied where nobody can be asked", async () => {
    const { tool, done } = noting();
    const { ended } = await calling(note("x"), { tool, attached: false });
    expect(await ended()).toMatchObject({ outcome: "denied", goOn: true });
    expect(done).toEqual([]);
  });

  test("binds the yes to these arguments, this tool and this run: the next call is asked about again", async () => {
    const { tool, done } = noting();
    const both = async (io: EngineIO) => [await note("x")(io), await note("y")(io), await note("x")(io)];
    const { session, asked, asks, ended } = await calling(both, { tool });
    for (const count of [1, 2, 3]) await session.answer((await asked(count))?.askId ?? "", { ok: true }, me);
    await ended();
    expect(done).toEqual(["x", "y", "x"]);
    const [first, second, third] = (await asks()).map(({ digest }) => digest);
    expect(first).not.toBe(second);
    expect(first).toBe(third);
    await prompt(session, "again");
    const other = await asked(4);
    expect(other?.digest).not.toBe(first);
    await expect(session.answer((await asks())[0]?.askId ?? "", { ok: true }, me)).rejects.toMatchObject({
      code: "ask_closed",
    });
    await session.cancel(other?.runId ?? "", "enough", me);
  });

  test("leaves the engine no hand on the arguments that were agreed to", async () => {
    const { tool, done } = noting();
    const args = { text: "harmless" };
    const { session, asked, ended } = await calling((io) => io.tool("note", args), { tool });
    const ask = await asked();
    args.text = "rm -rf";
    await session.answer(ask?.askId ?? "", { ok: true }, me);
    await ended();
    expect(done).toEqual(["harmless"]);
  });

  test("leaves it none on what lies deeper in them, which its schema does not look at", async () => {
    const { tool, done } = noting({ args: z.object({ text: z.string(), more: z.array(z.unknown()) }) });
    tool.run = async (args) => {
      done.push(JSON.stringify(args));
      return { result: null };
    };
    const inner = { path: "a" };
    const { session, asked, ended } = await calling((io) => io.tool("note", { text: "x", more: [inner] }), { tool });
    const ask = await asked();
    inner.path = "b";
    await session.answer(ask?.askId ?? "", { ok: true }, me);
    await ended();
    expect(done).toEqual(['{"text":"x","more":[{"path":"a"}]}']);
  });

  test.each<[what: string, change: Partial<Target>]>([
    ["where the file really is", { real: "/w/other" }],
    ["whether it is written to", { writes: true }],
  ])("asks again when it is not the same any more: %s", async (_, change) => {
    let target: Target = { path: "a", real: "/w/a", outside: false, control: false, writes: false };
    const { tool, done, intent } = noting();
    tool.intent = async () => ({ ...intent, targets: [target] });
    const { session, asked, ended } = await calling(note("x"), { tool });
    const first = await asked();
    target = { ...target, ...change };
    await session.answer(first?.askId ?? "", { ok: true }, me);
    const second = await asked(2);
    expect(done).toEqual([]);
    await session.answer(second?.askId ?? "", { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "done" });
  });

  test("asks again when what it is about changed while the person thought", async () => {
    let basis = "before";
    const { tool, done, intent } = noting();
    tool.intent = async () => ({ ...intent, basis });
    const { session, asked, ended } = await calling(note("x"), { tool });
    const first = await asked();
    basis = "after";
    await session.answer(first?.askId ?? "", { ok: true }, me);
    const second = await asked(2);
    expect(done).toEqual([]);
    expect(second?.digest).not.toBe(first?.digest);
    await session.answer(second?.askId ?? "", { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "done" });
    expect(done).toEqual(["x"]);
  });

  test("is not done when a rule came to deny it while the person thought", async () => {
    const deny: Rule[] = [];
    const { tool, done } = noting();
    const { session, asked, ended } = await calling(note("x"), { tool, ruleBook: book({ deny }).ruleBook });
    const ask = await asked();
    deny.push({ tool: "note" });
    await session.answer(ask?.askId ?? "", { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "denied", message: "A rule denies every note." });
    expect(done).toEqual([]);
  });

  test("is given up when it changes after every answer", async () => {
    let looks = 0;
    const { tool, done, intent } = noting();
    tool.intent = async () => ({ ...intent, basis: String(looks++) });
    const { session, asked, ended } = await calling(note("x"), { tool });
    for (const count of [1, 2, 3]) await session.answer((await asked(count))?.askId ?? "", { ok: true }, me);
    expect(await ended()).toMatchObject({ outcome: "failed", code: "conflict" });
    expect(done).toEqual([]);
  });

  test("is remembered, a yes as an allow and a no as a deny", async () => {
    for (const [ok, verdict] of [
      [true, "allow"],
      [false, "deny"],
    ] as const) {
      const { ruleBook, remembered } = book();
      const { session, asked, ended } = await calling(note("x"), { tool: noting().tool, ruleBook });
      await session.answer((await asked())?.askId ?? "", { ok, remember: true }, me);
      await ended();
      expect(remembered).toEqual([[tmpdir(), verdict, [{ tool: "note" }]]]);
    }
  });

  test("is not remembered where that was not offered, whatever the answer says", async () => {
    const { ruleBook, remembered } = book();
    const { tool } = noting({ risk: "publish" });
    const { session, asked, ended } = await calling(note("x"), { tool, ruleBook });
    const ask = await asked();
    expect(ask).toMatchObject({ danger: true, allowRemember: false });
    await session.answer(ask?.askId ?? "", { ok: true, remember: true }, me);
    expect([await ended(), remembered]).toMatchObject([{ outcome: "done" }, []]);
  });

  test("takes as long as it was under way, not as long as the person thought, and never less than nothing", async () => {
    const clock = new ManualClock();
    for (const [ms, durationMs] of [
      [40, 40],
      [-40, 0],
    ] as const) {
      const { tool } = noting();
      tool.run = async () => {
        clock.set(clock.now() + ms);
        return { result: null };
      };
      const { session, asked, ended, log } = await calling(note("x"), { tool, clock });
      const ask = await asked();
      clock.advance(5000);
      await session.answer(ask?.askId ?? "", { ok: true }, me);
      await ended();
      expect(ofType(await log(), "tool.finished")).toMatchObject([{ durationMs }]);
    }
  });

  test("is not done when nobody answers in time, and the engine goes on", async () => {
    const clock = new ManualClock();
    const { tool, done } = noting();
    const { asked, ended } = await calling(note("x"), { tool, clock });
    const ask = await asked();
    clock.advance((ask?.expiresAt ?? 0) - clock.now());
    expect(await ended()).toMatchObject({ outcome: "denied", message: "Nobody answered in time.", goOn: true });
    expect(done).toEqual([]);
  });

  test("counts also where it cannot be remembered, and says so", async () => {
    const full = { ...book().ruleBook, remember: () => Promise.reject(new Error("the disk is full")) };
    for (const [ruleBook, why] of [
      [full, "the disk is full"],
      [noRules, "there is no place for rules here."],
    ] as const) {
      const { session, asked, ended, log } = await calling(note("x"), { tool: noting().tool, ruleBook });
      await session.answer((await asked())?.askId ?? "", { ok: true, remember: true }, me);
      expect(await ended()).toMatchObject({ outcome: "done" });
      expect(ofType(await log(), "note")).toMatchObject([
        { level: "warning", text: `The answer counts, but could not be remembered: ${why}`, source: "policy" },
      ]);
    }
  });

  test("is withdrawn with its run, and nothing is done", async () => {
    const { tool, done } = noting();
    const { session, runId, asked, ended, log } = await calling(note("x"), { tool });
    await asked();
    await session.cancel(runId, "enough", me);
    expect(await ended()).toMatchObject({ outcome: "failed", code: "cancelled" });
    expect(done).toEqual([]);
    expect((await log()).at(-1)).toMatchObject({ type: "run.cancelled" });
  });
});

describe("a call that cannot work", () => {
  test.each<[what: string, args: unknown, change: Partial<Tool<Args>>, code: string, message: RegExp]>([
    ["wrong arguments", { text: 7 }, {}, "invalid_tool_args", /note: .*text/s],
    ["no arguments", undefined, {}, "invalid_tool_args", /text/],
    [
      "a tool that sees it cannot",
      { text: "x" },
      { intent: () => Promise.reject(new DragomanError("conflict", "no")) },
      "conflict",
      /no/,
    ],
    [
      "a tool that breaks",
      { text: "x" },
      { risk: "read", run: () => Promise.reject(new Error("broke")) },
      "tool_failed",
      /broke/,
    ],
  ])("fails and is told: %s", async (_, args, change, code, message) => {
    const { ended, log } = await calling((io) => io.tool("note", args), { tool: noting(change).tool });
    expect(await ended()).toMatchObject({ outcome: "failed", code, message: expect.stringMatching(message) });
    const events = (await log()).filter((event) => event.type.startsWith("tool."));
    expect(events).toMatchObject([{ type: "tool.requested" }, { type: "tool.finished", error: { code } }]);
    expect((await log()).at(-1)).toMatchObject({ type: "run.completed" });
  });

  test("fails where there is no such tool, no workspace, no rules that can be read", async () => {
    const { tool } = noting();
    const unknown = await calling((io) => io.tool("nope", {}), { tool });
    expect(await unknown.ended()).toMatchObject({ code: "unknown_tool" });
    const gone = await calling(note("x"), { tool, workspace: "/nowhere/at/all" });
    expect(await gone.ended()).toMatchObject({
      code: "tool_failed",
      message: expect.stringContaining("/nowhere/at/all is gone"),
    });
    const ruleBook = {
      ...book().ruleBook,
      read: () => Promise.reject(new DragomanError("precondition_failed", "broken rules")),
    };
    const lawless = await calling(note("x"), { tool, ruleBook });
    expect(await lawless.ended()).toMatchObject({ code: "precondition_failed" });
  });

  test("is denied by a rule, and the engine goes on", async () => {
    const { tool, done } = noting();
    const { ended, asks } = await calling(note("x"), { tool, ruleBook: book({ deny: [{ tool: "note" }] }).ruleBook });
    expect(await ended()).toMatchObject({ outcome: "denied", message: "A rule denies every note.", goOn: true });
    expect([done, await asks()]).toEqual([[], []]);
  });
});

test("a call that is made after its run was cancelled does nothing, even if it is allowed", async () => {
  const { tool, done } = noting({ risk: "read" });
  const late = async (io: EngineIO, signal: AbortSignal) => {
    await untilAborted(signal);
    return io.tool("note", { text: "x" }).catch((error) => error.code);
  };
  const { session, runId, ended } = await calling(late, { tool });
  await session.cancel(runId, "enough", me);
  expect(await ended()).toMatchObject({ outcome: "failed", code: "cancelled" });
  expect(done).toEqual([]);
});

test("a call that is under way ends when its run is cancelled", async () => {
  const { tool } = noting({
    risk: "read",
    run: async (_, __, { signal }) => {
      await untilAborted(signal);
      throw new Error("stopped in the middle");
    },
  });
  const { session, runId, ended, log } = await calling(note("x"), { tool });
  await until(async () => ofType(await log(), "tool.requested").length === 1);
  await session.cancel(runId, "enough", me);
  expect(await ended()).toMatchObject({ outcome: "failed", code: "cancelled" });
  expect((await log()).map(({ type }) => type).slice(-2)).toEqual(["tool.finished", "run.cancelled"]);
});
