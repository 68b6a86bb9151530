import { DragomanError } from "../../../core/errors.ts";
import { Gate } from "../../../core/gate.ts";
import { type Caller, may } from "../../../core/roles.ts";
import type { Runtime } from "../../../core/runtime.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { MOST_LOOKED_THROUGH, ServedFolder } from "../../served-folder.ts";

/** Each has all that is looked through in memory. */
const MOST_LISTINGS = 4;

interface Opened {
  session: SessionHandle;
  summary: SessionSummary;
}

/** The sessions of the served folder. Those of others are there for whoever may do everything. */
export class Sessions {
  readonly #runtime: Runtime;
  readonly #served: ServedFolder;
  readonly #listing = new Gate(MOST_LISTINGS);

  constructor(runtime: Runtime, workspace: string) {
    this.#runtime = runtime;
    this.#served = new ServedFolder(workspace);
  }

  /** The folder itself. */
  get served(): string {
    return this.#served.path;
  }

  async open(sessionId: string, caller: Caller): Promise<Opened> {
    const summary = await this.#runtime.store.session(sessionId);
    if (!summary) {
      const message = `There is no session ${JSON.stringify(sessionId)}. session.list names those there are.`;
      throw new DragomanError("session_not_found", message);
    }
    await this.#served.check(summary.workspace, caller);
    return { session: await this.#runtime.open(sessionId), summary };
  }

  /** The latest changed first. */
  list(limit: number, caller: Caller): Promise<SessionSummary[]> {
    const { store } = this.#runtime;
    return this.#listing.pass(async () => {
      if (may(caller, "admin")) return store.sessions({ limit });
      return this.#served.seen(await store.sessions({ limit: MOST_LOOKED_THROUGH }), limit, caller);
    });
  }

  /** The folder that a new session is to work in. */
  async workspace(given: string | undefined, caller: Caller): Promise<string> {
    return given === undefined ? this.#served.path : this.#served.folder(given, caller);
  }
}
