import { type Clock, systemClock } from "../core/clock.ts";
import type { AskReply, Emitted, Engine, EngineIO, Turn } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { Event, EventOf, Question, RunResult } from "../core/events.ts";
import { derivedId } from "../core/ids.ts";
import { ownerLost } from "../core/owner-lost.ts";
import { resumeByReplay } from "../core/replayed-io.ts";
import { type Recording, runsOf } from "./recording.ts";

export interface ReplayOptions {
  /** `recorded`: with the pauses of the recording; `full`: without any. */
  speed: "recorded" | "full";
  clock?: Clock;
}

const REMEMBERED_SESSIONS = 1000;

/** A recorded session as a deterministic agent: it says what was said then, but its asks are real, and it waits for them. */
export function replayEngine(recording: Recording, { speed, clock = systemClock }: ReplayOptions): Engine {
  const runs = runsOf(recording.events);
  const played = new Map<string, Set<Event[]>>();

  const seenIn = (sessionId: string): Set<Event[]> => {
    const seen = played.get(sessionId) ?? new Set();
    played.delete(sessionId);
    played.set(sessionId, seen);
    const [oldest] = played.keys();
    if (played.size > REMEMBERED_SESSIONS && oldest !== undefined) played.delete(oldest);
    return seen;
  };

  /** The first run with the same prompt that this session has not seen yet, or else the first of all of them. */
  const choose = (turn: Turn): Event[] => {
    const seen = seenIn(turn.sessionId);
    const same = runs.filter((run) => hasPromptOf(turn, run));
    const run = same.find((each) => !seen.has(each)) ?? same.at(-1) ?? runs.find((each) => !seen.has(each));
    if (!run)
      throw new DragomanError("engine_failed", `The recording has ${runs.length} runs, and all of them were played.`);
    seen.add(run);
    return run;
  };

  /** The run that was chosen when this one began, in whichever process that was. */
  const chosen = (turn: Turn, log: Event[]): Event[] => {
    const asking = runs.filter((run) => asksAsIn(log, turn, run));
    const run = asking.find((each) => hasPromptOf(turn, each)) ?? asking[0];
    if (!run) throw ownerLost();
    seenIn(turn.sessionId).add(run);
    return run;
  };

  const player = (turn: Turn, io: PlayerIO, signal: AbortSignal) =>
    new Player(turn, io, signal, speed === "full" ? undefined : clock);

  return {
    name: "replay",
    models: async () => [{ id: "recorded", name: "Recorded session" }],
    run: async (turn, io, signal) => player(turn, io, signal).play(choose(turn)),
    resume: async (turn, log, io, signal) =>
      resumeByReplay(turn, log, io, (replayed) => player(turn, replayed, signal).play(chosen(turn, log))),
  };
}

function hasPromptOf({ input }: Turn, [start]: Event[]): boolean {
  return start?.type === "run.started" && start.input.text === input.text;
}

/** Whether this is the run whose questions the log has. The calls that they are about have ids by which it is known. */
function asksAsIn(log: Event[], { runId }: Turn, run: Event[]): boolean {
  const asks = run.flatMap((event) => (event.type === "ask.opened" ? [questionIn(event, runId)] : []));
  return log.every((event) => {
    if (event.type !== "ask.opened") return true;
    const { title, message, callId } = event;
    return asks.some((ask) => ask.title === title && ask.message === message && ask.callId === callId);
  });
}

/** The question of a recorded ask, as it is put in this run. */
function questionIn(opened: EventOf<"ask.opened">, runId: string): Question {
  const { type, seq, at, runId: recordedIn, askId, expiresAt, ...question } = opened;
  return question.callId ? { ...question, callId: derivedId(runId, question.callId) } : question;
}

/** `live` is false while a run is only done over, which takes no time. */
type PlayerIO = EngineIO & { readonly live?: boolean };

class Player {
  readonly #turn: Turn;
  readonly #io: PlayerIO;
  readonly #signal: AbortSignal;
  readonly #clock: Clock | undefined;
  /** Calls that were not allowed this time: what they did in the recording is left out. */
  readonly #refused = new Set<string>();

  constructor(turn: Turn, io: PlayerIO, signal: AbortSignal, clock: Clock | undefined) {
    this.#turn = turn;
    this.#io = io;
    this.#signal = signal;
    this.#clock = clock;
  }

  async play(events: Event[]): Promise<RunResult> {
    let last = events[0]?.at ?? 0;
    for (const event of events) {
      if (event.type !== "ask.closed") await this.#pause(event.at - last); // who answers takes their own time
      last = event.at;
      this.#signal.throwIfAborted();
      const result = await this.#step(event, events);
      if (result) return result;
    }
    throw new DragomanError("engine_failed", "The recording ends in the middle of this run.");
  }

  async #step(event: Event, run: Event[]): Promise<RunResult | undefined> {
    switch (event.type) {
      case "run.completed":
        return event.result;
      case "run.failed":
        throw new DragomanError(event.error.code, event.error.message, event.error.data);
      case "run.cancelling":
      case "run.cancelled":
        return this.#untilCancelled();
      case "ask.opened":
        await this.#ask(event, run);
        return undefined;
      case "ask.closed":
      case "run.queued":
      case "run.started":
      case "session.created":
      case "session.updated":
      case "session.closed":
        return undefined; // core's own
      default:
        await this.#emit(event);
        return undefined;
    }
  }

  #emit(event: Exclude<Event, { type: `session.${string}` | `run.${string}` | `ask.${string}` }>): Promise<void> {
    const { seq, at, runId, ...said } = event;
    if (!("callId" in said)) return this.#io.emit(said as Emitted);
    if (this.#refused.has(said.callId)) return Promise.resolve();
    return this.#io.emit({ ...said, callId: this.#callId(said.callId) } as Emitted);
  }

  async #ask(opened: EventOf<"ask.opened">, run: Event[]): Promise<void> {
    const { askId, callId, expiresAt, at } = opened;
    const reply = await this.#io.ask(questionIn(opened, this.#turn.runId), expiresAt - at);
    this.#signal.throwIfAborted();
    const then = run.find((event) => event.type === "ask.closed" && event.askId === askId);
    const wasGranted = then?.type === "ask.closed" && then.outcome === "answered" && saysYes(then.answer);
    if (callId && wasGranted && !isGranted(reply)) await this.#refuse(callId, reply);
  }

  /** The recording goes on as if the call had been made; this time it was not. */
  async #refuse(callId: string, reply: AskReply): Promise<void> {
    this.#refused.add(callId);
    const why = reply.outcome === "answered" ? "Denied." : `Not run: ${reply.outcome}.`;
    const error = { code: "denied" as const, message: why };
    await this.#io.emit({ type: "tool.finished", callId: this.#callId(callId), error, durationMs: 0 });
    const text = "This was allowed in the recording, which goes on as if it had been done. It was not.";
    await this.#io.emit({ type: "note", level: "warning", text, source: "replay" });
  }

  /** Calls have ids of their own each time the recording is played. */
  #callId(recorded: string): string {
    return derivedId(this.#turn.runId, recorded);
  }

  #pause(ms: number): Promise<void> {
    const clock = this.#clock;
    if (!clock || this.#io.live === false || ms <= 0 || this.#signal.aborted) return Promise.resolve();
    return new Promise((resolve) => {
      const end = () => {
        callOff();
        this.#signal.removeEventListener("abort", end);
        resolve();
      };
      const callOff = clock.after(ms, end);
      this.#signal.addEventListener("abort", end);
    });
  }

  /** It was cancelled then, so it waits to be cancelled now. */
  #untilCancelled(): Promise<never> {
    return new Promise((_, reject) => {
      const stop = () => reject(this.#signal.reason);
      if (this.#signal.aborted) stop();
      else this.#signal.addEventListener("abort", stop, { once: true });
    });
  }
}

function isGranted(reply: AskReply): boolean {
  return reply.outcome === "answered" && saysYes(reply.answer);
}

/** A secret answer is not in the recording, and counts as one that was given. */
function saysYes(answer: unknown): boolean {
  if (answer === undefined) return true;
  const { ok, success, value, ids } = answer as { ok?: boolean; success?: boolean; value?: unknown; ids?: unknown[] };
  return ok === true || success === true || typeof value === "string" || (ids?.length ?? 0) > 0;
}
