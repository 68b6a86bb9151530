import type { Clock } from "../../../core/clock.ts";

const RATE_PER_SECOND = 1000;
const BUCKET = 2000;
/** Reading goes on when there is room for so many. */
const ROOM_TO_GO_ON = 100;
const TELL_EVERY_MS = 5000;
/** With more than this under way at once, no more is read. */
export const MOST_UNDER_WAY = 64;
const MOST_BYTES_UNDER_WAY = 16 * 1024 * 1024;

interface InflowOptions {
  clock: Clock;
  /** Nothing more should come until the returned function is called. */
  hold(): () => void;
  /** What was held back is read again. */
  onRelease(): void;
  /** The client sends faster than it may. Nothing of it is lost. */
  onTooFast(): void;
}

/** How much of what the client sends is taken at once: beyond it, it is not read. */
export class Inflow {
  readonly #options: InflowOptions;
  #room = BUCKET;
  #filledAt: number;
  #toldAt = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  #bytesUnderWay = 0;
  #release: (() => void) | undefined;
  #releaseRate: (() => void) | undefined;
  #callOff: (() => void) | undefined;

  constructor(options: InflowOptions) {
    this.#options = options;
    this.#filledAt = options.clock.now();
  }

  /** Whether something that the client sent may be unread because of us. */
  get isHolding(): boolean {
    return this.#release !== undefined || this.#releaseRate !== undefined;
  }

  /** So many more it would take now. */
  get free(): number {
    return Math.max(0, MOST_UNDER_WAY - this.#underWay);
  }

  /** A message came. */
  count(): void {
    this.#fill();
    this.#room--;
    if (this.#room > 0 || this.#releaseRate) return;
    this.#releaseRate = this.#options.hold();
    this.#goOnLater();
    const now = this.#options.clock.now();
    if (now - this.#toldAt < TELL_EVERY_MS) return;
    this.#toldAt = now;
    this.#options.onTooFast();
  }

  /** A message of so many bytes is being dealt with until the returned function is called. */
  begin(bytes: number): () => void {
    this.#underWay++;
    this.#bytesUnderWay += bytes;
    if (this.#isFull()) this.#release ??= this.#options.hold();
    return () => {
      this.#underWay--;
      this.#bytesUnderWay -= bytes;
      if (this.#isFull()) return;
      if (!this.#release) return;
      this.#release();
      this.#release = undefined;
      this.#options.onRelease();
    };
  }

  close(): void {
    this.#callOff?.();
    this.#releaseRate?.();
    this.#release?.();
  }

  #isFull(): boolean {
    return this.#underWay >= MOST_UNDER_WAY || this.#bytesUnderWay >= MOST_BYTES_UNDER_WAY;
  }

  #fill(): void {
    const now = this.#options.clock.now();
    const passed = Math.max(0, now - this.#filledAt);
    this.#filledAt = now;
    this.#room = Math.min(BUCKET, this.#room + (passed * RATE_PER_SECOND) / 1000);
  }

  /** What had been read when the reading stopped has yet to be made up for, too. */
  #goOnLater(): void {
    const ms = Math.ceil(((ROOM_TO_GO_ON - this.#room) * 1000) / RATE_PER_SECOND);
    const look = () => {
      this.#fill();
      if (this.#room < ROOM_TO_GO_ON) return this.#goOnLater();
      this.#releaseRate?.();
      this.#releaseRate = undefined;
      this.#options.onRelease();
    };
    this.#callOff = this.#options.clock.after(Math.max(1, ms), look, "in background");
  }
}
