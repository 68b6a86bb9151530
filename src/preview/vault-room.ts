import { DragomanError } from "../core/errors.ts";
import type { Content } from "./vault.ts";

// The vault is one file for all who keep something in it, with room for so much: nobody takes what the others need of it.

const MOST_OWN_BYTES = 400_000;

/** Fails where the owner would have too much. Who has too much already can still make it less. */
export function checkRoom(owner: string, before: Content, after: Content): void {
  const own = ownedBy(owner, after);
  if (bytesOf(own) <= Math.max(MOST_OWN_BYTES, bytesOf(ownedBy(owner, before)))) return;
  const [largest] = own.connections.sort((a, b) => bytesOf(b) - bytesOf(a));
  const message = `What is kept for your APIs has at most ${MOST_OWN_BYTES / 1000} KB. Forget what you no longer use: the most is kept for ${largest?.origin}.`;
  throw new DragomanError("too_large", message);
}

const ownedBy = (owner: string, { connections, sessions }: Content): Content => ({
  connections: connections.filter((one) => one.owner === owner),
  sessions: sessions.filter((one) => one.owner === owner),
});

const bytesOf = (content: unknown) => Buffer.byteLength(JSON.stringify(content));

/** Of too many the oldest goes, of whoever has the most. */
export function latestOf<T extends { owner: string }>(all: T[], most: number): T[] {
  if (all.length <= most) return all;
  const counts = new Map<string, number>();
  for (const { owner } of all) counts.set(owner, (counts.get(owner) ?? 0) + 1);
  const highest = Math.max(...counts.values());
  const gone = all.findIndex(({ owner }) => counts.get(owner) === highest);
  const rest = all.filter((_, at) => at !== gone);
  return latestOf(rest, most);
}
