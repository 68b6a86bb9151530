import type { Clock } from "../../core/clock.ts";
import { errorOf, LiveError } from "./live-error.ts";
import type { LiveMessage, Sent } from "./protocol.ts";

const MOST_PENDING = 1000;

/** A request, and what makes of the server's messages its answer. */
export interface Request<T> {
  sent: Sent;
  /** The answer in a message with its `correlation_id`; undefined while it is not the answer. Throws to refuse. */
  answer(message: LiveMessage): T | undefined;
  /**
   * After a lost connection the log can tell whether it was carried out: it is not rejected, and sent again where the log does not have it.
   * It names its run, so that to send it twice is to send it once.
   */
  isLogged?: boolean;
}

interface Pending {
  request: Request<unknown>;
  wasSent: boolean;
  /** By an `ack`, or a message of the log that came of it. */
  isTaken: boolean;
  /** The connection that it was sent over is gone. */
  isLost: boolean;
  resolve(value: unknown): void;
  reject(error: LiveError): void;
  callOff(): void;
}

interface PendingOptions {
  clock: Clock;
  timeoutMs: number;
  send(sent: Sent): void;
  /** Whether a request can be sent now: there is a connection, and its session is attached. */
  isReady(sent: Sent): boolean;
}

/** What was asked and not answered yet. A request that was sent is not sent again, unless the log says that it never came. */
export class PendingRequests {
  readonly #options: PendingOptions;
  readonly #pending = new Map<string, Pending>();
  readonly #prefix = randomPrefix();
  #count = 0;

  constructor(options: PendingOptions) {
    this.#options = options;
  }

  get size(): number {
    return this.#pending.size;
  }

  newId(): string {
    return `${this.#prefix}-${++this.#count}`;
  }

  /** Sends it now or as soon as it can be. */
  request<T>(request: Request<T>, timeoutMs = this.#options.timeoutMs): Promise<T> {
    if (this.#pending.size >= MOST_PENDING) {
      const message = `${MOST_PENDING} requests wait for their answers. Wait for some of them before asking more.`;
      return Promise.reject(new LiveError("OVERFLOW", message, { retriable: true }));
    }
    const id = request.sent.correlation_id ?? this.newId();
    request.sent.correlation_id = id;
    return new Promise<T>((resolve, reject) => {
      const callOff = this.#options.clock.after(timeoutMs, () => this.#late(id, timeoutMs));
      const pending = { request, wasSent: false, isTaken: false, isLost: false, resolve, reject, callOff };
      this.#pending.set(id, pending as Pending);
      this.#trySend(id, pending as Pending);
    });
  }

  /** A connection, or a session on it, is there. */
  sendWaiting(): void {
    for (const [id, pending] of [...this.#pending]) if (!pending.wasSent) this.#trySend(id, pending);
  }

  take(message: LiveMessage): void {
    const id = message.correlation_id;
    const pending = id === undefined ? undefined : this.#pending.get(id);
    if (id === undefined || !pending) return;
    if (message.type === "ack" || message.seq !== undefined) {
      pending.isTaken = true;
      if (pending.request.isLogged) pending.callOff(); // it takes as long as it takes
    }
    try {
      // An error with a number is one of the log, of a run that failed.
      if (message.type === "error" && message.seq === undefined) throw errorOf(message.data);
      const answer = pending.request.answer(message);
      if (answer !== undefined) this.#settle(id)?.resolve(answer);
    } catch (error) {
      this.#settle(id)?.reject(error as LiveError);
    }
  }

  /** The connection is gone. What was never sent can wait for another one. */
  lost(error: LiveError): void {
    for (const pending of this.#pending.values()) pending.isLost ||= pending.wasSent;
    this.#rejectWhere(({ isLost, request }) => isLost && !request.isLogged, unanswered(error.message, error));
  }

  /** Those of a session that were sent over a connection that is gone, and of which only the log can tell what became of them. */
  doubtful(sessionId: string): Set<string> {
    const found = [...this.#pending].filter(([, { request, isLost, isTaken }]) => {
      return isLost && !isTaken && request.sent.session_id === sessionId;
    });
    return new Set(found.map(([id]) => id));
  }

  /** The log of the session was read up to where it is now, and they are not in it. Each names its run, so that it is one run if it was. */
  notInLog(ids: ReadonlySet<string>): void {
    for (const id of ids) {
      const pending = this.#pending.get(id);
      if (!pending || pending.isTaken) continue;
      pending.wasSent = false;
      pending.isLost = false;
      this.#trySend(id, pending);
    }
  }

  /** The log does not say what became of them. */
  unknown(ids: ReadonlySet<string>): void {
    const cause = new LiveError("TIMEOUT", "The log of the session did not come");
    const lost = unanswered("Look at the session before you send it again.", cause);
    this.#rejectWhere(({ isTaken }, id) => !isTaken && ids.has(id), lost);
  }

  /** Of one session, or all. */
  rejectAll(error: LiveError, sessionId?: string): void {
    this.#rejectWhere(({ request }) => sessionId === undefined || request.sent.session_id === sessionId, error);
  }

  #rejectWhere(fits: (pending: Pending, id: string) => unknown, error: LiveError): void {
    for (const [id, pending] of [...this.#pending]) if (fits(pending, id)) this.#settle(id)?.reject(error);
  }

  #trySend(id: string, pending: Pending): void {
    const { sent } = pending.request;
    if (!this.#options.isReady(sent)) return;
    try {
      this.#options.send(sent);
      pending.wasSent = true;
    } catch (error) {
      this.#settle(id)?.reject(error as LiveError);
    }
  }

  #late(id: string, timeoutMs: number): void {
    const pending = this.#settle(id);
    if (!pending) return;
    const { isLost, wasSent, request } = pending;
    const { type } = request.sent;
    const text = wasSent
      ? `No answer to ${type} within ${timeoutMs} ms. It may still be carried out.`
      : `There was no connection to send ${type} over within ${timeoutMs} ms. It was not sent.`;
    const late = new LiveError("TIMEOUT", text, { retriable: true });
    pending.reject(isLost ? unanswered(`There was none again within ${timeoutMs} ms.`, late) : late);
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    pending?.callOff();
    return pending;
  }
}

function unanswered(why: string, cause: LiveError): LiveError {
  const text = `The connection was lost before the answer came, so it may or may not have been carried out. ${why}`;
  const facts = { retriable: true, details: { cause: cause.code } };
  return new LiveError("CONNECTION_LOST", text, facts, { cause });
}

/** Told apart from those of every other client, also of this one's own after a restart. `randomUUID` is not there on every page. */
function randomPrefix(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(8));
  return [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
