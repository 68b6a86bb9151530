import { expect, test } from "vitest";
import type { Event, NewEvent, RunInput, RunResult } from "../../core/events.ts";
import { studio } from "./index.ts";

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const askId = "0b7f6f58-5b7e-4a52-8c1f-0c6e0a5d9b11";

interface Told {
  method?: string;
  params?: Record<string, unknown>;
}

/** As the host on connection c1 gets it. */
function told(events: NewEvent[], profile: object = {}): Told[] {
  const fold = studio.fold("session", { connection: "c1", ...profile });
  const log = events.map((event, index) => ({ ...event, seq: index + 1, at: 1000 + index }) as Event);
  return log.flatMap((event) => fold.push(event)).map((frame) => studio.message.parse(JSON.parse(frame.text)) as Told);
}

/** Without what is the same in all: where it stands in the log, and that a request of this host has begun. */
function replay(events: NewEvent[], profile: object = {}): unknown[] {
  return told(events, profile)
    .filter(({ method, params }) => method !== "run/started" || params?.requestId === undefined)
    .map(({ params, ...message }) => {
      const { sessionId: _, logSeq: __, ...rest } = params ?? {};
      return params ? { ...message, params: rest } : message;
    });
}

function requested(input: Partial<RunInput>, requestId: string | number = 2): NewEvent {
  const by = { dialect: "studio", connection: "c1", requestId };
  return { type: "run.started", runId, kind: "prompt", input: { text: "go", ...input }, by };
}

const elsewhere: NewEvent = {
  type: "run.started",
  runId,
  kind: "prompt",
  input: { text: "go\u202e" },
  by: { dialect: "ui", user: "ada", connection: "c9", requestId: "7" },
};
const answer = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
const code = (text: string, language?: string): NewEvent => ({ type: "text.delta", runId, text, of: "code", language });
const chunk = (text: string, index: number, done = false) => ({
  jsonrpc: "2.0",
  method: "stream/chunk",
  params: { requestId: 2, chunk: text, done, index },
});
const notice = (method: string, params: unknown) => ({ jsonrpc: "2.0", method, params });

test("every notification says in which session it happened, and where in its log", () => {
  const messages = told(
    [
      requested({}),
      answer("Hi"),
      { type: "step.started", runId, stepId: "1", title: "Read", number: 1 },
      opened,
      closed,
      { type: "note", level: "info", text: "well", source: "engine" },
      { type: "run.completed", runId, result: { text: "Hi" } },
      elsewhere,
      answer("Ho"),
      { type: "run.completed", runId, result: { text: "Ho" } },
    ],
    { asks: true },
  );
  expect(messages.map(({ method, params }) => [method, params?.sessionId, params?.logSeq])).toEqual([
    ["run/started", "session", 1],
    ["stream/chunk", "session", 2],
    ["progress", "session", 3],
    ["ask/opened", "session", 4],
    ["ask/closed", "session", 5],
    ["progress", "session", 6],
    ["stream/chunk", "session", 7],
    [undefined, undefined, undefined], // the response
    ["run/started", "session", 8],
    ["run/chunk", "session", 9],
    ["run/chunk", "session", 10],
    ["run/ended", "session", 10],
  ]);
});

test("a host is told which run answers its request", () => {
  expect(told([requested({}, "a")])).toEqual([
    notice("run/started", {
      requestId: "a",
      runId,
      prompt: "go",
      by: { dialect: "studio" },
      sessionId: "session",
      logSeq: 1,
    }),
  ]);
});

test("a generation streams its code, then is answered with it", () => {
  const messages = replay([
    requested({ action: "generate" }),
    { type: "thinking.delta", runId, text: "hm" },
    answer("Here it is."),
    code("export "),
    code("default 1;"),
    {
      type: "run.completed",
      runId,
      result: { text: "Here it is.", description: "One view", code: "export default 1;", data: { componentCount: 12 } },
    },
  ]);
  expect(messages).toEqual([
    chunk("export ", 0),
    chunk("default 1;", 1),
    chunk("", 2, true),
    { jsonrpc: "2.0", id: 2, result: { code: "export default 1;", componentCount: 12, description: "One view" } },
  ]);
});

test("a chat streams its answer, then is answered with it and suggestions", () => {
  const data = { suggestions: ["Paste a URL", 7] };
  const messages = replay([
    requested({ action: "chat" }),
    answer("Hel"),
    answer(""),
    answer("lo"),
    { type: "run.completed", runId, result: { text: "Hello", data } },
  ]);
  expect(messages).toEqual([
    chunk("Hel", 0),
    chunk("lo", 1),
    chunk("", 2, true),
    { jsonrpc: "2.0", id: 2, result: { message: "Hello", suggestions: ["Paste a URL"] } },
  ]);
});

test("a chat streams its code between fences, and its answer has the code too", () => {
  const log = (result: RunResult): NewEvent[] => [
    requested({ action: "chat" }),
    answer("Like this:"),
    code("const x ", "ts"),
    { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 3, output: 4 },
    code("= 1;", "ts"),
    code("x: 1\n", "yaml"),
    answer("Or so: "),
    code("x"),
    { type: "run.completed", runId, result },
  ];
  const messages = replay(log({ text: "Like this:\n", code: "const x = 1;" }));
  const chunks = ["Like this:", "\n````ts\n", "const x ", "= 1;", "\n````\n", "````yaml\n", "x: 1\n", "````\n"];
  chunks.push("Or so: ", "\n````\n", "x", "\n````\n");
  const message = "Like this:\n\n```ts\nconst x = 1;\n```";
  expect(messages).toEqual([
    ...chunks.map((text, index) => chunk(text, index)),
    chunk("", 12, true),
    { jsonrpc: "2.0", id: 2, result: { message, suggestions: [] } },
  ]);
  expect(replay(log({ text: "Like this:\n" }), { streaming: false })).toEqual([
    {
      jsonrpc: "2.0",
      id: 2,
      result: { message: `${message}\n\n\`\`\`yaml\nx: 1\n\`\`\`\n\n\`\`\`\nx\n\`\`\``, suggestions: [] },
    },
  ]);
});

test.each([
  ["is in the answer", { text: "So:\n```\nx = 1\n```", code: "x = 1\n" }, "So:\n```\nx = 1\n```"],
  ["is all there is", { text: "", code: "x = 1" }, "```\nx = 1\n```"],
  ["has fences itself", { text: "So:", code: "```\nx\n```" }, "So:\n\n````\n```\nx\n```\n````"],
  ["is empty", { text: "So:\n", code: " \n" }, "So:\n"],
])("the code of a chat that %s is told once", (_, result, message) => {
  expect(replay([requested({ action: "chat" }), { type: "run.completed", runId, result }]).at(-1)).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: { message, suggestions: [] },
  });
});

test("a chat that fails within its code closes the fence", () => {
  const error = { code: "engine_failed" as const, message: "no" };
  const messages = replay([requested({}), code("x\n"), { type: "run.failed", runId, error }]);
  expect(messages.slice(0, -1)).toEqual([chunk("````\n", 0), chunk("x\n", 1), chunk("````\n", 2), chunk("", 3, true)]);
});

test("a host that says streaming:false gets the response and no chunks", () => {
  const messages = replay(
    [requested({}), answer("Hello"), { type: "run.completed", runId, result: { text: "Hello" } }],
    { streaming: false, specFormats: ["openapi3"] },
  );
  expect(messages).toEqual([{ jsonrpc: "2.0", id: 2, result: { message: "Hello", suggestions: [] } }]);
});

test("a customization is answered with its assumptions", () => {
  const result = { text: "Done", code: "x", data: { assumptions: ["client-side"] } };
  const messages = replay([requested({ action: "customize" }), { type: "run.completed", runId, result }]);
  expect(messages.at(-1)).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: { code: "x", description: "Done", assumptions: ["client-side"], clarificationNeeded: false },
  });
});

test("an ambiguous customization is answered with a question", () => {
  const data = { clarificationNeeded: true, question: "Which table?", options: ["Users", "Orders"] };
  const result = { text: "", code: "never sent", data };
  const messages = replay([requested({ action: "customize" }), { type: "run.completed", runId, result }]);
  expect(messages.at(-1)).toEqual({
    jsonrpc: "2.0",
    id: 2,
    result: { code: null, clarificationNeeded: true, question: "Which table?", options: ["Users", "Orders"] },
  });
});

test.each([
  ["generate", "engine_failed", -32000],
  ["customize", "engine_failed", -32001],
  ["chat", "engine_failed", -32603],
  ["customize", "spec_invalid", -32002],
  ["generate", "context_too_large", -32003],
  ["generate", "rate_limited", -32004],
  ["chat", "queue_full", -32004],
  ["generate", "internal", -32603],
] as const)("a %s that fails with %s is answered with %i", (action, failure, number) => {
  const error = { code: failure, message: "no", data: { try: "again" } };
  const messages = replay([requested({ action }), { type: "run.failed", runId, error }]);
  const data = { code: failure, details: { try: "again" } };
  expect(messages).toEqual([
    chunk("", 0, true),
    { jsonrpc: "2.0", id: 2, error: { code: number, message: "no", data } },
  ]);
});

test("a cancelled request is answered as in LSP, and a string id stays a string", () => {
  const messages = replay(
    [
      requested({}, "a"),
      { type: "run.cancelling", runId, reason: "stop" },
      { type: "run.cancelled", runId, reason: "stop" },
    ],
    { streaming: false },
  );
  expect(messages).toEqual([
    notice("progress", { requestId: "a", runId, kind: "cancelling", message: "Cancelling: stop" }),
    { jsonrpc: "2.0", id: "a", error: { code: -32800, message: "stop", data: { code: "cancelled" } } },
  ]);
});

test("a run that was asked for elsewhere is watched under its own id", () => {
  const messages = replay([
    elsewhere,
    answer("Hel"),
    code("x"),
    { type: "run.completed", runId, result: { text: "Hel", code: "x" } },
  ]);
  expect(messages).toEqual([
    notice("run/started", { runId, prompt: "go", by: { dialect: "ui", user: "ada" } }),
    notice("run/chunk", { runId, chunk: "Hel", of: "answer", done: false, index: 0 }),
    notice("run/chunk", { runId, chunk: "x", of: "code", done: false, index: 1 }),
    notice("run/chunk", { runId, chunk: "", done: true, index: 2 }),
    notice("run/ended", { runId, status: "completed", result: { text: "Hel", code: "x" } }),
  ]);
});

test("a request id means nothing on another connection, which only watches", () => {
  const log: NewEvent[] = [requested({}), { type: "run.cancelled", runId, reason: "stop" }];
  const error = { code: -32800, message: "stop", data: { code: "cancelled" } };
  expect(replay(log, { connection: "c1", streaming: false })).toEqual([{ jsonrpc: "2.0", id: 2, error }]);
  for (const connection of ["c2", undefined]) {
    expect(replay(log, { connection, streaming: false })).toEqual([
      notice("run/started", { runId, prompt: "go", by: { dialect: "studio" } }),
      notice("run/ended", { runId, status: "cancelled", error }),
    ]);
  }
});

test("a request that waits is told so, and one that never starts ends under its run's id", () => {
  const waiting = "b3a5b0c2-6d53-4d52-9d0f-8f6a3a1c2b12";
  const by = { dialect: "studio", connection: "c1", requestId: 3 };
  const messages = replay([
    requested({}),
    { type: "run.queued", runId: waiting, kind: "prompt", input: { text: "next" }, by },
    { type: "run.cancelled", runId: waiting, reason: "stop", askedBy: by },
    answer("still here"),
  ]);
  expect(messages).toEqual([
    notice("progress", {
      requestId: 3,
      runId: waiting,
      kind: "queued",
      message: "Waiting for the run before this one.",
    }),
    { jsonrpc: "2.0", id: 3, error: { code: -32800, message: "stop", data: { code: "cancelled" } } },
    chunk("still here", 0),
  ]);
});

test("a request that fails in the queue is answered, too", () => {
  const by = { dialect: "studio", connection: "c1", requestId: 3 };
  const failed = { code: "store_failed" as const, message: "lost" };
  const messages = replay([
    { type: "run.queued", runId, kind: "prompt", input: { text: "next" }, by },
    { type: "run.failed", runId, error: failed, askedBy: by },
  ]);
  expect(messages.at(-1)).toMatchObject({ jsonrpc: "2.0", id: 3, error: { message: "lost" } });
});

test("what happens on the way is progress, and thinking, output and usage are not", () => {
  const step = { stepId: "s", description: "Write", status: "done" as const };
  const messages = replay([
    requested({}),
    { type: "step.started", runId, stepId: "s1", title: "Read \u001b[1mfiles", number: 1 },
    { type: "step.finished", runId, stepId: "s1", status: "failed", durationMs: 1 },
    { type: "tool.requested", runId, callId: "t1", tool: "fs.read", args: {}, title: "Read a.ts" },
    { type: "tool.output", runId, callId: "t1", text: "x" },
    { type: "tool.finished", runId, callId: "t1", result: "x", durationMs: 12 },
    { type: "tool.requested", runId, callId: "t2", tool: "shell", args: {} },
    { type: "tool.finished", runId, callId: "t2", error: { code: "tool_failed", message: "exit 1" }, durationMs: 3 },
    {
      type: "plan.updated",
      runId,
      planId: "p",
      steps: [step, { stepId: "t", description: "Test", status: "running" }],
    },
    { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 3, output: 4 },
    { type: "context.compacted", runId, before: 100, after: 10 },
    { type: "artifact.created", runId, artifactId: "a", kind: "code", name: "App.tsx", bytes: 12, sha256: "0" },
    { type: "note", runId, level: "warning", text: "slow", source: "engine" },
    { type: "note", runId, level: "debug", text: "quiet", source: "engine" },
    { type: "note", level: "error", text: "disk is full", source: "store" },
  ]);
  const call = (callId: string, tool: string, status: string) => ({ callId, tool, status });
  const expected: [kind: string, message: string, about?: object][] = [
    ["step", "Read files"],
    ["step", "Read files: failed"],
    ["tool", "Read a.ts", call("t1", "fs.read", "running")],
    ["tool", "Read a.ts: done in 12 ms", call("t1", "fs.read", "done")],
    ["tool", "shell", call("t2", "shell", "running")],
    ["tool", "shell: failed: exit 1", call("t2", "shell", "failed")],
    ["plan", "Plan: 1 of 2 done, now: Test"],
    ["compaction", "Context compacted from 100 to 10 tokens."],
    ["artifact", "Created App.tsx (12 bytes)."],
    ["warning", "slow"],
  ];
  expect(messages).toEqual(
    expected
      .map(([kind, message, about]) => notice("progress", { requestId: 2, runId, kind, message, ...about }))
      .concat(notice("progress", { kind: "error", message: "disk is full" })),
  );
});

const opened: NewEvent = {
  type: "ask.opened",
  runId,
  askId,
  kind: "confirm",
  title: "Run \u202ethis",
  message: "rm\u001b[8m -rf",
  tool: "shell",
  args: { command: "ls\u200b" },
  truncated: true,
  items: [{ id: "\u200b1", label: "A\u0007" }],
  expiresAt: 5000,
};
const closed: NewEvent = {
  type: "ask.closed",
  runId,
  askId,
  outcome: "answered",
  answer: { ok: true },
  by: { dialect: "ui", connection: "c9" },
};

test("an ask in any run is seen here as plain text, and closed here without its answer", () => {
  expect(replay([elsewhere, opened, closed], { asks: true }).slice(1)).toEqual([
    notice("ask/opened", {
      runId,
      askId,
      kind: "confirm",
      title: "Run this",
      message: "rm -rf",
      tool: "shell",
      args: { command: "ls" },
      truncated: true,
      items: [{ id: "\u200b1", label: "A" }],
      expiresAt: 5000,
    }),
    notice("ask/closed", { runId, askId, outcome: "answered", by: { dialect: "ui" } }),
  ]);
});

test("a host that does not say that it shows asks hears nothing of them", () => {
  expect(replay([requested({}), opened, closed])).toEqual([]);
});

test("a step and a tool call of the same id keep their titles", () => {
  const messages = replay([
    requested({}),
    { type: "step.started", runId, stepId: "1", title: "Read", number: 1 },
    { type: "tool.requested", runId, callId: "1", tool: "shell", args: {} },
    { type: "tool.finished", runId, callId: "1", durationMs: 1 },
    { type: "step.finished", runId, stepId: "1", status: "failed", durationMs: 1 },
  ]);
  expect(messages.slice(2)).toEqual([
    notice("progress", {
      requestId: 2,
      runId,
      kind: "tool",
      message: "shell: done in 1 ms",
      callId: "1",
      tool: "shell",
      status: "done",
    }),
    notice("progress", { requestId: 2, runId, kind: "step", message: "Read: failed" }),
  ]);
});

test("a large result comes whole, for the response is all that the host gets of it", () => {
  expect(studio.wholeResults).toBe(true);
});

test("titles of what never finishes do not pile up", () => {
  const calls = Array.from(
    { length: 1001 },
    (_, n): NewEvent => ({
      type: "tool.requested",
      runId,
      callId: String(n),
      tool: `tool ${n}`,
      args: {},
    }),
  );
  const done = (callId: string): NewEvent => ({ type: "tool.finished", runId, callId, durationMs: 1 });
  const [first, last] = replay([requested({}), ...calls, done("0"), done("1000")]).slice(-2);
  expect([first, last]).toMatchObject([
    { params: { message: "Tool: done in 1 ms" } },
    { params: { message: "tool 1000: done in 1 ms" } },
  ]);
});

test("a chat that streams code without end is not kept, and a part of it is not passed off as the whole", () => {
  const piece = "x".repeat(60_000);
  const messages = replay([
    requested({ action: "chat" }),
    ...Array.from({ length: 40 }, () => code(piece)),
    { type: "run.completed", runId, result: { text: "There it is." } },
  ]) as { params?: { chunk: string }; result?: unknown }[];
  const chunks = messages.map(({ params }) => params?.chunk ?? "").join("");
  expect(chunks.split("x").length - 1).toBe(40 * piece.length);
  expect(messages.at(-1)?.result).toEqual({ message: "There it is.", suggestions: [] });
});
