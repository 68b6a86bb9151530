import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { isTerminal, runIdOf } from "../core/event-facts.ts";
import { type Event, parseEvent } from "../core/events.ts";

/** A session's log as a file: a line that says what it is, then an event a line. */
export interface Recording {
  sessionId: string;
  events: Event[];
  /** So many events before the first one were pruned. */
  pruned?: number;
}

const header = z.object({ recording: z.literal(1), sessionId: z.uuid(), pruned: z.int().positive().optional() });

export function writeRecording({ sessionId, events, pruned }: Recording): string {
  return [{ recording: 1, sessionId, pruned }, ...events].map((line) => `${JSON.stringify(line)}\n`).join("");
}

/** Checks every line; the error names the line that is wrong. */
export function readRecording(text: string): Recording {
  const lines = text.split("\n").filter((line) => line !== "");
  const read = <T>(line: string, number: number, parse: (value: unknown) => T): T => {
    try {
      return parse(JSON.parse(line));
    } catch (error) {
      const why = error instanceof z.ZodError ? z.prettifyError(error) : String(error);
      throw new DragomanError("invalid_params", `Line ${number} of the recording: ${why}`);
    }
  };
  const { sessionId, pruned } = read(lines[0] ?? "", 1, (value) => header.parse(value));
  const events = lines.slice(1).map((line, index) => read(line, index + 2, parseEvent));
  const before = pruned ?? 0;
  const gap = events.findIndex((event, index) => event.seq !== before + index + 1);
  if (gap >= 0) {
    const expected = before + gap + 1;
    throw new DragomanError("invalid_params", `Line ${gap + 2} of the recording: its seq should be ${expected}.`);
  }
  return { sessionId, events, ...(pruned !== undefined && { pruned }) };
}

/** The events of each run that started, in their order, from `run.started` to the run's end. */
export function runsOf(events: Event[]): Event[][] {
  const runs = new Map<string, Event[]>();
  for (const event of events) {
    const runId = runIdOf(event);
    if (!runId) continue;
    if (event.type === "run.started") runs.set(runId, []);
    const run = runs.get(runId);
    const last = run?.at(-1);
    if (run && !(last && isTerminal(last))) run.push(event);
  }
  return [...runs.values()];
}
