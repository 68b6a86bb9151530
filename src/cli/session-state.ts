import type { Owner } from "../core/nodes.ts";
import { isUnderWay, type SessionSummary } from "../core/summary.ts";

/** Who has a session, as far as its process may be there. */
export function ownerThere(owner: Owner | undefined): Owner | undefined {
  return owner?.state === "gone" ? undefined : owner;
}

/** The asks that a person has to answer. */
export function openAsks({ asks }: SessionSummary): SessionSummary["asks"] {
  return asks.filter(({ kind }) => kind !== "tool");
}

/** What a session is doing, in whichever process. A run whose process is gone is ended, or goes on, when someone takes care of it. */
export function stateOf(summary: SessionSummary, owner: Owner | undefined): string {
  const { run, closed, queued } = summary;
  if (openAsks(summary).length > 0) return "waits for an answer";
  if (isUnderWay(summary)) return ownerThere(owner) ? (run?.status ?? "") : "interrupted";
  if (closed) return "closed";
  if (queued.length > 0) return "queued";
  return run?.status ?? "new";
}
