import type { ServerResponse } from "node:http";
import type { ByteBudget } from "./byte-budget.ts";

/** What is held of one answer. It counts until the answer has left, or nobody is there any more to take it. */
export class HeldAnswer {
  readonly #response: ServerResponse;
  readonly #budget: ByteBudget;
  #held = 0;

  constructor(response: ServerResponse, budget: ByteBudget) {
    this.#response = response;
    this.#budget = budget;
    const { socket } = response.req;
    const gone = () => {
      budget.giveBack(this.#held);
      this.#held = 0;
      response.off("close", gone);
      socket.off("close", gone);
    };
    // One that waits behind another answer on its connection has no socket yet, and would not hear of its end.
    response.on("close", gone);
    socket.on("close", gone);
  }

  take(bytes: number): boolean {
    const { destroyed, req } = this.#response;
    if (destroyed || req.socket.destroyed || !this.#budget.take(bytes)) return false;
    this.#held += bytes;
    return true;
  }
}
