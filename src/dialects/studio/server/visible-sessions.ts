import { DragomanError } from "../../../core/errors.ts";
import type { Caller } from "../../../core/roles.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { MOST_LOOKED_THROUGH, ServedFolder } from "../../served-folder.ts";
import type { Services } from "./services.ts";

/** The sessions that a caller may see and use. */
export class VisibleSessions {
  readonly #services: Services;
  readonly #caller: Caller | undefined;
  readonly #served: ServedFolder;

  constructor(services: Services, caller: Caller | undefined) {
    this.#services = services;
    this.#caller = caller;
    this.#served = new ServedFolder(services.workspace);
  }

  /** The latest changed first. */
  async list(limit: number): Promise<SessionSummary[]> {
    const { store } = (await this.#services.node()).runtime;
    if (!this.#caller) return store.sessions({ limit });
    return this.#served.seen(await store.sessions({ limit: MOST_LOOKED_THROUGH }), limit, this.#caller);
  }

  /** Fails where there is no such session. */
  async known(id: string): Promise<SessionSummary> {
    const { store } = (await this.#services.node()).runtime;
    const summary = await store.session(id);
    // Whether there is one elsewhere is not told.
    if (!summary || !(await this.#served.admits(summary.workspace, this.#caller))) {
      const message = `There is no session ${JSON.stringify(id.slice(0, 100))}. session/list names those there are.`;
      throw new DragomanError("session_not_found", message);
    }
    return summary;
  }
}
