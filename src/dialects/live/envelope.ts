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

// Formatting a time costs as much as the rest of the message, but a message often has the time of the one before, or its second.
const endings = Array.from({ length: 1000 }, (_, ms) => `.${String(ms).padStart(3, "0")}Z`);
let lastAt = Number.NaN;
let lastText = "";
let lastSecond = Number.NaN;
let secondText = "";

function isoTime(at: number): string {
  if (at === lastAt) return lastText;
  const second = Math.floor(at / 1000);
  if (second !== lastSecond) {
    secondText = new Date(second * 1000).toISOString().slice(0, 19);
    lastSecond = second;
  }
  lastAt = at;
  lastText = secondText + endings[Math.floor(at - second * 1000)];
  return lastText;
}
