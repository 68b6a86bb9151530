import type { Clock } from "../core/clock.ts";
import { OwnStatus } from "./http/errors.ts";

const MOST_ADDRESSES = 1000;

/**
 * How often each address has shown what is no token. Only that is counted and slowed down: all programs of this machine come from one
 * address, and none may lock out the others.
 */
export class Failures {
  readonly #clock: Clock;
  readonly #most: number;
  readonly #withinMs: number;
  /** When they were; the address that failed last is the last. */
  readonly #times = new Map<string, number[]>();

  constructor(clock: Clock, { most = 20, withinMs = 60_000 } = {}) {
    this.#clock = clock;
    this.#most = most;
    this.#withinMs = withinMs;
  }

  /** One more. Fails once there are too many. */
  note(address: string): void {
    const now = this.#clock.now();
    const recent = (this.#times.get(address) ?? []).filter((time) => time > now - this.#withinMs);
    const [oldest = now] = recent;
    if (recent.length >= this.#most) throw tooOften(oldest + this.#withinMs - now);
    this.#times.delete(address);
    this.#times.set(address, [...recent, now]);
    const [first] = this.#times.keys();
    if (this.#times.size > MOST_ADDRESSES && first !== undefined) this.#times.delete(first);
  }
}

function tooOften(ms: number): OwnStatus {
  const seconds = Math.ceil(ms / 1000);
  const message = `Too many tokens that are none came from there. Try again in ${seconds} s, or with one that is valid.`;
  return new OwnStatus(429, "rate_limited", message, { "Retry-After": String(seconds) });
}
