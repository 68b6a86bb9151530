import { errorOf, type LiveError } from "./live-error.ts";
import type { LiveMessage, RunStatus, SessionState } from "./protocol.ts";

/** How a run ended. `unknown`: the log has no word of it any more. */
export interface RunEnd {
  runId: string;
  status: "completed" | "failed" | "cancelled" | "unknown";
  /** What the agent said. */
  text: string;
  reason?: string;
  /** Of a run that was completed, as the wire has it. */
  result?: unknown;
  /** Why it failed. */
  error?: LiveError;
}

export interface Run {
  runId: string;
  /** Rejects only when the session is left, or the client closed, before the end. */
  ended: Promise<RunEnd>;
}

interface OpenRun {
  correlationId: string | undefined;
  error?: LiveError;
  resolve(end: RunEnd): void;
  reject(error: LiveError): void;
}

/** The runs that this client started and that have not ended. */
export class SessionRuns {
  readonly #open = new Map<string, OpenRun>();

  begin(runId: string, correlationId: string | undefined): Run {
    const ended = new Promise<RunEnd>((resolve, reject) => this.#open.set(runId, { correlationId, resolve, reject }));
    ended.catch(() => {}); // nobody has to wait for it
    return { runId, ended };
  }

  take(message: LiveMessage, state: SessionState): void {
    if (this.#open.size === 0 || message.seq === undefined) return;
    if (message.type === "error") {
      for (const run of this.#open.values()) {
        if (run.correlationId === message.correlation_id) run.error = errorOf(message.data);
      }
    } else if (message.type === "status_update" && message.data.kind === "run") this.#takeStatus(message.data, state);
  }

  /** Everything up to the session's state was told: what it does not know of is over. */
  settle(state: SessionState): void {
    const { run_id, queued_runs, last_run } = state;
    for (const [runId, run] of this.#open) {
      if (runId === run_id || queued_runs.includes(runId)) continue;
      this.#open.delete(runId);
      const { status, reason } = last_run?.run_id === runId ? last_run : { status: "unknown" as const };
      run.resolve({ runId, status, text: textOf(runId, state), reason, error: run.error });
    }
  }

  rejectAll(error: LiveError): void {
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }

  #takeStatus({ run_id: runId, status, reason, result }: RunStatus, state: SessionState): void {
    const run = this.#open.get(runId);
    if (!run || status === "queued" || status === "cancelling") return;
    this.#open.delete(runId);
    const text = (result as { text?: unknown } | undefined)?.text;
    const said = typeof text === "string" ? text : textOf(runId, state);
    run.resolve({ runId, status, text: said, reason, result, error: run.error });
  }
}

function textOf(runId: string, { messages }: SessionState): string {
  return messages
    .filter(({ role, run_id }) => role === "assistant" && run_id === runId)
    .map(({ content }) => content)
    .join("\n");
}
