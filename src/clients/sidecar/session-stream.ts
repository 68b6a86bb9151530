import { EventConnection, isCursor } from "./event-connection.ts";
import { isPassing } from "./http-answer.ts";
import type { SidecarEvent } from "./protocol.ts";
import { type Reconnect, Reconnection, type ReconnectOptions } from "./reconnection.ts";
import { type ServerLink, type SidecarAddress, unreachable } from "./server-link.ts";
import { SidecarError } from "./sidecar-error.ts";

export interface StreamOptions {
  /**
   * The `id` of the last event that is known already, or the number of an event of the log, as other protocols tell it; from the
   * beginning if it is left out.
   */
  after?: string | number;
  signal?: AbortSignal;
  reconnect?: ReconnectOptions;
  /** A server that is there says something every 15 s; after so long without a byte another connection is tried. 45 s. */
  silenceMs?: number;
  /** The connection is gone and will be tried again. */
  onReconnect?(about: Reconnect): void;
}

interface StreamSurroundings extends StreamOptions {
  link: ServerLink;
  sessionId: string;
  timeoutMs: number;
}

const SILENCE_MS = 45_000;

/**
 * What is told of a session, in order and each once, over as many connections as it takes. It is read no faster than it is iterated.
 * Ends after the last event of a session that is closed.
 */
export class SessionStream implements AsyncIterableIterator<SidecarEvent, undefined> {
  readonly #options: StreamSurroundings;
  readonly #reconnection: Reconnection;
  readonly #left = new AbortController();
  readonly #signal: AbortSignal;
  #connection: EventConnection | undefined;
  #events: SidecarEvent[] = [];
  #lastEventId: string;
  #retryMs: number | undefined;
  #over = false;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(options: StreamSurroundings) {
    const { reconnect = {}, signal } = options;
    const after = String(options.after ?? "");
    if (after !== "" && !isCursor(after)) {
      throw new SidecarError("invalid", `${JSON.stringify(after)} is no id of an event; give one that a stream told`);
    }
    this.#options = options;
    this.#reconnection = new Reconnection(reconnect);
    this.#lastEventId = after;
    this.#signal = signal ? AbortSignal.any([signal, this.#left.signal]) : this.#left.signal;
  }

  /** What to go on `after`, in another process even; "" before the first event. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  [Symbol.asyncIterator](): this {
    return this;
  }

  next(): Promise<IteratorResult<SidecarEvent, undefined>> {
    const next = this.#turn.then(() => this.#take());
    this.#turn = next.catch(() => {});
    return next;
  }

  /** Ends the connection, also under someone who waits for the next event. */
  async return(): Promise<IteratorReturnResult<undefined>> {
    this.#left.abort();
    this.#end();
    return { done: true, value: undefined };
  }

  async #take(): Promise<IteratorResult<SidecarEvent, undefined>> {
    while (!this.#over) {
      const value = this.#events.shift();
      if (!value) await this.#fill();
      else {
        if (value.id !== undefined) this.#lastEventId = value.id;
        return { done: false, value };
      }
    }
    return { done: true, value: undefined };
  }

  async #fill(): Promise<void> {
    const { address } = this.#options.link;
    let broken: SidecarError | undefined;
    try {
      this.#connection ??= await this.#open();
      if (!this.#connection) return this.#end();
      const events = await this.#connection.read();
      if (events) return this.#arrived(events, this.#connection);
    } catch (error) {
      broken = unreachable(address.url, error);
    }
    this.#drop();
    if (!this.#left.signal.aborted) await this.#pause(broken, address);
  }

  #open(): Promise<EventConnection | undefined> {
    const { link, sessionId, timeoutMs, silenceMs = SILENCE_MS } = this.#options;
    const after = this.#lastEventId;
    return EventConnection.open({ link, sessionId, after, signal: this.#signal, timeoutMs, silenceMs });
  }

  #arrived(events: SidecarEvent[], { retryMs }: EventConnection): void {
    this.#retryMs = retryMs;
    if (events.length > 0) this.#reconnection.succeeded();
    this.#events = events;
  }

  /** Waits for the next attempt, or fails where there is none. */
  async #pause(error: SidecarError | undefined, asked: SidecarAddress): Promise<void> {
    const next = (await this.#isWorthwhile(error, asked))
      ? this.#reconnection.next({ error, serverMs: this.#retryMs })
      : undefined;
    if (next) {
      this.#options.onReconnect?.(next);
      await wait(next.inMs, this.#signal);
      return;
    }
    this.#end();
    throw error ?? new SidecarError("unreachable", "The stream ended again and again without an event");
  }

  async #isWorthwhile(error: SidecarError | undefined, asked: SidecarAddress): Promise<boolean> {
    if (!error) return true;
    if (error.code === "unauthorized") return this.#options.link.hasMoved(asked, this.#signal);
    if (error.code === "unreachable") await this.#options.link.hasMoved(asked, this.#signal);
    return isPassing(error);
  }

  #drop(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }

  #end(): void {
    this.#over = true;
    this.#drop();
    this.#events = [];
  }
}

/** Or until the signal aborts. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    if (signal.aborted) end();
    else signal.addEventListener("abort", end);
  });
}
