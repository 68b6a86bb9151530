import type { Clock } from "../../core/clock.ts";
import type { Listener, PermissionOutcome } from "./connection.ts";
import { cancelled } from "./permissions.ts";
import { StrayLines } from "./stray-lines.ts";
import type { PermissionRequest, Update } from "./wire.ts";

export interface Note {
  level: "debug" | "info" | "warning";
  text: string;
}

/** Whoever has the agent work just now. */
export interface Worker {
  update(update: Update): Promise<void>;
  permission(request: PermissionRequest): Promise<PermissionOutcome>;
  note(note: Note): void;
}

/** Whose session it is. */
interface Owner {
  heed(update: Update): void;
}

const MOST_NOTES = 20;

/** Passes what an agent says to whoever has it work. What comes when nobody does, such as a history that is told again, is not passed on. */
export class Switchboard implements Listener {
  readonly #strays: StrayLines;
  #session: { id: string; owner: Owner } | undefined;
  #worker: Worker | undefined;
  /** To be told in the next run. */
  #notes: Note[] = [];
  #heard = 0;

  constructor(agent: string) {
    this.#strays = new StrayLines(agent);
  }

  opened(id: string, owner: Owner): void {
    this.#session = { id, owner };
  }

  connect(worker: Worker): void {
    this.#worker = worker;
    for (const note of this.#notes.splice(0)) worker.note(note);
    this.#tellStrays();
  }

  disconnect(): void {
    for (const note of this.#strays.sum()) this.#worker?.note(note);
    this.#worker = undefined;
  }

  /** In this run, or in the next one. */
  note(note: Note): void {
    if (this.#worker) this.#worker.note(note);
    else if (this.#notes.length < MOST_NOTES) this.#notes.push(note);
  }

  async update(sessionId: string, update: Update): Promise<void> {
    this.#heard++;
    if (sessionId !== this.#session?.id) return;
    this.#session.owner.heed(update);
    await this.#worker?.update(update);
  }

  async permission(request: PermissionRequest): Promise<PermissionOutcome> {
    if (!this.#worker || request.sessionId !== this.#session?.id) return cancelled;
    return this.#worker.permission(request);
  }

  stray(line: string): void {
    this.#strays.add(line);
    this.#tellStrays();
  }

  /** Resolves when the agent has said nothing for so long, or after `mostMs`. */
  async quiet(ms: number, mostMs: number, clock: Clock): Promise<void> {
    const end = clock.now() + mostMs;
    for (let heard = -1; heard !== this.#heard && clock.now() < end; ) {
      heard = this.#heard;
      await new Promise<void>((resolve) => clock.after(ms, resolve));
    }
  }

  #tellStrays(): void {
    if (this.#worker) for (const note of this.#strays.take()) this.#worker.note(note);
  }
}
