import type { ServerResponse } from "node:http";
import { DragomanError } from "../../core/errors.ts";
import type { Caller } from "../../core/roles.ts";

/** Counts the streams that each caller has open, so that one cannot take all connections from the others. */
export class StreamPlaces {
  readonly #most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.#most = most;
  }

  /** Until the response has closed. */
  take({ id, name }: Caller, response: ServerResponse): void {
    const taken = this.#taken.get(id) ?? 0;
    if (taken >= this.#most) {
      const message = `The token "${name}" has ${this.#most} streams open already. Close one, or use another token.`;
      throw new DragomanError("rate_limited", message, { most: this.#most });
    }
    this.#taken.set(id, taken + 1);
    response.once("close", () => this.#giveBack(id));
  }

  #giveBack(id: string): void {
    const left = (this.#taken.get(id) ?? 0) - 1;
    if (left > 0) this.#taken.set(id, left);
    else this.#taken.delete(id);
  }
}
