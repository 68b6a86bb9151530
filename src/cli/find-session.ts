import { DragomanError } from "../core/errors.ts";
import { plainText } from "../core/plain-text.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";

/** An abbreviation is looked for among so many sessions, the latest ones. */
const MOST_SESSIONS = 10_000;
const WHOLE_ID = 36;

/** The session of this id, which may be abbreviated to its beginning. */
export async function findSession(store: Store, given: string): Promise<SessionSummary> {
  const wanted = given.trim().toLowerCase();
  const whole = wanted.length >= WHOLE_ID ? await store.session(wanted) : undefined;
  if (whole) return whole;
  const found =
    wanted === ""
      ? []
      : (await store.sessions({ limit: MOST_SESSIONS })).filter(({ sessionId }) => sessionId.startsWith(wanted));
  const [only, ...others] = found;
  if (only && others.length === 0) return only;
  if (!only) throw notFound(given);
  const some = found.slice(0, 5).map(({ sessionId }) => sessionId.slice(0, wanted.length + 4));
  throw new DragomanError(
    "invalid_params",
    `${found.length} sessions begin with ${plainText(given)}: ${some.join(", ")} ... Give more of the id.`,
  );
}

/** The latest session, of a workspace or of all. */
export async function latestSession(store: Store, workspace?: string): Promise<SessionSummary> {
  const [latest] = await store.sessions({ workspace, limit: 1 });
  if (latest) return latest;
  const where = workspace === undefined ? "" : " in this folder";
  throw new DragomanError("session_not_found", `There is no session${where} yet. Start one: dragoman run "<prompt>"`);
}

function notFound(given: string): DragomanError {
  return new DragomanError(
    "session_not_found",
    `There is no session ${JSON.stringify(plainText(given))}. \`dragoman sessions --all\` lists them.`,
  );
}
