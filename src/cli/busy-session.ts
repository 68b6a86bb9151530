import { DragomanError } from "../core/errors.ts";
import type { Store } from "../core/store.ts";
import { isUnderWay, ownerThere } from "./session-state.ts";
import { shortId } from "./terminal/wording.ts";
import { where } from "./where.ts";

/**
 * Why nothing can be started in a session, and what to do about it: a run is under way in another process, or waits for an answer. A run
 * of a process that is gone is no reason: it is ended.
 */
export async function busySession(store: Store, sessionId: string): Promise<DragomanError | undefined> {
  const summary = await store.session(sessionId);
  if (!summary || !isUnderWay(summary)) return undefined;
  const owner = ownerThere(await store.nodes.owner(sessionId));
  const waits = summary.asks.length > 0;
  if (!owner && !waits) return undefined;
  const id = shortId(sessionId);
  const what = waits ? `A run waits for an answer in session ${id}` : `A run is under way in session ${id}`;
  const by = owner ? `in ${where(owner)}` : "and its process is gone";
  const look = `${waits ? "Answer it" : "See it"}: dragoman watch ${id}`;
  return new DragomanError("run_active", `${what}, ${by}.\n${look}\nEnd it: dragoman cancel ${id}`);
}
