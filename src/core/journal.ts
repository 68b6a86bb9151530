import type { Clock } from "./clock.ts";
import { asDragomanError, DragomanError } from "./errors.ts";
import type { NewEvent } from "./events.ts";
import { fitForLog } from "./fit-for-log.ts";
import { isFlat } from "./flat.ts";
import { Outbox } from "./outbox.ts";
import { Redactor } from "./redactor.ts";
import type { Fence, Store } from "./store.ts";

interface JournalOptions {
  clock: Clock;
  secrets: Iterable<string>;
  /** The time of the last event that the log has. */
  lastAt: number;
  onFailure(error: DragomanError): void;
}

/** Writes a session's log for its owner: secrets out, large things aside, stamped, in order, in batches. */
export class Journal {
  readonly #clock: Clock;
  readonly #redactor: Redactor;
  readonly #outbox: Outbox;
  #lastAt: number;
  #recorded = 0;

  constructor(store: Store, fence: Fence, { clock, secrets, lastAt, onFailure }: JournalOptions) {
    this.#lastAt = lastAt;
    this.#clock = clock;
    this.#redactor = new Redactor(secrets);
    this.#outbox = new Outbox(
      (drafts, artifacts) => store.append(fence.sessionId, drafts, fence, artifacts),
      onFailure,
    );
  }

  /** Now, but never before the last event. */
  now(): number {
    this.#lastAt = Math.max(this.#lastAt, this.#clock.now());
    return this.#lastAt;
  }

  /** Gives what is written for the event. Throws when it is too large to be kept or no JSON, and then nothing of it is. */
  record(event: NewEvent): NewEvent[] {
    const at = this.now();
    const recorded: NewEvent[] = [];
    for (const redacted of this.#redactor.redact(asJson(event))) {
      const { events, artifacts } = fitForLog(redacted);
      this.#recorded += events.length;
      for (const [index, each] of events.entries()) this.#outbox.push({ at, ...each }, index === 0 ? artifacts : []);
      recorded.push(...events);
    }
    return recorded;
  }

  /** How many events were recorded here. */
  get recorded(): number {
    return this.#recorded;
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

  /** A text that is kept elsewhere than in the log, without the secrets that are known. */
  masked(text: string): string {
    return this.#redactor.mask(text);
  }

  addSecret(secret: string): void {
    this.#redactor.add(secret);
  }

  forgetSecret(secret: string): void {
    this.#redactor.forget(secret);
  }
}

/** The event as every reader will see it. What an engine made of it must not be found out by the store, for all to suffer. */
function asJson(event: NewEvent): NewEvent {
  if (isFlat(event)) return event; // a copy would be the same
  try {
    return JSON.parse(JSON.stringify(event));
  } catch (error) {
    throw new DragomanError("invalid_params", `The event ${event.type} is no JSON: ${asDragomanError(error).message}`);
  }
}
