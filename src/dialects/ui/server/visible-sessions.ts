import { DragomanError } from "../../../core/errors.ts";
import type { Caller } from "../../../core/roles.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { MOST_LOOKED_THROUGH, ServedFolder } from "../../served-folder.ts";
import type { Services } from "./services.ts";

/** The sessions and folders that a caller may see and use. */
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
  async list(limit: number, workspace?: string): Promise<SessionSummary[]> {
    const { store } = (await this.#services.node()).runtime;
    if (!this.#caller) return store.sessions({ limit: Math.min(limit, MOST_LOOKED_THROUGH), workspace });
    return this.#served.seen(await store.sessions({ limit: MOST_LOOKED_THROUGH, workspace }), limit, this.#caller);
  }

  /** Fails where there is no such session for this caller. */
  async known(id: string): Promise<SessionSummary> {
    const summary = await (await this.#services.node()).runtime.store.session(id);
    if (!summary) throw new DragomanError("session_not_found", `There is no session ${id}.`);
    await this.#served.check(summary.workspace, this.#caller);
    return summary;
  }

  /** A folder that a call names, from the workspace if it is not absolute. */
  folder(named: string): Promise<string> {
    return this.#served.within(named, this.#caller);
  }
}
