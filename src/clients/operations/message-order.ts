import { lowest, weightOf } from "./message-text.ts";
import type { OperationMessage } from "./protocol.ts";

/**
 * Puts the messages of an operation into their order, each once, over any number of connections. What comes after a gap is held until
 * it is known what is missing: it came after all, or the server says that it left it out.
 */
export class MessageOrder {
  /** The first sequence number that is neither told nor known to be left out. Who goes on after an event learns it from what comes. */
  #next: number | undefined;
  /** As long as that is not known: the lowest of which was said that it was left out. */
  #least = Number.POSITIVE_INFINITY;
  readonly #held = new Map<number, OperationMessage>();
  readonly #leftOut = new Set<number>();
  readonly #lost = new Set<number>();
  #heldBytes = 0;

  /** `after` is the last sequence number that is known already; -1 if none is, and nothing where it is not known which. */
  constructor(after: number | undefined) {
    this.#next = after === undefined ? undefined : after + 1;
  }

  /** What to go on after; nothing as long as it is not known. */
  get last(): number | undefined {
    return this.#next === undefined ? undefined : this.#next - 1;
  }

  /** Something is missing, and nobody has said why. */
  get hasGap(): boolean {
    return this.#held.size > 0;
  }

  get held(): number {
    return this.#held.size;
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  /** The sequence numbers that were left out and passed over, in order. */
  get lost(): number[] {
    return [...this.#lost].sort((a, b) => a - b);
  }

  /** What can be told now: nothing for one that is known, and several for one that fills a gap. */
  push(message: OperationMessage): OperationMessage[] {
    const { sequence } = message;
    this.#next ??= Math.min(sequence, this.#least); // what was left out before it has its place, too
    if (sequence < this.#next) return [];
    if (sequence !== this.#next) {
      this.#hold(message);
      return this.#release();
    }
    this.#next++;
    return [message, ...this.#release()];
  }

  /** There are these, whatever becomes of them. */
  announce(sequences: readonly number[]): void {
    this.#least = Math.min(this.#least, lowest(sequences));
  }

  /** The server left these out. Gives what waited for that, and which of them are news. */
  leaveOut(sequences: readonly number[]): { messages: OperationMessage[]; news: number[] } {
    this.announce(sequences);
    const news = sequences.filter((sequence) => this.#isMissing(sequence)).sort((a, b) => a - b);
    for (const sequence of news) this.#leftOut.add(sequence);
    return { messages: this.#release(), news };
  }

  /** What is missing before the first that is held. */
  get missing(): number[] {
    if (this.#next === undefined || !this.hasGap) return [];
    const first = lowest(this.#held.keys());
    return numbersBetween(this.#next, first).filter((sequence) => !this.#leftOut.has(sequence));
  }

  /** What is held comes again on the next connection, and what was left out may come then. */
  startAgain(): void {
    this.#held.clear();
    this.#heldBytes = 0;
    this.#leftOut.clear();
    this.#least = Number.POSITIVE_INFINITY;
  }

  /** They were read again. */
  found(sequences: Iterable<number>): void {
    for (const sequence of sequences) this.#lost.delete(sequence);
  }

  #hold(message: OperationMessage): void {
    if (this.#held.has(message.sequence)) return;
    this.#held.set(message.sequence, message);
    this.#heldBytes += weightOf(message);
  }

  #isMissing(sequence: number): boolean {
    return sequence >= (this.#next ?? 0) && !this.#held.has(sequence) && !this.#leftOut.has(sequence);
  }

  #release(): OperationMessage[] {
    const messages: OperationMessage[] = [];
    for (let next = this.#next; next !== undefined; this.#next = ++next) {
      const message = this.#held.get(next);
      if (message) {
        messages.push(message);
        this.#heldBytes -= weightOf(message);
      } else if (this.#leftOut.has(next)) this.#lost.add(next);
      else break;
      this.#held.delete(next);
      this.#leftOut.delete(next);
    }
    return messages;
  }
}

const numbersBetween = (from: number, to: number) => Array.from({ length: to - from }, (_, at) => from + at);
