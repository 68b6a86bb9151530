import type { Pruned, Retention } from "../core/retention.ts";
import { isUnderWay, type SessionSummary } from "../core/summary.ts";

/** A piece of a log that is forgotten as a whole: up to the end of a run, at a moment when no other one was open. */
export interface Piece {
  lastSeq: number;
  endedAt: number;
  runs: number;
  events: number;
  bytes: number;
}

/** What may be forgotten of a session, the oldest first. With all of it the session is gone. */
export interface Forgettable {
  sessionId: string;
  title?: string;
  lastSeq: number;
  pieces: Piece[];
}

export interface Forgotten<Session extends Forgettable> {
  session: Session;
  upTo: number;
  endedAt: number;
  whole: boolean;
}

/** Of a session that is in use, or was written last of all, the last run is kept, and of one with work to do what is not done. */
export function forgettable(summary: SessionSummary, ended: Piece[], rest: Piece | undefined, inUse: boolean): Piece[] {
  if (inUse) return ended.slice(0, -1);
  return rest && isAtRest(summary) ? [...ended, rest] : ended;
}

function isAtRest(summary: SessionSummary): boolean {
  return !isUnderWay(summary) && summary.queued.length === 0 && summary.asks.length === 0;
}

/** The oldest go first, of whichever session. The times of a log never go back, so what is taken of each is its beginning. */
export function choose<Session extends Forgettable>(
  sessions: Session[],
  bytesBefore: number,
  { endedBefore = Number.NEGATIVE_INFINITY, maxBytes = Number.POSITIVE_INFINITY }: Retention,
): { forgotten: Forgotten<Session>[]; pruned: Pruned } {
  const chosen = new Map<Session, Piece[]>();
  let bytesAfter = bytesBefore;
  const inOrder = sessions.flatMap((session) => session.pieces.map((piece) => ({ session, piece })));
  inOrder.sort((a, b) => a.piece.endedAt - b.piece.endedAt);
  for (const { session, piece } of inOrder) {
    if (piece.endedAt >= endedBefore && bytesAfter <= maxBytes) break;
    const pieces = chosen.get(session) ?? [];
    chosen.set(session, pieces);
    pieces.push(piece);
    bytesAfter -= piece.bytes;
  }
  const forgotten = [...chosen].map(([session, pieces]) => {
    const { lastSeq: upTo = 0, endedAt = 0 } = pieces.at(-1) ?? {};
    return { session, upTo, endedAt, whole: upTo === session.lastSeq };
  });
  return { forgotten, pruned: { sessions: [...chosen].map(report), bytesBefore, bytesAfter } };
}

function report([{ sessionId, title, lastSeq }, pieces]: [Forgettable, Piece[]]): Pruned["sessions"][number] {
  const sum = (of: (piece: Piece) => number) => pieces.reduce((total, piece) => total + of(piece), 0);
  return {
    sessionId,
    ...(title !== undefined && { title }),
    runs: sum(({ runs }) => runs),
    events: sum(({ events }) => events),
    bytes: sum(({ bytes }) => bytes),
    whole: pieces.at(-1)?.lastSeq === lastSeq,
  };
}
