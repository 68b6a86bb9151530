import { DragomanError } from "../core/errors.ts";
import { askedFor } from "../core/landmarks.ts";
import type { RunRequest } from "../core/session.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { Store } from "../core/store.ts";

const all = new WeakMap<Store, SentMessages>();

/** Those of a node, whichever connection they come by. */
export function sentMessages(store: Store): SentMessages {
  const known = all.get(store) ?? new SentMessages(store);
  all.set(store, known);
  return known;
}

/** A prompt whose id the client chose is one prompt however often it is sent, also while the first time is still under way. */
export class SentMessages {
  readonly #store: Store;
  readonly #underWay = new Map<string, Promise<string>>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Gives the id of the run. */
  async once(session: SessionHandle, runId: string | undefined, request: RunRequest): Promise<string> {
    if (runId === undefined) return start(session, request);
    const key = `${session.id} ${runId}`;
    const before = this.#underWay.get(key);
    if (before) {
      await before.catch(() => {});
      return this.once(session, runId, request);
    }
    const sending = this.#start(session, runId, request).finally(() => this.#underWay.delete(key));
    this.#underWay.set(key, sending);
    return sending;
  }

  async #start(session: SessionHandle, runId: string, request: RunRequest): Promise<string> {
    try {
      return await start(session, { ...request, runId });
    } catch (error) {
      const known = isConflict(error) ? (await askedFor(this.#store, session.id, runId))?.input : undefined;
      if (!known) throw error;
      // A long one is in the log by its beginning only.
      if (known.artifactId === undefined && known.text !== request.input.text) throw otherMessage(runId);
      return runId;
    }
  }
}

const isConflict = (error: unknown) => error instanceof DragomanError && error.code === "conflict";

function otherMessage(runId: string): DragomanError {
  const advice = "Leave the id out, or choose a new one for each.";
  return new DragomanError("conflict", `The id ${runId} is that of another prompt. ${advice}`);
}

async function start(session: SessionHandle, request: RunRequest): Promise<string> {
  return (await session.prompt(request)).runId;
}
