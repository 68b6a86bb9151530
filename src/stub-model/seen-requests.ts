import type { IncomingHttpHeaders } from "node:http";

export interface SeenRequest {
  method: string;
  /** With what stood behind a question mark. */
  path: string;
  headers: IncomingHttpHeaders;
  /** The JSON that came, or the text that was none. */
  body: unknown;
}

const MOST_SEEN = 1000;
/** Agents send the whole conversation each time. */
const MOST_SEEN_BYTES = 64 * 1024 * 1024;

/** The last requests, oldest first, in a list that can be held on to. */
export class SeenRequests {
  readonly list: SeenRequest[] = [];
  readonly #sizes: number[] = [];
  #bytes = 0;

  add(request: SeenRequest, bytes: number): void {
    this.list.push(request);
    this.#sizes.push(bytes);
    this.#bytes += bytes;
    while (this.list.length > MOST_SEEN || (this.#bytes > MOST_SEEN_BYTES && this.list.length > 1)) {
      this.list.shift();
      this.#bytes -= this.#sizes.shift() ?? 0;
    }
  }
}
