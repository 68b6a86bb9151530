import { isTerminal, runIdOf } from "./event-facts.ts";
import type { Event, EventOf } from "./events.ts";

/**
 * Whether a run, of which these are the events so far, did nothing but wait for people to answer: then another process can go on
 * with it. What was put to a client does not count, since the client may be doing it.
 */
export function onlyWaits(events: Event[]): boolean {
  const [started] = events;
  if (started?.type !== "run.started") return false;
  const own = events.filter((event) => runIdOf(event) === started.runId);
  if (own.some((event) => event.type === "run.cancelling" || isTerminal(event))) return false;
  const asks = openAsks(own);
  if (own.findLast(isWork)?.type !== "ask.opened" || asks.length === 0) return false;
  if (asks.some(({ kind }) => kind === "tool")) return false;
  const askedAbout = new Set(asks.map(({ callId }) => callId));
  return [...unfinishedCalls(own)].every((callId) => askedAbout.has(callId));
}

export function openAsks(events: Event[]): EventOf<"ask.opened">[] {
  const open = new Map<string, EventOf<"ask.opened">>();
  for (const event of events) {
    if (event.type === "ask.opened") open.set(event.askId, event);
    if (event.type === "ask.closed") open.delete(event.askId);
  }
  return [...open.values()];
}

/** All but what core notes, and answers: whoever asked several things at once goes on when the last of them is answered. */
function isWork({ type }: Event): boolean {
  return type !== "note" && type !== "usage.updated" && type !== "ask.closed";
}

function unfinishedCalls(events: Event[]): Set<string> {
  const calls = new Set<string>();
  for (const event of events) {
    if (event.type === "tool.requested") calls.add(event.callId);
    if (event.type === "tool.finished") calls.delete(event.callId);
  }
  return calls;
}
