import type { Frame, NumberedFrame } from "../../dialect.ts";
import { leftOutOf, REPLAYING } from "../connection.ts";
import type { Message } from "../messages.ts";
import type { Reached } from "./reached.ts";

/** What there is to know of a list of frames that many are given, found out once. */
interface ListFacts {
  /** Whose messages they are, if they are all of one operation, and without a gap. */
  operationId?: string;
  first: number;
  last: number;
  /** The event that the first is of. */
  seq: number;
  ends: boolean;
}

const MIXED: ListFacts = { first: 0, last: 0, seq: 0, ends: false };
const known = new WeakMap<Frame[], ListFacts>();

const messageOf = (frame: Frame) => frame.message as Message;

function factsOf(frames: Frame[]): ListFacts {
  let facts = known.get(frames);
  if (!facts) {
    facts = findFacts(frames);
    known.set(frames, facts);
  }
  return facts;
}

function findFacts(frames: Frame[]): ListFacts {
  const [head] = frames;
  if (!head) return MIXED;
  const { operation_id: operationId, sequence: first } = messageOf(head);
  const isRow = frames.every((frame, index) => {
    const { operation_id, sequence } = messageOf(frame);
    return first >= 0 && sequence === first + index && operation_id === operationId;
  });
  if (!isRow) return MIXED;
  const last = frames.at(-1) ?? head;
  const { seq } = head as NumberedFrame;
  return { operationId, first, last: first + frames.length - 1, seq, ends: messageOf(last).type === "complete" };
}

/** Why a client cannot be brought what comes after its last message. */
export type Misfit = "beyond" | "gone";

/**
 * What of a session's frames is for someone who watches one of its operations: its messages after what they have, each once
 * and in order. What was left out on the way is told, by its numbers, before what comes after it.
 */
export class OwnMessages {
  readonly #operationId: string;
  /** The log's end when the client came: what it has lies before. */
  readonly #head: number;
  readonly #received: number;
  /** What came of the events up to this one, the client has by another protocol. */
  readonly #logSeq: number;
  #next: number;
  #over = false;
  #misfit: Misfit | undefined;

  constructor(operationId: string, reached: Reached, head: number) {
    this.#operationId = operationId;
    this.#received = "sequence" in reached ? reached.sequence : -1;
    this.#logSeq = "logSeq" in reached ? reached.logSeq : 0;
    this.#next = this.#received + 1;
    this.#head = head;
  }

  /** Whether the operation has ended and its last message was given out, or was there before. */
  get over(): boolean {
    return this.#over;
  }

  get misfit(): Misfit | undefined {
    return this.#misfit;
  }

  /** The very list where all of it is to be sent, so that its bytes can be made once for all. */
  of(frames: Frame[]): Frame[] {
    if (this.#over || this.#misfit) return [];
    const { operationId, first, last, seq, ends } = factsOf(frames);
    const isNext = operationId === this.#operationId && first === this.#next && seq > this.#logSeq;
    if (!isNext) return this.#pick(frames);
    this.#next = last + 1;
    this.#over = ends;
    return frames;
  }

  #pick(frames: Frame[]): Frame[] {
    const kept: Frame[] = [];
    const dropped: number[] = [];
    for (const frame of frames) {
      const message = messageOf(frame);
      if (message.sequence < 0) this.#takeNotice(message, kept, frame, dropped);
      else if (message.operation_id === this.#operationId) this.#take(message, kept, frame as NumberedFrame, dropped);
      if (this.#over || this.#misfit) break;
    }
    return dropped.length === 0 ? kept : [this.#leftOut(dropped, frames), ...kept];
  }

  #take(message: Message, kept: Frame[], frame: NumberedFrame, dropped: number[]): void {
    const { sequence, type } = message;
    if (frame.seq <= this.#logSeq) this.#next = sequence + 1;
    const isKnown = sequence < this.#next;
    const isTooFew = isKnown && (type === "complete" ? sequence < this.#received : frame.seq > this.#head);
    if (isTooFew) {
      this.#misfit = "beyond";
      return;
    }
    this.#over = type === "complete";
    if (isKnown) return;
    for (let missing = this.#next; missing < sequence; missing++) dropped.push(missing);
    this.#next = sequence + 1;
    kept.push(frame);
  }

  /** That of the session counts messages of other operations, too: it says only until where this one is known to have come. */
  #takeNotice(notice: Message, kept: Frame[], frame: Frame, dropped: number[]): void {
    const numbers = notice.metadata?.dropped;
    if (numbers === undefined && notice.sequence === REPLAYING) {
      kept.push(frame); // what comes next in the log was removed, and with it this operation
      this.#misfit = "gone";
    } else if (numbers && notice.operation_id === this.#operationId) {
      for (const number of numbers) {
        if (number !== this.#next) continue;
        dropped.push(number);
        this.#next++;
      }
    }
  }

  #leftOut(dropped: number[], frames: Frame[]): Frame {
    const latest = frames.at(-1);
    const at = latest ? Date.parse(messageOf(latest).timestamp) : 0;
    const message = leftOutOf({ operationId: this.#operationId, at }, dropped);
    return { text: JSON.stringify(message), skippable: false, message };
  }
}
