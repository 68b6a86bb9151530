import type { RunUpdate } from "./protocol.ts";
import { UiError } from "./ui-error.ts";

/** From here on the runtime is made to wait. */
const FULL = { updates: 1000, characters: 1024 * 1024 };
/**
 * While a call waits for its answer, so much more is read: whoever consumes the updates may be the one who waits, and the answer
 * comes behind what the runtime has already said, which is about a megabyte.
 */
const STRETCH = 16;
/** A link that cannot make the runtime wait brings more and more; no other one ever comes to this. */
const MOST = 64;

interface Held {
  update: RunUpdate;
  size: number;
}

/**
 * What is told of one run, for one consumer. While it is iterated nothing is dropped: a slow consumer makes the runtime wait.
 * Nobody has to iterate, so until then, and after an early end of the iteration, what does not fit is left out.
 */
export class RunStream implements AsyncIterable<RunUpdate> {
  readonly #onRelief: () => void;
  #held: (Held | undefined)[] = [];
  #first = 0;
  #characters = 0;
  #iterated: "not yet" | "now" | "no more" = "not yet";
  #pressing = false;
  #overflowed = false;
  #ended = false;
  #lastCall = false;
  #waiting: (() => void)[] = [];

  /** `onRelief` is called when a stream that was full has room again. */
  constructor(onRelief: () => void) {
    this.#onRelief = onRelief;
  }

  push(update: RunUpdate, size: number): void {
    if (this.#ended || this.#overflowed || this.#iterated === "no more") return;
    if (this.#isOver(this.#most)) {
      this.#overflowed = true;
      return;
    }
    this.#held.push({ update, size });
    this.#characters += size;
    this.#pressing ||= this.#isOver(1);
    this.#wake();
  }

  end(): void {
    this.#ended = true;
    this.#wake();
  }

  /** The client is closing: the runtime must be able to say its last words, also to a consumer that does not listen. */
  hearLastWords(): void {
    this.#lastCall = true;
  }

  /** What does not fit is then left out. */
  get #cannotWait(): boolean {
    return this.#iterated === "not yet" || this.#lastCall;
  }

  get #most(): number {
    if (this.#iterated === "not yet") return 1;
    return this.#lastCall ? STRETCH : MOST;
  }

  /** Whether the runtime should wait; `stretched` while it owes an answer. */
  isFull(stretched: boolean): boolean {
    return !this.#cannotWait && this.#pressing && (!stretched || this.#isOver(STRETCH));
  }

  [Symbol.asyncIterator](): AsyncIterator<RunUpdate, undefined> {
    if (this.#iterated !== "not yet") throw new UiError("invalid", "The events of a run can be iterated only once");
    this.#iterated = "now";
    return {
      next: () => this.#next(),
      return: async () => {
        this.#stop();
        return { done: true, value: undefined };
      },
    };
  }

  async #next(): Promise<IteratorResult<RunUpdate, undefined>> {
    while (this.#iterated === "now") {
      const update = this.#take();
      if (update) return { done: false, value: update };
      if (this.#overflowed) {
        this.#stop();
        throw new UiError("overflow", "The events of this run were not read in time and the later ones were left out");
      }
      if (this.#ended) break;
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    return { done: true, value: undefined };
  }

  #take(): RunUpdate | undefined {
    const held = this.#held[this.#first];
    if (!held) return undefined;
    this.#characters -= held.size;
    // Taken from the front by an index, as shifting a long array costs as much as it is long.
    this.#held[this.#first++] = undefined;
    if (this.#first >= FULL.updates) {
      this.#held.splice(0, this.#first);
      this.#first = 0;
    }
    if (this.#pressing && !this.#isOver(0.5)) this.#relieve();
    return held.update;
  }

  #relieve(): void {
    this.#pressing = false;
    this.#onRelief();
  }

  #stop(): void {
    this.#iterated = "no more";
    this.#held = [];
    this.#first = 0;
    this.#characters = 0;
    this.#wake();
    this.#relieve();
  }

  #wake(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }

  #isOver(times: number): boolean {
    const updates = this.#held.length - this.#first;
    return updates >= FULL.updates * times || this.#characters >= FULL.characters * times;
  }
}
