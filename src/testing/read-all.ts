import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";

/** A whole log; for tests, whose logs are short. */
export async function readAll(store: Store, sessionId: string, after = 0): Promise<Event[]> {
  const events: Event[] = [];
  for (;;) {
    const page = await store.read(sessionId, { after: events.at(-1)?.seq ?? after, limit: 500 });
    if (page.length === 0) return events;
    events.push(...page);
  }
}
