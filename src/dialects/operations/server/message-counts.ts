import type { Store } from "../../../core/store.ts";
import { BoundedMap } from "../../bounded-map.ts";
import type { Fold } from "../../dialect.ts";
import { operations } from "../index.ts";
import type { Message } from "../messages.ts";
import type { Found } from "./found-operations.ts";

const PAGE = 500;
/** More than this are not looked at before a client is told something. */
const MOST_EVENTS = 1000;
const MOST_KEPT = 100;

interface Count {
  fold: Fold;
  at: number;
  last: number;
  ended: boolean;
  /** Of whoever looks: one after the other. */
  turn: Promise<unknown>;
}

/** How many messages operations have so far. What was counted once is not counted again. */
export class MessageCounts {
  readonly #store: Store;
  readonly #counts = new BoundedMap<Count>(MOST_KEPT);

  constructor(store: Store) {
    this.#store = store;
  }

  /** The sequence of the last message as of now, -1 if there is none; nothing where finding out would take long. */
  async last(found: Found): Promise<number | undefined> {
    const { operationId, summary } = found;
    const count = this.#counts.take(operationId) ?? beginning(found);
    this.#counts.set(operationId, count); // among the newest
    const counting = count.turn.then(() => this.#countOn(count, found, summary.lastSeq));
    count.turn = counting.catch(() => {});
    return counting;
  }

  /** The same of the messages that came of the events up to one. It is asked for once by whoever comes from another protocol. */
  async lastUntil(found: Found, seq: number): Promise<number | undefined> {
    return this.#countOn(beginning(found), found, seq);
  }

  async #countOn(count: Count, { operationId, sessionId }: Found, until: number): Promise<number | undefined> {
    if (!count.ended && until - count.at > MOST_EVENTS) return undefined;
    while (!count.ended && count.at < until) {
      const events = await this.#store.read(sessionId, { after: count.at, before: until + 1, limit: PAGE });
      if (events.length === 0) break;
      for (const event of events) {
        count.at = event.seq;
        for (const { message } of count.fold.push(event)) take(count, message as Message, operationId);
      }
    }
    return count.last;
  }
}

function beginning({ sessionId, seq }: Found): Count {
  return { fold: operations.fold(sessionId), at: seq - 1, last: -1, ended: false, turn: Promise.resolve() };
}

function take(count: Count, { operation_id, sequence, type }: Message, operationId: string): void {
  if (operation_id !== operationId) return;
  count.last = sequence;
  count.ended ||= type === "complete";
}
