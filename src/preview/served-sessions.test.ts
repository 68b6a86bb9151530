import { expect, test } from "vitest";
import { servePreview } from "../cli/serve-preview.ts";
import { DragomanError } from "../core/errors.ts";
import { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import { scripted } from "../testing/scripted.ts";

const caller = { id: "me", name: "me", roles: ["admin"] as const };

function sessionsOn(store: Store) {
  const engine = scripted(async () => "done");
  const runtime = new Runtime({ store, engines: [engine] });
  const node = { runtime, views: new Views(store), engine: engine.name };
  return servePreview({ server: { name: "test", version: "1" }, workspace: "/w", node: async () => node }).sessions;
}

test("of a session that is not there nothing is told", async () => {
  const sessions = sessionsOn(memoryStore());
  expect([await sessions.codeOf("none", undefined, caller), await sessions.apiOf("none", caller)]).toEqual([
    undefined,
    undefined,
  ]);
});

test("a store that fails is told as that, not as a session that is not there", async () => {
  const fails = () => Promise.reject(new DragomanError("store_failed", "The disk is gone."));
  const sessions = sessionsOn({ ...memoryStore(), session: fails });
  const failed = { code: "store_failed", message: "The disk is gone." };
  await expect(sessions.codeOf("s1", undefined, caller)).rejects.toMatchObject(failed);
  await expect(sessions.apiOf("s1", caller)).rejects.toMatchObject(failed);
});
