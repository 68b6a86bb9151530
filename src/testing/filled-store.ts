import type { Event } from "../core/events.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { readAll } from "./read-all.ts";
import { claim, created, text } from "./store-fixtures.ts";

/** A closed store with a session in it whose log fills many pages. */
export async function filledStore(path: string, events = 2000): Promise<{ path: string; log: Event[] }> {
  const store = await openSqliteStore(path);
  const fence = await claim(store, "session");
  const drafts = Array.from({ length: events }, (_, i) => text(`event ${i} ${"x".repeat(i % 300)}`));
  await store.append("session", [created("/w"), ...drafts], fence);
  const log = await readAll(store, "session");
  await store.close();
  return { path, log };
}
