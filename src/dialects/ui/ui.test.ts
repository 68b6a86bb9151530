import { expect, test } from "vitest";
import type { Event, NewEvent } from "../../core/events.ts";
import { calls } from "./calls.ts";
import { ui } from "./index.ts";

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const askId = "0b7f6f58-5b7e-4a52-8c1f-0c6e0a5d9b11";
const otherAsk = "1c7f6f58-5b7e-4a52-8c1f-0c6e0a5d9b12";
const everything = {
  supports_confirm: true,
  supports_prompt: true,
  supports_pick: true,
  supports_permission_preflight_events: true,
  supports_tool_output: true,
};

function fold(events: NewEvent[], profile: unknown = everything) {
  const open = ui.fold("session", profile);
  return events.flatMap((event, index) => open.push({ ...event, seq: index + 1, at: 1000 + index } as Event));
}

/** Each message in short: its method, and what matters of its params. */
function told(events: NewEvent[], profile?: unknown): unknown[] {
  return fold(events, profile).map((frame) => {
    const { method, id, params } = ui.message.parse(JSON.parse(frame.text)) as Record<string, unknown> & {
      params: never;
    };
    const { event, status, message, session_id, log_seq, ...rest } = params as Record<string, unknown>;
    if (method === "agent.event") return event;
    if (method === "run.status") return message === undefined ? status : [status, message];
    return { method, id, ...rest, message };
  });
}

const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } };
const completed = (text: string): NewEvent => ({ type: "run.completed", runId, result: { text } });
const text = (piece: string): NewEvent => ({ type: "text.delta", runId, text: piece, of: "answer" });
const code = (piece: string, language?: string): NewEvent => ({
  type: "text.delta",
  runId,
  text: piece,
  of: "code",
  language,
});
const thinking = (piece: string): NewEvent => ({ type: "thinking.delta", runId, text: piece });
const opened = (more: Partial<Event & { type: "ask.opened" }> = {}): NewEvent =>
  ({
    type: "ask.opened",
    runId,
    askId,
    expiresAt: 5000,
    kind: "confirm",
    title: "Go?",
    message: "Really",
    ...more,
  }) as NewEvent;
const closed = (id = askId): NewEvent => ({
  type: "ask.closed",
  runId,
  askId: id,
  outcome: "answered",
  by: { dialect: "ui" },
});

test("collects tokens into blocks, which end at an event of another kind", () => {
  expect(
    told([started, thinking("hm "), thinking("hm"), text("a"), text("b"), thinking("so"), completed("ab")]),
  ).toEqual([
    "running",
    { type: "reasoning", content: "hm hm", timestamp: 1001 },
    { type: "text", content: "ab", timestamp: 1003 },
    { type: "reasoning", content: "so", timestamp: 1005 },
    { type: "final", content: "ab" },
    "completed",
  ]);
});

test("draws no empty block, and an empty delta ends none", () => {
  expect(told([started, text("a"), thinking(""), text("b"), thinking("\n\n"), completed("ab")])).toEqual([
    "running",
    { type: "text", content: "ab", timestamp: 1001 },
    { type: "final", content: "ab" },
    "completed",
  ]);
});

test("fences code by its language, with a fence that the code does not contain", () => {
  expect(
    told([started, code("a\n", "ts"), code("b\n", "ts"), code("```\n````", "md"), completed("")]).slice(1, 3),
  ).toEqual([
    { type: "text", content: "```ts\na\nb\n```", timestamp: 1001 },
    { type: "text", content: "`````md\n```\n````\n`````", timestamp: 1003 },
  ]);
});

test("sends a long block in parts", () => {
  const pieces = Array.from({ length: 9 }, () => text("x".repeat(10_000)));
  const blocks = told([started, ...pieces, completed("")]).slice(1, -2) as { content: string }[];
  expect(blocks.map(({ content }) => content.length)).toEqual([60_000, 30_000]);
});

test("numbers the agent events of a run from 0, and says nothing after a terminal status", () => {
  const events = [started, text("a"), { type: "tool.requested", runId, callId: "c", tool: "t", args: {} } as NewEvent];
  const frames = fold([...events, text("b"), { type: "run.cancelled", runId, reason: "enough" }]);
  const messages = frames.map((frame) => JSON.parse(frame.text));
  expect(messages.filter((m) => m.method === "agent.event").map((m) => m.params.seq)).toEqual([0, 1, 2]);
  expect(messages.at(-1)).toMatchObject({ method: "run.status", params: { status: "cancelled", message: "enough" } });
});

test("every message says of which session and which event of its log it is, and those of one event say the same", () => {
  const usage: NewEvent = { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 1, output: 1 };
  const plan: NewEvent = { type: "plan.updated", runId, planId: "p", steps: [] };
  const artifact = { artifactId: "a", kind: "text", name: "n", bytes: 1, sha256: "00" };
  const warning: NewEvent = { type: "note", runId, level: "warning", text: "slow", source: "test" };
  const frames = fold([
    started,
    text("a"),
    plan,
    usage,
    { type: "artifact.created", runId, ...artifact },
    opened(),
    warning,
    closed(),
    completed("a"),
  ]);
  const places = frames.map((frame) => {
    const { method, params } = JSON.parse(frame.text);
    return [params.log_seq, method, params.session_id];
  });
  const of = (seq: number, method: string) => [seq, method, "session"];
  expect(places).toEqual([
    of(1, "run.status"),
    of(3, "agent.event"),
    of(3, "todos.update"),
    of(4, "run.context"),
    of(5, "artifact.created"),
    of(6, "run.status"),
    of(6, "ui.confirm.request"),
    of(7, "run.status"),
    of(8, "run.status"),
    of(9, "agent.event"),
    of(9, "run.status"),
  ]);
  expect(frames.map(({ seq }) => seq)).toEqual(places.map(([seq]) => seq));
});

test("a tool call without arguments has none, and its result names the tool", () => {
  const requested = { type: "tool.requested", runId, callId: "c", tool: "fs.read", title: "Read" } as NewEvent;
  const output: NewEvent = { type: "tool.output", runId, callId: "c", text: "out" };
  const failed: NewEvent = {
    type: "tool.finished",
    runId,
    callId: "c",
    error: { code: "tool_failed", message: "no" },
    durationMs: 1,
  };
  expect(told([started, requested, output, failed]).slice(1)).toEqual([
    { type: "tool_call", tool: "fs.read", args: {}, tool_call_id: "c", display_name: "Read" },
    { type: "tool_output", tool: "fs.read", tool_call_id: "c", content: "out" },
    { type: "tool_result", tool: "fs.read", result: "no", tool_call_id: "c", is_error: true },
  ]);
  expect(told([started, requested, output, failed], {})).toHaveLength(3);
});

test("puts an ask as a request with its preview, and stays awaiting until the last one is closed", () => {
  const write = opened({
    tool: "fs.write",
    callId: "c",
    path: "a.txt",
    diff: "+a",
    truncated: true,
    allowReason: true,
    danger: true,
  });
  const pick = opened({ askId: otherAsk, kind: "pick", title: "Which", items: [{ id: "a", label: "A" }], multi: true });
  const warning: NewEvent = { type: "note", runId, level: "warning", text: "slow", source: "x" };
  expect(told([started, write, pick, warning, closed(), closed(otherAsk)]).slice(1)).toEqual([
    {
      type: "permission.preview",
      tool: "fs.write",
      tool_call_id: "c",
      file_path: "a.txt",
      diff: "+a",
      summary: "Go?",
      truncated: true,
    },
    { type: "permission.ready", tool: "fs.write", tool_call_id: "c" },
    ["awaiting_ui", "Go?"],
    {
      method: "ui.confirm.request",
      id: askId,
      run_id: runId,
      title: "Go?",
      message: "Really",
      danger_level: "danger",
      allow_reason: true,
    },
    ["awaiting_ui", "Which"],
    {
      method: "ui.pick.request",
      id: otherAsk,
      run_id: runId,
      title: "Which: Really",
      items: [{ id: "a", label: "A" }],
      multi: true,
    },
    ["awaiting_ui", "slow"],
    ["awaiting_ui", "answered by ui"],
    ["running", "answered by ui"],
  ]);
});

test("a UI that cannot answer such an ask is told of it, and not asked", () => {
  expect(told([started, opened(), closed()], {})).toEqual([
    "running",
    ["awaiting_ui", "Go?"],
    ["running", "answered by ui"],
  ]);
});

test("an ask that is put to a program is not shown to a person", () => {
  expect(told([started, opened({ kind: "tool", tool: "git.commit" }), closed()])).toEqual(["running"]);
});

test("nothing in a prompt can move a cursor, hide or turn around", () => {
  const nasty = "rm\u202e \u001b[8mhidden\u001b[0m\u200b";
  const ask = opened({ title: nasty, message: nasty, diff: `+${nasty}`, tool: "t", confirmLabel: nasty });
  const shown = fold([started, ask])
    .slice(1)
    .map((frame) => frame.text)
    .join("");
  for (const hidden of ["\\u001b", "\u001b", "\u202e", "\u200b"]) expect(shown).not.toContain(hidden);
  expect(shown).toContain("rm hidden");
});

test("tells how much context is left", () => {
  const usage = (contextUsed: number, contextSize: number): NewEvent => ({
    type: "usage.updated",
    runId,
    contextUsed,
    contextSize,
    input: 1,
    output: 1,
  });
  expect(told([usage(250, 1000), usage(2000, 1000), usage(0, 0)])).toEqual([
    { method: "run.context", run_id: runId, context_left_percent: 75 },
    { method: "run.context", run_id: runId, context_left_percent: 0 },
  ]);
  const said = told([started, usage(250, 1000), text("One, "), usage(251, 1000), text("two."), completed("")]);
  expect(said.slice(1, 3)).toEqual([
    { method: "run.context", run_id: runId, context_left_percent: 75 },
    { type: "text", content: "One, two.", timestamp: 1002 }, // which a count of tokens does not part
  ]);
});

test("a plan is a list of todos, compaction begins and ends, an artifact is named", () => {
  const steps = [{ stepId: "1", description: "Read", status: "running" as const }];
  const artifact = { artifactId: "a", kind: "text", name: "plan.md", bytes: 3, sha256: "00" };
  expect(
    told([
      { type: "plan.updated", runId, planId: "p", steps },
      { type: "context.compacted", runId, before: 9, after: 3 },
      { type: "artifact.created", runId, ...artifact },
    ]),
  ).toEqual([
    { method: "todos.update", run_id: runId, todos: [{ id: "1", content: "Read", status: "in_progress" }] },
    { type: "compaction_start", timestamp: 1001 },
    { type: "compaction_complete", timestamp: 1001, compacted: true },
    {
      method: "artifact.created",
      run_id: runId,
      artifact_id: "a",
      kind: "text",
      name: "plan.md",
      bytes: 3,
      sha256: "00",
    },
  ]);
});

test("the body comes with the final event, also when the result is only a description or code", () => {
  const final = (result: { text: string; description?: string; code?: string }) =>
    told([started, { type: "run.completed", runId, result }])[1];
  expect([final({ text: "", description: "Made it" }), final({ text: "", code: "x()" })]).toEqual([
    { type: "final", content: "Made it" },
    { type: "final", content: "x()" },
  ]);
});

test("what a slow UI lost is told by run and number, in a message that is no status", () => {
  const frames = fold([started, thinking("a"), text("b"), thinking("c"), completed("b")]).filter(
    (frame) => frame.skippable,
  );
  const [first, ...others] = frames;
  if (!first) throw new Error("nothing to lose");
  expect(JSON.parse(ui.fold("session").lost([first, ...others]).text)).toEqual({
    jsonrpc: "2.0",
    method: "run.lost",
    params: { lost: [{ run_id: runId, seqs: [0, 2] }] },
  });
});

test("takes what clients in use send, and gives the document's defaults", () => {
  const start = calls["run.start"].params;
  expect(start.safeParse({ input: { type: "text", text: "go" }, tools: [], tool_choice: "auto" }).success).toBe(true);
  expect(start.safeParse({ input: { type: "parts", parts: [{ type: "image", url: "x" }] } }).success).toBe(true);
  expect(start.safeParse({ input: { type: "text" } }).success).toBe(false);
  expect(calls["session.list"].params.parse({})).toEqual({ limit: 50 });
  expect(calls["session.history"].params.parse({ session_id: "s" })).toEqual({
    session_id: "s",
    max_runs: 20,
    max_events: 1500,
  });
  expect(calls["model.list"].params.parse({})).toEqual({ provider: "openai", include_details: false });
  expect(calls["mcp.list"].params.parse({})).toEqual({ scope: "loaded" });
  expect(calls["skills.list"].params.parse({})).toEqual({ force_reload: false });
});

test("nothing that a heading, a status or a plan is made of can move a cursor or read in another order", () => {
  const evil = "Build\u001b[2J\u001b]0;owned\u0007\u202ex\u200b";
  const said = told([
    { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } },
    { type: "step.started", runId, stepId: "1", title: evil, number: 1 },
    { type: "tool.requested", runId, callId: "c", tool: "shell", args: {}, title: evil },
    { type: "plan.updated", runId, planId: "p", steps: [{ stepId: "1", description: evil, status: "done" }] },
    { type: "run.failed", runId, error: { code: "engine_failed", message: evil } },
  ]);
  expect(said).toMatchObject([
    "running",
    { title: "Buildx" },
    { display_name: "Buildx" },
    { todos: [{ content: "Buildx" }] },
    ["error", "Buildx"],
  ]);
});
