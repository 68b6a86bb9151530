import fc from "fast-check";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { faultsOf } from "../testing/check-log.ts";
import { crashedRun, timeless } from "../testing/crashed-run.ts";
import { emptyLog } from "../testing/empty-log.ts";
import { ofType } from "../testing/one-session.ts";
import { scripted } from "../testing/scripted.ts";
import type { AskReply, Engine, EngineIO, ResumeIO, Turn } from "./engine.ts";
import type { Event, NewEvent, Question } from "./events.ts";
import { onlyWaits } from "./only-waits.ts";
import { replayedIO, resumeByReplay } from "./replayed-io.ts";
import type { Tool, ToolReply } from "./tool.ts";

const LOST = { code: "owner_lost" };

/** A tool that is asked about, one that is not, each of which says what it was told and how often it was called. */
function countingTools() {
  const calls: string[] = [];
  const tool = (name: string, risk: Tool["risk"]): Tool<{ text: string; loud: boolean }> => ({
    name,
    risk,
    kind: "other",
    description: name,
    args: z.object({ text: z.string(), loud: z.boolean().default(false) }),
    intent: async ({ text }) => ({ title: `${name} ${text.slice(0, 10)}`, targets: [] }),
    run: async ({ text }) => {
      calls.push(name);
      if (text === "fail") throw new Error("it failed");
      return { result: { echo: text, times: calls.length }, ...(risk === "edit" && { diff: `+${text}` }) };
    },
  });
  return { calls, tools: [tool("look", "read"), tool("change", "edit")] };
}

type Act = { act: "say" | "think" | "look" | "change"; text: string } | { act: "confirm" | "prompt"; title: string };

/** Does what the prompt says, and tells all that it was given; so its result differs where it was given something else. */
async function perform({ input }: Turn, io: EngineIO): Promise<string> {
  const given: unknown[] = [];
  for (const act of (input.args?.acts ?? []) as Act[]) {
    if (act.act === "say") await io.emit({ type: "text.delta", of: "answer", text: act.text });
    else if (act.act === "think") await io.emit({ type: "thinking.delta", text: act.text });
    else if ("text" in act) given.push(await told(io, io.tool(act.act, { text: act.text })));
    else given.push(await io.ask({ kind: act.act, title: act.title, message: "" }));
  }
  return JSON.stringify(given);
}

async function told(io: EngineIO, replying: Promise<ToolReply>): Promise<unknown> {
  const { callId, ...reply } = await replying;
  await io.emit({ type: "thinking.delta", text: `I got ${JSON.stringify(reply).slice(0, 100)}` });
  return reply;
}

const deterministic = (): Engine => ({
  ...scripted(perform),
  resume: (turn, log, io) =>
    resumeByReplay(turn, log, io, async (replayed) => ({ text: await perform(turn, replayed) })),
});

function run(acts: Act[], answers: unknown[], crashes: number[], secrets: string[] = []) {
  const { tools, calls } = countingTools();
  const input = { text: "go", args: { acts } };
  const events = crashedRun({ engine: deterministic, input, answers, crashes, tools, secrets });
  return events.then((log) => ({ log, calls }));
}

describe("a run that is done over to where it was", () => {
  const text = fc.constantFrom("a", "b", "fail", "x".repeat(70_000));
  const act: fc.Arbitrary<Act> = fc.oneof(
    fc.record({ act: fc.constantFrom("say" as const, "think" as const), text: fc.constantFrom("hm", "ah") }),
    fc.record({ act: fc.constantFrom("look" as const, "change" as const), text }),
    fc.record({ act: fc.constantFrom("confirm" as const, "prompt" as const), title: fc.constantFrom("One", "Two") }),
  );
  const answer = fc.constantFrom(
    { ok: true, value: "v" },
    { ok: false, value: null },
    { ok: false, reason: "no", value: "w" },
  );

  test("says, does and ends as if nothing had happened, wherever it waited", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(act, { maxLength: 7 }),
        fc.array(answer, { minLength: 7, maxLength: 7 }),
        fc.uniqueArray(fc.nat(6), { minLength: 1, maxLength: 3 }),
        async (acts, answers, crashes) => {
          const whole = await run(acts, answers, []);
          const crashed = await run(acts, answers, crashes);
          expect(timeless(crashed.log)).toEqual(timeless(whole.log));
          expect(crashed.calls).toEqual(whole.calls);
          expect(faultsOf(crashed.log, { ended: true })).toEqual([]);
        },
      ),
      { numRuns: 60 },
    );
  }, 120_000);

  test("is lost where a secret was answered before: it is not in the log", async () => {
    const secretly = async (io: EngineIO) => {
      await io.ask({ kind: "prompt", title: "Key", message: "", secret: true });
      return (await io.ask({ kind: "confirm", title: "Go on?", message: "" })).outcome;
    };
    const engine = (): Engine => ({
      ...scripted((_, io) => secretly(io)),
      resume: (turn, had, io) => resumeByReplay(turn, had, io, async (over) => ({ text: await secretly(over) })),
    });
    const answers = [{ value: "s3cr3t-key" }, { ok: true }];
    const log = await crashedRun({ engine, input: { text: "go" }, answers, crashes: [1] });
    expect(log.at(-1)).toMatchObject({ type: "run.failed", error: LOST });
    const before = await crashedRun({ engine, input: { text: "go" }, answers, crashes: [0] });
    expect(before.at(-1)).toMatchObject({ type: "run.completed" });
    expect(JSON.stringify(before)).not.toContain("s3cr3t-key");
  });

  test.each<[what: string, acts: Act[], answers: unknown[]]>([
    ["the prompt", [{ act: "change", text: "s3cr3t-key" }], [{ ok: true }]],
    [
      "an answer",
      [
        { act: "prompt", title: "Name" },
        { act: "confirm", title: "Sure?" },
      ],
      [{ value: "s3cr3t-key" }, { ok: true }],
    ],
  ])("is lost where the log hides a secret that was in it: %s", async (_, acts, answers) => {
    const { log, calls } = await run(acts, answers, [answers.length - 1], ["s3cr3t-key"]);
    expect(log.at(-1)).toMatchObject({ type: "run.failed", error: LOST });
    expect(calls).toEqual([]);
  });
});

const runId = "7d1c8f3e-52c7-4a0e-8a5e-3d2b1f6c9a40";
const question = (title: string): Question => ({ kind: "confirm", title, message: "" });
const opened = (askId: string, title: string, more: Partial<Question> = {}): NewEvent => {
  return { type: "ask.opened", runId, askId, expiresAt: 9, ...question(title), ...more };
};
const closed = (askId: string, answer: unknown): NewEvent => {
  return { type: "ask.closed", runId, askId, outcome: "answered", answer };
};
const requested = (callId: string, args: unknown): NewEvent => {
  return { type: "tool.requested", runId, callId, tool: "note", args };
};
const finished = (callId: string, result: unknown): NewEvent => {
  return { type: "tool.finished", runId, callId, durationMs: 1, result };
};
const started: NewEvent = {
  type: "run.started",
  runId,
  kind: "prompt",
  input: { text: "go" },
  by: { dialect: "test" },
};
const turn: Turn = {
  sessionId: "s",
  runId,
  workspace: "/w",
  kind: "prompt",
  input: { text: "go" },
  by: { dialect: "test" },
};

/** An engine's hands, with a log behind it; replies come when they are given. */
function handed(...events: NewEvent[]) {
  const log = [started, ...events].map((event, index): Event => ({ seq: index + 1, at: 0, ...event }));
  const said: string[] = [];
  const waiting = new Map<string, (reply: AskReply) => void>();
  const io: ResumeIO = {
    emit: async ({ type }) => void said.push(type),
    ask: async ({ title }) => {
      said.push(`ask ${title}`);
      return { outcome: "expired" };
    },
    tool: async (name) => {
      said.push(`call ${name}`);
      return { outcome: "done", callId: "new", result: "new" };
    },
    reply: (askId) => new Promise((resolve) => waiting.set(askId, resolve)),
    resumeTool: async ({ callId, args }) => {
      said.push(`resume ${callId}`);
      return { outcome: "done", callId, result: args };
    },
    loggedArgs: (_, given) => given,
    log: emptyLog,
    onKill: () => () => {},
    permit: async () => ({ allowed: true }),
    offeredTools: () => [],
    keep: () => {},
    supervise: async () => ({ mark: "", started() {}, ended() {} }),
  };
  const answer = (askId: string) => waiting.get(askId)?.({ outcome: "answered", answer: { ok: true } });
  return { io, log, said, answer, replayed: replayedIO(log, io) };
}

const thinking = { type: "thinking.delta" as const, text: "hm" };

describe("what an engine does over", () => {
  test("is not heard until it comes to the ask that is open", async () => {
    const { replayed, said, answer } = handed(opened("a", "One"));
    await replayed.emit(thinking);
    expect([replayed.live, said]).toEqual([false, []]);
    const reply = replayed.ask(question("One"));
    expect(replayed.live).toBe(true);
    await replayed.emit(thinking);
    expect(said).toEqual(["thinking.delta"]);
    answer("a");
    expect(await reply).toEqual({ outcome: "answered", answer: { ok: true } });
    await replayed.ask(question("One"));
    await replayed.tool("note", {});
    expect(said).toEqual(["thinking.delta", "ask One", "call note"]);
  });

  test("gets what the same calls gave, each once and in their order", async () => {
    const { replayed, said } = handed(
      requested("1", { n: 1 }),
      finished("1", "first"),
      requested("2", { n: 1 }),
      finished("2", "second"),
      requested("3", { n: 1 }),
      opened("a", "note?", { callId: "3", digest: "d" }),
    );
    const results: unknown[] = [];
    for (let n = 0; n < 4; n++) results.push(await replayed.tool("note", { n: 1 }));
    expect(results).toMatchObject([
      { callId: "1", result: "first" },
      { callId: "2", result: "second" },
      { callId: "3", result: { n: 1 } },
      { callId: "new" },
    ]);
    expect(said).toEqual(["resume 3", "call note"]);
  });

  test("finds its calls with what the tool adds to the arguments, and those that failed before it did", async () => {
    const { io, replayed } = handed(
      requested("1", { n: 1 }),
      finished("1", "as given"),
      requested("2", { n: 1, all: false }),
      finished("2", "as taken"),
      opened("a", "One"),
    );
    io.loggedArgs = (_, given) => ({ ...(given as object), all: false });
    expect(await replayed.tool("note", { n: 1 })).toMatchObject({ result: "as given" });
    expect(await replayed.tool("note", { n: 1 })).toMatchObject({ result: "as taken" });
  });

  test("was denied where no one was there to be asked", async () => {
    const text = "Denied, because no one is attached who could answer: One";
    const { replayed, answer } = handed(
      { type: "note", runId, level: "warning", text, source: "core" },
      opened("a", "One"),
    );
    expect(await replayed.ask(question("One"))).toEqual({ outcome: "denied", reason: "no_one_to_ask" });
    const second = replayed.ask(question("One"));
    answer("a");
    expect(await second).toMatchObject({ outcome: "answered" });
  });

  test("was not denied because an engine says such a thing itself", async () => {
    const text = "Denied, because no one is attached who could answer: One";
    const { replayed, answer } = handed(
      { type: "note", runId, level: "warning", text, source: "scripted" },
      opened("a", "One"),
    );
    const reply = replayed.ask(question("One"));
    answer("a");
    expect(await reply).toMatchObject({ outcome: "answered" });
  });

  test("may wait for several answers at once, and is heard when it has come to all of them", async () => {
    const { replayed, answer } = handed(opened("a", "One"), requested("1", {}), opened("b", "note?", { callId: "1" }));
    const first = replayed.ask(question("One"));
    answer("a");
    expect(replayed.live).toBe(false);
    const second = replayed.tool("note", {});
    expect(replayed.live).toBe(true);
    expect(await Promise.all([first, second])).toMatchObject([{ outcome: "answered" }, { outcome: "done" }]);
  });

  test("may be answered while it is on its way to the other asks", async () => {
    const { replayed, answer } = handed(
      requested("1", {}),
      finished("1", "looked"),
      opened("a", "One"),
      opened("b", "Two"),
    );
    const first = replayed.ask(question("One"));
    answer("a");
    const second = replayed.tool("note", {}).then(() => replayed.ask(question("Two")));
    expect(await first).toMatchObject({ outcome: "answered" });
    answer("b");
    expect(await second).toMatchObject({ outcome: "answered" });
  });

  test("is not heard any more when it is lost after it came to the ask", async () => {
    const { replayed, said } = handed(opened("b", "Two", { secret: true }), closed("b", undefined), opened("a", "One"));
    void replayed.ask(question("One"));
    expect(replayed.live).toBe(true);
    await expect(replayed.ask({ ...question("Two"), secret: true })).rejects.toMatchObject(LOST);
    await replayed.emit(thinking);
    expect([replayed.live, said]).toEqual([false, []]);
  });

  test.each([
    [{ ok: true }, { ok: false }, false],
    [{ ok: true }, { ok: false, reason: "no" }, true],
    [{ ok: false }, { ok: true }, true],
  ])("goes on after a denial as the last answer to the call says (%j, %j)", async (before, last, goOn) => {
    const about = { callId: "1" };
    const { replayed } = handed(
      requested("1", {}),
      opened("b", "note?", about),
      closed("b", before),
      opened("c", "note?", about),
      closed("c", last),
      { type: "tool.finished", runId, callId: "1", durationMs: 1, error: { code: "denied", message: "no" } },
      opened("a", "One"),
    );
    expect(await replayed.tool("note", {})).toEqual({ outcome: "denied", callId: "1", message: "no", goOn });
  });

  test("is lost when it is answered and has not come to all that it asked", async () => {
    const { replayed, answer } = handed(opened("a", "One"), opened("b", "Two"));
    const first = replayed.ask(question("One"));
    answer("a");
    await expect(first).rejects.toMatchObject(LOST);
  });

  test.each<[what: string, log: NewEvent[], act: (io: EngineIO) => Promise<unknown>]>([
    ["a call that the log does not have", [], (io) => io.tool("note", {})],
    ["a call with other arguments", [requested("1", { n: 1 }), finished("1", "")], (io) => io.tool("note", { n: 2 })],
    ["another tool", [requested("1", {}), finished("1", "")], (io) => io.tool("look", {})],
    ["a call that was under way", [requested("1", {})], (io) => io.tool("note", {})],
    ["a question that the log does not have", [], (io) => io.ask(question("Two"))],
    [
      "a question in other words",
      [opened("b", "One"), closed("b", { ok: true })],
      (io) => io.ask({ ...question("One"), message: "!" }),
    ],
    [
      "a secret that was answered",
      [opened("b", "Two", { secret: true }), closed("b", undefined)],
      (io) => io.ask({ ...question("Two"), secret: true }),
    ],
    [
      "a result with a secret in it",
      [requested("1", {}), finished("1", { key: "[redacted]" })],
      (io) => io.tool("note", {}),
    ],
    [
      "a result whose artifact is gone",
      [
        requested("1", {}),
        { type: "artifact.created", runId, artifactId: "x", kind: "json", name: "result of 1", bytes: 9, sha256: "" },
        finished("1", { artifactId: "x", excerpt: "" }),
      ],
      (io) => io.tool("note", {}),
    ],
  ])("is lost where it comes to %s, and is not heard any more", async (_, events, act) => {
    const { replayed, said } = handed(...events, opened("a", "One"));
    await expect(act(replayed)).rejects.toMatchObject(LOST);
    await expect(replayed.ask(question("One"))).rejects.toMatchObject(LOST);
    await replayed.emit(thinking);
    expect([replayed.live, said]).toEqual([false, []]);
  });

  test.each<[what: string, run: (io: EngineIO) => Promise<{ text: string }>]>([
    ["ends before it comes to the ask", async () => ({ text: "" })],
    ["fails before it comes to the ask", async () => Promise.reject(new Error("broken"))],
    ["goes on in spite of the loss", async (io) => ({ text: await io.tool("note", {}).then(String, String) })],
  ])("is lost when it %s", async (_, work) => {
    const { io, log } = handed(opened("a", "One"));
    expect(onlyWaits(log)).toBe(true);
    await expect(resumeByReplay(turn, log, io, work)).rejects.toMatchObject(LOST);
  });

  test("fails as it fails, once it is where it was", async () => {
    const { io, log, answer } = handed(opened("a", "One"));
    const resumed = resumeByReplay(turn, log, io, async (over) => {
      await over.ask(question("One"));
      throw new Error("broken");
    });
    answer("a");
    await expect(resumed).rejects.toThrow("broken");
  });
});

test("calls that an engine tells of by itself are not taken for calls of ours", async () => {
  const { replayed } = handed(
    requested("own", {}),
    finished("own", "old"),
    requested("1", {}),
    finished("1", "ours"),
    opened("a", "One"),
  );
  await replayed.emit({ type: "tool.requested", callId: "own", tool: "note", args: {} });
  expect(await replayed.tool("note", {})).toMatchObject({ callId: "1", result: "ours" });
});

test("a log of many words is done over as well as one of few", async () => {
  const acts: Act[] = [
    { act: "say", text: "hm" },
    { act: "look", text: "x".repeat(70_000) },
    { act: "change", text: "y".repeat(70_000) },
  ];
  const { log } = await run(acts, [{ ok: true }], [0]);
  expect(log.at(-1)).toMatchObject({ type: "run.completed", result: { artifactId: expect.any(String) } });
  expect(ofType(log, "tool.requested")).toHaveLength(2);
});
