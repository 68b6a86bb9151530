import type { Event } from "../core/events.ts";
import type { Fold, Frame, NumberedFrame } from "./dialect.ts";
import { type Cursor, isAfter } from "./view.ts";

interface CatchUpOptions {
  fold: Fold;
  /** The last event folded. */
  at: number;
  /** The head of the log when it began: asks that were closed by then are not put again. */
  until: number;
  /** The client has just come: an ask that it may have been put before is put again. */
  first: boolean;
}

/** A fold of its own, for a reader that the shared view does not reach: one that just came, or fell far behind. */
export class CatchUp {
  readonly fold: Fold;
  readonly until: number;
  readonly #first: boolean;
  readonly #asks = new Map<string, NumberedFrame>();
  #at: number;

  constructor({ fold, at, until, first }: CatchUpOptions) {
    this.fold = fold;
    this.until = until;
    this.#first = first;
    this.#at = at;
  }

  get at(): number {
    return this.#at;
  }

  /**
   * To be called with the first event of what was read next. What is missing before it was pruned: the notice of that, unless the
   * client had all of it, up to `seen`.
   */
  cross(next: Event | undefined, seen: number): { notice: Frame; to: number } | undefined {
    if (!next || next.seq <= this.#at + 1) return undefined;
    const from = Math.max(this.#at, seen) + 1;
    const to = next.seq - 1;
    const notice = this.fold.gap({ from, to, at: next.at });
    this.#asks.clear(); // an ask that is open is not pruned
    return from <= to ? { notice, to } : undefined;
  }

  /** What an event gives that a client with this cursor has not had; asks that may be closed already wait for `takeAsks`. */
  push(event: Event, cursor: Cursor): NumberedFrame[] {
    this.#at = event.seq;
    if (event.type === "ask.closed") this.#asks.delete(event.askId);
    const frames = this.fold.push(event);
    const mayBeClosed = event.seq <= this.until && frames.some(({ ask }) => ask !== undefined);
    if (mayBeClosed) return this.#withoutAsks(frames, cursor);
    return event.seq > cursor.seq ? frames : frames.filter((frame) => isAfter(frame, cursor));
  }

  #withoutAsks(frames: NumberedFrame[], cursor: Cursor): NumberedFrame[] {
    return frames.filter((frame) => {
      const isNew = isAfter(frame, cursor);
      if (frame.ask === undefined) return isNew;
      if (isNew || this.#first) this.#asks.set(frame.ask, frame);
      return false;
    });
  }

  /** The asks that were open when it began and still are. */
  takeAsks(): NumberedFrame[] {
    const open = [...this.#asks.values()];
    this.#asks.clear();
    return open;
  }
}
