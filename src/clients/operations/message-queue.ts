import { weightOf } from "./message-text.ts";
import type { OperationMessage } from "./protocol.ts";

type Taken = IteratorResult<OperationMessage, undefined>;

interface Taker {
  resolve(taken: Taken): void;
  reject(error: Error): void;
}

/** What came and was not taken yet, and whoever waits for what will come. */
export class MessageQueue {
  readonly #onTaken: (message: OperationMessage) => void;
  readonly #messages: OperationMessage[] = [];
  readonly #takers: Taker[] = [];
  #first = 0;
  #bytes = 0;
  #over = false;
  #error: Error | undefined;

  /** Told of each when it is taken. */
  constructor(onTaken: (message: OperationMessage) => void) {
    this.#onTaken = onTaken;
  }

  get count(): number {
    return this.#messages.length - this.#first;
  }

  get bytes(): number {
    return this.#bytes;
  }

  push(message: OperationMessage): void {
    if (this.#over) return;
    const taker = this.#takers.shift();
    if (taker) {
      this.#onTaken(message);
      taker.resolve({ done: false, value: message });
      return;
    }
    this.#messages.push(message);
    this.#bytes += weightOf(message);
  }

  /** In the order of the asking; after the end, `done`, and once the error if it ended with one. */
  take(): Promise<Taken> {
    const message = this.shift();
    if (message) return Promise.resolve({ done: false, value: message });
    if (!this.#over) return new Promise((resolve, reject) => this.#takers.push({ resolve, reject }));
    const error = this.#error;
    this.#error = undefined;
    return error ? Promise.reject(error) : Promise.resolve({ done: true, value: undefined });
  }

  shift(): OperationMessage | undefined {
    const message = this.#messages[this.#first];
    if (!message) return undefined;
    this.#first++;
    this.#bytes -= weightOf(message);
    if (this.#first > 100 && this.#first * 2 > this.#messages.length) {
      this.#messages.splice(0, this.#first);
      this.#first = 0;
    }
    this.#onTaken(message);
    return message;
  }

  /** Nothing more comes; what is here can still be taken, and then the error. */
  end(error?: Error): void {
    if (this.#over) return;
    this.#over = true;
    const [first, ...others] = this.#takers.splice(0);
    if (first && error) first.reject(error);
    else {
      first?.resolve({ done: true, value: undefined });
      this.#error = error;
    }
    for (const taker of others) taker.resolve({ done: true, value: undefined });
  }

  /** Nobody wants what is left. */
  clear(): void {
    this.#messages.length = 0;
    this.#first = 0;
    this.#bytes = 0;
    this.#error = undefined;
  }
}
