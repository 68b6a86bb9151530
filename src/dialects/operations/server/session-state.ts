import type * as z from "zod";
import { isUnderWay, type SessionSummary } from "../../../core/summary.ts";
import { isoTime } from "../../iso-time.ts";
import type { calls } from "../calls.ts";
import { shownText } from "../shown-value.ts";

export type SessionState = z.input<(typeof calls)["GET /sessions/{id}"]["result"]>;

/** How it is with a session, whichever protocol it was begun on. What people wrote in it is shown as all other texts are. */
export function sessionState(summary: SessionSummary, addresses?: Record<string, string>): SessionState {
  const { sessionId, workspace, engine, model, title, updatedAt, run, lastPrompt, lastSeq } = summary;
  return {
    session_id: sessionId,
    workspace,
    engine,
    ...(model !== undefined && { model }),
    ...(title !== undefined && { title: shownText(title) }),
    status: statusOf(summary),
    updated_at: isoTime(updatedAt),
    ...(run && { operation_id: run.runId }),
    ...(lastPrompt !== undefined && { last_prompt: shownText(lastPrompt) }),
    last_seq: lastSeq,
    pending: pendingIn(summary),
    ...(addresses && { addresses }),
  };
}

/** A client that runs a tool for us is at work, and is not waited for as a person is. */
const pendingIn = ({ asks }: SessionSummary) => asks.filter(({ kind }) => kind !== "tool").length;

function statusOf(summary: SessionSummary): SessionState["status"] {
  if (summary.closed) return "closed";
  if (pendingIn(summary) > 0) return "waiting";
  return isUnderWay(summary) || summary.queued.length > 0 ? "running" : "idle";
}
