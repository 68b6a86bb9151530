import type { Clock } from "../../../core/clock.ts";
import type { Priority } from "../priority.ts";

const FIRST_CREDIT = 10;
const ALERT_EVERY_MS = 10_000;
const LONGEST_WAIT_MS = 60_000;

/** A message that may have to wait for credit. */
export interface Outgoing {
  /** Its JSON; made when it is sent, where it is to carry the time of that. */
  text: string | (() => string);
  /** Of a text that is yet to be made. */
  bytes?: number;
  priority: Priority;
  /** It is owed to the client also where its session is not followed any more. */
  isAnswer?: boolean;
  /** Called when it is handed to the link. */
  onSent?(): void;
}

interface Waiting {
  messages: Outgoing[];
  bytes: number;
}

interface CreditOptions {
  clock: Clock;
  send(json: string): void;
  /** Whether what the client sends is not read just now: its grant may be among that. */
  isHolding(): boolean;
  /** Messages wait because there is no credit: told when that begins, and again while it lasts. */
  onWaiting(pending: number): void;
  /** The client has granted nothing for too long: told again while that lasts. */
  onTimeout(): void;
}

const sizeOf = ({ text, bytes = 0 }: Outgoing) => (typeof text === "string" ? text.length : bytes);
const isFree = ({ priority }: Outgoing) => priority <= 1;
const NOTHING = { messages: 0, bytes: 0 };

/**
 * Lets messages out as the client's credit allows. The order inside a session is never changed; what waits in one session does not
 * hold up another, and a grant goes round among them.
 */
export class CreditGate {
  readonly #options: CreditOptions;
  /** Whose turn is first comes first. */
  readonly #waiting = new Map<string, Waiting>();
  #credit = FIRST_CREDIT;
  #callOffAlert: (() => void) | undefined;
  #callOffTimeout: (() => void) | undefined;
  #closed = false;

  constructor(options: CreditOptions) {
    this.#options = options;
  }

  get credit(): number {
    return this.#credit;
  }

  /** How many messages wait, in all sessions. */
  get pending(): number {
    let count = 0;
    for (const { messages } of this.#waiting.values()) count += messages.length;
    return count;
  }

  pendingOf(sessionId: string): { messages: number; bytes: number } {
    const waiting = this.#waiting.get(sessionId);
    return waiting ? { messages: waiting.messages.length, bytes: waiting.bytes } : NOTHING;
  }

  write(sessionId: string, messages: Outgoing[]): void {
    if (this.#closed) return;
    const mustWait = this.#waiting.has(sessionId) ? 0 : messages.findIndex((message) => !this.#trySend(message));
    if (mustWait >= 0) this.#keep(sessionId, messages.slice(mustWait));
  }

  /** The client can take so many from now on. */
  grant(credit: number): void {
    if (this.#closed || this.#credit === Number.POSITIVE_INFINITY) return;
    this.#credit = credit;
    if (credit > 0) this.#restartTimeout();
    this.#release();
  }

  /** Nobody is left who could grant anything. */
  lift(): void {
    this.grant(Number.POSITIVE_INFINITY);
  }

  /** The session is not followed any more: what waits of it is not sent. */
  forget(sessionId: string): void {
    const { messages = [] } = this.#waiting.get(sessionId) ?? {};
    const owed = messages.filter(({ isAnswer }) => isAnswer);
    this.#waiting.delete(sessionId);
    const bytes = owed.reduce((sum, message) => sum + sizeOf(message), 0);
    if (owed.length > 0) this.#waiting.set(sessionId, { messages: owed, bytes });
    this.#settle();
  }

  close(): void {
    this.#closed = true;
    this.#waiting.clear();
    this.#settle();
  }

  #trySend(message: Outgoing): boolean {
    if (!isFree(message)) {
      if (this.#credit <= 0) return false;
      this.#credit--;
    }
    const { text, onSent } = message;
    this.#options.send(typeof text === "string" ? text : text());
    onSent?.();
    return true;
  }

  #keep(sessionId: string, messages: Outgoing[]): void {
    const waiting = this.#waiting.get(sessionId) ?? { messages: [], bytes: 0 };
    waiting.messages.push(...messages);
    for (const message of messages) waiting.bytes += sizeOf(message);
    this.#waiting.set(sessionId, waiting);
    if (this.#callOffAlert) return;
    this.#alert();
    this.#restartTimeout();
  }

  /** One of each session in turn, until the credit is used up. */
  #release(): void {
    for (let progress = true; progress; ) {
      progress = false;
      for (const [sessionId, waiting] of [...this.#waiting]) {
        const [next] = waiting.messages;
        if (!next || !this.#trySend(next)) continue;
        progress = true;
        waiting.messages.shift();
        waiting.bytes -= sizeOf(next);
        this.#waiting.delete(sessionId); // to the end of the line
        if (waiting.messages.length > 0) this.#waiting.set(sessionId, waiting);
      }
    }
    this.#settle();
  }

  #alert(): void {
    this.#options.onWaiting(this.pending);
    this.#callOffAlert = this.#options.clock.after(ALERT_EVERY_MS, () => this.#alert(), "in background");
  }

  #restartTimeout(): void {
    if (this.#waiting.size === 0) return;
    this.#callOffTimeout?.();
    const tell = () => {
      this.#restartTimeout();
      if (!this.#options.isHolding()) this.#options.onTimeout();
    };
    this.#callOffTimeout = this.#options.clock.after(LONGEST_WAIT_MS, tell, "in background");
  }

  #settle(): void {
    if (this.#waiting.size > 0) return;
    this.#callOffAlert?.();
    this.#callOffTimeout?.();
    this.#callOffAlert = undefined;
    this.#callOffTimeout = undefined;
  }
}
