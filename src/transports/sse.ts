import { DragomanError } from "../core/errors.ts";
import { DEFAULT_MAX_BYTES, LineSplitter } from "./line-splitter.ts";

export interface SseEvent {
  /** The last id the stream has named so far, this event's or an earlier one's; "" if none. */
  id: string;
  event: string;
  data: string;
}

export interface SseFields {
  id?: string;
  event?: string;
  data: string;
  /** Milliseconds a client should wait before it connects again. */
  retry?: number;
}

const LINE_END = /\r\n|\r|\n/;
// A timer set for longer fires at once.
const LONGEST_TIMER = 2 ** 31 - 1;

/** A CR or CRLF in `data` arrives as LF: the format has no way to tell them apart. */
export function encodeEvent({ id, event, data, retry }: SseFields): string {
  let text = "";
  if (id !== undefined) text += `id: ${oneLine("id", id)}\n`;
  if (event !== undefined) text += `event: ${oneLine("event", event)}\n`;
  if (retry !== undefined) text += `retry: ${milliseconds(retry)}\n`;
  for (const line of data.split(LINE_END)) text += `data: ${line}\n`;
  return `${text}\n`;
}

/** Ends with a blank line, so that readers who cut at blank lines do not glue it to the next event. */
export function encodeComment(text: string): string {
  return `${text
    .split(LINE_END)
    .map((line) => `: ${line}\n`)
    .join("")}\n`;
}

function oneLine(field: string, value: string): string {
  if (!value.includes("\n") && !value.includes("\r") && !value.includes("\0")) return value;
  throw new DragomanError("invalid_request", `The ${field} of a server-sent event cannot hold CR, LF or NUL`);
}

function milliseconds(retry: number): number {
  if (Number.isSafeInteger(retry) && retry >= 0) return retry;
  throw new DragomanError(
    "invalid_request",
    `The retry of a server-sent event must be whole milliseconds, not ${retry}`,
  );
}

/**
 * Bytes in, events out, as the WHATWG standard interprets an event stream. An event that is not ended by a blank line is never
 * given out. One that passes the bound, in a line or in all, is reported once and skipped to its end; its id does not count,
 * so a resume asks for it again.
 */
export class SseDecoder {
  // The standard drops a BOM at the start of the stream only; at the start of a later line it is text.
  readonly #utf8 = new TextDecoder("utf-8", { ignoreBOM: true });
  readonly #splitter: LineSplitter;
  readonly #maxBytes: number;
  #events: (SseEvent | DragomanError)[] = [];
  #atStart = true;
  #lastEventId: string;
  #retry: number | undefined;
  // of the event in progress
  #id: string;
  #type = "";
  #data: string[] = [];
  #bytes = 0;
  #spoiled = false;

  /** `lastEventId` is what the previous connection of the same source ended with. */
  constructor({ maxBytes = DEFAULT_MAX_BYTES, lastEventId = "" }: { maxBytes?: number; lastEventId?: string } = {}) {
    this.#maxBytes = maxBytes;
    this.#lastEventId = lastEventId;
    this.#id = lastEventId;
    this.#splitter = new LineSplitter({
      crEndsLine: true,
      maxBytes,
      onLine: (line) => this.#line(line),
      onTooLarge: () => this.#spoil(),
    });
  }

  /** What to send as Last-Event-ID when connecting again. */
  get lastEventId(): string {
    return this.#lastEventId;
  }

  /** The wait in milliseconds the server asked for, if it did. */
  get retry(): number | undefined {
    return this.#retry;
  }

  push(chunk: Uint8Array): (SseEvent | DragomanError)[] {
    this.#splitter.push(chunk);
    const events = this.#events;
    this.#events = [];
    return events;
  }

  #line(bytes: Uint8Array): void {
    if (this.#spoiled && bytes.length > 0) return;
    let line = this.#utf8.decode(bytes);
    if (this.#atStart && line.startsWith("\ufeff")) line = line.slice(1);
    this.#atStart = false;
    if (line === "") this.#dispatch();
    else if (!line.startsWith(":")) this.#field(line, bytes.length + 1); // a colon in front makes it a comment
  }

  #field(line: string, bytes: number): void {
    this.#bytes += bytes;
    if (this.#bytes > this.#maxBytes) {
      this.#spoil();
      return;
    }
    const colon = line.indexOf(":");
    const name = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(line[colon + 1] === " " ? colon + 2 : colon + 1);
    if (name === "data") this.#data.push(value);
    else if (name === "event") this.#type = value;
    else if (name === "id" && !value.includes("\0")) this.#id = value;
    else if (name === "retry" && /^[0-9]+$/.test(value)) this.#retry = Math.min(Number(value), LONGEST_TIMER);
  }

  #dispatch(): void {
    if (this.#spoiled) this.#id = this.#lastEventId;
    this.#lastEventId = this.#id;
    if (this.#data.length > 0) {
      this.#events.push({ id: this.#id, event: this.#type || "message", data: this.#data.join("\n") });
    }
    this.#type = "";
    this.#data = [];
    this.#bytes = 0;
    this.#spoiled = false;
  }

  #spoil(): void {
    this.#atStart = false;
    this.#data = [];
    if (this.#spoiled) return;
    this.#spoiled = true;
    const maxBytes = this.#maxBytes;
    this.#events.push(new DragomanError("too_large", `An event is larger than ${maxBytes} bytes`, { maxBytes }));
  }
}
