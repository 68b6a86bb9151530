import fc from "fast-check";
import { expect, test } from "vitest";
import { errorCodes } from "../../core/errors.ts";
import type { Event, NewEvent } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { folded as fold, sessionId, start } from "../../testing/folded-live.ts";
import { errorData, errors } from "./errors.ts";
import { live } from "./index.ts";
import { type DataOf, type Message, type MessageType, message } from "./messages.ts";
import { priorityOf } from "./priority.ts";

const runId = "12345678-0000-4000-8000-000000000002";
const by = { dialect: "ui" };

const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "Go" }, by, model: "gpt-5" };
const completed = (text = "", more: object = {}): NewEvent => ({
  type: "run.completed",
  runId,
  result: { text, ...more },
});
const cancelled: NewEvent = { type: "run.cancelled", runId, reason: "user" };
const failed: NewEvent = { type: "run.failed", runId, error: { code: "rate_limited", message: "Slow down" } };
const answer = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
const code = (text: string, language?: string): NewEvent => ({ type: "text.delta", runId, text, of: "code", language });
const thinking = (text: string): NewEvent => ({ type: "thinking.delta", runId, text });
const requested = (callId = "c1"): NewEvent => ({
  type: "tool.requested",
  runId,
  callId,
  tool: "fs.read",
  args: { path: "a" },
});
const confirm: NewEvent = {
  type: "ask.opened",
  runId,
  askId: "a1",
  expiresAt: start + 60_000,
  kind: "confirm",
  title: "Write a file?",
  message: "a.ts",
  callId: "c1",
  tool: "fs.write",
  args: { path: "a.ts" },
  diff: "+a",
};

/** What the messages after the prompt's say. */
function said(...events: NewEvent[]): [MessageType, unknown][] {
  return fold(started, ...events)
    .slice(1)
    .map((m) => [m.type, m.data]);
}

const id = (n: number) => derivedId(runId, String(n));
const messageStart = (n: number) => [
  "message_start",
  { message: { id: id(n), role: "assistant", model: "gpt-5" }, run_id: runId },
];
const messageStop = (n: number) => ["message_stop", { message_id: id(n) }];
const blockStart = (n: number, index: number, content_type: string, more = {}) => [
  "content_block_start",
  { content_block_id: id(n), index, content_type, ...more },
];
const blockStop = (n: number, index: number, more = {}) => [
  "content_block_stop",
  { content_block_id: id(n), index, ...more },
];
const delta = (n: number, index: number, text: string, type = "text_delta") => [
  "content_block_delta",
  { content_block_id: id(n), index, delta: { type, text } },
];
const runStatus = (status: string, more = {}) => ["status_update", { kind: "run", run_id: runId, status, ...more }];

test("puts an event's data into an envelope with the log's seq and time", () => {
  expect(fold(started)).toEqual([
    {
      type: "user_input",
      timestamp: "2026-01-01T00:00:00.001Z",
      session_id: sessionId,
      seq: 1,
      data: { content: "Go", input_type: "ai_prompt", run_id: runId, model: "gpt-5" },
    },
  ]);
});

test("formats every millisecond as Date does", () => {
  const { push } = live.fold(sessionId);
  for (const at of [0, 7, 999, 1000, start + 12_345, start + 12_346, start + 59_999]) {
    const [frame] = push({ type: "session.closed", seq: 1, at });
    expect(frame?.message).toMatchObject({ timestamp: new Date(at).toISOString() });
  }
});

test("gives a client its own id back, on the prompt and on the end of its run", () => {
  const mine: NewEvent = { ...started, by: { dialect: "live", requestId: 7 } } as NewEvent;
  expect(fold(mine, cancelled).map((m) => [m.type, m.correlation_id])).toEqual([
    ["user_input", "7"],
    ["status_update", "7"],
  ]);
});

test("gives a client its own id back with the session that it started, and another dialect's to nobody", () => {
  const created = (dialect: string): NewEvent => ({
    type: "session.created",
    workspace: "/w",
    engine: "codex",
    by: { dialect, requestId: "s1" },
  });
  expect(fold(created("live"))[0]?.correlation_id).toBe("s1");
  expect(fold(created("ui"))[0]).not.toHaveProperty("correlation_id");
});

test("gives a client its own id back when its run was cancelled in the queue", () => {
  const askedBy = { dialect: "live", requestId: "r1" };
  const queued: NewEvent = { ...started, type: "run.queued", runId: id(99), by: askedBy } as NewEvent;
  const ended: NewEvent = { type: "run.cancelled", runId: id(99), reason: "user", askedBy };
  expect(
    fold(started, queued, ended)
      .slice(1)
      .map((m) => [m.data, m.correlation_id]),
  ).toEqual([
    [{ kind: "run", run_id: id(99), status: "queued" }, "r1"],
    [{ kind: "run", run_id: id(99), status: "cancelled", reason: "user" }, "r1"],
  ]);
});

test("gives the messages of one event their places, so that a client can go on after any of them", () => {
  expect(fold(started, answer("Hi"), answer("!"), failed).map((m) => [m.type, m.seq, m.k])).toEqual([
    ["user_input", 1, undefined],
    ["message_start", 2, undefined],
    ["content_block_start", 2, 1],
    ["content_block_delta", 2, 2],
    ["content_block_delta", 3, undefined],
    ["content_block_stop", 4, undefined],
    ["message_stop", 4, 1],
    ["error", 4, 2],
    ["status_update", 4, 3],
  ]);
});

test("streams thinking and prose as blocks of one message", () => {
  expect(said(thinking("Hm"), thinking("m"), answer("Hello"), answer(" you"), completed("Hello you"))).toEqual([
    messageStart(0),
    blockStart(1, 0, "thinking"),
    delta(1, 0, "Hm", "thinking_delta"),
    delta(1, 0, "m", "thinking_delta"),
    blockStop(1, 0),
    blockStart(2, 1, "text"),
    delta(2, 1, "Hello"),
    delta(2, 1, " you"),
    blockStop(2, 1),
    messageStop(0),
    runStatus("completed", { result: { text: "Hello you" } }),
  ]);
});

test("makes fenced code a block of its own with its language", () => {
  const text = "See\n```ts\nlet a;\n```";
  expect(said(answer("See\n``"), answer("`ts\nlet a;\n```"), completed(text))).toEqual([
    messageStart(0),
    blockStart(1, 0, "text"),
    delta(1, 0, "See\n"),
    blockStop(1, 0),
    blockStart(2, 1, "code", { language: "ts", fence: "```ts\n" }),
    delta(2, 1, "let a;\n"),
    blockStop(2, 1, { fence: "```" }),
    messageStop(0),
    runStatus("completed", { result: { text } }),
  ]);
});

test("streams generated code as code, another language as another block", () => {
  expect(said(code("<a>", "html"), code("</a>"), code("a{}", "css"), cancelled)).toEqual([
    messageStart(0),
    blockStart(1, 0, "code", { language: "html" }),
    delta(1, 0, "<a>"),
    delta(1, 0, "</a>"),
    blockStop(1, 0),
    blockStart(2, 1, "code", { language: "css" }),
    delta(2, 1, "a{}"),
    blockStop(2, 1),
    messageStop(0),
    runStatus("cancelled", { reason: "user" }),
  ]);
});

test("flushes what it held back when the run ends", () => {
  expect(said(answer("``"), cancelled)).toEqual([
    messageStart(0),
    blockStart(1, 0, "text"),
    delta(1, 0, "``"),
    blockStop(1, 0),
    messageStop(0),
    runStatus("cancelled", { reason: "user" }),
  ]);
});

test("ends the message before a tool call and starts another after it", () => {
  expect(said(answer("One"), requested(), answer("Two")).map(([type]) => type)).toEqual([
    "message_start",
    "content_block_start",
    "content_block_delta",
    "content_block_stop",
    "message_stop",
    "tool_call_request",
    "message_start",
    "content_block_start",
    "content_block_delta",
  ]);
});

test("says a result that was never streamed", () => {
  expect(said(thinking("Hm"), completed("Done"))).toEqual([
    messageStart(0),
    blockStart(1, 0, "thinking"),
    delta(1, 0, "Hm", "thinking_delta"),
    blockStop(1, 0),
    blockStart(2, 1, "text"),
    delta(2, 1, "Done"),
    blockStop(2, 1),
    messageStop(0),
    runStatus("completed", { result: { text: "Done" } }),
  ]);
});

test("says a result that comes after other words in a message of its own", () => {
  expect(said(answer("I look."), completed("All is well")).slice(3)).toEqual([
    blockStop(1, 0),
    messageStop(0),
    messageStart(2),
    blockStart(3, 0, "text"),
    delta(3, 0, "All is well"),
    blockStop(3, 0),
    messageStop(2),
    runStatus("completed", { result: { text: "All is well" } }),
  ]);
});

test("says the description of a result without text", () => {
  const result = { text: "", description: "A form", code: "<form>" };
  expect(said(code("<form>", "html"), completed("", result)).slice(3)).toEqual([
    blockStop(1, 0),
    blockStart(2, 1, "text"),
    delta(2, 1, "A form"),
    blockStop(2, 1),
    messageStop(0),
    runStatus("completed", { result }),
  ]);
});

interface Drawn {
  type: string;
  language?: string;
  text: string;
}

/** What a client would draw, and the answer as it was written. */
function drawn(messages: Message[]): { blocks: Drawn[]; answer: string } {
  const blocks: Drawn[] = [];
  let text = "";
  for (const { type, data } of messages) {
    if (type === "content_block_start") {
      blocks.push({ type: data.content_type, language: data.language, text: "" });
      text += data.fence ?? "";
    } else if (type === "content_block_delta") {
      const block = blocks.at(-1);
      if (block) block.text += data.delta.text;
      text += data.delta.text;
    } else if (type === "content_block_stop") {
      text += data.fence ?? "";
    }
  }
  return { blocks, answer: text };
}

test("draws the same blocks however the answer was cut into deltas, and loses nothing of it", () => {
  const bit = fc.constantFrom("```", "```ts\n", "````\n", "\n", " ", "`", "word ", "let a = 1;\n", "   ```\n");
  const deltas = fc.array(
    fc.array(bit, { maxLength: 4 }).map((bits) => bits.join("")),
    { maxLength: 12 },
  );
  fc.assert(
    fc.property(deltas, (cut) => {
      const whole = cut.join("");
      const once = drawn(fold(started, answer(whole), completed()));
      expect(drawn(fold(started, ...cut.map(answer), completed()))).toEqual(once);
      expect(drawn(fold(started, ...[...whole].map(answer), completed()))).toEqual(once);
      expect(once.answer).toBe(whole);
    }),
  );
});

test("tells a tool call from its request to its response", () => {
  const output: NewEvent = { type: "tool.output", runId, callId: "c1", text: "..." };
  const finished: NewEvent = {
    type: "tool.finished",
    runId,
    callId: "c1",
    result: { n: 1 },
    durationMs: 9,
    diff: "+a",
  };
  const messages = fold(started, requested(), output, finished).slice(1);
  expect(messages.map((m) => [m.type, m.correlation_id, m.data])).toEqual([
    [
      "tool_call_request",
      "c1",
      { call_id: "c1", name: "fs.read", args: { path: "a" }, run_id: runId, is_client_initiated: false },
    ],
    ["tool_execution_status", "c1", { call_id: "c1", status: "in_progress", output: "...", elapsed_ms: 1 }],
    ["tool_execution_status", "c1", { call_id: "c1", status: "completed", elapsed_ms: 9 }],
    ["tool_call_response", "c1", { call_id: "c1", result: { n: 1 }, execution_time_ms: 9, diff: "+a" }],
  ]);
});

test("answers a tool call that failed with the error", () => {
  const error = { code: "denied" as const, message: "No" };
  expect(said(requested(), { type: "tool.finished", runId, callId: "c1", error, durationMs: 2 }).slice(1)).toEqual([
    ["tool_execution_status", { call_id: "c1", status: "failed", elapsed_ms: 2 }],
    ["tool_call_response", { call_id: "c1", error: errorData(error), execution_time_ms: 2 }],
  ]);
});

test.each([
  [cancelled, "cancelled", errorData({ code: "cancelled", message: "The run was cancelled" })],
  [failed, "failed", errorData({ code: "tool_failed", message: "The run ended before the tool did" })],
  [completed(), "failed", errorData({ code: "tool_failed", message: "The run ended before the tool did" })],
])("answers the calls that are open when the run ends", (end, status, error) => {
  expect(said(requested("c1"), requested("c2"), end).slice(2, 6)).toEqual([
    ["tool_execution_status", { call_id: "c1", status, elapsed_ms: 2 }],
    ["tool_call_response", { call_id: "c1", error, execution_time_ms: 2 }],
    ["tool_execution_status", { call_id: "c2", status, elapsed_ms: 1 }],
    ["tool_call_response", { call_id: "c2", error, execution_time_ms: 1 }],
  ]);
});

test("ends a failed run with its message closed, the error, and then the status", () => {
  expect(said(answer("Hi"), failed).slice(3)).toEqual([
    blockStop(1, 0),
    messageStop(0),
    [
      "error",
      {
        error_code: "RESOURCE_EXHAUSTED",
        message: "Slow down",
        details: { code: "rate_limited" },
        severity: "error",
        retriable: true,
      },
    ],
    runStatus("failed", { reason: "Slow down" }),
  ]);
});

test.each(["internal", "store_failed", "unauthorized"] as const)(
  "tells a run and a tool that failed with %s as an error that the session survives",
  (failure) => {
    const error = { code: failure, message: "Oh" };
    const messages = fold(
      started,
      requested(),
      { type: "tool.finished", runId, callId: "c1", error, durationMs: 2 },
      { type: "run.failed", runId, error },
    );
    const severities = messages.flatMap((m) => {
      if (m.type === "error") return [m.data.severity];
      return m.type === "tool_call_response" ? [m.data.error?.severity] : [];
    });
    expect(severities).toEqual(["error", "error"]);
  },
);

test("takes for fatal only what ends the connection", () => {
  expect(errorCodes.filter((each) => errors[each].severity === "fatal")).toEqual([
    "unauthorized",
    "store_failed",
    "store_corrupt",
    "store_newer",
  ]);
});

test("shows nothing in a confirmation that hides or turns around, and says when it is not all", () => {
  const hidden = "\u001b[8m\u202e\u200b";
  const asked = {
    ...confirm,
    title: `Wr${hidden}ite?`,
    message: `a${hidden}.ts`,
    tool: `fs${hidden}.write`,
    args: { [`pa${hidden}th`]: [`a${hidden}.ts`] },
    path: `a${hidden}.ts`,
    diff: `+${hidden}a`,
    truncated: true,
    confirmLabel: `Y${hidden}es`,
    cancelLabel: `N${hidden}o`,
    defaultValue: `x${hidden}`,
    items: [{ id: "x", label: `X${hidden}`, detail: `${hidden}first` }],
  } as NewEvent;
  expect(said(asked)).toEqual([
    [
      "tool_call_confirmation",
      {
        call_id: "c1",
        name: "fs.write",
        args: { path: ["a.ts"] },
        run_id: runId,
        ask_id: "a1",
        kind: "confirm",
        title: "Write?",
        message: "a.ts",
        path: "a.ts",
        diff: "+a",
        truncated: true,
        confirm_label: "Yes",
        cancel_label: "No",
        default_value: "x",
        items: [{ id: "x", label: "X", detail: "first" }],
        expires_at: "2026-01-01T00:01:00.000Z",
      },
    ],
  ]);
});

test("asks nobody about a tool that the client runs, unless a person must agree", () => {
  const closed: NewEvent = { type: "ask.closed", runId, askId: "a1", outcome: "answered", answer: { success: true } };
  const byClient = (needsApproval?: boolean) =>
    said(requested(), { ...confirm, kind: "tool", needsApproval } as NewEvent, closed).map(([type]) => type);
  expect(byClient()).toEqual(["tool_call_request", "tool_call_request"]);
  expect(byClient(true)).toEqual(["tool_call_request", "tool_call_confirmation", "status_update"]);
});

test("asks the client itself to run a tool that it runs, and again until it says that it has it", () => {
  const byClient = { ...confirm, kind: "tool", title: "Write a.ts" } as NewEvent;
  expect(fold(started, requested(), byClient).at(-1)).toEqual({
    type: "tool_call_request",
    timestamp: "2026-01-01T00:00:00.003Z",
    session_id: sessionId,
    correlation_id: "c1",
    seq: 3,
    ack_required: true,
    data: {
      call_id: "c1",
      name: "fs.write",
      args: { path: "a.ts" },
      run_id: runId,
      is_client_initiated: false,
      title: "Write a.ts",
      executor: "client",
    },
  });
});

test("forgets the oldest of the calls and asks that are left open by the thousand", () => {
  const many = Array.from({ length: 1001 }, (_, n) => `x${n}`);
  const responses = said(...many.map(requested), cancelled).filter(([type]) => type === "tool_call_response");
  expect(responses).toHaveLength(1000);
  const asks = many.map((askId) => ({ ...confirm, askId }) as NewEvent);
  const closed = many.map((askId) => ({ type: "ask.closed", runId, askId, outcome: "withdrawn" }) as NewEvent);
  expect(said(...asks, ...closed)).toHaveLength(2001);
});

test("asks for a confirmation that must be acknowledged, and tells everyone how it ended", () => {
  const closed: NewEvent = {
    type: "ask.closed",
    runId,
    askId: "a1",
    outcome: "answered",
    answer: { ok: true },
    by: { dialect: "ui", client: "term" },
  };
  expect(fold(started, confirm, closed).slice(1)).toEqual([
    {
      type: "tool_call_confirmation",
      timestamp: "2026-01-01T00:00:00.002Z",
      session_id: sessionId,
      correlation_id: "c1",
      seq: 2,
      ack_required: true,
      data: {
        call_id: "c1",
        name: "fs.write",
        args: { path: "a.ts" },
        run_id: runId,
        ask_id: "a1",
        kind: "confirm",
        title: "Write a file?",
        message: "a.ts",
        diff: "+a",
        expires_at: "2026-01-01T00:01:00.000Z",
      },
    },
    {
      type: "status_update",
      timestamp: "2026-01-01T00:00:00.003Z",
      session_id: sessionId,
      correlation_id: "c1",
      seq: 3,
      data: {
        kind: "ask",
        run_id: runId,
        ask_id: "a1",
        call_id: "c1",
        status: "answered",
        approved: true,
        by: "term",
      },
    },
  ]);
});

test("says of a choice that it may be answered in own words", () => {
  const items = [{ id: "a", label: "A" }];
  const pick: NewEvent = { ...confirm, kind: "pick", items, allowText: true } as NewEvent;
  expect(said(pick)[0]?.[1]).toMatchObject({ kind: "pick", items, allow_text: true });
});

test("never tells what a question was answered", () => {
  const prompt: NewEvent = {
    type: "ask.opened",
    runId,
    askId: "a1",
    expiresAt: start,
    kind: "prompt",
    title: "?",
    message: "",
  };
  const closed: NewEvent = {
    type: "ask.closed",
    runId,
    askId: "a1",
    outcome: "answered",
    answer: { value: "hunter2" },
  };
  const told = said(prompt, closed);
  expect(told[0]?.[1]).toMatchObject({ call_id: "a1", name: "ask_prompt", args: {} });
  expect(JSON.stringify(told)).not.toContain("hunter2");
});

const inRun = { run_id: runId };
const tellings: [NewEvent, MessageType, unknown][] = [
  [
    { type: "session.created", workspace: "/w", engine: "copilot", model: "gpt-5" },
    "session_start",
    { session_type: "copilot_discussion", workspace: "/w", engine: "copilot", model: "gpt-5" },
  ],
  [
    { type: "session.created", workspace: "/w", engine: "codex", purpose: "planning", title: "T" },
    "session_start",
    { session_type: "codex_planning", workspace: "/w", engine: "codex", title: "T" },
  ],
  [{ type: "session.updated", title: "T" }, "status_update", { kind: "session", title: "T" }],
  [{ type: "session.closed", reason: "idle" }, "session_end", { reason: "idle", summary: { last_seq: 1 } }],
  [{ ...started, type: "run.queued" } as NewEvent, "status_update", { kind: "run", ...inRun, status: "queued" }],
  [
    { type: "run.cancelling", runId, reason: "user" },
    "status_update",
    { kind: "run", ...inRun, status: "cancelling", reason: "user" },
  ],
  [
    { type: "step.started", runId, stepId: "s", title: "Read", number: 1 },
    "status_update",
    { kind: "step", ...inRun, step_id: "s", status: "running", title: "Read", number: 1 },
  ],
  [
    { type: "step.finished", runId, stepId: "s", status: "failed", durationMs: 3 },
    "status_update",
    { kind: "step", ...inRun, step_id: "s", status: "failed", duration_ms: 3 },
  ],
  [
    { type: "plan.updated", runId, planId: "p", steps: [{ stepId: "s", description: "Read", status: "done" }] },
    "status_update",
    { kind: "plan", ...inRun, plan_id: "p", steps: [{ step_id: "s", description: "Read", status: "done" }] },
  ],
  [
    { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 3, output: 4 },
    "status_update",
    { kind: "usage", ...inRun, context_used: 1, context_size: 2, input_tokens: 3, output_tokens: 4 },
  ],
  [
    { type: "context.compacted", runId, before: 9, after: 3 },
    "status_update",
    { kind: "compaction", ...inRun, before: 9, after: 3 },
  ],
  [
    { type: "artifact.created", runId, artifactId: "x", kind: "code", name: "a.ts", bytes: 1, sha256: "f" },
    "status_update",
    { kind: "artifact", ...inRun, artifact_id: "x", artifact_kind: "code", name: "a.ts", bytes: 1, sha256: "f" },
  ],
  [
    { type: "note", level: "info", text: "Hi", source: "mcp" },
    "status_update",
    { kind: "note", level: "info", message: "Hi", source: "mcp" },
  ],
  [
    { type: "note", runId, level: "warning", text: "Hm", source: "mcp" },
    "error",
    {
      error_code: "TOOL_EXECUTION_FAILED",
      message: "Hm",
      details: { source: "mcp", run_id: runId },
      severity: "warning",
      retriable: false,
    },
  ],
];

test.each(tellings.map(([event, ...message]) => [event.type, event, ...message] as const))(
  "tells %s",
  (_, event, type, data) => {
    expect(fold(event).map((m) => [m.type, m.data])).toEqual([[type, data]]);
  },
);

// Of every type one message, and its priority.
const samples: { [Type in MessageType]: [number, DataOf<Type>] } = {
  error: [0, errorData({ code: "internal", message: "Oh" })],
  interrupt: [0, { reason: "stopping" }],
  session_end: [0, { reason: "closed", summary: { last_seq: 1 } }],
  flow_control: [0, { available_capacity: 10, requested_capacity: 5 }],
  ack: [0, { seq: 1 }],
  backpressure_alert: [0, { pending: 100, available_capacity: 0 }],
  heartbeat: [0, { last_seq: 4 }],
  tool_call_confirmation: [
    1,
    {
      call_id: "c",
      name: "n",
      args: {},
      run_id: runId,
      ask_id: "a",
      kind: "confirm",
      title: "",
      message: "",
      expires_at: "2026-01-01T00:00:00Z",
    },
  ],
  user_input: [1, { content: "", input_type: "ai_prompt", run_id: runId }],
  session_start: [2, { session_type: "copilot_discussion", workspace: "/w", engine: "copilot" }],
  session_state: [
    2,
    {
      session_type: "copilot_discussion",
      workspace: "/w",
      engine: "copilot",
      status: "idle",
      queued_runs: [],
      messages: [{ id: "m", role: "user", content: "Go", run_id: runId }],
      earlier_messages: 0,
      open_tool_calls: [],
      open_confirmations: [],
      files_touched: [],
      context_window: { used: 0, size: 0 },
      last_seq: 3,
    },
  ],
  session_list: [2, { sessions: [] }],
  engine_list: [2, { engines: [{ name: "copilot", default: true }] }],
  model_list: [
    2,
    { engine: "copilot", models: [{ id: "m", name: "M", context_window: 1000 }], current: "m", note: "" },
  ],
  status_update: [2, { kind: "compaction", run_id: runId, before: 2, after: 1 }],
  tool_call_request: [2, { call_id: "c", name: "n", args: {}, run_id: runId, is_client_initiated: false }],
  tool_call_response: [2, { call_id: "c", result: null, execution_time_ms: 0 }],
  tool_execution_status: [2, { call_id: "c", status: "in_progress", elapsed_ms: 10_000 }],
  message_start: [3, { message: { id: "m", role: "assistant", model: "default" }, run_id: runId }],
  content_block_start: [3, { content_block_id: "b", index: 0, content_type: "text" }],
  content_block_delta: [3, { content_block_id: "b", index: 0, delta: { type: "text_delta", text: "" } }],
  content_block_stop: [3, { content_block_id: "b", index: 0 }],
  message_stop: [3, { message_id: "m" }],
};

test.each(Object.entries(samples))("has a schema and a priority for %s", (type, [priority, data]) => {
  const sample = { type, timestamp: "2026-01-01T00:00:00.000Z", session_id: sessionId, data };
  expect(message.parse(sample)).toEqual(sample);
  expect(message.safeParse({ ...sample, data: { ...data, more: 1 } }).success).toBe(false);
  expect(priorityOf({ type: type as MessageType })).toBe(priority);
});

test("has no schema for a tool's response without result and error", () => {
  const sample = { type: "tool_call_response", timestamp: "2026-01-01T00:00:00.000Z", session_id: sessionId };
  const [, { result: _, ...neither }] = samples.tool_call_response;
  expect(message.safeParse({ ...sample, data: neither }).success).toBe(false);
  const error = errorData({ code: "denied", message: "No" });
  expect(message.safeParse({ ...sample, data: { ...neither, error } }).success).toBe(true);
});

test("names a priority for every message that the schema allows", () => {
  expect(message.options.map((option) => option.shape.type.value).sort()).toEqual(Object.keys(samples).sort());
});

test("gives every error code one of the protocol's", () => {
  for (const code of errorCodes) {
    const data = errorData({ code, message: "Oh", data: { a: 1 } });
    const sample = { type: "error", timestamp: "2026-01-01T00:00:00.000Z", session_id: sessionId, data };
    expect(message.parse(sample)).toEqual(sample);
  }
});

test("can do without thinking only, and says how much of it was left out", () => {
  const open = live.fold(sessionId);
  const events = [started, thinking("a"), thinking("b"), answer("c"), completed("c")];
  const frames = events.flatMap((event, i) => open.push({ ...event, seq: i + 1, at: start + i + 1 } as Event));
  const [first, ...rest] = frames.filter((frame) => frame.skippable);
  if (!first) throw new Error("nothing is skippable");
  expect([first, ...rest].map(({ seq, k }) => [seq, k])).toEqual([
    [2, 2],
    [3, 0],
  ]);
  const notice = open.lost([first, ...rest]);
  expect(notice.skippable).toBe(false);
  expect(message.parse(JSON.parse(notice.text))).toEqual({
    type: "status_update",
    timestamp: "2026-01-01T00:00:00.003Z",
    session_id: sessionId,
    data: { kind: "lost", count: 2, from_seq: 2, to_seq: 3 },
  });
});
