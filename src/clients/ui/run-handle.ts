import type { Result, RunStatusNotify, RunUpdate } from "./protocol.ts";
import { RunStream } from "./run-stream.ts";

export interface RunOutcome {
  status: "completed" | "error" | "cancelled";
  message?: string;
  /** The runtime is gone. The session, and what was logged of the run, can be asked for again. */
  code?: "connection_lost";
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
export class OpenRun {
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
    const { message, code } = update;
    this.#ended = true;
    this.stream.end();
    this.#finish({
      status,
      ...(message !== undefined && { message }),
      ...(code !== undefined && { code }),
      ...(this.#final !== undefined && { final: this.#final }),
    });
    return true;
  }
}
