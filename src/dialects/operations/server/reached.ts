import { DragomanError } from "../../../core/errors.ts";
import type { NumberedFrame } from "../../dialect.ts";
import type { Message } from "../messages.ts";
import type { Found } from "./found-operations.ts";

/** What a client has already: the messages up to one of them, or, if it comes from another protocol, all of the events up to one. */
export type Reached = { sequence: number } | { logSeq: number };

export const NOTHING: Reached = { sequence: -1 };

/** As a client says it; nothing if it does not. */
export function reachedBy(sequence: number | undefined, logSeq: number | undefined): Reached | undefined {
  if (logSeq !== undefined) return { logSeq };
  return sequence === undefined ? undefined : { sequence };
}

/** By the event that made the message, which is not always its `log_seq`: that is lower where text is still to come. */
export function isReached(reached: Reached, { seq, message }: NumberedFrame): boolean {
  return "sequence" in reached ? (message as Message).sequence <= reached.sequence : seq <= reached.logSeq;
}

/** A cursor that the log has not come to is one of another session. */
export function checkReached(reached: Reached, { summary }: Found): void {
  if (!("logSeq" in reached) || reached.logSeq <= summary.lastSeq) return;
  const message = "The log of the operation's session has fewer events than after_log_seq says.";
  throw new DragomanError("invalid_params", `${message} Leave it out to have all messages.`, {
    last_seq: summary.lastSeq,
  });
}
