import type { Event } from "../core/events.ts";
import type { Range } from "../core/store.ts";
import type { Fold, NumberedFrame } from "./dialect.ts";

const PAGE = 500;
const RING_FRAMES = 1000;
const RING_CHARACTERS = 1024 * 1024;
/** So many of them are given out at once, or one frame. */
const PAGE_CHARACTERS = RING_CHARACTERS / 2;

/** All that was seen: the event `seq` with its messages up to the k-th, or whole. */
export interface Cursor {
  seq: number;
  k?: number;
}

export function isAfter(frame: NumberedFrame, { seq, k = Number.POSITIVE_INFINITY }: Cursor): boolean {
  return frame.seq > seq || (frame.seq === seq && frame.k > k);
}

/** Reads the log as a dialect wants it. */
export type Reader = (range: Range) => Promise<Event[]>;

/** The newest frames of a session in one dialect and profile, made once for all who watch it. */
export class View {
  readonly #read: Reader;
  readonly #fold: Fold;
  #head: number;
  /** Everything after this is in the ring. */
  #from: Cursor;
  #frames: NumberedFrame[] = [];
  /** The list given out last, while the ring is as it was. */
  #page: { from: number; limit: number; frames: NumberedFrame[] } | undefined;
  #characters = 0;
  #advancing: Promise<void> | undefined;
  #behind = true;
  #ended = false;

  /** `fold` has taken the events up to `head`, and is the view's from now on. */
  constructor(read: Reader, fold: Fold, head: number) {
    this.#read = read;
    this.#fold = fold;
    this.#head = head;
    this.#from = { seq: head };
  }

  /** To be called by every watcher that is woken, before it reads. */
  wake(): void {
    this.#behind = true;
  }

  /** Whether the log may have more than was folded. */
  get behind(): boolean {
    return this.#behind || this.#advancing !== undefined;
  }

  get head(): number {
    return this.#head;
  }

  /** Whether the session was closed among the events that were folded here. */
  get ended(): boolean {
    return this.#ended;
  }

  /** Whether everything after the cursor is in the ring. */
  reaches({ seq, k = Number.POSITIVE_INFINITY }: Cursor): boolean {
    const from = this.#from;
    return seq > from.seq || (seq === from.seq && k >= (from.k ?? Number.POSITIVE_INFINITY));
  }

  /** Folds what the log has gained. However many wait for it, the log is read once. */
  async advance(): Promise<void> {
    if (!this.behind) return;
    this.#advancing ??= this.#readOn().finally(() => {
      this.#advancing = undefined;
    });
    await this.#advancing;
  }

  /**
   * The next frames after a cursor that the ring reaches, at most `limit` and half a megabyte. All who ask for the same are given the
   * same list, so that its bytes can be made once; nobody changes it.
   */
  after(cursor: Cursor, limit: number): NumberedFrame[] {
    const from = this.#indexAfter(cursor);
    if (this.#page?.from !== from || this.#page.limit !== limit) {
      this.#page = { from, limit, frames: this.#pageFrom(from, limit) };
    }
    return this.#page.frames;
  }

  #pageFrom(from: number, limit: number): NumberedFrame[] {
    const frames = this.#frames.slice(from, from + limit);
    let characters = 0;
    const tooMany = frames.findIndex(({ text }) => {
      characters += text.length;
      return characters > PAGE_CHARACTERS;
    });
    return tooMany < 0 ? frames : frames.slice(0, Math.max(tooMany, 1));
  }

  #indexAfter(cursor: Cursor): number {
    let low = 0;
    let high = this.#frames.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const frame = this.#frames[middle];
      if (frame && isAfter(frame, cursor)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  async #readOn(): Promise<void> {
    this.#behind = false; // before the read: a bell that rings during it counts
    const events = await this.#read({ after: this.#head, limit: PAGE }).catch((error) => {
      this.#behind = true; // for whoever tries again
      throw error;
    });
    if (events.length > 0) this.#page = undefined;
    const first = events[0];
    if (first && first.seq > this.#head + 1) this.#skipTo(first);
    for (const event of events) {
      for (const frame of this.#fold.push(event)) {
        this.#frames.push(frame);
        this.#characters += frame.text.length;
      }
      this.#head = event.seq;
      this.#ended ||= event.type === "session.closed";
    }
    if (events.length > 0) this.#behind = true;
    this.#dropOldest();
  }

  /** What lies before it was pruned. Whoever has not had it is not reached any more, finds the gap itself, and is told. */
  #skipTo({ seq, at }: Event): void {
    this.#fold.gap({ from: this.#head + 1, to: seq - 1, at });
    this.#frames = [];
    this.#characters = 0;
    this.#from = { seq: seq - 1 };
  }

  #dropOldest(): void {
    if (this.#frames.length <= RING_FRAMES && this.#characters <= RING_CHARACTERS) return;
    let gone = 0;
    while (this.#frames.length - gone > RING_FRAMES * 0.75 || this.#characters > RING_CHARACTERS * 0.75) {
      const frame = this.#frames[gone++];
      if (!frame) break;
      this.#characters -= frame.text.length;
      this.#from = { seq: frame.seq, k: frame.k };
    }
    this.#frames.splice(0, gone);
  }
}
