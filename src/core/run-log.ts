import type { Event } from "./events.ts";
import type { Store } from "./store.ts";

const PAGE = 500;

/**
 * A run's events but for its deltas, which may be many and which nobody needs to go on with it; those of an operation count, and are
 * few. Its last event is always there.
 */
export async function runLog(store: Store, sessionId: string, startedAt: number): Promise<Event[]> {
  const log: Event[] = [];
  for (let after = startedAt - 1; ; ) {
    const page = await store.read(sessionId, { after, limit: PAGE });
    const last = page.at(-1);
    if (!last) return log;
    const [started = page[0]] = log;
    const isKept = (event: Event) =>
      !isDelta(event) || (started?.type === "run.started" && started.kind === "operation");
    const before = log.at(-1);
    if (before && !isKept(before)) log.pop(); // it was the last one, and is not any more
    log.push(...page.filter((event) => event === last || isKept(event)));
    after = last.seq;
  }
}

function isDelta({ type }: Event): boolean {
  return type === "thinking.delta" || type === "text.delta" || type === "tool.output";
}
