import { DragomanError } from "../core/errors.ts";
import { endOfRun } from "../core/landmarks.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import type { RunStatus } from "../core/summary.ts";
import { findSession } from "./find-session.ts";
import { isUnderWay } from "./session-state.ts";
import { count, oneLine, shortId } from "./terminal/wording.ts";
import { atTerminal } from "./terminal-session.ts";

export interface CancelOptions {
  runtime: Runtime;
  /** By its id or the beginning of it. */
  session: string;
  reason?: string;
  /** Tells what was done. */
  say(line: string): void;
}

/** Cancels the run under way in a session, whichever process has it, and waits for its end. Resolves with the exit code. */
export async function cancel({ runtime, session, reason, say }: CancelOptions): Promise<number> {
  const { store } = runtime;
  const summary = await findSession(store, session);
  const { sessionId, run, queued } = summary;
  if (!run || !isUnderWay(summary)) {
    const waiting = queued.length > 0 ? ` (${count(queued.length, "run")} in its queue)` : "";
    throw new DragomanError("run_not_found", `Nothing is running in session ${shortId(sessionId)}${waiting}.`);
  }
  const handle = await runtime.open(sessionId);
  const detach = handle.attach([]); // should the owner die over it, the run is brought to its end here
  try {
    const { accepted, status } = await handle.cancel(run.runId, reason ?? "cancelled by the user", atTerminal);
    const end = accepted ? await endOf(store, sessionId, run.runId) : status;
    await handle.settled();
    const prompt = `${shortId(sessionId)} ${oneLine(summary.lastPrompt ?? "")}`.trimEnd();
    if (end === "cancelled") say(`cancelled: ${prompt}`);
    else throw new DragomanError("conflict", `The run had ended before: ${end} (session ${shortId(sessionId)}).`);
    return 0;
  } finally {
    detach();
  }
}

/** Resolves with how the run ended, when it has. */
function endOf(store: Store, sessionId: string, runId: string): Promise<RunStatus> {
  return new Promise((resolve, reject) => {
    const look = async () => {
      const summary = await store.session(sessionId);
      if (summary?.run?.runId === runId && isUnderWay(summary)) return;
      unsubscribe();
      resolve((await endOfRun(store, sessionId, runId)) ?? "cancelled");
    };
    const unsubscribe = store.wake(sessionId, () => void look().catch(reject));
    void look().catch(reject);
  });
}
