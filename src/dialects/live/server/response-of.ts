import { terminalTypes } from "../../../core/event-facts.ts";
import type { Event, EventType } from "../../../core/events.ts";
import { findLast } from "../../../core/landmarks.ts";
import type { Store } from "../../../core/store.ts";
import { live } from "../index.ts";
import type { DataOf, Message } from "../messages.ts";

/** All that a response to a client's call is made of. */
const telling = ["run.started", "tool.requested", "tool.finished", ...terminalTypes] as const;

/** What a client's call was answered with, as the log tells it; nothing while it is under way. */
export async function responseOf(
  store: Store,
  sessionId: string,
  runId: string,
  callId: string,
): Promise<DataOf<"tool_call_response"> | undefined> {
  const events: Event[] = [];
  for (const type of telling) {
    const found = await findLast<EventType>(
      store,
      sessionId,
      type,
      (event) => "runId" in event && event.runId === runId,
    );
    if (found) events.push(found);
  }
  const fold = live.fold(sessionId);
  const messages = events.flatMap((event) => fold.push(event).map(({ message }) => message as Message));
  for (const { type, data } of messages) {
    if (type === "tool_call_response" && data.call_id === callId) return data;
  }
  return undefined;
}
