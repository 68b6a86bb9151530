import { asDragomanError, type DragomanError } from "./errors.ts";
import { sizeOf } from "./fit-for-log.ts";
import type { Artifact, Draft } from "./store.ts";

/** One append: what gathered while the one before it was written, within these bounds. */
const BATCH_EVENTS = 1000;
const BATCH_BYTES = 1024 * 1024;

/** From here on whoever writes should wait. */
const ROOM_BYTES = 512 * 1024;

const atOnce = Promise.resolve();

interface Entry {
  draft: Draft;
  artifacts: Artifact[];
  size: number;
}

const NONE: Artifact[] = [];

interface Waiter {
  until: number;
  resolve(): void;
  reject(error: DragomanError): void;
}

/** The one way into a session's log: keeps the order of what is pushed and writes it in batches. */
export class Outbox {
  readonly #write: (drafts: Draft[], artifacts: Artifact[]) => Promise<unknown>;
  readonly #onFailure: (error: DragomanError) => void;
  #entries: Entry[] = [];
  #bytes = 0;
  #pushed = 0;
  #stored = 0;
  #waiters: Waiter[] = [];
  #spaceWaiters: (() => void)[] = [];
  #writing = false;
  #failure: DragomanError | undefined;

  constructor(
    write: (drafts: Draft[], artifacts: Artifact[]) => Promise<unknown>,
    onFailure: (error: DragomanError) => void,
  ) {
    this.#write = write;
    this.#onFailure = onFailure;
  }

  get backlogBytes(): number {
    return this.#bytes;
  }

  push(draft: Draft, artifacts: Artifact[] = NONE): void {
    if (this.#failure) return;
    let size = sizeOf(draft);
    for (const { bytes } of artifacts) size += bytes.length;
    this.#entries.push({ draft, artifacts, size });
    this.#bytes += size;
    this.#pushed++;
    if (!this.#writing) {
      this.#writing = true;
      queueMicrotask(() => void this.#drain()); // what is pushed in the same breath goes into the same append
    }
  }

  /** Resolves when everything pushed so far is on disk, rejects when it never will be. */
  durable(): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    if (this.#stored === this.#pushed) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ until: this.#pushed, resolve, reject }));
  }

  /** Resolves when there is room for more. It never rejects: a failure is told by `durable`. */
  room(): Promise<void> {
    if (this.#bytes < ROOM_BYTES) return atOnce; // also after a failure, which leaves nothing to wait for
    return new Promise((resolve) => this.#spaceWaiters.push(resolve));
  }

  async #drain(): Promise<void> {
    try {
      while (this.#entries.length > 0) await this.#writeBatch();
    } catch (error) {
      this.#fail(asDragomanError(error, "store_failed"));
    } finally {
      this.#writing = false;
    }
  }

  async #writeBatch(): Promise<void> {
    let count = 0;
    let bytes = 0;
    for (const { size } of this.#entries) {
      if (count > 0 && (count >= BATCH_EVENTS || bytes + size > BATCH_BYTES)) break;
      count++;
      bytes += size;
    }
    const batch = this.#entries.splice(0, count);
    await this.#write(
      batch.map((entry) => entry.draft),
      batch.flatMap((entry) => entry.artifacts),
    );
    this.#bytes -= bytes;
    this.#stored += count;
    this.#settle();
  }

  #settle(): void {
    const ready = this.#waiters.filter((waiter) => waiter.until <= this.#stored);
    this.#waiters = this.#waiters.filter((waiter) => waiter.until > this.#stored);
    for (const waiter of ready) waiter.resolve();
    if (this.#bytes < ROOM_BYTES) this.#freeSpace();
  }

  #freeSpace(): void {
    const waiters = this.#spaceWaiters;
    this.#spaceWaiters = [];
    for (const resolve of waiters) resolve();
  }

  #fail(error: DragomanError): void {
    this.#failure = error;
    this.#entries = [];
    this.#bytes = 0;
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const waiter of waiters) waiter.reject(error);
    this.#freeSpace();
    this.#onFailure(error);
  }
}
