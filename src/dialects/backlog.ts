import type { Frame, NumberedFrame } from "./dialect.ts";

/** From a backlog of this many events on, thinking is left out. */
const MANY_EVENTS = 100;
/** A notice of what was left out names at most this many messages. */
const LOST_AT_ONCE = 500;

/** What gathered while a client did not keep up: if it is much, it is sent without its thinking, and the client is told of that. */
export class Backlog {
  readonly #notice: (lost: [Frame, ...Frame[]]) => Frame;
  /** Everything up to here was there when the client came, so nothing of it is left out. */
  #replayUntil: number | undefined;
  #stalled = false;
  #skipUntil = 0;
  #lost: NumberedFrame[] = [];

  constructor(notice: (lost: [Frame, ...Frame[]]) => Frame) {
    this.#notice = notice;
  }

  /** The client has just come, and the log ends here; false if it came before. */
  begin(head: number): boolean {
    const first = this.#replayUntil === undefined;
    this.#replayUntil ??= head;
    return first;
  }

  /** The client has no room for more. */
  stall(): void {
    this.#stalled = true;
  }

  /** The client goes on after `seq` while the log ends at `head`. */
  measure(seq: number, head: number): void {
    if (!this.#stalled) return;
    this.#stalled = false;
    if (head - seq > MANY_EVENTS) this.#skipUntil = head;
  }

  /** What of the frames is sent: the very list where nothing is left out, for others may have been given it, too. */
  sift(frames: NumberedFrame[]): Frame[] {
    if (this.#lost.length === 0 && frames.every(({ seq }) => seq > this.#skipUntil)) return frames;
    const kept: Frame[] = [];
    for (const frame of frames) {
      const isBacklog = frame.seq <= this.#skipUntil && frame.seq > (this.#replayUntil ?? 0);
      if (isBacklog && frame.skippable) this.#lost.push(frame);
      else kept.push(...(frame.seq > this.#skipUntil ? this.takeNotice() : []), frame);
    }
    if (this.#lost.length >= LOST_AT_ONCE) kept.push(...this.takeNotice());
    return kept;
  }

  /** What the client has still to be told of what was left out. */
  takeNotice(): Frame[] {
    const [first, ...others] = this.#lost;
    if (!first) return [];
    this.#lost = [];
    return [this.#notice([first, ...others])];
  }
}
