import type { Line } from "./ndjson.ts";

/** Whoever has much to send does not go on beyond this. */
const ROOM_MESSAGES = 100;
const ROOM_BYTES = 1024 * 1024;
/** Who reads slowly is looked after less and less often. */
const LONGEST_LOOK_AWAY_MS = 100;

/** What whoever opens a link is told. */
export interface LinkEvents {
  /** A message's JSON text, or what was wrong with it. */
  onMessage(text: Line): void;
  /** Something of what was sent has left. */
  onSent?(): void;
  /** The other side sends no more. What it still gets is its own affair. */
  onEnd(): void;
  /** Nothing more can be sent. */
  onClosed?(): void;
}

interface MessageLinkOptions {
  /** Hands over a tick's messages; `sent` is to be called when they have left. */
  write(messages: string[], sent: () => void): void;
  /** Nothing more is read until `resume`. */
  pause(): void;
  resume(): void;
  /** Whoever does not read what we send is not listened to either, or its answers would pile up here. */
  mostUnsentBytes: number;
  onSent?(): void;
  onClosed?(): void;
}

/** The sending side of a link, whatever carries it: it knows what has not left yet, and reads no more while that is too much. */
export class MessageLink {
  readonly #options: MessageLinkOptions;
  #messages: string[] = [];
  #unsentMessages = 0;
  #unsentBytes = 0;
  #holds = 0;
  #paused = false;
  #closed = false;
  readonly #onceSent: (() => void)[] = [];

  constructor(options: MessageLinkOptions) {
    this.#options = options;
  }

  get unsent(): { messages: number; bytes: number } {
    return { messages: this.#unsentMessages, bytes: this.#unsentBytes };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** A tick's messages leave together. */
  send(message: string): void {
    if (this.#closed) return;
    this.#messages.push(message);
    this.#unsentMessages++;
    this.#unsentBytes += message.length;
    if (this.#messages.length === 1) setImmediate(() => this.#flush());
  }

  /** No more is read until the returned function is called. */
  hold(): () => void {
    this.#holds++;
    this.#adjust();
    let held = true;
    return () => {
      if (!held) return;
      held = false;
      this.#holds--;
      this.#adjust();
    };
  }

  /** Resolves when there is room to send more, or nothing can be sent any more. */
  async room(): Promise<void> {
    while ((this.#unsentMessages >= ROOM_MESSAGES || this.#unsentBytes >= ROOM_BYTES) && !this.#closed) {
      await new Promise<void>((resolve) => this.#onceSent.push(resolve));
    }
  }

  /** Resolves when everything has left, or never will. */
  async flushed(): Promise<void> {
    while (this.#unsentMessages > 0 && !this.#closed) {
      this.#flush();
      await new Promise<void>((resolve) => this.#onceSent.push(resolve));
    }
  }

  /** Resolves when the other side was given all there is, and all of it has left, or never will. */
  async drained(caughtUp: () => Promise<boolean>): Promise<void> {
    for (let ms = 5; !this.#closed && !(await caughtUp()); ms = Math.min(2 * ms, LONGEST_LOOK_AWAY_MS)) {
      await new Promise((resolve) => setTimeout(resolve, ms));
    }
    await this.flushed();
  }

  /** Nothing more can be sent. */
  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#messages = [];
    for (const tell of this.#onceSent.splice(0)) tell();
    this.#options.onClosed?.();
  }

  #flush(): void {
    if (this.#messages.length === 0 || this.#closed) return;
    const messages = this.#messages;
    this.#messages = [];
    let bytes = 0;
    for (const { length } of messages) bytes += length;
    this.#options.write(messages, () => this.#sent(messages.length, bytes));
    this.#adjust();
  }

  #sent(messages: number, bytes: number): void {
    this.#unsentMessages -= messages;
    this.#unsentBytes -= bytes;
    this.#adjust();
    for (const tell of this.#onceSent.splice(0)) tell();
    this.#options.onSent?.();
  }

  #adjust(): void {
    const pause = this.#holds > 0 || this.#unsentBytes > this.#options.mostUnsentBytes;
    if (pause === this.#paused) return;
    this.#paused = pause;
    if (pause) this.#options.pause();
    else this.#options.resume();
  }
}
