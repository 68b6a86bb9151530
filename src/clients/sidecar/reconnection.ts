import { isObject } from "../is-object.ts";
import type { SidecarError } from "./sidecar-error.ts";

export interface ReconnectOptions {
  /** The longest wait before the first attempt; it doubles with every failure in a row. What the server asks for, or a second. */
  baseMs?: number;
  /** No wait is longer than this; half a minute. */
  maxMs?: number;
  /** After so long without anything the stream fails with what went wrong last; five minutes. `Infinity` never gives up. */
  giveUpMs?: number;
}

/** Told before each wait. */
export interface Reconnect {
  /** Nothing when the stream merely ended. */
  error?: SidecarError;
  attempt: number;
  inMs: number;
}

const BASE_MS = 1000;
const MAX_MS = 30_000;
const GIVE_UP_MS = 300_000;

/** How long to wait, and when to stop. The wait is random, so that those who were cut off together do not come back together. */
export class Reconnection {
  readonly #options: ReconnectOptions;
  #failures = 0;
  #since: number | undefined;

  constructor(options: ReconnectOptions) {
    this.#options = options;
  }

  /** Something came. */
  succeeded(): void {
    this.#failures = 0;
    this.#since = undefined;
  }

  /** The wait before the next attempt; nothing when it is time to give up. */
  next({ error, serverMs }: { error?: SidecarError; serverMs?: number }): Reconnect | undefined {
    const { baseMs = serverMs ?? BASE_MS, maxMs = MAX_MS, giveUpMs = GIVE_UP_MS } = this.#options;
    const now = performance.now();
    this.#since ??= now;
    if (now - this.#since > giveUpMs) return undefined;
    const attempt = ++this.#failures;
    const most = Math.min(maxMs, baseMs * 2 ** Math.min(attempt - 1, 30));
    return { error, attempt, inMs: Math.max(Math.random() * most, retryAfter(error)) };
  }
}

/** A server that has too much to do says when to come back. */
function retryAfter(error: SidecarError | undefined): number {
  const ms = isObject(error?.data) ? error.data.retryAfterMs : undefined;
  return typeof ms === "number" ? Math.min(ms, MAX_MS) : 0;
}
