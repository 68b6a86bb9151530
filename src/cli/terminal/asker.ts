import type { Answer } from "../../core/engine.ts";
import type { EventOf } from "../../core/events.ts";
import type { Below } from "./screen.ts";

/** Puts asks to whoever sits there, one after the other. */
export interface Asker {
  open(ask: EventOf<"ask.opened">): void;
  /** It was answered here or elsewhere, or nobody is asked any more. */
  closed(askId: string): void;
  closeAll(): void;
  /** What is to be seen of the one that waits, if it is ready to be answered. */
  below(): Below | undefined;
}

export interface AskerEnd {
  /** An answer was given. */
  answer(askId: string, answer: Answer): void;
  /** Nobody is there who could give one, now or later. */
  nobody(ask: EventOf<"ask.opened">): void;
}
