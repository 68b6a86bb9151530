import type { Fold } from "../../dialect.ts";
import type { Reader, View } from "../../view.ts";
import { Views } from "../../views.ts";

/** The same views, for one feed, with word of each time that it has read the log, be it in vain, and has dealt with what it read. */
export class HeardViews extends Views {
  readonly #shared: Views;
  readonly #onRead: () => void;

  constructor(shared: Views, onRead: () => void) {
    super(shared.store);
    this.#shared = shared;
    this.#onRead = onRead;
  }

  override inTurn<T>(read: () => Promise<T>): Promise<T> {
    return this.#shared.inTurn(() => this.#heard(read()));
  }

  override join(key: string, read: Reader, fold: Fold, head: number): View {
    return this.#shared.join(key, (range) => this.#heard(read(range)), fold, head);
  }

  override leave(key: string): void {
    this.#shared.leave(key);
  }

  /** What a feed does with what it read is done before the next turn of the event loop. */
  #heard<T>(reading: Promise<T>): Promise<T> {
    return reading.finally(() => setImmediate(this.#onRead));
  }
}
