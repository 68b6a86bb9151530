import type { Event } from "../core/events.ts";

/** An event of the log as it may leave it: by what an agent finds its own conversation again is between it and the engine. */
export function exportedEvent(event: Event): Event {
  if (!("agentSession" in event)) return event;
  const { agentSession: _, ...exported } = event;
  return exported;
}
