import type { Writable } from "node:stream";
import { encodeLine, type Line, NdjsonDecoder } from "./ndjson.ts";

/** Whoever does not read what we send is not listened to either, or its answers would pile up here. */
const MOST_UNSENT_BYTES = 4 * 1024 * 1024;
/** Whoever has much to send does not go on beyond this. */
const ROOM_MESSAGES = 100;
const ROOM_BYTES = 1024 * 1024;

/** Where bytes come from; a stream, or what reads into one buffer again and again. */
export interface Source {
  on(event: "data", listener: (chunk: Buffer) => void): unknown;
  on(event: "end" | "error" | "close", listener: () => void): unknown;
  pause(): unknown;
  resume(): unknown;
}

interface LineLinkOptions {
  input: Source;
  output: Writable;
  maxLineBytes?: number;
  onLine(line: Line): void;
  /** Something of what was sent has left. */
  onSent?(): void;
  /** The other side sends no more. What it still gets is its own affair. */
  onEnd(): void;
  /** Nothing more can be sent. */
  onClosed?(): void;
}

/** Lines in, lines out, over a pair of byte streams. A tick's lines leave in one write. */
export class LineLink {
  readonly #options: LineLinkOptions;
  readonly #decoder: NdjsonDecoder;
  #lines: string[] = [];
  #unsentMessages = 0;
  #unsentBytes = 0;
  #holds = 0;
  #paused = false;
  #ended = false;
  #closed = false;
  readonly #onceSent: (() => void)[] = [];

  constructor(options: LineLinkOptions) {
    this.#options = options;
    const { input, output, maxLineBytes } = options;
    this.#decoder = new NdjsonDecoder({ maxBytes: maxLineBytes });
    input.on("data", (chunk: Buffer) => this.#take(this.#decoder.push(chunk)));
    input.on("end", () => this.#end());
    input.on("error", () => this.#end());
    input.on("close", () => this.#end());
    output.on("error", () => this.#close());
    output.on("close", () => this.#close());
  }

  get unsent(): { messages: number; bytes: number } {
    return { messages: this.#unsentMessages, bytes: this.#unsentBytes };
  }

  get closed(): boolean {
    return this.#closed;
  }

  /** Sends a JSON text as a line. */
  send(json: string): void {
    if (this.#closed) return;
    const line = encodeLine(json);
    this.#lines.push(line);
    this.#unsentMessages++;
    this.#unsentBytes += line.length;
    if (this.#lines.length === 1) setImmediate(() => this.#flush());
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

  #take(lines: Line[]): void {
    for (const line of lines) this.#options.onLine(line);
  }

  #flush(): void {
    if (this.#lines.length === 0 || this.#closed) return;
    const lines = this.#lines;
    const text = lines.length === 1 ? (lines[0] ?? "") : lines.join("");
    this.#lines = [];
    this.#options.output.write(text, () => this.#sent(lines.length, text.length));
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
    const pause = this.#holds > 0 || this.#unsentBytes > MOST_UNSENT_BYTES;
    if (pause === this.#paused || this.#ended) return;
    this.#paused = pause;
    if (pause) this.#options.input.pause();
    else this.#options.input.resume();
  }

  #end(): void {
    if (this.#ended) return;
    this.#ended = true;
    this.#take(this.#decoder.end());
    this.#options.onEnd();
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#lines = [];
    for (const tell of this.#onceSent.splice(0)) tell();
    this.#options.onClosed?.();
  }
}
