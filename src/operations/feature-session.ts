import { derivedId } from "../core/ids.ts";
import type { Store } from "../core/store.ts";

const NAMESPACE = "5b1f7f0a-2c0e-4f0d-9d39-6f3f6c1d8a52";

/**
 * The session in which the operations of a feature run: the same for a terminal and a server, so that each sees what the other
 * does, and a second operation on the feature is refused. `workspace` is the real path. `generation` counts those that were closed.
 */
export function featureSessionId(workspace: string, feature: string, generation = 0): string {
  return derivedId(
    NAMESPACE,
    JSON.stringify(generation === 0 ? [workspace, feature] : [workspace, feature, generation]),
  );
}

/** Nothing runs any more in a session that was closed; the feature goes on in the next one. */
export async function openFeatureSessionId(
  store: Pick<Store, "session">,
  workspace: string,
  feature: string,
): Promise<string> {
  for (let generation = 0; ; generation++) {
    const sessionId = featureSessionId(workspace, feature, generation);
    if (!(await store.session(sessionId))?.closed) return sessionId;
  }
}
