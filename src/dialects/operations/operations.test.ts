import { describe, expect, test } from "vitest";
import type { ErrorCode } from "../../core/errors.ts";
import type { Event, EventOf, NewEvent, Question, RunKind } from "../../core/events.ts";
import { derivedId } from "../../core/ids.ts";
import { operations } from "./index.ts";
import { LONGEST_CONTENT, type Message } from "./messages.ts";

const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const askId = "0b7f6f58-5b7e-4a52-8c1f-0c6e0a5d9b11";

function replay(...events: NewEvent[]): Message[] {
  const fold = operations.fold("session");
  const log = events.map((event, index) => ({ ...event, seq: index + 1, at: 1000 + index }) as Event);
  return log
    .flatMap((event) => fold.push(event))
    .map((frame) => operations.message.parse(JSON.parse(frame.text)) as Message);
}

const brief = (messages: Message[]) => messages.map(({ sequence, type, content }) => [sequence, type, content]);
const said = (messages: Message[]) => messages.map(({ type, content }) => [type, content]);

const started = (kind: RunKind = "operation"): NewEvent => ({
  type: "run.started",
  runId,
  kind,
  input: { text: "a secret prompt", action: "clarify" },
  by: { dialect: "operations" },
});
const thinking = (text: string): NewEvent => ({ type: "thinking.delta", runId, text });
const answer = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
const code = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "code" });
const output = (callId: string, text: string): NewEvent => ({ type: "tool.output", runId, callId, text });
const completed = (text = "", description?: string): NewEvent => ({
  type: "run.completed",
  runId,
  result: { text, description },
});

test("a message has every field of the document, and the event that made it", () => {
  expect(replay(started(), thinking("Reading the document...\n"))).toEqual([
    {
      id: derivedId(runId, "0"),
      operation_id: runId,
      sequence: 0,
      log_seq: 2,
      type: "thinking",
      content: "Reading the document...",
      timestamp: "1970-01-01T00:00:01.001Z",
      sender: "copilot",
    },
  ]);
});

describe("the event that made a message", () => {
  const places = (messages: Message[]) =>
    messages.map(({ sequence, log_seq, content }) => [sequence, log_seq, content]);

  test("is the one with which its text was whole, also where several messages came of it", () => {
    const messages = replay(started(), thinking("h"), thinking("m\nwe"), answer("hi\nyou\n"), completed("", "Done."));
    expect(places(messages)).toEqual([
      [0, 3, "hm"],
      [1, 4, "we"],
      [2, 4, "hi"],
      [3, 4, "you"],
      [4, 5, "Done."],
    ]);
  });

  test("is the same of all parts of what is too long for one message", () => {
    const step: NewEvent = { type: "step.started", runId, stepId: "s", title: "x".repeat(25_000), number: 1 };
    expect(replay(started(), step).map(({ sequence, log_seq }) => [sequence, log_seq])).toEqual([
      [0, 2],
      [1, 2],
      [2, 2],
    ]);
  });

  test("of coalesced text is the one that filled it up or ended it", () => {
    const lines = Array.from({ length: 800 }, (_, line) => `thought ${line}\n`).join("");
    const messages = replay(started(), thinking(lines), thinking("one\n"), thinking("two\n"), completed());
    expect(places(messages).slice(799)).toEqual([
      [799, 2, "thought 799"],
      [800, 5, "one\ntwo"],
      [801, 5, "Operation complete."],
    ]);
  });
});

describe("text", () => {
  test("goes out in lines: a token is not a message here", () => {
    const messages = replay(
      started(),
      thinking("h"),
      thinking("m\nwell"),
      answer("hi"),
      answer(" you\n"),
      completed("hi you"),
    );
    expect(brief(messages)).toEqual([
      [0, "thinking", "hm"],
      [1, "thinking", "well"],
      [2, "execution", "hi you"],
      [3, "complete", "Operation complete."],
    ]);
  });

  test("has no messages for blank lines", () => {
    const messages = replay(started(), answer("one\r\n\r\n  \n\n"), answer("two\n\n"), completed("", "Done."));
    expect(said(messages)).toEqual([
      ["execution", "one"],
      ["execution", "two"],
      ["complete", "Done."],
    ]);
  });

  test("of answer and code are stretches of their own, and so is the output of each tool call", () => {
    const messages = replay(started(), answer("see"), code("x = 1"), output("a", "1"), output("b", "2\n"), completed());
    expect(messages.slice(0, -1).map(({ content, metadata }) => [content, metadata])).toEqual([
      ["see", undefined],
      ["x = 1", undefined],
      ["1", { subsection: "a" }],
      ["2", { subsection: "b" }],
    ]);
  });

  test("goes on over a delta that is empty", () => {
    const messages = replay(started(), answer("he"), thinking(""), code(""), answer("llo\n"));
    expect(said(messages)).toEqual([["execution", "hello"]]);
  });

  test("goes out plain, also when an escape came in two deltas", () => {
    const messages = replay(started(), output("a", "\u001b[3"), output("a", "1mred\u001b[0m\r\n\u202eok\n"));
    expect(messages.map((m) => m.content)).toEqual(["red", "ok"]);
  });

  test("keeps a character whole that came in two deltas", () => {
    expect(replay(started(), answer("\ud83d"), answer("\ude00\n")).map((m) => m.content)).toEqual(["😀"]);
  });

  test("without a line end goes out in parts, so that no more than one is held", () => {
    const whole = "é漢😀x".repeat(5000);
    const messages = replay(started(), ...[...whole].map(answer), completed("", "Done."));
    const parts = messages.slice(0, -1).map((m) => m.content);
    expect(parts.join("")).toBe(whole);
    expect(Math.max(...parts.map((part) => Buffer.byteLength(part)))).toBeLessThanOrEqual(LONGEST_CONTENT);
    expect(parts.length).toBeLessThan(10);
  });
});

describe("content over 10 KB", () => {
  const sized = (messages: Message[]) => messages.map((m) => Buffer.byteLength(m.content));

  test("is split at line ends, and nothing of it is lost", () => {
    const text = Array.from({ length: 3000 }, (_, n) => `finding ${n} é`).join("\n");
    const parts = replay(started(), completed(text, "Done.")).slice(0, -1);
    expect(parts.map((m) => m.content).join("")).toBe(text);
    expect(parts.slice(0, -1).every((m) => m.content.endsWith("\n"))).toBe(true);
    expect(Math.max(...sized(parts))).toBeLessThanOrEqual(LONGEST_CONTENT);
  });

  test("is split between code points where there is no line end", () => {
    const text = "😀".repeat(9000);
    const parts = replay(started(), { type: "run.failed", runId, error: { code: "engine_failed", message: text } });
    expect(parts.at(-1)?.content).toBe("Operation failed. No changes persisted.");
    expect(
      parts
        .slice(0, -1)
        .map((m) => m.content)
        .join(""),
    ).toBe(text);
    expect(sized(parts)).toEqual([10_000, 10_000, 10_000, 6_000, 39]);
  });
});

describe("from message 800 on", () => {
  const lines = (count: number, text: string) => Array.from({ length: count }, (_, n) => `${text} ${n}\n`).join("");

  test("thinking is one message for each stretch", () => {
    const messages = replay(started(), thinking(lines(900, "hm")), thinking("so\n"), answer("hi\n"), completed("hi"));
    expect(brief(messages).slice(799)).toEqual([
      [799, "thinking", "hm 799"],
      [800, "thinking", `${lines(900, "hm").split("\n").slice(800, 900).join("\n")}\nso`],
      [801, "execution", "hi"],
      [802, "complete", "Operation complete."],
    ]);
  });

  test("the lines of an operation stay lines, for core bounds them", () => {
    expect(replay(started("operation"), answer(lines(1200, "hi"))).length).toBe(1200);
  });

  test.each(["prompt", "generation"] as const)("all text of a %s goes out in blocks", (kind) => {
    const text = lines(20_000, "line");
    const messages = replay(started(kind), output("a", text), completed("", "Done."));
    expect(messages.length).toBeLessThan(850);
    const contents = messages.slice(0, -1).map((m) => m.content);
    expect(`${contents.join("\n")}\n`).toBe(text);
    expect(Math.max(...contents.map((content) => Buffer.byteLength(content)))).toBeLessThanOrEqual(LONGEST_CONTENT);
  });
});

describe("the end of a run", () => {
  test("sends what of the result was not streamed", () => {
    const result = { text: "Five questions.\nSee above.", description: "Clarification complete.", code: "x" };
    expect(said(replay(started(), { type: "run.completed", runId, result }))).toEqual([
      ["execution", "Five questions.\nSee above."],
      ["execution", "x"],
      ["complete", "Clarification complete."],
    ]);
    const streamed = [answer("Five questions.\n"), answer("See above."), code("x\n")];
    expect(said(replay(started(), ...streamed, { type: "run.completed", runId, result }))).toEqual([
      ["execution", "Five questions."],
      ["execution", "See above."],
      ["execution", "x"],
      ["complete", "Clarification complete."],
    ]);
  });

  test("sends the result after an empty delta, and after other words than its own", () => {
    const result = { text: "Five questions.", code: "x = 1" };
    const end: NewEvent = { type: "run.completed", runId, result };
    const told = [
      ["execution", "Five questions."],
      ["execution", "x = 1"],
      ["complete", "Operation complete."],
    ];
    expect(said(replay(started(), answer(""), code(""), end))).toEqual(told);
    expect(said(replay(started(), answer("Let me look."), code("y\n"), end))).toEqual([
      ["execution", "Let me look."],
      ["execution", "y"],
      ...told,
    ]);
  });

  test("is told by its description, or by a sentence where there is none", () => {
    const last = (...events: NewEvent[]) => said(replay(started(), ...events)).at(-1);
    expect(last(completed("Found 3.", "Found three of them."))).toEqual(["complete", "Found three of them."]);
    expect(last(completed("Found 3."))).toEqual(["complete", "Operation complete."]);
    expect(last(completed("", " \u200b"))).toEqual(["complete", "Operation complete."]);
  });

  test("is one complete, however long the description is", () => {
    const messages = replay(started(), completed("", "x".repeat(25_000)));
    expect(messages.map((m) => [m.type, m.content.length])).toEqual([
      ["execution", 10_000],
      ["execution", 10_000],
      ["complete", 5_000],
    ]);
  });

  test("by failure is an error, then complete", () => {
    const failed: NewEvent = { type: "run.failed", runId, error: { code: "engine_failed", message: "exit 1" } };
    expect(replay(started(), thinking("h"), failed).map((m) => [m.type, m.content, m.sender, m.metadata])).toEqual([
      ["thinking", "h", "copilot", undefined],
      ["error", "exit 1", "system", { priority: "high", code: "ENGINE_FAILED" }],
      ["complete", "Operation failed. No changes persisted.", "system", undefined],
    ]);
  });

  test("by failure is an error even when there is nothing to say", () => {
    const failed: NewEvent = { type: "run.failed", runId, error: { code: "internal", message: "\u001b[0m" } };
    expect(said(replay(started(), failed))[0]).toEqual(["error", "No reason was given."]);
  });

  test("by cancelling is told from its start", () => {
    const messages = replay(
      started(),
      answer("half"),
      { type: "run.cancelling", runId, reason: "user" },
      { type: "run.cancelled", runId, reason: "user" },
    );
    expect(messages.map((m) => [m.type, m.content, m.sender])).toEqual([
      ["execution", "half", "copilot"],
      ["execution", "Cancelling.", "system"],
      ["error", "Cancelled.", "system"],
      ["complete", "Operation cancelled. No changes persisted.", "system"],
    ]);
  });
});

describe("an ask", () => {
  const opened: NewEvent = {
    type: "ask.opened",
    runId,
    askId,
    kind: "pick",
    title: "When you say 'accessible repositories', do you mean:",
    message: "This affects the query.",
    items: [
      { id: "1", label: "Owned by the user" },
      { id: "2", label: "Shared", detail: "within the organization" },
    ],
    multi: true,
    expiresAt: 60_000,
  };

  test("about a document has its options after the question and its context after them, and says where it comes from", () => {
    const source = { path: "specs/001-x/spec.md", line: 12, quote: "accessible repositories" };
    const [question] = replay(started(), { ...opened, source });
    expect(question).toMatchObject({
      content:
        "Q1: When you say 'accessible repositories', do you mean:\n  A) Owned by the user\n  B) Shared - within the organization\n\nThis affects the query.",
      metadata: { source },
    });
  });

  test("is a question with lettered options, and is closed without its answer", () => {
    const closed: NewEvent = {
      type: "ask.closed",
      runId,
      askId,
      outcome: "answered",
      answer: { ids: ["2"] },
      by: { dialect: "ui", user: "ada" },
    };
    expect(replay(started(), opened, closed).map((m) => [m.type, m.content, m.sender, m.metadata])).toEqual([
      [
        "execution",
        "Q1: When you say 'accessible repositories', do you mean:\nThis affects the query.\n  A) Owned by the user\n  B) Shared - within the organization",
        "copilot",
        {
          ask_id: askId,
          ask_kind: "pick",
          expires_at: "1970-01-01T00:01:00.000Z",
          items: [
            { id: "1", label: "Owned by the user" },
            { id: "2", label: "Shared" },
          ],
          multi: true,
        },
      ],
      ["execution", "Q1 answered by ada.", "system", { ask_id: askId }],
    ]);
  });

  test("that may be answered in one's own words says so, and those words are not repeated", () => {
    const answer = { ids: ["other"], text: "only mine" };
    const closed: NewEvent = { type: "ask.closed", runId, askId, outcome: "answered", answer, by: { dialect: "ui" } };
    const open = { ...opened, multi: undefined, allowText: true };
    expect(replay(started(), open, closed).map(({ content, metadata }) => [content, metadata?.allow_text])).toEqual([
      [expect.stringMatching(/^Q1: When/), true],
      ["Q1 answered by ui.", undefined],
    ]);
  });

  test("shows what a yes would be said to, as plain text", () => {
    const confirm: NewEvent = {
      type: "ask.opened",
      runId,
      askId,
      kind: "confirm",
      title: "Run a command?",
      message: "",
      callId: "t1",
      args: { command: "echo \u001b[8m\u202e; rm -rf x" },
      confirmLabel: "Run",
      expiresAt: 60_000,
    };
    const [message] = replay(started(), confirm);
    expect(message?.content).toBe('Q1: Run a command?\n  A) Run\n  B) No\n\nArguments: {"command":"echo ; rm -rf x"}');
    expect(message?.metadata?.subsection).toBe("t1");
  });

  test("says when it shows an excerpt only", () => {
    const about = (more: Partial<Question>) => {
      const question = { ...opened, kind: "confirm", items: undefined, truncated: true, ...more } as NewEvent;
      const [message] = replay(started(), question);
      return [message?.content.split("\n\n")[1], message?.metadata?.truncated];
    };
    expect(about({ path: "a.ts", diff: "+x" })).toEqual(["Changes to a.ts (an excerpt):\n+x", true]);
    expect(about({ args: "x" })).toEqual(['Arguments (an excerpt): "x"', true]);
  });

  test("for a secret says so, that it is not typed in clear", () => {
    const prompt = { ...opened, kind: "prompt", items: undefined, multi: undefined, secret: true } as NewEvent;
    expect(replay(started(), prompt)[0]?.metadata).toEqual({
      ask_id: askId,
      ask_kind: "prompt",
      expires_at: "1970-01-01T00:01:00.000Z",
      secret: true,
    });
  });

  test("to run a tool is put to nobody here, unless someone must agree", () => {
    const tool = { ...opened, kind: "tool", title: "Commit", message: "", items: undefined } as NewEvent;
    const closed: NewEvent = { type: "ask.closed", runId, askId, outcome: "answered" };
    expect(replay(started(), tool, closed)).toEqual([]);
    expect(said(replay(started(), { ...tool, needsApproval: true } as NewEvent, closed))).toEqual([
      ["execution", "Q1: Commit"],
      ["execution", "Q1 answered."],
    ]);
  });

  test("counts on within its run", () => {
    const expired: NewEvent = { type: "ask.closed", runId, askId, outcome: "expired" };
    const contents = replay(started(), opened, expired, opened, { ...expired, outcome: "withdrawn" }).map(
      (m) => m.content,
    );
    expect(contents.map((content) => content.split("\n")[0]?.slice(0, 13))).toEqual([
      "Q1: When you ",
      "Q1 expired.",
      "Q2: When you ",
      "Q2 withdrawn.",
    ]);
  });
});

test("what happens on the way is told in words", () => {
  const messages = replay(
    started(),
    { type: "session.updated", title: "x" },
    { type: "step.started", runId, stepId: "s", title: "Read", number: 1 },
    { type: "step.finished", runId, stepId: "s", status: "completed", durationMs: 1 },
    { type: "tool.requested", runId, callId: "t", tool: "fs.read", args: { path: "a\nb", lines: 3 } },
    { type: "tool.finished", runId, callId: "t", result: "x", durationMs: 12 },
    { type: "tool.requested", runId, callId: "u", tool: "shell", args: { command: "ls" }, title: "List files" },
    { type: "tool.finished", runId, callId: "u", error: { code: "tool_failed", message: "exit 1" }, durationMs: 3 },
    {
      type: "plan.updated",
      runId,
      planId: "p",
      steps: [
        { stepId: "1", description: "Read", status: "done" },
        { stepId: "2", description: "Write", status: "running" },
      ],
    },
    { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 3, output: 4 },
    { type: "context.compacted", runId, before: 100, after: 10 },
    { type: "artifact.created", runId, artifactId: "a", kind: "code", name: "plan.md", bytes: 12, sha256: "0" },
    { type: "note", runId, level: "error", text: "disk", source: "engine" },
    { type: "note", runId, level: "warning", text: "No estimate", source: "engine" },
    { type: "note", runId, level: "info", text: "stray\noutput", source: "engine" },
    { type: "note", runId, level: "debug", text: "quiet", source: "engine" },
    { type: "note", level: "error", text: "of no run", source: "store" },
  );
  expect(messages.map((m) => [m.type, m.content, m.metadata])).toEqual([
    ["execution", "Read", undefined],
    ["execution", "fs.read (path: a b, lines: 3)", { subsection: "t" }],
    ["execution", "fs.read: done in 12 ms", { subsection: "t" }],
    ["execution", "List files", { subsection: "u" }],
    ["error", "List files: failed: exit 1", { subsection: "u", priority: "high" }],
    ["execution", "Plan:\n[x] Read\n[>] Write", undefined],
    ["thinking", "Context compacted from 100 to 10 tokens.", undefined],
    ["execution", "Created plan.md (12 bytes).", { artifact_id: "a" }],
    ["error", "disk", { priority: "high" }],
    ["error", "No estimate", undefined],
    ["thinking", "stray", undefined],
    ["thinking", "output", undefined],
  ]);
});

test("nothing that a user wrote is echoed: no prompt, no answer, no reason", () => {
  const secret = "a secret";
  const ask: NewEvent = {
    type: "ask.opened",
    runId,
    askId,
    kind: "confirm",
    title: "Write?",
    message: "",
    expiresAt: 60_000,
  };
  const denied = { code: "denied" as const, message: `Denied: ${secret}` };
  const log: NewEvent[] = [
    { ...started(), type: "run.queued" } as NewEvent,
    started(),
    { type: "tool.requested", runId, callId: "t", tool: "fs.write", args: {} },
    ask,
    { type: "ask.closed", runId, askId, outcome: "answered", answer: { ok: false, reason: secret } },
    { type: "tool.finished", runId, callId: "t", error: denied, durationMs: 0 },
    { type: "run.cancelling", runId, reason: secret },
  ];
  const end = ["complete", "Operation cancelled. No changes persisted."];
  expect(said(replay(...log, { type: "run.cancelled", runId, reason: secret }))).toEqual([
    ["execution", "fs.write"],
    ["execution", "Q1: Write?\n  A) Yes\n  B) No"],
    ["execution", "Q1 answered."],
    ["error", "fs.write: denied"],
    ["execution", "Cancelling."],
    ["error", "Cancelled."],
    end,
  ]);
  expect(said(replay(started(), { type: "run.failed", runId, error: denied }))[0]).toEqual([
    "error",
    "The operation was denied.",
  ]);
});

test("steps and tool calls of the same id keep their titles", () => {
  const messages = replay(
    started(),
    { type: "step.started", runId, stepId: "1", title: "Read", number: 1 },
    { type: "tool.requested", runId, callId: "1", tool: "shell", args: undefined },
    { type: "tool.finished", runId, callId: "1", durationMs: 1 },
    { type: "step.finished", runId, stepId: "1", status: "failed", durationMs: 1 },
  );
  expect(said(messages).slice(2)).toEqual([
    ["execution", "shell: done in 1 ms"],
    ["error", "Read: failed"],
  ]);
});

test("names of what never ends do not pile up", () => {
  const calls = Array.from(
    { length: 1001 },
    (_, n): NewEvent => ({ type: "tool.requested", runId, callId: String(n), tool: `tool ${n}`, args: undefined }),
  );
  const done = (callId: string): NewEvent => ({ type: "tool.finished", runId, callId, durationMs: 1 });
  expect(said(replay(started("prompt"), ...calls, done("0"), done("1000"))).slice(-2)).toEqual([
    ["execution", "Tool: done in 1 ms"],
    ["execution", "tool 1000: done in 1 ms"],
  ]);
});

test("a message of more than 10,000 bytes is none", () => {
  const [whole] = replay(started(), answer(`${"é".repeat(5000)}\n`));
  expect(operations.message.safeParse(whole).success).toBe(true);
  expect(operations.message.safeParse({ ...whole, content: `${whole?.content}.` }).success).toBe(false);
});

test("events that say nothing leave no gap in the numbers", () => {
  const usage: NewEvent = { type: "usage.updated", runId, contextUsed: 1, contextSize: 2, input: 3, output: 4 };
  const messages = replay(started(), thinking("a\n"), usage, usage, answer("b\n"), usage, completed("b"));
  expect(messages.map((m) => m.sequence)).toEqual([0, 1, 2]);
});

test("another run is numbered from 0, under its own id", () => {
  const other = "b3a5b0c2-6d53-4d52-9d0f-8f6a3a1c2b12";
  const messages = replay(started(), completed(), { ...started(), runId: other } as NewEvent, {
    type: "run.completed",
    runId: other,
    result: { text: "" },
  });
  expect(messages.map((m) => [m.operation_id, m.sequence, m.id])).toEqual([
    [runId, 0, derivedId(runId, "0")],
    [other, 0, derivedId(other, "0")],
  ]);
});

test("a client that fell behind may lose thinking, and is told which", () => {
  const fold = operations.fold("session");
  const push = (event: NewEvent, seq: number) => fold.push({ ...event, seq, at: seq } as Event);
  const frames = [started(), thinking("a\nb\n"), answer("c\n"), thinking("d\n")].flatMap((event, n) =>
    push(event, n + 1),
  );
  expect(frames.map((frame) => frame.skippable)).toEqual([true, true, false, true]);
  const [first, second, , fourth] = frames;
  if (!first || !second || !fourth) throw new Error("too few frames");
  expect(operations.message.parse(JSON.parse(fold.lost([first, second, fourth]).text))).toEqual({
    id: expect.any(String),
    operation_id: runId,
    sequence: -2,
    type: "system",
    content: "Left out 3 thinking messages (0-3).",
    timestamp: "1970-01-01T00:00:00.004Z",
    sender: "system",
    metadata: { dropped: [0, 1, 3] },
  });
});

describe("an operation that ends before its time says what is left of it", () => {
  const requested = (kind?: EventOf<"tool.requested">["kind"], callId = "1", tool = "spec_save"): NewEvent => {
    return { type: "tool.requested", runId, callId, tool, args: {}, kind };
  };
  const finished = (code?: ErrorCode, callId = "1"): NewEvent => {
    return { type: "tool.finished", runId, callId, durationMs: 1, ...(code && { error: { code, message: "no" } }) };
  };
  const askId = "5f1c3f0e-1111-4111-8111-111111111111";
  const question = { kind: "confirm", title: "Go on?", message: "", callId: "1", expiresAt: 60_000 } as const;
  const asks: NewEvent = { type: "ask.opened", runId, askId, ...question };
  const closed = (outcome: "answered" | "withdrawn"): NewEvent => ({ type: "ask.closed", runId, askId, outcome });
  const failed: NewEvent = { type: "run.failed", runId, error: { code: "owner_lost", message: "lost" } };
  const nothing = "No changes persisted.";
  const unknown = "Something was being changed at that moment. Look whether it is there.";
  const kept = "What it had changed until then is kept.";
  const unsure = "Something may have been changed.";

  test.each<[what: string, events: NewEvent[], told: string]>([
    ["nothing was called", [], nothing],
    ["it only looked", [requested("read"), finished(), requested("search", "2")], nothing],
    ["an edit failed", [requested("edit"), finished("tool_failed")], nothing],
    ["a tool of ours failed that writes", [requested("edit", "1", "write"), finished("conflict")], nothing],
    ["another's edit failed", [requested("edit", "1", "apply_patch"), finished("tool_failed")], unsure],
    ["another's edit was denied", [requested("edit", "1", "apply_patch"), finished("denied")], nothing],
    ["a save timed out", [requested("edit"), finished("timeout")], unsure],
    ["a save took too long", [requested("edit"), finished("tool_timeout")], unsure],
    ["a save failed of itself", [requested("edit"), finished("internal")], unsure],
    ["an edit was denied", [requested("edit"), asks, closed("answered"), finished("denied")], nothing],
    ["an edit waits for a yes", [requested("edit"), asks], nothing],
    ["an edit waited for a yes that never came", [requested("edit"), asks, closed("withdrawn")], nothing],
    ["a command was denied", [requested("execute"), finished("denied")], nothing],
    ["an edit was made", [requested("edit"), finished()], kept],
    ["an edit was under way", [requested("edit")], unknown],
    ["an edit was under way after a yes", [requested("edit"), asks, closed("answered")], unknown],
    ["a tool of which nothing is known was under way", [requested()], unknown],
    ["a command failed", [requested("execute"), finished("tool_failed")], unsure],
    ["one edit was made and the next was under way", [requested("edit"), finished(), requested("edit", "2")], unknown],
  ])("when %s", (_, events, told) => {
    expect(replay(started(), ...events, failed).at(-1)?.content).toBe(`Operation failed. ${told}`);
  });
});

test("a block of text that is said at once stays together, and what is said in pieces comes line by line", () => {
  const block = "Analysis Results:\n- Completeness Score: 85/100\n- Risk Level: MEDIUM";
  const messages = replay(started(), answer(`${block}\n\n`), answer("one\ntwo\n"), answer("thr"), answer("ee\n\n"));
  expect(messages.map((m) => m.content)).toEqual([block, "one", "two", "three"]);
});

describe("what looks like a secret", () => {
  const secret = `ghp_${"a1B2".repeat(10)}`;

  test("is in no message, wherever it was said", () => {
    const messages = replay(
      started(),
      { type: "thinking.delta", runId, text: `the token is ${secret.slice(0, 9)}` },
      { type: "thinking.delta", runId, text: `${secret.slice(9)}\n` },
      { type: "note", runId, level: "warning", text: `bad ${secret}`, source: "agent" },
      { type: "run.failed", runId, error: { code: "engine_failed", message: `exit 1: ${secret}` } },
    );
    expect(messages.map((m) => m.content)).toEqual([
      "the token is [redacted]",
      "bad [redacted]",
      "exit 1: [redacted]",
      "Operation failed. No changes persisted.",
    ]);
  });

  test("is left out to its end if it is a key that is printed line by line", () => {
    const [begin, end] = ["BEGIN", "END"].map((word) => `-----${word} PRIVATE KEY-----`);
    const output = `before\n${begin}\nMIIEvQIBADANBg\nkqhkiG9w0BAQ\n${end}\nafter\n`;
    const messages = replay(started(), { type: "tool.output", runId, callId: "1", text: output });
    expect(messages.map((m) => m.content)).toEqual(["before", "[redacted]", "after"]);
  });
});

test("a secret is seen wherever the text is cut into messages of 10 KB", () => {
  const secret = `ghp_${"a1B2".repeat(10)}`;
  for (let before = 9940; before <= 10_010; before++) {
    for (const filler of ["word ", "x"]) {
      const text = `${filler.repeat(10_010).slice(0, before)} ${secret} and more`;
      const messages = replay(
        started(),
        output("a", text.slice(0, before + 20)),
        output("a", `${text.slice(before + 20)}\n`),
      );
      const said = messages.map((m) => m.content).join("");
      expect(said).toContain("[redacted] and more");
      expect(said).not.toContain("a1B2");
    }
  }
});

test("a question that takes several messages is put with the last of them only", () => {
  const askId = "5f1c3f0e-1111-4111-8111-111111111111";
  const diff = "+line\n".repeat(5000);
  const asks: NewEvent = {
    type: "ask.opened",
    runId,
    askId,
    expiresAt: 60_000,
    kind: "confirm",
    title: "Go?",
    message: "",
    diff,
  };
  const messages = replay(started(), asks);
  expect(messages.length).toBeGreaterThan(2);
  expect(messages.map((m) => m.metadata?.ask_id)).toEqual([...messages.slice(1).map(() => undefined), askId]);
});
