import type { Event, EventOf, RunInput } from "./events.ts";
import type { Journal } from "./journal.ts";
import { onlyWaits } from "./only-waits.ts";
import { ownerLost } from "./owner-lost.ts";
import { runLog } from "./run-log.ts";
import type { Store } from "./store.ts";
import type { SessionSummary } from "./summary.ts";
import type { Leftover } from "./supervision.ts";
import { wholeInput } from "./whole.ts";

// What a new owner finds in the log of a session whose last owner left it in the middle of something.

const MOST_PIDS = 10;

export function recordLeftovers(journal: Journal, leftovers: Leftover[], runId: string | undefined): void {
  const note = (text: string) => journal.record({ type: "note", runId, level: "warning", text, source: "core" });
  for (const { title, pids, left } of leftovers) {
    if (pids.length > 0) note(`Ended what a lost process had left running: ${title} (pid ${listed(pids)}).`);
    if (left.length > 0)
      note(`A lost process left this running, and it could not be ended: ${title} (pid ${listed(left)}).`);
  }
}

function listed(pids: number[]): string {
  const more = pids.length > MOST_PIDS ? ` and ${pids.length - MOST_PIDS} more` : "";
  return pids.slice(0, MOST_PIDS).join(", ") + more;
}

export function recordLostRun(journal: Journal, runId: string, asks: SessionSummary["asks"]): void {
  for (const ask of asks) {
    if (ask.runId === runId) journal.record({ type: "ask.closed", runId, askId: ask.askId, outcome: "withdrawn" });
  }
  const { code, message } = ownerLost();
  journal.record({ type: "run.failed", runId, error: { code, message } });
}

export interface WaitingRun {
  started: EventOf<"run.started">;
  input: RunInput;
  log: Event[];
  openAsks: EventOf<"ask.opened">[];
}

/** The run that began there, if it did nothing but wait for answers. */
export async function waitingRun(store: Store, sessionId: string, startedAt: number): Promise<WaitingRun | undefined> {
  const log = await runLog(store, sessionId, startedAt);
  const [started] = log;
  if (started?.type !== "run.started" || !onlyWaits(log)) return undefined;
  const input = await wholeInput(store, sessionId, started.input).catch(() => undefined); // it is lost, and so is the run
  if (!input) return undefined;
  const closed = new Set(log.flatMap((event) => (event.type === "ask.closed" ? [event.askId] : [])));
  const openAsks = log.filter((event) => event.type === "ask.opened").filter(({ askId }) => !closed.has(askId));
  return { started, input, log, openAsks };
}
