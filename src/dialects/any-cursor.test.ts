import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isTerminal, runIdOf } from "../core/event-facts.ts";
import type { Event, NewEvent } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import { arbitraryLog } from "../testing/arbitrary-log.ts";
import { letters } from "../testing/final-state.ts";
import type { NumberedFrame } from "./dialect.ts";
import { dialects } from "./index.ts";

// Whoever has a part of a session in one protocol, cut wherever it may be, and goes on in another with the number that the documents
// say, misses nothing of what was said: the log's number of the last message less one, and at the end of a run the number itself.

/** Asks for everything, and has made none of the requests. */
const profile = { streaming: true, asks: true, connection: "elsewhere", supports_tool_output: true };

/** Each letter of what is said is another one, so that none can be taken for another. */
function marked(log: Event[]): Event[] {
  let next = 0x4e00;
  const mark = () => String.fromCodePoint(next++);
  const shown = (text: string) => text.replace(/(?!\n)\p{C}/gu, "").replace(/[\p{L}\p{N}]/gu, mark);
  return log.map((event) => (event.type === "text.delta" ? { ...event, text: shown(event.text) } : event));
}

/** What a run has said is told at its end at the latest. */
function ended(log: Event[]): Event[] {
  const last = log.findLast((event) => event.type === "run.started");
  if (!last || log.some((event) => isTerminal(event) && event.runId === last.runId)) return log;
  const { runId, at } = last;
  return [...log, { type: "run.cancelled", runId, reason: "end", seq: log.length + 1, at }];
}

interface Told {
  /** What the message says its place in the log is. */
  place: number;
  /** The event that made it. */
  seq: number;
  runId: string | undefined;
  text: string;
  isStatus: boolean;
  /** Whether it is the last one of a run that was started. */
  ends: boolean;
}

const strings = (value: unknown): string => {
  if (typeof value === "string") return value;
  return typeof value === "object" && value !== null ? Object.values(value).map(strings).join(" ") : "";
};

function told(name: string, log: Event[]): Told[] {
  const fold = dialects.find((dialect) => dialect.name === name)?.fold("5e551011-0000-4000-8000-000000000001", profile);
  const started = new Set(log.flatMap((event) => (event.type === "run.started" ? [event.runId] : [])));
  return log.flatMap((event) => {
    const frames = fold?.push(event) ?? [];
    const isEnd = isTerminal(event) && started.has(event.runId);
    return frames.map((frame, index) => toldBy(frame, event, isEnd && index === frames.length - 1));
  });
}

function toldBy({ seq, message }: NumberedFrame, event: Event, ends: boolean): Told {
  const { log_seq = seq, type } = message as { log_seq?: number; type?: string };
  const text = letters(strings(message));
  return { place: log_seq, seq, runId: runIdOf(event), text, isStatus: type === "status_update", ends };
}

/** On `live` a status tells nothing of what was said before it. */
function cursorOf(had: Told[]): number {
  const last = had.at(-1);
  if (last?.ends) return last.place;
  return Math.max(0, (had.findLast(({ isStatus }) => !isStatus)?.place ?? 1) - 1);
}

const saidIn = (log: Event[], runId?: string) => {
  const isOf = (event: Event) => runId === undefined || runIdOf(event) === runId;
  return letters(log.map((event) => (event.type === "text.delta" && isOf(event) ? event.text : "")).join(""));
};

function missing(said: string, text: string): string {
  let from = 0;
  for (const letter of said) {
    from = text.indexOf(letter, from) + letter.length;
    if (from < letter.length) return letter;
  }
  return "";
}

/** Of `operations` a client has the messages of one run, of the others those of the session. */
function lostBetween(from: string, to: string, log: Event[]): string[] {
  const first = told(from, log);
  const second = told(to, log);
  const runs = from === "operations" ? [...new Set(first.map(({ runId }) => runId))] : [undefined];
  return runs.flatMap((runId) => {
    const own = runId === undefined ? first : first.filter((one) => one.runId === runId);
    const said = saidIn(log, runId);
    return own.flatMap((_, index) => {
      const had = own.slice(0, index + 1);
      const cursor = cursorOf(had);
      const text = [...had, ...second.filter(({ seq }) => seq > cursor)].map((one) => one.text).join("");
      const lost = missing(said, text);
      return lost === "" ? [] : [`${from} to ${to} after message ${index}, cursor ${cursor}: ${lost} is lost`];
    });
  });
}

const names = dialects.map(({ name }) => name);
const pairs = names.flatMap((from) => names.map((to): [string, string] => [from, to]));

describe("a cursor of one protocol", () => {
  test("loses nothing of any log in any other, wherever it was cut", () => {
    fc.assert(
      fc.property(arbitraryLog, (events) => {
        const log = marked(ended(events));
        expect(pairs.flatMap(([from, to]) => lostBetween(from, to, log))).toEqual([]);
      }),
      { numRuns: 60 },
    );
  });

  const runId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
  const text = (said: string): NewEvent => ({ type: "text.delta", runId, text: said, of: "answer" });
  const logOf = (...middle: NewEvent[]): Event[] =>
    [
      { type: "session.created", workspace: "/w", engine: "builtin" } as const,
      { type: "run.started", runId, kind: "prompt", input: { text: "" }, by: { dialect: "test" } } as const,
      ...middle,
      { type: "run.completed", runId, result: { text: "" } } as const,
    ].map((event, index) => ({ ...event, seq: index + 1, at: 1000 + index }) as Event);

  const step = { stepId: "s", description: "", status: "running" as const };
  const among: NewEvent[] = [
    { type: "plan.updated", runId, planId: "p", steps: [step] },
    { type: "usage.updated", runId, contextUsed: 1, contextSize: 10, input: 1, output: 1 },
    { type: "note", runId, level: "warning", text: "", source: "core" },
    { type: "note", runId, level: "info", text: "", source: "core" },
    { type: "note", level: "error", text: "", source: "core" },
    { type: "step.started", runId, stepId: "t", title: "", number: 1 },
    { type: "step.finished", runId, stepId: "t", status: "completed", durationMs: 1 },
    { type: "tool.requested", runId, callId: "c", tool: "fs.read", args: {} },
    { type: "tool.output", runId, callId: "c", text: "" },
    { type: "tool.finished", runId, callId: "c", result: {}, durationMs: 1 },
    { type: "context.compacted", runId, before: 2, after: 1 },
    { type: "artifact.created", runId, artifactId: "a", kind: "text", name: "", bytes: 1, sha256: "00" },
    { type: "run.queued", runId: randomId(), kind: "prompt", input: { text: "" }, by: { dialect: "test" } },
    { type: "run.cancelled", runId: randomId(), reason: "" },
    { type: "thinking.delta", runId, text: "" },
    { type: "text.delta", runId, text: "a", of: "code" },
    { type: "session.updated", engine: "codex", model: "gpt-5", title: "" },
    { type: "session.updated", model: "o3" },
    { type: "session.updated", agentSession: { engine: "codex", id: "-" } },
  ];

  test.each([
    ["between events of every kind", among.flatMap((event) => [text("a"), text("a"), event, text("a")])],
    ["of blocks of 64 KB", Array.from({ length: 12 }, () => text(`a ${"- ".repeat(6000)}`))],
    [
      "of so many lines that they are coalesced",
      [
        ...Array.from({ length: 810 }, () => text("a\n")),
        ...Array.from({ length: 60 }, (_, index) => text(`a${index % 9 === 0 ? "\n" : " "}${"- ".repeat(400)}`)),
      ],
    ],
    [
      "of one line that is longer than a message",
      [...Array.from({ length: 30 }, () => text(`a ${"— ".repeat(450)}`)), text("a\n"), text("a")],
    ],
  ])("loses nothing of a text %s", (_, middle) => {
    const log = marked(logOf(...middle));
    expect(pairs.flatMap(([from, to]) => lostBetween(from, to, log)).slice(0, 5)).toEqual([]);
  });
});
