import { type Clock, systemClock } from "../core/clock.ts";
import type { DragomanError } from "../core/errors.ts";
import { serialise } from "../dialects/live/envelope.ts";
import { errorData } from "../dialects/live/errors.ts";
import type { DataOf, Message } from "../dialects/live/messages.ts";
import type { ClientMessage } from "../dialects/live/parse.ts";

/** What ends a connection, told by what carries it. */
export function fatalNotice(error: DragomanError, clock: Clock = systemClock): string {
  return notice("error", { ...errorData(error), severity: "fatal" }, clock);
}

/** The client's message was taken, as it wanted to know. */
export function ackNotice({ correlation_id, seq }: ClientMessage, clock: Clock = systemClock): string {
  return notice("ack", seq === undefined ? {} : { seq }, clock, correlation_id);
}

type NoticeType = "error" | "ack";

function notice<Type extends NoticeType>(
  type: Type,
  data: DataOf<Type>,
  clock: Clock,
  correlation_id?: string,
): string {
  const timestamp = new Date(clock.now()).toISOString();
  return serialise({ type, timestamp, session_id: "", correlation_id, data } as Message);
}
