import { Listeners } from "../ui/listeners.ts";
import { Inbox, type InboxLimits } from "./inbox.ts";
import { isPlaced } from "./message-text.ts";
import { OperationsError } from "./operations-error.ts";
import type { Place } from "./place.ts";
import type { Answer, OperationMessage } from "./protocol.ts";
import type { CallOptions } from "./rest-link.ts";
import { StreamAnswers } from "./stream-answers.ts";
import type { StateChange, StreamEvents, StreamState } from "./stream-events.ts";
import { Follower, type FollowOptions, type FollowSurroundings } from "./stream-follower.ts";

export interface WatchOptions extends FollowOptions {
  /** The `sequence` of the last message that is known already; all of them if it is left out. */
  after?: number;
  /** Instead of `after`: the last event of the session's log that is known, by whichever protocol; what came of it is not told. */
  afterLogSeq?: number;
  /** Ends the stream. */
  signal?: AbortSignal;
  /** How much is held for someone who takes the messages slowly. */
  limits?: InboxLimits;
}

export interface StreamSurroundings extends FollowSurroundings {
  /** Answers by REST. */
  answer(askId: string, answer: Answer, options: CallOptions): Promise<unknown>;
  /** The messages of these sequence numbers, from history. */
  read(sequences: number[], options: CallOptions): Promise<OperationMessage[]>;
  onClosed(stream: OperationStream): void;
}

/**
 * The messages of an operation, in order and each once, over as many connections as it takes; ends after its `complete`. It is
 * iterated, or listened to. The words of the connections, whose `sequence` is negative, come between, as they come.
 */
export class OperationStream implements AsyncIterableIterator<OperationMessage, undefined> {
  readonly operationId: string;
  /** Resolves when it is over, with what it failed with. */
  readonly ended: Promise<OperationsError | undefined>;
  readonly #around: StreamSurroundings;
  readonly #listeners: Listeners<StreamEvents>;
  readonly #inbox: Inbox;
  readonly #answers: StreamAnswers;
  readonly #follower: Follower;
  readonly #signal: AbortSignal | undefined;
  readonly #abort = () => this.close();
  #settle: (error: OperationsError | undefined) => void = () => {};
  #state: StreamState = "connecting";

  constructor(around: StreamSurroundings, options: WatchOptions) {
    const { signal, limits } = options;
    const from = placeIn(options);
    this.operationId = around.operationId;
    this.#around = around;
    this.#listeners = new Listeners((kind, error) => {
      if (kind !== "fault") this.#listeners.tell("fault", error);
    });
    const inbox = new Inbox({ from, limits, listeners: this.#listeners });
    const answers = new StreamAnswers(around.clock);
    this.#inbox = inbox;
    this.#answers = answers;
    this.ended = new Promise((resolve) => (this.#settle = resolve));
    const onState = (change: StateChange) => this.#tell(change);
    this.#follower = new Follower({ ...around, ...options, inbox, answers, onState });
    this.#signal = signal;
    signal?.addEventListener("abort", this.#abort, { once: true });
    // Not at once: whoever made it listens first.
    queueMicrotask(() => void (signal?.aborted ? this.close() : this.#follow()));
  }

  get state(): StreamState {
    return this.#state;
  }

  /** The last message that was taken: what to go on `after`, in another process even; -1 before the first. */
  get lastSequence(): number {
    return this.#inbox.lastTaken;
  }

  /** The last event of the session's log of which everything was taken: what to go on after on another protocol. */
  get lastLogSeq(): number {
    return this.#inbox.lastLogSeq;
  }

  /** The sequence numbers of the thinking that it did not get, because the server left it out. */
  get lost(): number[] {
    return this.#inbox.lost;
  }

  /** Gives the function that takes the listener away again. Where nobody iterates, `message` is how the messages are taken. */
  on<K extends keyof StreamEvents>(kind: K, listener: (value: StreamEvents[K]) => void): () => void {
    const off = this.#listeners.on(kind, listener);
    const leave = kind === "message" ? this.#inbox.listen() : () => {};
    return () => {
      off();
      leave();
    };
  }

  /** Reads what was lost from history, in order; it is not told again by the iteration. */
  async recover(options: CallOptions = {}): Promise<OperationMessage[]> {
    const { lost } = this;
    if (lost.length === 0) return [];
    const found = (await this.#around.read(lost, options)).filter(isPlaced);
    this.#inbox.found(found);
    return found;
  }

  /** Over the socket, or by a call where there is none or where it broke before the reply. */
  async answer(askId: string, answer: Answer, options: CallOptions = {}): Promise<void> {
    const sent = this.#answers.send(askId, answer, (said) => this.#follower.send(said));
    if ((await sent) === "taken") return;
    await this.#around.answer(askId, answer, options);
  }

  /** Ends it; what came and was not taken is gone. */
  close(): void {
    this.#inbox.leave();
    this.#end();
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<OperationMessage, undefined>> {
    return this.#inbox.take();
  }

  async return(): Promise<IteratorReturnResult<undefined>> {
    this.close();
    return { done: true, value: undefined };
  }

  async #follow(): Promise<void> {
    try {
      await this.#follower.follow();
      this.#end();
    } catch (error) {
      this.#end(asOperationsError(error));
    }
  }

  #end(error?: OperationsError): void {
    if (this.#state === "closed") return;
    this.#follower.stop();
    this.#signal?.removeEventListener("abort", this.#abort);
    this.#tell({ state: "closed", ...(error ? { error } : {}) });
    this.#inbox.end(error);
    this.#settle(error);
    this.#around.onClosed(this);
  }

  #tell(change: StateChange): void {
    if (this.#state === "closed") return;
    this.#state = change.state;
    this.#listeners.tell("state", change);
  }
}

function placeIn({ after, afterLogSeq }: WatchOptions): Place {
  if (after !== undefined && afterLogSeq !== undefined) {
    throw new OperationsError("invalid", "It goes on after a message or after an event; give `after` or `afterLogSeq`");
  }
  if (afterLogSeq === undefined) return { after: checked(after ?? -1, -1, "sequence number") };
  return { afterLogSeq: checked(afterLogSeq, 0, "log_seq") };
}

function checked(number: number, least: number, what: string): number {
  if (Number.isInteger(number) && number >= least) return number;
  throw new OperationsError("invalid", `${number} is no ${what} to go on after; give one of a message`);
}

function asOperationsError(error: unknown): OperationsError {
  if (error instanceof OperationsError) return error;
  const text = error instanceof Error ? error.message : String(error);
  return new OperationsError("invalid", `The operation cannot be watched here: ${text}`, {}, { cause: error });
}
