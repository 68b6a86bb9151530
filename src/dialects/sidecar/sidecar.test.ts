import { expect, test } from "vitest";
import { errorCodes } from "../../core/errors.ts";
import type { Event, NewEvent, PlanStep } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { LONGEST_BLOCK } from "../block.ts";
import { calls, requests } from "./calls.ts";
import { errors, wireError } from "./errors.ts";
import { sidecar } from "./index.ts";
import { message } from "./messages.ts";

const sessionId = "5e551011-0000-4000-8000-000000000001";
const runId = "12345678-0000-4000-8000-000000000002";
const by = { dialect: "ui" };
const start = Date.UTC(2026, 0, 1);

const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "Go" }, by };
const completed = (text = "", more: object = {}): NewEvent => ({
  type: "run.completed",
  runId,
  result: { text, ...more },
});
const cancelled: NewEvent = { type: "run.cancelled", runId, reason: "user" };
const failed: NewEvent = { type: "run.failed", runId, error: { code: "engine_failed", message: "Broke", data: 7 } };
const answer = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
const code = (text: string, language?: string): NewEvent => ({ type: "text.delta", runId, text, of: "code", language });
const thinking = (text: string): NewEvent => ({ type: "thinking.delta", runId, text });
const requested: NewEvent = { type: "tool.requested", runId, callId: "c1", tool: "exec.run", args: { command: "ls" } };
const plan = (...statuses: PlanStep["status"][]): NewEvent => ({
  type: "plan.updated",
  runId,
  planId: "p1",
  steps: statuses.map((status, i) => ({ stepId: `s${i + 1}`, description: `Step ${i + 1}`, status })),
});

/** What a plugin reads: the name of each event and its payload. */
function fold(...events: NewEvent[]): [string | undefined, unknown][] {
  const { push } = sidecar.fold(sessionId);
  return events
    .flatMap((event, i) => push({ ...event, seq: i + 1, at: start + i } as Event))
    .map((frame) => {
      const data = JSON.parse(frame.text);
      expect(message.parse({ event: frame.event, data })).toEqual({ event: frame.event, data });
      return [frame.event, data];
    });
}

/** What comes after the prompt's own message. */
const told = (...events: NewEvent[]) => fold(started, ...events).slice(1);

const id = (n: number) => derivedId(runId, String(n));
const says = (n: number, role: string, content: string, more = {}) => [
  "timeline.message",
  { messageId: id(n), role, content, ...more },
];
const last = { done: true };
const step = (stepId: string, status: string) => [
  "plan.step",
  { planId: "p1", stepId, description: `Step ${stepId.slice(1)}`, status },
];
const planEnds = (status: string) => ["plan.complete", { planId: "p1", status }];
const toolCall = (more: object) => [
  "timeline.toolCall",
  { callId: "c1", toolName: "exec.run", args: { command: "ls" }, ...more },
];

test("shows the prompt under the run's id", () => {
  expect(fold(started)).toEqual([["timeline.message", { messageId: runId, role: "user", content: "Go" }]]);
});

test("collects thinking and text into messages, the last of which is done", () => {
  expect(told(thinking("H"), thinking("m"), answer("Hel"), answer(""), answer("lo"), completed("Hello"))).toEqual([
    says(0, "thinking", "Hm"),
    says(1, "assistant", "Hello", last),
  ]);
});

test("fences code with its language, and with more backticks than it holds", () => {
  expect(told(answer("See"), code("let a;", "ts"), code("\n"), answer("and"), code("````\n"), completed())).toEqual([
    says(0, "assistant", "See"),
    says(1, "assistant", "```ts\nlet a;\n```"),
    says(2, "assistant", "and"),
    says(3, "assistant", "`````\n````\n`````", last),
  ]);
});

test("sends a block that grows too long in parts", () => {
  const long = "x".repeat(LONGEST_BLOCK);
  expect(told(code(long, "ts"), code("y"), completed())).toEqual([
    says(0, "assistant", `\`\`\`ts\n${long}\n\`\`\``),
    says(1, "assistant", "```ts\ny\n```", last),
  ]);
});

test("says a result that was not streamed, and nothing twice", () => {
  expect(told(completed("Done"))).toEqual([says(0, "assistant", "Done", last)]);
  expect(told(thinking("Hm"), completed("Done"))).toEqual([
    says(0, "thinking", "Hm"),
    says(1, "assistant", "Done", last),
  ]);
  expect(told(code("a"), completed("Done"))).toEqual([
    says(0, "assistant", "```\na\n```"),
    says(1, "assistant", "Done", last),
  ]);
  expect(
    told(answer("Hi"), requested, { type: "tool.finished", runId, callId: "c1", durationMs: 1 }, completed("Hi")),
  ).toEqual([
    says(0, "assistant", "Hi"),
    toolCall({ status: "running" }),
    toolCall({ status: "done", result: null }),
    says(1, "assistant", "", last),
  ]);
});

test("says a result that comes after other words", () => {
  expect(told(answer("I look."), completed("All is well"))).toEqual([
    says(0, "assistant", "I look."),
    says(1, "assistant", "All is well", last),
  ]);
});

test("says what a result without text has: its description, and its code if none was streamed", () => {
  const description = "A form";
  expect(told(completed("", { description, code: "<form>" }))).toEqual([
    says(0, "assistant", "A form\n\n```\n<form>\n```", last),
  ]);
  expect(told(completed("", { code: "<form>" }))).toEqual([says(0, "assistant", "```\n<form>\n```", last)]);
  expect(told(code("<form>", "html"), completed("", { description, code: "<form>" }))).toEqual([
    says(0, "assistant", "```html\n<form>\n```"),
    says(1, "assistant", "A form", last),
  ]);
  expect(told(answer("```\n<form>\n```"), completed("", { code: "<form>\n" }))).toEqual([
    says(0, "assistant", "```\n<form>\n```", last),
  ]);
});

test("makes no message of white space", () => {
  expect(told(thinking("\n"), answer(" \n"), code("\n"), answer("\n"), requested)).toEqual([
    toolCall({ status: "running" }),
  ]);
  expect(told(answer("Hi"), thinking("Hm"), answer("\n"), completed("Hi"))).toEqual([
    says(0, "assistant", "Hi"),
    says(1, "thinking", "Hm"),
    says(2, "assistant", "", last),
  ]);
});

test("makes code in another language another message", () => {
  expect(told(code("<a>", "html"), code("a{}", "css"), completed())).toEqual([
    says(0, "assistant", "```html\n<a>\n```"),
    says(1, "assistant", "```css\na{}\n```", last),
  ]);
});

test("ends a failed run with the error and then the last message", () => {
  expect(told(answer("Hi"), failed)).toEqual([
    says(0, "assistant", "Hi"),
    ["error", { code: -32002, message: "Broke", data: { code: "engine_failed", details: 7 } }],
    says(1, "assistant", "", last),
  ]);
});

test("says that a run was cancelled, also one that only waited in the queue", () => {
  expect(told(answer("Hi"), cancelled)).toEqual([
    says(0, "assistant", "Hi"),
    says(1, "assistant", "Cancelled: user", last),
  ]);
  expect(fold({ ...started, type: "run.queued" } as NewEvent, cancelled)).toEqual([
    [
      "timeline.message",
      {
        messageId: derivedId(runId, "queued"),
        role: "system",
        content: "Queued: starts when the run before it has ended",
      },
    ],
    says(0, "assistant", "Cancelled: user", last),
  ]);
});

test("starts a plan once, then tells what changed, and completes it once", () => {
  expect(told(plan("running", "pending"), plan("done", "running"), plan("done", "done"), plan("done", "done"))).toEqual(
    [
      [
        "plan.start",
        {
          planId: "p1",
          steps: [
            { stepId: "s1", description: "Step 1", status: "running" },
            { stepId: "s2", description: "Step 2", status: "pending" },
          ],
        },
      ],
      step("s1", "done"),
      step("s2", "running"),
      step("s2", "done"),
      planEnds("done"),
    ],
  );
});

test("tells steps that a later plan adds, and takes those that it leaves out for skipped", () => {
  expect(told(plan("running", "pending"), plan("done"), plan("done", "skipped")).slice(1)).toEqual([
    step("s1", "done"),
    step("s2", "skipped"),
    planEnds("done"),
    step("s2", "skipped"),
  ]);
});

test("completes a plan that another takes the place of", () => {
  const other: NewEvent = { type: "plan.updated", runId, planId: "p2", steps: [] };
  expect(told(plan("running", "done"), other).slice(1)).toEqual([
    step("s1", "skipped"),
    planEnds("skipped"),
    ["plan.start", { planId: "p2", steps: [] }],
  ]);
});

test.each<[NewEvent, PlanStep["status"], string, string]>([
  [completed(), "done", "skipped", "skipped"],
  [completed(), "failed", "skipped", "failed"],
  [failed, "done", "failed", "failed"],
  [cancelled, "done", "skipped", "skipped"],
])("closes the steps of a plan that the run leaves unfinished, and then the plan", (end, status, running, outcome) => {
  expect(told(plan(status, "running", "pending"), end).slice(1, 4)).toEqual([
    step("s2", running),
    step("s3", "skipped"),
    planEnds(outcome),
  ]);
});

test("closes steps that came after the plan was complete, and completes it no second time", () => {
  expect(told(plan("done"), plan("done", "running"), cancelled).slice(1)).toEqual([
    planEnds("done"),
    step("s2", "running"),
    step("s2", "skipped"),
    says(0, "assistant", "Cancelled: user", last),
  ]);
});

const stepStarted = (stepId: string): NewEvent => ({ type: "step.started", runId, stepId, title: "Read", number: 1 });
const stepFinished = (stepId: string, status: "completed" | "failed"): NewEvent => ({
  type: "step.finished",
  runId,
  stepId,
  status,
  durationMs: 1,
});
const lone = (stepId: string, status: string) => ["plan.step", { planId: runId, stepId, description: "Read", status }];

test("tells steps without a plan under the run's id, and closes those that the run leaves open", () => {
  expect(told(stepStarted("a"), stepFinished("a", "failed"), stepStarted("b"), cancelled)).toEqual([
    lone("a", "running"),
    lone("a", "failed"),
    lone("b", "running"),
    lone("b", "skipped"),
    says(0, "assistant", "Cancelled: user", last),
  ]);
});

test("is silent about steps when there is a plan, but for one that it had announced", () => {
  expect(
    told(
      stepStarted("a"),
      plan("running"),
      stepStarted("b"),
      stepFinished("b", "completed"),
      stepFinished("a", "completed"),
    ),
  ).toEqual([lone("a", "running"), expect.arrayContaining(["plan.start"]), lone("a", "done")]);
});

test("shows a tool call, its output as it comes and without its arguments, and its end", () => {
  expect(
    told(
      requested,
      { type: "tool.output", runId, callId: "c1", text: "a.ts\n" },
      { type: "tool.finished", runId, callId: "c1", result: { exitCode: 0 }, durationMs: 5 },
    ),
  ).toEqual([
    toolCall({ status: "running" }),
    toolCall({ status: "running", args: {}, output: "a.ts\n" }),
    toolCall({ status: "done", result: { exitCode: 0 } }),
  ]);
  const error = { code: "tool_failed" as const, message: "No such file" };
  expect(told(requested, { type: "tool.finished", runId, callId: "c1", error, durationMs: 5 })[1]).toEqual(
    toolCall({ status: "failed", error: "No such file" }),
  );
  const hostile = { code: "tool_failed" as const, message: "\u001b]0;owned\u0007No \u202esuch\u200b file\u001b[2J" };
  expect(told(requested, { type: "tool.finished", runId, callId: "c1", error: hostile, durationMs: 5 })[1]).toEqual(
    toolCall({ status: "failed", error: "No such file" }),
  );
});

test.each<[NewEvent, object]>([
  [cancelled, { status: "cancelled", error: "The run was cancelled" }],
  [failed, { status: "failed", error: "The run ended before the tool did" }],
  [completed(), { status: "failed", error: "The run ended before the tool did" }],
])("closes calls that are open at the run's end", (end, closed) => {
  expect(told(requested, end)[1]).toEqual(toolCall(closed));
});

const confirm: NewEvent = {
  type: "ask.opened",
  runId,
  askId: "a1",
  expiresAt: start + 60_000,
  kind: "confirm",
  title: "Run ls?",
  message: "in /w",
  callId: "c1",
  tool: "exec.run",
  args: { command: "ls" },
  diff: "+a",
};

test("asks for approval, and tells everyone how it ended", () => {
  const shown = { title: "Run ls?", message: "in /w" };
  const approval = { callId: "c1", askId: "a1", toolName: "exec.run", args: { command: "ls" } };
  const expiresAt = "2026-01-01T00:01:00.000Z";
  expect(
    told(confirm, {
      type: "ask.closed",
      runId,
      askId: "a1",
      outcome: "answered",
      answer: { ok: false, reason: "No" },
      by: { dialect: "live", user: "ann" },
    }),
  ).toEqual([
    ["tool.approval", { ...approval, requiresApproval: true, expiresAt, ...shown, diff: "+a" }],
    [
      "tool.approval",
      { ...approval, requiresApproval: false, expiresAt, ...shown, outcome: "answered", approved: false, by: "ann" },
    ],
  ]);
});

const hidden = "\u001b[8m\u202e\u200b";

test("shows nothing in an approval that hides or turns around", () => {
  const asked = {
    title: `Run${hidden} ls?`,
    message: `in${hidden} /w`,
    diff: `+${hidden}a`,
    tool: `exec${hidden}.run`,
    args: { [`com${hidden}mand`]: [`l${hidden}s`] },
  };
  const shown = { callId: "c1", askId: "a1", toolName: "exec.run", args: { command: ["ls"] }, truncated: true };
  const words = { title: "Run ls?", message: "in /w", expiresAt: "2026-01-01T00:01:00.000Z" };
  expect(
    told({ ...confirm, ...asked, truncated: true } as NewEvent, {
      type: "ask.closed",
      runId,
      askId: "a1",
      outcome: "expired",
    }),
  ).toEqual([
    ["tool.approval", { ...shown, ...words, requiresApproval: true, diff: "+a" }],
    ["tool.approval", { ...shown, ...words, requiresApproval: false, outcome: "expired" }],
  ]);
  const pick: NewEvent = {
    type: "ask.opened",
    runId,
    askId: "a1",
    expiresAt: start,
    kind: "pick",
    title: `Wh${hidden}ich?`,
    message: "One",
    path: `a${hidden}.ts`,
    defaultValue: `x${hidden}`,
    confirmLabel: `Y${hidden}es`,
    cancelLabel: `N${hidden}o`,
    items: [{ id: "x", label: `X${hidden}`, detail: `${hidden}first` }],
  };
  expect(told(pick)).toMatchObject([
    [
      "tool.approval",
      {
        args: {
          title: "Which?",
          message: "One",
          path: "a.ts",
          defaultValue: "x",
          confirmLabel: "Yes",
          cancelLabel: "No",
          items: [{ id: "x", label: "X", detail: "first" }],
        },
      },
    ],
  ]);
});

test("requires no approval of a tool that the plugin runs, unless a person must agree, and gives its arguments as they are", () => {
  const args = { command: `ls${hidden}` };
  const byPlugin = { ...confirm, kind: "tool", args } as NewEvent;
  const approvals = (needsApproval?: boolean) => told({ ...byPlugin, needsApproval } as NewEvent);
  expect(approvals()).toMatchObject([["tool.approval", { toolName: "exec.run", args, requiresApproval: false }]]);
  expect(approvals(true)).toMatchObject([["tool.approval", { toolName: "exec.run", args, requiresApproval: true }]]);
});

test("calls our tools by the names of the wire, from the call to its end", () => {
  const args = { action: "create", name: "topic" };
  const wire = { callId: "c1", toolName: "git.createBranch", args: { name: "topic" } };
  expect(
    told(
      { ...requested, tool: "git_branch", args } as NewEvent,
      { ...confirm, tool: "git_branch", args } as NewEvent,
      { type: "ask.closed", runId, askId: "a1", outcome: "answered", answer: { ok: true } },
      { type: "tool.output", runId, callId: "c1", text: "ok\n" },
      { type: "tool.finished", runId, callId: "c1", result: { current: "topic" }, durationMs: 1 },
    ),
  ).toMatchObject([
    ["timeline.toolCall", { ...wire, status: "running" }],
    ["tool.approval", { ...wire, requiresApproval: true }],
    ["tool.approval", { ...wire, requiresApproval: false, approved: true }],
    ["timeline.toolCall", { ...wire, args: {}, status: "running", output: "ok\n" }],
    ["timeline.toolCall", { ...wire, status: "done", result: { current: "topic" } }],
  ]);
});

test("tells a commit in the document's words, whoever made it", () => {
  const result = { hash: "abc123", subject: "feat(api): add user endpoint", files: ["a.ts"] };
  const call = { ...requested, tool: "git_commit" } as NewEvent;
  expect(told(call, { type: "tool.finished", runId, callId: "c1", result, durationMs: 1 })[1]).toEqual(
    toolCall({
      toolName: "git.commit",
      status: "done",
      result: { commitSha: "abc123", message: "feat(api): add user endpoint", ...result },
    }),
  );
});

test("forgets the oldest of the calls, asks and steps that are left open by the thousand", () => {
  const many = Array.from({ length: 1001 }, (_, n) => `x${n}`);
  const calls = many.map((callId) => ({ ...requested, callId }) as NewEvent);
  expect(told(...calls, cancelled).filter(([, data]) => (data as { error?: string }).error)).toHaveLength(1000);
  const steps = many.map(stepStarted);
  expect(
    told(...steps, cancelled).filter(([, data]) => (data as { status?: string }).status === "skipped"),
  ).toHaveLength(1000);
  const asks = many.map((askId) => ({ ...confirm, askId }) as NewEvent);
  const closed = many.map((askId) => ({ type: "ask.closed", runId, askId, outcome: "withdrawn" }) as NewEvent);
  expect(told(...asks, ...closed)).toHaveLength(2001);
});

test("puts a question without a tool as one, and never tells the answer", () => {
  const pick: NewEvent = {
    type: "ask.opened",
    runId,
    askId: "a1",
    expiresAt: start,
    kind: "pick",
    title: "Which?",
    message: "One",
    items: [{ id: "x", label: "X" }],
  };
  const closed: NewEvent = { type: "ask.closed", runId, askId: "a1", outcome: "answered", answer: { ids: ["x"] } };
  const question = {
    callId: "a1",
    askId: "a1",
    toolName: "ask.pick",
    args: { title: "Which?", message: "One", items: [{ id: "x", label: "X" }] },
    expiresAt: "2026-01-01T00:00:00.000Z",
  };
  expect(told(pick, closed)).toEqual([
    ["tool.approval", { ...question, requiresApproval: true }],
    ["tool.approval", { ...question, requiresApproval: false, outcome: "answered" }],
  ]);
});

test("says that a choice takes own words, and never tells them", () => {
  const pick: NewEvent = {
    ...{ type: "ask.opened", runId, askId: "a1", expiresAt: start, title: "Which?", message: "", kind: "pick" },
    items: [{ id: "other", label: "Something else" }],
    allowText: true,
  };
  const answer = { ids: [], text: "neither of them" };
  const [opened, closed] = told(pick, { type: "ask.closed", runId, askId: "a1", outcome: "answered", answer });
  expect(opened).toEqual([
    "tool.approval",
    expect.objectContaining({ args: expect.objectContaining({ allowText: true }) }),
  ]);
  expect(JSON.stringify(closed)).not.toContain("neither");
});

test("tells warnings, artifacts and compaction as the system, and is silent about the rest", () => {
  expect(
    told(
      { type: "session.updated", title: "T" },
      { type: "run.cancelling", runId, reason: "user" },
      { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 3, output: 4 },
      { type: "note", runId, level: "info", text: "Hi", source: "mcp" },
      { type: "note", runId, level: "warning", text: "Hm", source: "mcp" },
      { type: "context.compacted", runId, before: 9, after: 3 },
      { type: "artifact.created", runId, artifactId: "x", kind: "code", name: "a.ts", bytes: 1, sha256: "f" },
    ),
  ).toEqual([
    says(0, "system", "Warning: Hm"),
    says(1, "system", "Context compacted from 9 to 3 tokens"),
    says(2, "system", "Created code a.ts (1 bytes), artifact x"),
  ]);
});

test("numbers what belongs to no run by the session, after what the run has said so far", () => {
  const note: NewEvent = { type: "note", level: "error", text: "Disk full", source: "store" };
  const ofSession = (seq: number, content: string) => [
    "timeline.message",
    { messageId: derivedId(sessionId, String(seq)), role: "system", content },
  ];
  expect(
    told(answer("He"), note, answer("llo"), completed("Hello"), { type: "session.closed", reason: "idle" }),
  ).toEqual([
    says(0, "assistant", "He"),
    ofSession(3, "Error: Disk full"),
    says(1, "assistant", "llo", last),
    ofSession(6, "Session closed: idle"),
  ]);
});

test("can do without thinking only, and says how much of it was left out", () => {
  const open = sidecar.fold(sessionId);
  const events = [started, thinking("a"), answer("b"), completed("b")];
  const frames = events.flatMap((event, i) => open.push({ ...event, seq: i + 1, at: start } as Event));
  const [first, ...rest] = frames.filter((frame) => frame.skippable);
  if (!first) throw new Error("nothing is skippable");
  expect([first, ...rest].map(({ seq, k }) => [seq, k])).toEqual([[3, 0]]);
  const notice = open.lost([first, ...rest]);
  expect([notice.event, JSON.parse(notice.text), notice.skippable]).toEqual([
    "timeline.message",
    {
      messageId: expect.stringMatching(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/),
      role: "system",
      content: "The client fell behind: left out 1 thinking messages. Reconnect without Last-Event-ID to read them.",
    },
    false,
  ]);
});

test("says what was left out whatever it was", () => {
  const { lost, push } = sidecar.fold(sessionId);
  const [frame] = push({ ...requested, seq: 1, at: start } as Event);
  if (!frame) throw new Error("nothing was said of the call");
  expect(lost([frame]).event).toBe("timeline.message");
});

test("uses the document's error codes and no others", () => {
  const named = [-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002];
  expect(errorCodes.filter((each) => !named.includes(errors[each]))).toEqual([]);
});

test("answers a failed call with the document's code and its very words, and says besides what it was", () => {
  const document: [string, number, string][] = [
    ["parse_error", -32700, "Parse error"],
    ["invalid_request", -32600, "Invalid Request"],
    ["method_not_found", -32601, "Method not found"],
    ["invalid_params", -32602, "Invalid params"],
    ["internal", -32603, "Internal error"],
    ["session_not_found", -32000, "Session not found"],
    ["tool_failed", -32001, "Tool execution failed"],
    ["engine_failed", -32002, "SDK error"],
  ];
  const words = new Map(document.map(([, number, message]) => [number, message]));
  for (const each of errorCodes) {
    expect(wireError({ code: each, message: "Do this.", data: undefined })).toEqual({
      code: errors[each],
      message: words.get(errors[each]),
      data: { code: each, message: "Do this." },
    });
  }
  const named = document.map(([each]) => errorCodes.find((known) => known === each) ?? "internal");
  expect(named.map((each) => [each, errors[each], words.get(errors[each])])).toEqual(document);
  expect(wireError({ code: "forbidden", message: "No.", data: { needs: "admin" } })).toEqual({
    code: -32600,
    message: "Invalid Request",
    data: { code: "forbidden", message: "No.", details: { needs: "admin" } },
  });
});

test("takes the document's own examples, and more fields than it names", () => {
  const send = {
    sessionId,
    prompt: "User prompt text",
    context: [{ file: "src/Main.java", startLine: 10, endLine: 25, content: "code", symbol: "methodName" }],
    model: "gpt-5-mini",
    permissions: { "git.commit": "ask", "git.push": "deny" },
    editor: "idea",
  };
  expect(calls["session.send"].params.parse(send)).toEqual(send);
  expect(calls["session.create"].params.parse({})).toEqual({});
  const denied = { success: false, error: "User denied tool execution", userMessage: "Operation cancelled by user" };
  expect(requests["tool-callback"].result.parse(denied)).toEqual(denied);
});

test.each([
  [
    "a permission of another kind",
    calls["session.send"].params,
    { sessionId, prompt: "", permissions: { a: "maybe" } },
  ],
  ["a callback that is no address", calls["session.create"].params, { callbackUrl: "file:///etc/passwd" }],
  ["an approval of nothing", calls["session.approve"].params, { sessionId, approved: true }],
  ["a cursor that is none", calls["session.stream"].params, { sessionId, lastEventId: "7." }],
])("refuses %s", (_, schema, params) => {
  expect(schema.safeParse(params).success).toBe(false);
});
