import { DragomanError } from "../../../core/errors.ts";
import { type Caller, may } from "../../../core/roles.ts";
import type { Runtime } from "../../../core/runtime.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { MOST_LOOKED_THROUGH, ServedFolder } from "../../served-folder.ts";

export interface Opened {
  session: SessionHandle;
  summary: SessionSummary;
}

/** The sessions of the served folder. Those of others are there for whoever may do everything. */
export class Sessions {
  readonly #runtime: Runtime;
  readonly #served: ServedFolder;

  constructor(runtime: Runtime, workspace: string) {
    this.#runtime = runtime;
    this.#served = new ServedFolder(workspace);
  }

  async open(sessionId: string, caller: Caller): Promise<Opened> {
    const summary = await this.#runtime.store.session(sessionId);
    if (!summary) throw new DragomanError("session_not_found", `There is no session ${JSON.stringify(sessionId)}.`);
    await this.#served.check(summary.workspace, caller);
    return { session: await this.#runtime.open(sessionId), summary };
  }

  /** The latest changed first. */
  async list(limit: number, caller: Caller): Promise<SessionSummary[]> {
    if (may(caller, "admin")) return this.#runtime.store.sessions({ limit });
    const found: SessionSummary[] = [];
    for (const summary of await this.#runtime.store.sessions({ limit: MOST_LOOKED_THROUGH })) {
      if (found.length < limit && (await this.#served.admits(summary.workspace, caller))) found.push(summary);
    }
    return found;
  }

  /** The folder that a new session is to work in. */
  async workspace(given: string | undefined, caller: Caller): Promise<string> {
    return given === undefined ? this.#served.path : this.#served.folder(given, caller);
  }
}
