import { expect } from "vitest";
import type { Event } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { NodeInfo } from "../core/nodes.ts";
import { type ProcessIdentity, thisHost, thisProcess } from "../core/process-identity.ts";
import type { Claimed, Draft, Fence, Store } from "../core/store.ts";

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
export const claimed = (store: Store) => claim(store, randomId());
export const append = (store: Store, fence: Fence, of = "a") => store.append(fence.sessionId, [text(of)], fence);

/** A claim that nobody may refuse: the session is free, or its owner is none that joined. */
export async function claim(store: Store, sessionId: string, node = "node"): Promise<Claimed> {
  const claimed = await store.claim(sessionId, node);
  if (!claimed) throw new Error(`${node} did not get ${sessionId}`);
  return claimed;
}

/** A process that was here and is not any more: no system gives out such a pid. */
export const gone: ProcessIdentity = { host: thisHost(), pid: 2 ** 22 + 1, startedAt: "1" };

export const nodeInfo = (node: string, identity = thisProcess()): NodeInfo => ({
  ...identity,
  node,
  title: "test",
  version: "0.0.0",
  publicKey: "",
});

/** A new node on the store. One whose process is `gone` ended without a word. */
export async function joined(store: Store, identity?: ProcessIdentity): Promise<string> {
  const node = `node ${randomId()}`;
  await store.nodes.join(nodeInfo(node, identity));
  return node;
}

/** A session whose log is the numbers 1 to `count`. */
export async function counted(store: Store, count: number): Promise<Fence> {
  const fence = await claimed(store);
  const drafts = Array.from({ length: count }, (_, i) => text(String(i + 1)));
  await store.append(fence.sessionId, drafts, fence);
  return fence;
}
