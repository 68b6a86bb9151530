import { describe, expect, test } from "vitest";
import type { Event, NewEvent } from "../../core/events.ts";
import type { Gap } from "../../dialects/dialect.ts";
import { profileOf } from "../../dialects/profile-of.ts";
import { recording } from "../../testing/recordings.ts";
import { drawnFrame, uiWithEvents } from "./event-frames.ts";
import { noColours } from "./paint.ts";
import type { Place } from "./screen.ts";
import { Transcript, type TranscriptOptions } from "./transcript.ts";

// Frames in, lines out.

const terminal: Place = { paint: noColours, width: 60, rows: 24, live: true };
const pipe: Place = { paint: noColours, width: Number.POSITIVE_INFINITY, rows: Number.POSITIVE_INFINITY, live: false };

function drawing(place: Place, options: Partial<TranscriptOptions> = {}) {
  const given = { thinking: false, prompts: false, questions: true, isOurs: () => false };
  const transcript = new Transcript(place, { ...given, ...options });
  const fold = uiWithEvents.fold("s", profileOf(uiWithEvents, "everything"));
  const draw = (events: Event[]) =>
    events.flatMap((event) => fold.push(event).flatMap((frame) => transcript.take(drawnFrame(frame))));
  /** What was asked long ago is not put again. */
  const replay = (events: Event[]) =>
    events.flatMap((event) =>
      fold.push(event).flatMap((frame) => (frame.ask === undefined ? transcript.take(drawnFrame(frame)) : [])),
    );
  const gap = (pruned: Gap) => transcript.take(drawnFrame(fold.gap(pruned)));
  return { transcript, draw, replay, gap };
}

const runId = "r";
const by = { dialect: "ui", client: "terminal" };
const logOf = (...events: NewEvent[]): Event[] =>
  [{ type: "run.started" as const, runId, kind: "prompt" as const, input: { text: "Go" }, by }, ...events].map(
    (event, i) => ({ seq: i + 1, at: i, ...event }),
  );
const requested: NewEvent = { type: "tool.requested", runId, callId: "c", tool: "shell", args: { command: "ls" } };
const finished = (more: object): NewEvent => ({ type: "tool.finished", runId, callId: "c", durationMs: 1500, ...more });
const said = (text: string): NewEvent => ({ type: "text.delta", runId, of: "answer", text });
const completed = (text: string): NewEvent => ({ type: "run.completed", runId, result: { text } });

test("a recorded approval on a terminal", () => {
  const { draw } = drawing(terminal, { prompts: true });
  expect(draw(recording("approval-granted").events)).toEqual([
    "› Add bread to notes.txt",
    "",
    "  thinking … (1 line)",
    '● Write notes.txt  fs.write "milk\\nbread\\n"',
    "",
    "? Write notes.txt?",
    "  fs.write wants to change notes.txt",
    "  --- a/notes.txt",
    "  +++ b/notes.txt",
    "  @@ -1 +1,2 @@",
    "   milk",
    "  +bread",
    "? Write notes.txt? → yes, and from now on · by terminal",
    "  ✓ Wrote 2 lines · 12 ms",
    "",
    "Added bread to notes.txt.",
    "",
    "the session was closed",
  ]);
});

test("what another says in its log reaches the terminal without its escapes", () => {
  const lines = drawing(terminal, { prompts: true, thinking: true }).draw(recording("unicode").events).join("\n");
  expect(lines).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
  expect(lines).toContain("世界 🦜");
});

describe("questions that are open at once", () => {
  const asked = (askId: string, title: string): NewEvent => ({
    ...{ type: "ask.opened", runId, askId, expiresAt: 9e12, kind: "pick", title, message: "Why" },
    items: [{ id: "a", label: "30 days", detail: "as the law says" }],
  });
  const answered = (askId: string): NewEvent => ({
    ...{ type: "ask.closed", runId, askId, outcome: "answered", answer: { ids: ["a"] } },
    by: { dialect: "terminal", client: "clarify" },
  });
  const log = logOf(asked("1", "How long?"), asked("2", "How often?"), answered("2"), answered("1"));
  const answers = ["? How often? → 30 days · by clarify", "? How long? → 30 days · by clarify"];

  test("are drawn with their choices where nobody answers, and their answers name them", () => {
    expect(drawing(terminal).draw(log)).toEqual([
      ...["? How long?", "  Why", "  1. 30 days  as the law says", ""],
      ...["? How often?", "  Why", "  1. 30 days  as the law says"],
      ...answers,
    ]);
  });

  test("are drawn by whoever puts them where they are answered", () => {
    expect(drawing(terminal, { questions: false }).draw(log)).toEqual(answers);
  });

  test("are only told with their answers when they come from the log", () => {
    expect(drawing(terminal).replay(log)).toEqual(answers);
  });

  test("come with their diff from the log: whoever was not there sees what was agreed to", () => {
    const change: NewEvent = {
      ...{ type: "ask.opened", runId, askId: "1", expiresAt: 9e12, kind: "confirm", title: "Write?", message: "" },
      diff: "-a\n+b",
    };
    const yes: NewEvent = { type: "ask.closed", runId, askId: "1", outcome: "answered", answer: { ok: true }, by };
    const drawn = ["? Write?", "  -a", "  +b", "? Write? → yes · by terminal"];
    expect(drawing(terminal, { questions: false }).replay(logOf(change, yes))).toEqual(drawn);
  });
});

test("that a question is being made is told by the step and the question, not by a line each", () => {
  const step: NewEvent = { type: "step.started", runId, stepId: "s", number: 3, title: "Asking 2 questions" };
  const lines = [1, 2].map((n) => `Generating clarification question ${n} of 2...\n`).join("");
  const ask: NewEvent = {
    type: "ask.opened",
    runId,
    askId: "1",
    expiresAt: 9e12,
    kind: "prompt",
    title: "Q",
    message: "",
  };
  expect(drawing(terminal, { questions: false }).draw(logOf(step, said(`${lines}\n`), ask))).toEqual([
    "▸ 3. Asking 2 questions",
  ]);
});

describe("the answer", () => {
  test("is not drawn again when the text just said it, wherever its lines break", () => {
    expect(drawing(terminal).draw(logOf(said("Forty-two\nis it."), completed("Forty-two is it.")))).toEqual([
      "Forty-two",
      "is it.",
    ]);
  });

  test("is not drawn again when all that was said makes it, whatever was done in between", () => {
    const parts = logOf(
      said("First.\n\n"),
      requested,
      finished({ result: "ok" }),
      said("Then."),
      completed("First.\n\nThen."),
    );
    expect(drawing(terminal).draw(parts)).toEqual(["First.", "", "● shell  command=ls", "  ✓ ok · 1.5 s", "", "Then."]);
  });

  test("is drawn when it says more", () => {
    const more = logOf(said("Done."), requested, finished({ result: "ok" }), completed("All done."));
    expect(drawing(terminal).draw(more).slice(-2)).toEqual(["", "All done."]);
  });
});

describe("the output of a tool", () => {
  test("is not told of again where an agent gives it as its result, too", () => {
    const said: NewEvent = { type: "tool.output", runId, callId: "c", text: "one\ntwo\n" };
    const lines = drawing(terminal).draw(logOf(requested, said, finished({ result: { text: "one\ntwo\n" } })));
    expect(lines.at(-1)).toBe("  ✓ done · 1.5 s");
  });

  const output = Array.from(
    { length: 14 },
    (_, i): NewEvent => ({
      type: "tool.output",
      runId,
      callId: "c",
      text: `line ${i + 1}\n`,
    }),
  );

  test("is below while it comes, and its last lines stay", () => {
    const { transcript, draw } = drawing(terminal);
    draw(logOf(requested, ...output));
    expect(transcript.below("*")).toEqual([9, 10, 11, 12, 13, 14].map((n) => `  │ line ${n}`));
    const { draw: whole } = drawing(terminal);
    expect(whole(logOf(requested, ...output, finished({ result: { exitCode: 3, output: "x" } })))).toEqual([
      "● shell  command=ls",
      "  │ … 8 lines before",
      ...[9, 10, 11, 12, 13, 14].map((n) => `  │ line ${n}`),
      "  ✗ exit 3 · 1.5 s",
    ]);
  });

  test("is all there in a pipe, each line when it is complete", () => {
    const { draw } = drawing(pipe);
    const pieces = ["a\u001b[3", "1mb\r\nc", "\rdone 50%\rdone 100%\n", "end"].map(
      (text): NewEvent => ({ type: "tool.output", runId, callId: "c", text }),
    );
    expect(draw(logOf(requested, ...output, ...pieces, finished({ result: "" }))).slice(14)).toEqual([
      "  │ line 14",
      "  │ ab",
      "  │ done 100%",
      "  │ end",
      "  ✓ done · 1.5 s",
    ]);
  });

  test("of a run that ends before its tool stays, and says so", () => {
    const { draw } = drawing(terminal);
    const cut: NewEvent = { type: "run.cancelled", runId, reason: "interrupted" };
    expect(draw(logOf(requested, ...output.slice(0, 1), cut))).toEqual([
      "● shell  command=ls",
      "  │ line 1",
      "  ✗ not finished",
      "",
      "✗ cancelled: interrupted",
    ]);
  });
});

describe("a plan", () => {
  const plan = (...states: ("pending" | "running" | "done")[]): NewEvent => ({
    type: "plan.updated",
    runId,
    planId: "p",
    steps: states.map((status, i) => ({ stepId: String(i), description: `Part ${i + 1}`, status })),
  });

  test("stays below a terminal until nothing of it is left to do", () => {
    const { transcript, draw } = drawing(terminal);
    const log = logOf(plan("running", "pending"), plan("done", "running"), plan("done", "done"), completed("Ok"));
    expect(draw(log.slice(0, 3))).toEqual([]);
    expect(transcript.below("*")).toEqual(["  ☑ Part 1", "  ▸ Part 2"]);
    expect(draw(log.slice(3))).toEqual(["  ☑ Part 1", "  ☑ Part 2", "", "Ok"]);
    expect(transcript.below("*")).toEqual([]);
  });

  test("in a pipe tells what changed", () => {
    const { draw } = drawing(pipe);
    expect(draw(logOf(plan("running", "pending"), plan("done", "running"), plan("done", "running")))).toEqual([
      "  ▸ Part 1",
      "  ☐ Part 2",
      "  ☑ Part 1",
      "  ▸ Part 2",
    ]);
  });
});

test("a step spins until it ends, and has a heading only when something happened in it", () => {
  const step = (n: number): NewEvent => ({
    type: "step.started",
    runId,
    stepId: `s${n}`,
    title: `Step ${n}`,
    number: n,
  });
  const end = (n: number): NewEvent => ({
    type: "step.finished",
    runId,
    stepId: `s${n}`,
    status: n === 2 ? "failed" : "completed",
    durationMs: 20_000,
  });
  const { transcript, draw } = drawing(terminal);
  const log = logOf(step(1), end(1), step(2), said("Hm."), end(2));
  expect(draw(log.slice(0, 2))).toEqual([]);
  expect(transcript.below("*")).toEqual(["* 1. Step 1"]);
  expect(draw(log.slice(2))).toEqual(["✓ 1. Step 1 · 20 s", "▸ 2. Step 2", "", "Hm.", "", "✗ 2. Step 2 · 20 s"]);
  // One that went well under its heading needs no second line.
  expect(drawing(terminal).draw(logOf(step(1), requested, finished({ result: "ok" }), end(1)))).toEqual([
    "▸ 1. Step 1",
    "● shell  command=ls",
    "  ✓ ok · 1.5 s",
  ]);
});

test("thinking is folded, and unfolded by a key: the last of it, and what follows", () => {
  const think = (text: string): NewEvent => ({ type: "thinking.delta", runId, text });
  const { transcript, draw } = drawing(terminal);
  const log = logOf(think("one\ntwo"), requested, think("three"), finished({ result: "ok" }));
  expect(draw(log.slice(0, 3))).toEqual(["  thinking … (2 lines)", "● shell  command=ls"]);
  expect(transcript.toggleThinking()).toEqual(["  one", "  two"]);
  expect(draw(log.slice(3))).toEqual(["  three", "  ✓ ok · 1.5 s"]);
  expect(transcript.toggleThinking()).toEqual([]);
});

test("a diff that is too long for the screen says how much of it is missing, and a long line is not cut", () => {
  const lines = Array.from({ length: 40 }, (_, i) => `+${i}`);
  const opened: NewEvent = {
    type: "ask.opened",
    runId,
    askId: "a",
    expiresAt: 1,
    kind: "confirm",
    title: "Write?",
    message: "",
    diff: [`+${"x".repeat(70)}`, ...lines].join("\n"),
  };
  expect(drawing({ ...terminal, rows: 14 }).draw(logOf(opened))).toEqual([
    "? Write?",
    `  +${"x".repeat(57)}`,
    `  ${"x".repeat(13)}`,
    "  +0",
    "  +1",
    "  +2",
    "  … 37 more lines",
  ]);
});

test("says where events were pruned, and goes on with what is there; of a run whose end is gone nothing stays below", () => {
  const { transcript, draw, gap } = drawing(terminal);
  expect(draw(logOf(requested))).toEqual(["● shell  command=ls"]);
  expect(gap({ from: 3, to: 9, at: 0 }).at(-1)).toBe("(pruned before this: 7 events)");
  expect(transcript.below("*")).toEqual([]);
  expect(draw(logOf(said("Hello."), completed("Hello.")))).toEqual(["", "Hello."]);
});

test("a run that was cancelled with a word for programs is told in words for people", () => {
  const cancelled = (reason: string): NewEvent => ({ type: "run.cancelled", runId, reason });
  expect(drawing(terminal).draw(logOf(cancelled("owner_stopped")))).toEqual(["✗ cancelled: its process was stopped"]);
  expect(drawing(terminal).draw(logOf(cancelled("too long")))).toEqual(["✗ cancelled: too long"]);
});

test("there is a key for thinking only where there was some", () => {
  const { transcript, draw } = drawing(terminal, { thinking: true });
  draw(logOf(said("Hi")));
  expect(transcript.hasThoughts).toBe(false);
  draw(logOf({ type: "thinking.delta", runId, text: "Hm." }, completed("Hi")));
  expect(transcript.hasThoughts).toBe(true);
});

test("of documents that are saved without a question only the title and how much changes is told", () => {
  const save: NewEvent = {
    ...{ type: "tool.requested", runId, callId: "c", tool: "spec_save", title: "Save plan in specs/1" },
    args: { feature: "1", changes: [{ name: "plan", content: "# Plan\n" }], message: "docs: plan 1" },
  };
  const diff = "--- /dev/null\n+++ b/specs/1/plan.md\n@@ -0,0 +1,2 @@\n+# Plan\n+++ x\n";
  expect(drawing(pipe).draw(logOf(save, finished({ result: { documents: [{}] }, diff })))).toEqual([
    "● Save plan in specs/1  spec_save",
    "  │ 1 file, +2 −0",
    "  ✓ 1 document · 1.5 s",
  ]);
});
