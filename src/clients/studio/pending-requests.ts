import { RATE_LIMITED, StudioError } from "./studio-error.ts";

/** As the document has it for a host. */
const MOST_REQUESTS = 100;

interface Pending {
  resolve(result: unknown): void;
  reject(error: StudioError): void;
  onChunk?(chunk: string): void;
  /** `index` of the next chunk. */
  next: number;
}

/** The requests that were sent and not answered. Every one of them is settled, whatever happens. */
export class PendingRequests {
  readonly #pending = new Map<number, Pending>();

  /** Throws when there are too many. */
  checkRoom(): void {
    if (this.#pending.size < MOST_REQUESTS) return;
    throw new StudioError(RATE_LIMITED, `${MOST_REQUESTS} requests wait for their answers. Wait for some of them.`);
  }

  add(id: number, onChunk?: (chunk: string) => void): Promise<unknown> {
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject, onChunk, next: 0 }));
  }

  /** An answer to what nobody waits for any more is nothing. */
  answer(id: unknown, result: unknown, error: StudioError | undefined): void {
    const pending = this.#take(id as number);
    if (error) pending?.reject(error);
    else pending?.resolve(result);
  }

  fail(id: number, error: StudioError): boolean {
    const pending = this.#take(id);
    pending?.reject(error);
    return pending !== undefined;
  }

  /** A chunk that is missing is an error: what is put together without it would be wrong. Gives the request that failed so. */
  chunk(id: unknown, chunk: string, index: number): number | undefined {
    const pending = this.#pending.get(id as number);
    if (!pending) return undefined;
    if (index !== pending.next) {
      this.fail(id as number, new StudioError("protocol", `Chunk ${pending.next} is missing: ${index} came instead`));
      return id as number;
    }
    pending.next++;
    if (chunk !== "") pending.onChunk?.(chunk);
    return undefined;
  }

  failAll(error: StudioError): void {
    for (const id of [...this.#pending.keys()]) this.fail(id, error);
  }

  #take(id: number): Pending | undefined {
    const pending = this.#pending.get(id);
    this.#pending.delete(id);
    return pending;
  }
}
