import type { Clock } from "./clock.ts";
import type { DragomanError } from "./errors.ts";
import type { NewEvent } from "./events.ts";
import { fitForLog } from "./fit-for-log.ts";
import { Outbox } from "./outbox.ts";
import { Redactor } from "./redactor.ts";
import type { Fence, Store } from "./store.ts";

/** Writes a session's log for its owner: secrets out, large things aside, stamped, in order, in batches. */
export class Journal {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #outbox: Outbox;

  constructor(
    store: Store,
    fence: Fence,
    {
      clock,
      secrets,
      onFailure,
    }: { clock: Clock; secrets: Iterable<string>; onFailure: (error: DragomanError) => void },
  ) {
    this.#clock = clock;
    this.#redactor = new Redactor(secrets);
    this.#outbox = new Outbox(
      (drafts, artifacts) => store.append(fence.sessionId, drafts, fence, artifacts),
      onFailure,
    );
  }

  /** Throws when the event is too large to be kept, and then has recorded nothing of it. */
  record(event: NewEvent): void {
    const at = this.#clock.now();
    for (const redacted of this.#redactor.redact(event)) {
      const { events, artifacts } = fitForLog(redacted);
      events.forEach((fitted, index) => {
        this.#outbox.push({ ...fitted, at }, index === 0 ? artifacts : []);
      });
    }
  }

  /** Resolves when everything recorded so far is on disk, rejects when it never will be. */
  durable(): Promise<void> {
    return this.#outbox.durable();
  }

  /** Resolves when there is room for more. */
  room(): Promise<void> {
    return this.#outbox.room();
  }

  get backlogBytes(): number {
    return this.#outbox.backlogBytes;
  }

  addSecret(secret: string): void {
    this.#redactor.add(secret);
  }
}
