import { Gate } from "../../../core/gate.ts";
import type { Store } from "../../../core/store.ts";
import type { NumberedFrame } from "../../dialect.ts";
import { operations } from "../index.ts";
import type { Message } from "../messages.ts";
import { type Found, notFound } from "./found-operations.ts";
import { isReached, type Reached } from "./reached.ts";

const PAGE = 500;
/** Each folds a run from its beginning. */
const MOST_AT_ONCE = 4;
/** An answer ends early when it has so much, but not before its first message. */
const MOST_CHARACTERS = 2_000_000;

export interface Wanted {
  /** What is not wanted. */
  after: Reached;
  limit: number;
}

/** Messages of an operation as they were sent, each as JSON, and whether there are others after them. */
export interface Messages {
  texts: string[];
  more: boolean;
}

/** What an operation has said so far: the same messages as on the wire, so that one that was left out there can be read. */
export class History {
  readonly #store: Store;
  readonly #gate = new Gate(MOST_AT_ONCE);

  constructor(store: Store) {
    this.#store = store;
  }

  read(found: Found, wanted: Wanted): Promise<Messages> {
    return this.#gate.pass(() => this.#read(found, wanted));
  }

  async #read(found: Found, { after, limit }: Wanted): Promise<Messages> {
    const texts: string[] = [];
    let characters = 0;
    for await (const frames of this.#pages(found)) {
      for (const frame of frames) {
        if (isReached(after, frame)) continue;
        const { text } = frame;
        const isFull = texts.length >= limit || (texts.length > 0 && characters + text.length > MOST_CHARACTERS);
        if (isFull) return { texts, more: true };
        texts.push(text);
        characters += text.length;
      }
    }
    return { texts, more: false };
  }

  /** All messages of the run, those of a page of the log at a time. */
  async *#pages({ operationId, sessionId, seq }: Found): AsyncGenerator<NumberedFrame[]> {
    const fold = operations.fold(sessionId);
    const isOwn = ({ message }: NumberedFrame) => (message as Message).operation_id === operationId;
    for (let at = seq - 1; ; ) {
      const events = await this.#store.read(sessionId, { after: at, limit: PAGE });
      const last = events.at(-1);
      if (!last) return;
      if (at < seq && events[0]?.seq !== seq) throw notFound(); // it was pruned meanwhile
      at = last.seq;
      const frames = events.flatMap((event) => fold.push(event)).filter(isOwn);
      yield frames;
      if ((frames.at(-1)?.message as Message | undefined)?.type === "complete") return;
    }
  }
}
