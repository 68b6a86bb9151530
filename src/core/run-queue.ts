import { asDragomanError, DragomanError } from "./errors.ts";
import type { EventOf } from "./events.ts";
import type { Journal } from "./journal.ts";
import { engineAt } from "./landmarks.ts";
import type { RunRequest } from "./session.ts";
import type { Store } from "./store.ts";
import type { SessionSummary } from "./summary.ts";
import { wholeInput } from "./whole.ts";

const LONGEST_QUEUE = 100;

export interface Accepted extends RunRequest {
  runId: string;
  /** That of the session when it was asked for, and so the one that knows the model named. */
  engine?: string;
}

interface QueueOptions {
  store: Store;
  sessionId: string;
  journal: Journal;
  isUnderWay(runId: string): boolean;
}

/** The runs of a session that wait for their turn. The log has them all; what an earlier owner left may be there alone. */
export class RunQueue {
  readonly #options: QueueOptions;
  /** Of what the log has alone: the end of each is recorded once. */
  readonly #ended = new Set<string>();
  #waiting: Accepted[] = [];

  constructor(options: QueueOptions) {
    this.#options = options;
  }

  get length(): number {
    return this.#waiting.length;
  }

  /** Resolves when it is on disk. */
  async add(request: Accepted): Promise<void> {
    if (this.length >= LONGEST_QUEUE) {
      throw new DragomanError("queue_full", `${LONGEST_QUEUE} runs are waiting in this session. Try again later.`);
    }
    const { runId, kind, input, by, model, rules } = request;
    this.#options.journal.record({ type: "run.queued", runId, kind, input, by, model, rules });
    this.#waiting.push(request);
    await this.#options.journal.durable();
  }

  next(): Accepted | undefined {
    return this.#waiting.shift();
  }

  /** Leaves everything to whoever has the session next. */
  leave(): void {
    this.#waiting = [];
  }

  /** Goes on with what an earlier owner left. */
  async load(queued: SessionSummary["queued"]): Promise<void> {
    for (const { seq } of queued) {
      const event = await this.#read(seq);
      if (event) await this.#loadOne(event);
    }
  }

  /** False when there is no such run waiting. Resolves when its end is on disk. */
  async cancel(runId: string, reason: string): Promise<boolean> {
    const waiting = this.#waiting.find((request) => request.runId === runId);
    if (!waiting) return this.#cancelLeft(reason, runId);
    this.#waiting = this.#waiting.filter((request) => request !== waiting);
    this.#options.journal.record({ type: "run.cancelled", runId, reason, askedBy: waiting.by });
    await this.#options.journal.durable();
    return true;
  }

  async cancelAll(reason: string): Promise<void> {
    for (const { runId, by: askedBy } of this.#waiting.splice(0)) {
      this.#options.journal.record({ type: "run.cancelled", runId, reason, askedBy });
    }
    await this.#cancelLeft(reason);
  }

  /** Of what the log has and nobody here would start: all, or this one. */
  async #cancelLeft(reason: string, only?: string): Promise<boolean> {
    const { store, sessionId, journal } = this.#options;
    await journal.durable();
    const { queued = [] } = (await store.session(sessionId)) ?? {};
    const left = queued.filter(({ runId }) => (only ?? runId) === runId && !this.#isHere(runId));
    for (const { runId, seq } of left) {
      const askedBy = (await this.#read(seq))?.by;
      if (this.#isHere(runId) || this.#ended.has(runId)) continue;
      this.#ended.add(runId);
      journal.record({ type: "run.cancelled", runId, reason, askedBy });
    }
    await journal.durable();
    return left.length > 0;
  }

  #isHere(runId: string): boolean {
    return this.#options.isUnderWay(runId) || this.#waiting.some((request) => request.runId === runId);
  }

  async #read(seq: number): Promise<EventOf<"run.queued"> | undefined> {
    const { store, sessionId } = this.#options;
    const [event] = await store.read(sessionId, { after: seq - 1, limit: 1 });
    return event?.type === "run.queued" ? event : undefined;
  }

  async #loadOne({ seq, runId, kind, by, input, model, rules }: EventOf<"run.queued">): Promise<void> {
    const { store, sessionId, journal } = this.#options;
    try {
      const whole = await wholeInput(store, sessionId, input);
      const engine = model === undefined ? undefined : await engineAt(store, sessionId, seq);
      this.#waiting.push({ runId, kind, input: whole, by, model, engine, rules, whenBusy: "queue" });
    } catch (error) {
      const { code, message } = asDragomanError(error);
      journal.record({ type: "run.failed", runId, error: { code, message }, askedBy: by });
    }
  }
}
