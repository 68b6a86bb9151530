import { isTerminal, runIdOf } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";

/** What is wrong with a log, by the invariants that can be read off it; nothing is right. `ended`: no run is under way any more. */
export function faultsOf(events: Event[], { ended }: { ended: boolean }): string[] {
  return [...orderFaults(events), ...runFaults(events, ended), ...askFaults(events, ended)];
}

function orderFaults(events: Event[]): string[] {
  return events.flatMap((event, index) => {
    const before = events[index - 1];
    return [
      ...(event.seq === index + 1 ? [] : [`seq ${event.seq} at place ${index + 1}`]),
      ...(before && event.at < before.at ? [`at goes back at seq ${event.seq}`] : []),
    ];
  });
}

function runFaults(events: Event[], ended: boolean): string[] {
  const faults: string[] = [];
  const state = new Map<string, "queued" | "active" | "ended">();
  let active: string | undefined;
  for (const event of events) {
    const runId = runIdOf(event);
    if (!runId) continue;
    const now = state.get(runId);
    const say = (what: string) => faults.push(`${what} (${event.type}, seq ${event.seq})`);
    if (now === "ended") say("an event after the run's end");
    if (event.type === "run.queued") {
      if (now) say("queued twice or too late");
      state.set(runId, "queued");
    } else if (event.type === "run.started") {
      if (now === "active") say("started twice");
      if (active) say("two runs at once");
      active = runId;
      state.set(runId, "active");
    } else if (isTerminal(event)) {
      if (!now) say("the end of an unknown run");
      if (active === runId) active = undefined;
      state.set(runId, "ended");
    } else if (now !== "active" && event.type !== "artifact.created") say("an event of a run that is not active");
  }
  if (ended) for (const [runId, now] of state) if (now !== "ended") faults.push(`run ${runId} has no end`);
  return faults;
}

function askFaults(events: Event[], ended: boolean): string[] {
  const faults: string[] = [];
  const open = new Set<string>();
  const closed = new Set<string>();
  for (const event of events) {
    if (event.type === "ask.opened") {
      if (open.has(event.askId) || closed.has(event.askId)) faults.push(`ask opened twice, seq ${event.seq}`);
      open.add(event.askId);
    }
    if (event.type === "ask.closed") {
      if (!open.delete(event.askId)) faults.push(`ask closed that was not open, seq ${event.seq}`);
      closed.add(event.askId);
    }
  }
  if (ended && open.size > 0) faults.push(`${open.size} asks left open`);
  return faults;
}
