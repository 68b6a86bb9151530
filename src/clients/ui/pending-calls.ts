import type { Deadline } from "./deadline.ts";
import type { Response } from "./incoming.ts";
import { UiError } from "./ui-error.ts";

/** So many answers that nobody waits for any more are still known when they come. */
const MOST_ABANDONED = 1000;

export interface Expectation<T> {
  /**
   * Turns the result into what the caller gets, in the same breath as the line is read: what the runtime says next may already
   * be about it.
   */
  take(result: unknown): T;
  /** The caller gave up, and now the answer is here; `undefined` when it is an error, or when none will come. */
  late?(result: unknown): void;
}

interface Waiting {
  settle(response: Response): void;
  reject(error: UiError): void;
}

/** The calls that were sent and not answered. Every one of them is settled, whatever happens. */
export class PendingCalls {
  readonly #waiting = new Map<string, Waiting>();
  readonly #abandoned = new Map<string, ((result: unknown) => void) | undefined>();

  get size(): number {
    return this.#waiting.size;
  }

  /** `send` throws when the call cannot be sent; `withdraw` takes it back if it has not left yet. */
  expect<T>(
    id: string,
    { take, late }: Expectation<T>,
    { deadline, send, withdraw }: { deadline: Deadline; send(): void; withdraw(): boolean },
  ): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const forget = deadline.onPass((error) => {
        const sent = this.#waiting.delete(id) && !withdraw();
        if (sent) this.#abandon(id, late);
        else late?.(undefined);
        reject(error);
      });
      const settle = (response: Response) => {
        forget();
        try {
          resolve(take(resultOf(response)));
        } catch (error) {
          reject(error);
        }
      };
      const fail = (error: UiError) => {
        forget();
        reject(error);
      };
      if (deadline.passed) return;
      this.#waiting.set(id, { settle, reject: fail }); // before it is sent: a link in memory answers inside of the write
      try {
        send();
      } catch (error) {
        this.#waiting.delete(id);
        fail(error as UiError);
      }
    });
  }

  /** Whether somebody waited for it, does no more, or never did. */
  answer(response: Response): "awaited" | "late" | "unknown" {
    const id = String(response.id);
    const waiting = this.#waiting.get(id);
    if (waiting) {
      this.#waiting.delete(id);
      waiting.settle(response);
      return "awaited";
    }
    if (!this.#abandoned.has(id)) return "unknown";
    const late = this.#abandoned.get(id);
    this.#abandoned.delete(id);
    late?.(response.result);
    return "late";
  }

  rejectAll(error: UiError): void {
    const waiting = [...this.#waiting.values()];
    const abandoned = [...this.#abandoned.values()];
    this.#waiting.clear();
    this.#abandoned.clear();
    for (const one of waiting) one.reject(error);
    for (const late of abandoned) late?.(undefined);
  }

  #abandon(id: string, late: Expectation<unknown>["late"]): void {
    this.#abandoned.set(id, late);
    if (this.#abandoned.size <= MOST_ABANDONED) return;
    const [oldest] = this.#abandoned;
    if (!oldest) return;
    this.#abandoned.delete(oldest[0]);
    oldest[1]?.(undefined);
  }
}

function resultOf({ result, error }: Response): unknown {
  if (error) throw new UiError(error.code, error.message, error.data);
  return result;
}
