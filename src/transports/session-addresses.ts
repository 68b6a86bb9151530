import type { SessionSummary } from "../core/summary.ts";

type Served = Pick<SessionSummary, "sessionId" | "run">;

/** What is told of a session: where it is to be found in each dialect, from the address of the server on. */
export type SessionAddresses = Record<string, string>;

/** `operations` knows runs and no sessions: there it is the latest run, if there was one. */
export function sessionAddresses({ sessionId, run }: Served): SessionAddresses {
  const query = `session=${encodeURIComponent(sessionId)}`;
  return {
    ui: `/ui?${query}`,
    studio: `/studio?${query}`,
    sidecar: `/stream/${encodeURIComponent(sessionId)}`,
    live: `/live?${query}`,
    ...(run && { operations: `/ws?operation_id=${encodeURIComponent(run.runId)}` }),
  };
}
