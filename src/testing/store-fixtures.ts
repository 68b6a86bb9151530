import { expect } from "vitest";
import type { Event } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { Draft, Fence, Store } from "../core/store.ts";

export const AT = Date.UTC(2026, 0, 1);
export const runId = "r";

export const text = (of: string, at = AT): Draft => ({ type: "text.delta", runId, of: "answer", text: of, at });
export const note = (of: string, at = AT): Draft => ({ type: "note", level: "info", source: "test", text: of, at });
export const created = (workspace: string, at = AT): Draft => ({
  type: "session.created",
  workspace,
  engine: "scripted",
  at,
});

export const coded = (code: string, message?: RegExp) =>
  expect.objectContaining({ code, ...(message && { message: expect.stringMatching(message) }) });
export const stale = coded("stale_owner");

export const seqs = (events: Event[]) => events.map(({ seq }) => seq);
export const all = (store: Store, sessionId: string, limit = 1000) => store.read(sessionId, { limit });
export const claimed = (store: Store) => store.claim(randomId(), "node");
export const append = (store: Store, fence: Fence, of = "a") => store.append(fence.sessionId, [text(of)], fence);

/** A session whose log is the numbers 1 to `count`. */
export async function counted(store: Store, count: number): Promise<Fence> {
  const fence = await claimed(store);
  const drafts = Array.from({ length: count }, (_, i) => text(String(i + 1)));
  await store.append(fence.sessionId, drafts, fence);
  return fence;
}
