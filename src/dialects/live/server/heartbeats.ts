import type { Clock } from "../../../core/clock.ts";

const BEAT_EVERY_MS = 30_000;
/** Three heartbeats that did not come. */
const LONGEST_SILENCE_MS = 90_000;

interface HeartbeatOptions {
  clock: Clock;
  beat(): void;
  /** Whether what the client says is not read just now: that is no silence of its. */
  isHolding(): boolean;
  /** The client has said nothing for too long; not given where something else tells that it is gone. */
  onSilence?(): void;
}

/** Tells the client now and then that we are here, and notices when it is not. */
export class Heartbeats {
  readonly #options: HeartbeatOptions;
  #heardAt: number;
  #callOffBeat: () => void;
  #callOffSilence: () => void = () => {};

  constructor(options: HeartbeatOptions) {
    this.#options = options;
    this.#heardAt = options.clock.now();
    this.#callOffBeat = this.#nextBeat();
    if (options.onSilence) this.#listen(LONGEST_SILENCE_MS);
  }

  /** The client said something. */
  heard(): void {
    this.#heardAt = this.#options.clock.now();
  }

  /** The client says no more, and is not expected to. */
  stopListening(): void {
    this.#callOffSilence();
  }

  close(): void {
    this.#callOffBeat();
    this.#callOffSilence();
  }

  #nextBeat(): () => void {
    const beat = () => {
      this.#callOffBeat = this.#nextBeat();
      this.#options.beat();
    };
    return this.#options.clock.after(BEAT_EVERY_MS, beat, "in background");
  }

  #listen(ms: number): void {
    const { clock, isHolding, onSilence } = this.#options;
    const look = () => {
      if (isHolding()) this.heard();
      // A clock that was set back would make it wait for as long.
      const left = Math.min(this.#heardAt + LONGEST_SILENCE_MS - clock.now(), LONGEST_SILENCE_MS);
      if (left > 0) this.#listen(left);
      else onSilence?.();
    };
    this.#callOffSilence = clock.after(ms, look, "in background");
  }
}
