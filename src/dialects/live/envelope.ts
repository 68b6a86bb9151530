import { isoTime } from "../iso-time.ts";
import type { DataOf, Message, MessageType } from "./messages.ts";

/** Where in which log an event is. */
export interface Place {
  seq: number;
  at: number;
}

/** Puts the data of an event's message into its envelope. */
export function envelope<Type extends MessageType>(
  sessionId: string,
  { seq, at }: Place,
  type: Type,
  data: DataOf<Type>,
  correlationId?: string,
): Message {
  const message =
    correlationId === undefined
      ? { type, timestamp: isoTime(at), session_id: sessionId, seq, data }
      : { type, timestamp: isoTime(at), session_id: sessionId, correlation_id: correlationId, seq, data };
  return message as Message;
}
