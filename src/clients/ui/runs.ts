import type { Result, RunStatusNotify, RunUpdate, Updates } from "./protocol.ts";
import { RunStream } from "./run-stream.ts";

export interface RunOutcome {
  status: "completed" | "error" | "cancelled";
  message?: string;
  /** The runtime is gone. The session, and what was logged of the run, can be asked for again. */
  code?: "connection_lost";
  /** What it failed with, more precisely. */
  data?: RunStatusNotify["data"];
  /** The answer, if the run gave one. */
  final?: string;
}

export interface RunHandle {
  readonly runId: string;
  /** What to resume later; not every runtime tells. */
  readonly sessionId: string | undefined;
  /**
   * Ends with the terminal status. To be iterated once, soon; whoever iterates slowly makes the runtime wait, so inside of the
   * loop do not wait for `done`.
   */
  readonly events: AsyncIterable<RunUpdate>;
  /** Never rejects: a run that fails has an outcome too. */
  readonly done: Promise<RunOutcome>;
  cancel(reason?: string): Promise<Result<"run.cancel">>;
}

/** The status that ends a run, if it does. */
export function terminal({ status }: RunStatusNotify): RunOutcome["status"] | undefined {
  return status === "completed" || status === "error" || status === "cancelled" ? status : undefined;
}

/** A run under way, from its first message to its terminal status. */
class OpenRun {
  readonly stream: RunStream;
  readonly done: Promise<RunOutcome>;
  #finish: (outcome: RunOutcome) => void = () => {};
  #final: string | undefined;
  #ended = false;

  constructor(onRelief: () => void) {
    this.stream = new RunStream(onRelief);
    this.done = new Promise((resolve) => (this.#finish = resolve));
  }

  get ended(): boolean {
    return this.#ended;
  }

  /** True when that was its end. */
  hear(update: RunUpdate, size: number): boolean {
    if (this.#ended) return true;
    if (update.type === "event" && update.event.type === "final") this.#final = update.event.content;
    this.stream.push(update, size);
    const status = update.type === "status" ? terminal(update) : undefined;
    if (update.type !== "status" || !status) return false;
    const { message, code, data } = update;
    this.#ended = true;
    this.stream.end();
    this.#finish({
      status,
      ...(message !== undefined && { message }),
      ...(code !== undefined && { code }),
      ...(data !== undefined && { data }),
      ...(this.#final !== undefined && { final: this.#final }),
    });
    return true;
  }
}

/** Of so many runs news may come before it is known which of them the caller asked for. */
const MOST_EARLY = 16;

/** The runs that this client started and that have not ended, and what is told of them. */
export class Runs {
  readonly #onRelief: () => void;
  readonly #open = new Map<string, { run: OpenRun; sessionId: string | undefined }>();
  /** Runs that spoke before the answer to `run.start` named them. */
  readonly #early = new Map<string, OpenRun>();
  #starting = 0;

  constructor(onRelief: () => void) {
    this.#onRelief = onRelief;
  }

  /** Around a `run.start`: until the function that it gives is called, what is told of unknown runs is kept. */
  expectOne(): () => void {
    this.#starting++;
    return () => {
      this.#starting--;
      if (this.#starting === 0) this.#early.clear();
    };
  }

  /** The run that `run.start` named. */
  begin(runId: string, sessionId: string | undefined, cancel: RunHandle["cancel"]): RunHandle {
    const early = this.#early.get(runId);
    this.#early.delete(runId);
    const run = early ?? new OpenRun(this.#onRelief);
    if (!run.ended) this.#open.set(runId, { run, sessionId });
    return { runId, sessionId, events: run.stream, done: run.done, cancel };
  }

  hear(update: RunUpdate, size: number): void {
    for (const runId of runIdsOf(update)) {
      const run = this.#open.get(runId)?.run ?? this.#earlyRun(runId);
      if (run?.hear(update, size)) this.#open.delete(runId);
    }
  }

  isFull(stretched: boolean): boolean {
    for (const { run } of this.#open.values()) if (run.stream.isFull(stretched)) return true;
    return false;
  }

  hearLastWords(): void {
    for (const { run } of this.#open.values()) run.stream.hearLastWords();
  }

  /** The runtime is gone: every run ends, and `tell` hears of it. Gives the sessions in which they were. */
  loseAll(message: string, tell: (status: Updates["status"]) => void): string[] {
    const lost = [...this.#open];
    this.#open.clear();
    this.#early.clear();
    for (const [run_id, { run }] of lost) {
      const status: Updates["status"] = { run_id, status: "error", message, code: "connection_lost" };
      run.hear({ type: "status", ...status }, message.length);
      tell(status);
    }
    return [...new Set(lost.flatMap(([, { sessionId }]) => sessionId ?? []))];
  }

  #earlyRun(runId: string): OpenRun | undefined {
    if (this.#starting === 0) return undefined;
    const known = this.#early.get(runId);
    if (known || this.#early.size >= MOST_EARLY) return known;
    const run = new OpenRun(this.#onRelief);
    this.#early.set(runId, run);
    return run;
  }
}

function runIdsOf(update: RunUpdate): string[] {
  return update.type === "lost" ? update.lost.map((one) => one.run_id) : [update.run_id];
}
