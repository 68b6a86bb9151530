import type { Deadline } from "./deadline.ts";
import type { Expectation } from "./pending-calls.ts";
import type { AgentEventNotify, Result } from "./protocol.ts";

export type History = Result<"session.history"> & { events: AgentEventNotify[] };

interface Collecting {
  events: AgentEventNotify[];
  most: number;
  runs: Set<string>;
}

/**
 * Collects the events that come before the answer to `session.history`. One history is read at a time, and its turn lasts until
 * the answer is there even if the caller gave up: what belongs to it comes nevertheless.
 */
export class HistoryReader {
  #collecting: Collecting | undefined;
  #free: Promise<void> = Promise.resolve();

  async read(
    most: number,
    deadline: Deadline,
    send: (expectation: Expectation<History>) => Promise<History>,
  ): Promise<History> {
    const before = this.#free;
    let release = () => {};
    this.#free = new Promise((resolve) => (release = resolve));
    try {
      await deadline.race(before);
    } catch (error) {
      before.then(release);
      throw error;
    }
    const collecting: Collecting = { events: [], most, runs: new Set() };
    this.#collecting = collecting;
    const end = () => {
      if (this.#collecting === collecting) this.#collecting = undefined;
      release();
    };
    try {
      return await send({ take: (result) => this.#whole(result as Result<"session.history">, end), late: end });
    } catch (error) {
      if (!deadline.passed) end();
      throw error;
    }
  }

  /** Whether the event is of the history that is being read; `isNew` when its run has not told it yet. */
  offer(event: AgentEventNotify, isNew: boolean): boolean {
    const now = this.#collecting;
    if (!now || (isNew && !now.runs.has(event.run_id))) return false;
    now.runs.add(event.run_id);
    if (now.events.length < now.most) now.events.push(event);
    return true;
  }

  #whole(result: Result<"session.history">, end: () => void): History {
    const events = this.#collecting?.events ?? [];
    end();
    return { ...result, events };
  }
}
