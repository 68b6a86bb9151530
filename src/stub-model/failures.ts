import { createHash } from "node:crypto";
import type { Entry } from "./conversation.ts";

const MOST_COUNTED = 1000;

/** How often the model has failed where a script says to fail so many times. All else of a script needs no memory. */
export class Failures {
  readonly #counts = new Map<string, number>();

  /** Whether this request is to fail. When it has failed often enough it begins anew, for the next conversation of the same words. */
  isDue(entries: Entry[], step: number, times: number): boolean {
    const key = createHash("sha256")
      .update(JSON.stringify([entries, step]))
      .digest("hex");
    const count = this.#counts.get(key) ?? 0;
    this.#counts.delete(key); // what was asked for lately is forgotten last
    if (count >= times) return false;
    this.#counts.set(key, count + 1);
    const [oldest] = this.#counts.keys();
    if (this.#counts.size > MOST_COUNTED && oldest !== undefined) this.#counts.delete(oldest);
    return true;
  }
}
