import type { IncomingMessage } from "node:http";
import { NotDone } from "./tool-calls.ts";

/** Reads bodies, none larger than may be, nor all of them together: what they say is not known to be from the server until it is read. */
export class CallbackBodies {
  readonly #mostBytes: number;
  readonly #mostAtOnce: number;
  #held = 0;

  constructor(mostBytes: number, mostAtOnce: number) {
    this.#mostBytes = mostBytes;
    this.#mostAtOnce = mostAtOnce;
  }

  async read(request: IncomingMessage): Promise<Buffer> {
    const chunks: Buffer[] = [];
    let bytes = 0;
    try {
      if (Number(request.headers["content-length"] ?? 0) > this.#mostBytes) throw this.#tooLarge();
      for await (const chunk of request as AsyncIterable<Buffer>) {
        bytes += chunk.length;
        this.#held += chunk.length;
        if (bytes > this.#mostBytes) throw this.#tooLarge();
        if (this.#held > this.#mostAtOnce) throw new NotDone(503, "Too much at once; try again later");
        chunks.push(chunk);
      }
      return Buffer.concat(chunks);
    } finally {
      this.#held -= bytes;
    }
  }

  #tooLarge(): NotDone {
    return new NotDone(413, `A call is at most ${this.#mostBytes} bytes`);
  }
}
