import type { Clock } from "../../core/clock.ts";
import { DragomanError } from "../../core/errors.ts";
import type { Choices } from "./choices.ts";
import { AgentError, wordsOf } from "./failures.ts";
import type { Choosing, Straying } from "./stances.ts";
import type { Note } from "./switchboard.ts";
import { LATE, within } from "./waiting.ts";
import type { Update } from "./wire.ts";

/** How often an agent is put back before it is ended. */
const MOST_RETURNS = 3;
/** How long it may take for that. */
const RETURN_MS = 5000;

interface Guarded {
  title: string;
  choices: Choices;
  clock: Clock;
  choose(choosing: Choosing): Promise<void>;
  note(note: Note): void;
  /** Ends the agent, for that reason. */
  disown(why: DragomanError): void;
}

/** Keeps an agent from working in a mode in which it asks nobody, unless that was chosen for it. */
export class ModeGuard {
  readonly #guarded: Guarded;
  #returns = 0;
  #returning: Promise<void> | undefined;

  constructor(guarded: Guarded) {
    this.#guarded = guarded;
  }

  heed(update: Update): void {
    const { choices, note } = this.#guarded;
    for (const each of choices.update(update)) note(each);
    this.check();
  }

  /** To be called when something may have changed. It does not wait: the agent's answers come behind the update that brought the change. */
  check(): void {
    if (this.#returning || this.#guarded.choices.strayed().length === 0) return;
    this.#returning = this.#putBack().finally(() => {
      this.#returning = undefined;
    });
  }

  /** Resolves when the agent is where it should be, or was disowned. */
  async settled(): Promise<void> {
    await this.#returning;
  }

  async #putBack(): Promise<void> {
    const { choices, disown } = this.#guarded;
    for (let strayed = choices.strayed(); strayed[0]; strayed = choices.strayed()) {
      const why =
        this.#returns++ < MOST_RETURNS ? await this.#return(strayed) : `it was put back ${MOST_RETURNS} times`;
      if (why !== undefined) return disown(this.#disowned(strayed[0], why));
    }
  }

  /** Resolves with what went wrong. */
  async #return(strayed: Straying[]): Promise<string | undefined> {
    const { title, clock, choose, note } = this.#guarded;
    for (const { what, to, from, back } of strayed) {
      const text = `${title} has changed ${what} to “${to}” by itself, and would not ask any more. It is put back to “${from}”.`;
      note({ level: "warning", text });
      try {
        if ((await within(RETURN_MS, choose(back), clock)) === LATE) return "it does not answer";
      } catch (error) {
        return error instanceof AgentError ? wordsOf(error) : "it is gone";
      }
    }
    return undefined;
  }

  #disowned({ what, to, from }: Straying, why: string): DragomanError {
    const { title } = this.#guarded;
    const did = `${title} has changed ${what} to “${to}” by itself, and does not stay in “${from}”: ${why.replace(/[.\s]+$/, "")}`;
    const done = "It was ended, for it would have done things without asking. The next prompt starts it again.";
    return new DragomanError("engine_failed", `${did}. ${done}`);
  }
}
