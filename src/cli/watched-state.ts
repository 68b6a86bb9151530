import { isTerminal } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import { asksPerson } from "../dialects/question.ts";

/** What a session is doing, as its log has it. */
export class WatchedState {
  readonly #asks = new Set<string>();
  #startedAt = 0;
  /** The run under way. */
  runId: string | undefined;
  cancelling = false;

  get waits(): boolean {
    return this.#asks.size > 0;
  }

  /** Of the run under way. */
  get elapsedMs(): number | undefined {
    return this.runId === undefined ? undefined : Math.max(0, Date.now() - this.#startedAt);
  }

  take(event: Event): void {
    if (event.type === "run.started") {
      this.runId = event.runId;
      this.#startedAt = event.at;
      this.cancelling = false;
    }
    if (event.type === "ask.opened" && asksPerson(event)) this.#asks.add(event.askId);
    if (event.type === "ask.closed") this.#asks.delete(event.askId);
    if (event.type === "run.cancelling") this.cancelling = true;
    if (event.type === "run.cancelling" || isTerminal(event)) this.#asks.clear();
    if (isTerminal(event) && event.runId === this.runId) this.runId = undefined;
  }
}
