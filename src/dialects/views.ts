import type { Store } from "../core/store.ts";
import type { Fold } from "./dialect.ts";
import { type Reader, View } from "./view.ts";

/** The views that are being watched, by session, dialect and profile. */
export class Views {
  readonly #store: Store;
  #turn: Promise<unknown> = Promise.resolve();
  readonly #views = new Map<string, { view: View; watchers: number }>();

  constructor(store: Store) {
    this.#store = store;
  }

  get store(): Store {
    return this.#store;
  }

  /** How many of them there are. */
  get watched(): number {
    return this.#views.size;
  }

  /** Who reads a log alone takes turns with the others who do: a page each, and a breath for everything else in between. */
  inTurn<T>(read: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(read);
    const breath = () => new Promise((resolve) => setImmediate(resolve));
    this.#turn = done.then(breath, breath);
    return done;
  }

  /** The shared view; the first to come gives it its fold, which has taken the events up to `head`. */
  join(key: string, read: Reader, fold: Fold, head: number): View {
    const shared = this.#views.get(key) ?? { view: new View(read, fold, head), watchers: 0 };
    shared.watchers++;
    this.#views.set(key, shared);
    return shared.view;
  }

  leave(key: string): void {
    const shared = this.#views.get(key);
    if (shared && --shared.watchers === 0) this.#views.delete(key);
  }
}
