import type { EventOf, EventType, NewEvent, Origin } from "./events.ts";

// What can be said of events without their schemas, which take long to make: a handshake does not wait for them.

/** What to call them when a person is told. */
export function nameOf(by: Origin): string {
  return by.user ?? by.client ?? by.dialect;
}

export const terminalTypes = ["run.completed", "run.failed", "run.cancelled"] as const;
export type TerminalType = (typeof terminalTypes)[number];

export function isTerminal(event: { type: EventType }): event is EventOf<TerminalType> {
  return (terminalTypes as readonly string[]).includes(event.type);
}

/** Whether it says that there is a run: it waits in the queue, or it starts. */
export function beginsRun(event: { type: EventType }): event is EventOf<"run.queued" | "run.started"> {
  return event.type === "run.queued" || event.type === "run.started";
}

export function runIdOf(event: NewEvent): string | undefined {
  return "runId" in event ? event.runId : undefined;
}
