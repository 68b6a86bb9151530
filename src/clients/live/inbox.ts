import { LiveError } from "./live-error.ts";
import type { LiveMessage } from "./protocol.ts";

type Taken = IteratorResult<LiveMessage, undefined>;

interface Taker {
  resolve(taken: Taken): void;
  reject(error: LiveError): void;
}

interface InboxOptions {
  /** From here on whoever iterates is behind, and the server has to wait. */
  limit: number;
  /** One was taken. */
  onTaken(): void;
}

/** Of text, likewise. */
const MOST_CHARACTERS = 16 * 1024 * 1024;

/** Requests that are made in the loop need room for their answers, so more than the limit is taken, and so many times as much at most. */
const MOST_TIMES = 4;

/**
 * The messages of a session for whoever iterates. Until somebody iterates or listens they are kept, but nobody is made to wait for it:
 * whoever comes too late gets those and then an error.
 */
export class Inbox {
  readonly #options: InboxOptions;
  #messages: { message: LiveMessage; size: number }[] = [];
  #characters = 0;
  readonly #takers: Taker[] = [];
  /** Whether somebody takes from here; nobody does where messages are only listened to. */
  #use: "none yet" | "listened" | "iterated" = "none yet";
  #isLate = false;
  #over: { error?: LiveError } | undefined;

  constructor(options: InboxOptions) {
    this.#options = options;
  }

  /** How many more fit before whoever iterates is behind; undefined where nobody iterates. */
  get room(): number | undefined {
    if (this.#use !== "iterated") return undefined;
    return this.#characters > MOST_CHARACTERS ? 0 : Math.max(0, this.#options.limit - this.#messages.length);
  }

  get isFull(): boolean {
    return this.#use === "iterated" && this.#fills(MOST_TIMES);
  }

  push(message: LiveMessage, size: number): void {
    if (this.#over || this.#use === "listened") return;
    const taker = this.#takers.shift();
    if (taker) taker.resolve({ done: false, value: message });
    else if (this.#use === "none yet" && this.#fills(1)) this.#isLate = true;
    else if (!this.#isLate) {
      this.#messages.push({ message, size });
      this.#characters += size;
    }
  }

  /** Somebody listens: gives what has come so far, if nobody iterates. */
  listen(): LiveMessage[] {
    if (this.#use !== "none yet") return [];
    this.#use = "listened";
    this.#characters = 0;
    return this.#messages.splice(0).map(({ message }) => message);
  }

  async take(): Promise<Taken> {
    this.#use = "iterated";
    const first = this.#messages.shift();
    if (first) {
      this.#characters -= first.size;
      this.#options.onTaken();
      return { done: false, value: first.message };
    }
    if (this.#isLate) this.end(tooLate());
    if (!this.#over) return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
    const { error } = this.#over;
    this.#over = {};
    if (error) throw error;
    return { done: true, value: undefined };
  }

  /** Nobody takes any more; somebody else may, from what comes next. */
  leave(): void {
    this.#messages = [];
    this.#characters = 0;
    if (this.#use === "iterated") this.#use = "listened";
    for (const taker of this.#takers.splice(0)) taker.resolve({ done: true, value: undefined });
    this.#options.onTaken();
  }

  /** Nothing more comes; what is here can still be taken, and then the error. */
  end(error?: LiveError): void {
    if (this.#over) return;
    const [first, ...others] = this.#takers.splice(0);
    this.#over = first ? {} : { error };
    if (first && error) first.reject(error);
    else first?.resolve({ done: true, value: undefined });
    for (const taker of others) taker.resolve({ done: true, value: undefined });
  }

  #fills(times: number): boolean {
    return this.#messages.length >= times * this.#options.limit || this.#characters >= times * MOST_CHARACTERS;
  }
}

function tooLate(): LiveError {
  const text = "The iteration began too late: what came in the meantime was too much to be kept. Attach with `after`.";
  return new LiveError("OVERFLOW", text);
}
