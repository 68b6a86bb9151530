import type { Event, NewEvent } from "../core/events.ts";
import { live } from "../dialects/live/index.ts";
import { type Message, message } from "../dialects/live/messages.ts";

export const sessionId = "5e551011-0000-4000-8000-000000000001";
export const start = Date.UTC(2026, 0, 1);

/** A log of these: the event of seq n came n milliseconds after the start. */
export function logOf(...events: NewEvent[]): Event[] {
  return events.map((event, i) => ({ ...event, seq: i + 1, at: start + i + 1 }) as Event);
}

/** The messages of a log as a client reads them, those of each event together. */
export function foldedByEvent(events: Event[]): Message[][] {
  const { push } = live.fold(sessionId);
  return events.map((event) => push(event).map((frame) => message.parse(JSON.parse(frame.text))));
}

export function folded(...events: NewEvent[]): Message[] {
  return foldedByEvent(logOf(...events)).flat();
}
