import type { IncomingMessage } from "node:http";
import { DragomanError } from "../../core/errors.ts";
import type { ByteBudget } from "./byte-budget.ts";

/** Reads one body. What it holds counts until `release`. */
export class BodyReader {
  readonly #request: IncomingMessage;
  readonly #budget: ByteBudget;
  #chunks: Buffer[] = [];
  #held = 0;

  constructor(request: IncomingMessage, budget: ByteBudget) {
    this.#request = request;
    this.#budget = budget;
  }

  read(maxBytes: number): Promise<Buffer> {
    const request = this.#request;
    return new Promise((resolve, reject) => {
      let isOver = false;
      const fail = (error: DragomanError) => {
        isOver = true;
        request.off("data", take);
        this.release();
        reject(error);
      };
      const take = (chunk: Buffer) => {
        if (this.#held + chunk.length > maxBytes) return fail(tooLarge(maxBytes));
        if (!this.#budget.take(chunk.length)) return fail(tooMuchAtOnce());
        this.#held += chunk.length;
        this.#chunks.push(chunk);
      };
      const end = () => {
        if (isOver) return;
        isOver = true;
        resolve(this.#whole());
      };
      // Every request closes at last, and an error is dear: none is made for those that came whole.
      const gone = () => isOver || fail(new DragomanError("cancelled", "The connection ended before the body did."));
      if (request.destroyed) gone();
      else request.on("data", take).on("end", end).on("close", gone);
    });
  }

  release(): void {
    this.#budget.giveBack(this.#held);
    this.#held = 0;
    this.#chunks = [];
  }

  #whole(): Buffer {
    const chunks = this.#chunks;
    this.#chunks = [];
    const [only = Buffer.alloc(0)] = chunks;
    return chunks.length <= 1 ? only : Buffer.concat(chunks, this.#held);
  }
}

/** What is said to be larger is not even begun with. */
export function checkLength({ headers }: IncomingMessage, maxBytes: number): void {
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge(maxBytes);
}

function tooLarge(maxBytes: number): DragomanError {
  return new DragomanError("too_large", `A body here has at most ${maxBytes} bytes. Send less at once.`, { maxBytes });
}

function tooMuchAtOnce(): DragomanError {
  return new DragomanError("queue_full", "Too much is being sent to this server at once. Try again in a moment.");
}
