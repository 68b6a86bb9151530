import type { Listeners } from "../ui/listeners.ts";
import { MessageOrder } from "./message-order.ts";
import { MessageQueue } from "./message-queue.ts";
import { isPlaced, leftOutIn } from "./message-text.ts";
import type { Place } from "./place.ts";
import type { OperationMessage } from "./protocol.ts";
import type { StreamEvents } from "./stream-events.ts";

export interface InboxLimits {
  /** As many messages are held for someone who takes them slowly; then the connection is given up until he has. 1000. */
  messages?: number;
  /** 2 MB. */
  bytes?: number;
}

const MOST_MESSAGES = 1000;
const MOST_BYTES = 2 * 1024 * 1024;

interface InboxOptions {
  from: Place;
  limits?: InboxLimits;
  listeners: Listeners<StreamEvents>;
}

/** What has come, in order and each once, until it is taken: by iterating, or by listeners if nobody iterates. */
export class Inbox {
  readonly #order: MessageOrder;
  readonly #queue: MessageQueue;
  readonly #listeners: Listeners<StreamEvents>;
  readonly #limits: Required<InboxLimits>;
  readonly #from: Place;
  #lastTaken: number;
  #lastLogSeq: number;
  #iterated = false;
  #listening = 0;
  #onRoom = () => {};
  #retriedAt: number | undefined;

  constructor({ from, limits = {}, listeners }: InboxOptions) {
    this.#from = from;
    this.#order = new MessageOrder("after" in from ? from.after : undefined);
    this.#queue = new MessageQueue((message) => this.#taken(message));
    this.#listeners = listeners;
    this.#limits = { messages: limits.messages ?? MOST_MESSAGES, bytes: limits.bytes ?? MOST_BYTES };
    this.#lastTaken = "after" in from ? from.after : -1;
    this.#lastLogSeq = "afterLogSeq" in from ? from.afterLogSeq : 0;
  }

  /** Where the next connection goes on. */
  get place(): Place {
    const { last } = this.#order;
    return last === undefined ? this.#from : { after: last };
  }

  /** The last message before that; -1 if there is none, or none is known. */
  get last(): number {
    return this.#order.last ?? -1;
  }

  /** The last one that someone has. */
  get lastTaken(): number {
    return this.#lastTaken;
  }

  /** The last event of which someone has certainly all. */
  get lastLogSeq(): number {
    return this.#lastLogSeq;
  }

  get lost(): number[] {
    return this.#order.lost;
  }

  get hasGap(): boolean {
    return this.#order.hasGap;
  }

  get isFull(): boolean {
    const { messages, bytes } = this.#limits;
    return this.#queue.count + this.#order.held >= messages || this.#queue.bytes + this.#order.heldBytes >= bytes;
  }

  /** Gives those that are told by it, in order. */
  accept(message: OperationMessage): OperationMessage[] {
    if (!isPlaced(message)) {
      this.#listeners.tell("system", message);
      this.#put(message);
      return [];
    }
    const messages = this.#order.push(message);
    this.#tell(messages);
    return messages;
  }

  /** The server says that it left something out, which is yet to be read. */
  expectLoss(notice: OperationMessage): void {
    this.#order.announce(leftOutIn(notice));
  }

  /** The server says that it left something out. */
  acceptLoss(notice: OperationMessage): OperationMessage[] {
    return this.#leaveOut(leftOutIn(notice));
  }

  /** Whether another connection may bring what is missing: it is tried once at each place. */
  mayComeAgain(): boolean {
    const isFirst = this.#retriedAt !== this.last;
    this.#retriedAt = this.last;
    return isFirst;
  }

  /** Nobody can say where they are, and they are not waited for any longer. */
  giveUpMissing(): OperationMessage[] {
    return this.#leaveOut(this.#order.missing);
  }

  /** They were read again. */
  found(messages: OperationMessage[]): void {
    this.#order.found(messages.map(({ sequence }) => sequence));
  }

  startAgain(): void {
    this.#order.startAgain();
  }

  take(): Promise<IteratorResult<OperationMessage, undefined>> {
    this.#iterated = true;
    return this.#queue.take();
  }

  /** One more is told of each message as it comes, and now of those that wait. Gives the function by which he goes away. */
  listen(): () => void {
    this.#listening++;
    while (!this.#iterated) {
      const message = this.#queue.shift();
      if (!message) break;
      if (isPlaced(message)) this.#listeners.tell("message", message);
    }
    let left = false;
    return () => {
      if (!left) this.#listening--;
      left = true;
    };
  }

  /** Resolves when there is room again: when half of it is free, for each time costs a connection. */
  room(): Promise<void> {
    return new Promise((resolve) => {
      this.#onRoom = () => {
        const { messages, bytes } = this.#limits;
        if (this.#queue.count > messages / 2 || this.#queue.bytes > bytes / 2) return;
        this.#onRoom = () => {};
        resolve();
      };
      this.#onRoom();
    });
  }

  /** Nothing more comes; with an error, whoever takes the last one is told next. */
  end(error?: Error): void {
    this.#queue.end(error);
  }

  /** Nobody takes any more. */
  leave(): void {
    this.#queue.end();
    this.#queue.clear();
  }

  #leaveOut(sequences: number[]): OperationMessage[] {
    const { messages, news } = this.#order.leaveOut(sequences);
    if (news.length > 0) this.#listeners.tell("dropped", news);
    this.#tell(messages);
    return messages;
  }

  #tell(messages: OperationMessage[]): void {
    for (const message of messages) {
      this.#listeners.tell("message", message);
      this.#put(message);
    }
  }

  #put(message: OperationMessage): void {
    if (this.#listening > 0 && !this.#iterated) this.#taken(message);
    else this.#queue.push(message);
  }

  #taken(message: OperationMessage): void {
    if (isPlaced(message)) this.#lastTaken = message.sequence;
    const { log_seq: seq, type } = message;
    // Of an event there may be several messages, and text of which the rest is to come: it is had when the last of all is.
    if (seq !== undefined) this.#lastLogSeq = Math.max(this.#lastLogSeq, type === "complete" ? seq : seq - 1);
    this.#onRoom();
  }
}
