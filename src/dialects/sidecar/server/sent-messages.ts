import { DragomanError } from "../../../core/errors.ts";
import { hasRun } from "../../../core/landmarks.ts";
import type { RunRequest } from "../../../core/session.ts";
import type { SessionHandle } from "../../../core/session-handle.ts";
import type { Store } from "../../../core/store.ts";

/** A message whose id the plugin chose is one message however often it is sent, also while the first time is still under way. */
export class SentMessages {
  readonly #store: Store;
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Gives the id of the run. */
  once(session: SessionHandle, runId: string | undefined, request: RunRequest): Promise<string> {
    if (runId === undefined) return start(session, request);
    const key = `${session.id} ${runId}`;
    const sending =
      this.#underWay.get(key) ?? this.#start(session, runId, request).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, sending);
    return sending;
  }

  async #start(session: SessionHandle, runId: string, request: RunRequest): Promise<string> {
    try {
      return await start(session, { ...request, runId });
    } catch (error) {
      const isKnown = error instanceof DragomanError && error.code === "conflict";
      if (isKnown && (await hasRun(this.#store, session.id, runId))) return runId;
      throw error;
    }
  }
}

async function start(session: SessionHandle, request: RunRequest): Promise<string> {
  return (await session.prompt(request)).runId;
}
