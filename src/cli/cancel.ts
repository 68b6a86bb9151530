import { DragomanError } from "../core/errors.ts";
import { endOfRun, findLast } from "../core/landmarks.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import type { RunStatus } from "../core/summary.ts";
import { isUnderWay } from "../core/summary.ts";
import { findSession } from "./find-session.ts";
import { sayingWhomItWaitsFor } from "./silent-owner.ts";
import { count, oneLine, shortId } from "./terminal/wording.ts";
import { byCommand } from "./terminal-session.ts";

export interface CancelOptions {
  runtime: Runtime;
  /** By its id or the beginning of it. */
  session: string;
  reason?: string;
  /** Tells what was done. */
  say(line: string): void;
  /** Tells what it is waiting for. */
  note(line: string): void;
}

/**
 * Cancels the run under way in a session, whichever process has it, and waits for its end. Resolves with the exit code: a run that
 * was under way and is over is what was wanted, also where something else ended it.
 */
export async function cancel({ runtime, session, reason, say, note }: CancelOptions): Promise<number> {
  const { store } = runtime;
  const summary = await findSession(store, session);
  const { sessionId, run, queued } = summary;
  if (!run || !isUnderWay(summary)) {
    const waiting = queued.length > 0 ? ` (${count(queued.length, "run")} in its queue)` : "";
    throw new DragomanError("run_not_found", `Nothing is running in session ${shortId(sessionId)}${waiting}.`);
  }
  const { runId } = run;
  const handle = await runtime.open(sessionId);
  const detach = handle.attach([]); // should the owner die over it, the run is brought to its end here
  const cancelled = async () => {
    const { accepted, status } = await handle.cancel(runId, reason ?? "by dragoman cancel", byCommand("cancel"));
    return accepted ? endOf(store, sessionId, runId) : status;
  };
  try {
    const end = await sayingWhomItWaitsFor(cancelled(), { runtime, sessionId, note });
    await handle.settled();
    const prompt = `${shortId(sessionId)} ${oneLine(summary.lastPrompt ?? "")}`.trimEnd();
    if (end === "cancelled") say(`cancelled: ${prompt}`);
    else if (await wasLost(store, sessionId, runId)) say(`ended: ${prompt} (the process that ran it was lost)`);
    else say(`ended: ${prompt} (it ${end} before it could be cancelled)`);
    return 0;
  } finally {
    detach();
  }
}

async function wasLost(store: Store, sessionId: string, runId: string): Promise<boolean> {
  const failed = await findLast(store, sessionId, "run.failed", (event) => event.runId === runId);
  return failed?.error.code === "owner_lost";
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
