import { setTimeout as pause } from "node:timers/promises";
import type { EngineIO, Turn } from "../core/engine.ts";
import type { Event, EventOf } from "../core/events.ts";

// What the runs of `node-child.ts` do: it comes with the prompt. Every act says the same whenever it is done again, so that such a
// run can be gone on with in another process.

export type Act =
  /** Waits for each to be taken, and so long after it. */
  | { act: "think" | "say"; count: number; everyMs?: number }
  /** Waits for nothing until all is said: more than goes into one batch. */
  | { act: "burst"; count: number }
  /** A real command, which nobody is asked about. */
  | { act: "shell"; command: string }
  /** A file, which someone is asked about. */
  | { act: "write"; path: string }
  | { act: "ask" }
  /** Until it is cancelled. */
  | { act: "hang" };

export type Program = Act[];

const LINE = "x".repeat(290);

type Spoken = Extract<Act, { count: number }>;

const textOf = ({ act }: Spoken, n: number) => (act === "burst" ? `${n} ${LINE}\n` : `${act} ${n}\n`);

export async function perform(turn: Turn, io: EngineIO, signal: AbortSignal): Promise<string> {
  const program = (turn.input.args?.program ?? []) as Program;
  const outcomes: string[] = [];
  for (const act of program) {
    signal.throwIfAborted();
    outcomes.push(await acted(act, io, signal));
  }
  return outcomes.join(" ");
}

async function acted(act: Act, io: EngineIO, signal: AbortSignal): Promise<string> {
  switch (act.act) {
    case "think":
    case "say":
      for (let n = 0; n < act.count && !signal.aborted; n++) {
        if (act.act === "think") await io.emit({ type: "thinking.delta", text: textOf(act, n) });
        else await io.emit({ type: "text.delta", of: "answer", text: textOf(act, n) });
        if (act.everyMs !== undefined) await pause(act.everyMs);
      }
      return act.act;
    case "burst":
      await Promise.all(
        Array.from({ length: act.count }, (_, n) =>
          io.emit({ type: "text.delta", of: "answer", text: textOf(act, n) }),
        ),
      );
      return "burst";
    case "shell":
      return (await io.tool("shell", { command: act.command })).outcome;
    case "write":
      return (await io.tool("write", { path: act.path, content: "written\n" })).outcome;
    case "ask":
      return (await io.ask({ kind: "confirm", title: "Go on?", message: "" })).outcome;
    case "hang":
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener("abort", () => resolve());
      });
      return "hang";
  }
}

/** What is wrong with the runs of a log, as far as it follows from their programs: each says what it is to say, once and in order. */
export function programFaults(log: Event[]): string[] {
  return log.flatMap((event) => (event.type === "run.started" ? runFaults(log, event) : []));
}

function runFaults(log: Event[], { runId, input }: EventOf<"run.started">): string[] {
  const own = log.filter((event) => "runId" in event && event.runId === runId);
  const said = own.flatMap((event) => (event.type === "thinking.delta" || event.type === "text.delta" ? [event] : []));
  const expected = textsOf((input.args?.program ?? []) as Program);
  for (const { text, seq } of said) {
    const { value } = expected.next();
    if (text !== value) return [`${text.trim()} where ${value?.trim()} was to be said, seq ${seq}`];
  }
  const isUnfinished = own.some(({ type }) => type === "run.completed") && !expected.next().done;
  return isUnfinished ? [`run ${runId} completed before it had said everything`] : [];
}

function* textsOf(program: Program): Generator<string, undefined> {
  for (const act of program) for (let n = 0; "count" in act && n < act.count; n++) yield textOf(act, n);
}
