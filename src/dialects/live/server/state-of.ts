import { DragomanError } from "../../../core/errors.ts";
import { Gate } from "../../../core/gate.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import { BoundedMap } from "../../bounded-map.ts";
import type { Fold } from "../../dialect.ts";
import type { Views } from "../../views.ts";
import { live } from "../index.ts";
import type { Message } from "../messages.ts";
import { emptySession, type SessionState, SessionView } from "../session-view.ts";

/** Everyone else waits while a page is folded. */
const PAGE = 200;
/** So many are gone on with when they are asked for again. Each has as much as a client is shown. */
const MOST_KEPT = 8;

/** A session as it is at one moment. */
export interface Snapshot {
  /** The `data` of a `session_state`. */
  json: string;
  lastSeq: number;
  openCalls: SessionState["open_tool_calls"];
  openConfirmations: SessionState["open_confirmations"];
}

interface Folded {
  fold: Fold;
  view: SessionView;
  at: number;
  /** What was pruned since is not shown any more. */
  firstSeq: number;
  readonly turn: Gate;
}

const kept = new WeakMap<Views, BoundedMap<Folded>>();

/** The state of a session as its log tells it up to now. Whoever asks again has only what is new folded. */
export async function stateOf(
  views: Views,
  summary: SessionSummary,
  addresses: Record<string, string> | undefined,
): Promise<Snapshot> {
  const folded = foldedOf(views, summary);
  return folded.turn.pass(async () => {
    await foldUpTo(summary.lastSeq, views, summary.sessionId, folded);
    const { state } = folded.view;
    return {
      json: JSON.stringify(addresses ? { ...state, addresses } : state),
      lastSeq: folded.at,
      openCalls: state.open_tool_calls,
      openConfirmations: state.open_confirmations,
    };
  });
}

function foldedOf(views: Views, summary: SessionSummary): Folded {
  const { sessionId, firstSeq } = summary;
  const all = kept.get(views) ?? new BoundedMap<Folded>(MOST_KEPT);
  kept.set(views, all);
  const known = all.take(sessionId);
  const isGood = known?.firstSeq === firstSeq && known.at <= summary.lastSeq;
  const folded = known && isGood ? known : newFold(summary);
  all.set(sessionId, folded); // the latest is forgotten last
  return folded;
}

function newFold({ sessionId, firstSeq, workspace, engine, purpose, model, title }: SessionSummary): Folded {
  const session_type = `${engine}_${purpose ?? "discussion"}`;
  const about = firstSeq > 1 ? { workspace, engine, model, title, session_type } : {};
  const view = new SessionView({ ...emptySession(), ...about });
  return { fold: live.fold(sessionId), view, at: firstSeq - 1, firstSeq, turn: new Gate(1) };
}

async function foldUpTo(lastSeq: number, views: Views, sessionId: string, folded: Folded): Promise<void> {
  try {
    while (folded.at < lastSeq && (await foldPage(views, sessionId, folded)));
    if (folded.at < lastSeq) throw new DragomanError("session_not_found", "The session was removed.");
  } catch (error) {
    kept.get(views)?.take(sessionId); // what was folded by half is not gone on with
    throw error;
  }
}

async function foldPage(views: Views, sessionId: string, folded: Folded): Promise<boolean> {
  const events = await views.inTurn(() => views.store.read(sessionId, { after: folded.at, limit: PAGE }));
  const { fold, view } = folded;
  for (const event of events) {
    if (event.seq > folded.at + 1) {
      const gone = { from: folded.at + 1, to: event.seq - 1, at: event.at };
      view.take(fold.gap(gone).message as Message);
    }
    for (const { message } of fold.push(event)) view.take(message as Message);
    view.reached(event.seq);
    folded.at = event.seq;
  }
  return events.length > 0;
}
