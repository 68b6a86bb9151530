import { DragomanError } from "../core/errors.ts";
import type { Owner } from "../core/nodes.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { isUnderWay } from "../core/summary.ts";
import { silence } from "./silent-owner.ts";
import { shortId } from "./terminal/wording.ts";
import { where } from "./where.ts";

/**
 * Why nothing can be started in a session, and what to do about it: a run is under way in another process, or waits for an answer. A run
 * of a process that is gone or silent is no reason: whoever asks for something takes the session over, and ends it.
 */
export async function busySession(store: Store, sessionId: string): Promise<DragomanError | undefined> {
  const summary = await store.session(sessionId);
  if (!summary || !isUnderWay(summary)) return undefined;
  const owner = await store.nodes.owner(sessionId);
  return owner?.state === "alive" || summary.asks.length > 0 ? runActive(summary, owner) : undefined;
}

/** The same for one that was refused, whatever has become of the other run since. */
export async function refusedAsBusy(store: Store, sessionId: string): Promise<DragomanError> {
  const summary = await store.session(sessionId);
  if (summary && isUnderWay(summary)) return runActive(summary, await store.nodes.owner(sessionId));
  const id = shortId(sessionId);
  const what = `Another run was under way in session ${id}, and is over by now: this one was not started. Try again.`;
  return new DragomanError("run_active", `${what}\nSee it: dragoman watch ${id}`);
}

function runActive({ sessionId, asks }: SessionSummary, owner: Owner | undefined): DragomanError {
  const id = shortId(sessionId);
  const waits = asks.length > 0;
  const what = waits ? `A run waits for an answer in session ${id}` : `A run is under way in session ${id}`;
  const look = `${waits ? "Answer it" : "See it"}: dragoman watch ${id}`;
  return new DragomanError("run_active", `${what}, ${inWhich(owner)}.\n${look}\nEnd it: dragoman cancel ${id}`);
}

function inWhich(owner: Owner | undefined): string {
  if (!owner || owner.state === "gone") return "and its process is gone";
  return owner.state === "silent"
    ? `in ${where(owner)}, which has said nothing for ${silence(owner)}`
    : `in ${where(owner)}`;
}
