import type { Event } from "./events.ts";
import { sizeOf } from "./fit-for-log.ts";
import { MAX_READ_BYTES, type Range, type Store } from "./store.ts";

const TAIL_EVENTS = 5000;
const TAIL_SESSIONS = 200;

interface Tail {
  events: Event[];
  sizes: number[];
  bytes: number;
}

/**
 * Keeps the newest events of the sessions that are written here in memory, so that a reader who is woken does not go to the
 * store for what was just appended. Where the tail does not reach, or may not be the newest, the store is asked.
 */
export function withTail(store: Store): Store {
  const tails = new Map<string, Tail>();

  const keep = (sessionId: string, events: Event[]) => {
    const first = events[0];
    if (!first) return;
    const known = tails.get(sessionId);
    const follows = known && known.events.at(-1)?.seq === first.seq - 1; // else another node wrote in between
    const tail = follows ? known : { events: [], sizes: [], bytes: 0 };
    for (const event of events) add(tail, event);
    tails.delete(sessionId); // the least lately written one goes first
    tails.set(sessionId, tail);
    const [oldest] = tails.keys();
    if (tails.size > TAIL_SESSIONS && oldest !== undefined) tails.delete(oldest);
  };

  return {
    append: async (sessionId, drafts, fence, artifacts) => {
      const events = await store.append(sessionId, drafts, fence, artifacts);
      keep(sessionId, events);
      return events;
    },
    read: async (sessionId, range) => fromTail(tails.get(sessionId), range) ?? store.read(sessionId, range),
    artifact: (sessionId, artifactId) => store.artifact(sessionId, artifactId),
    wake: (sessionId, listener) => store.wake(sessionId, listener),
    attend: () => store.attend(),
    claim: (sessionId, node) => store.claim(sessionId, node),
    release: (fence) => store.release(fence),
    session: (sessionId) => store.session(sessionId),
    runPlace: (runId) => store.runPlace(runId),
    sessions: (query) => store.sessions(query),
    nodes: store.nodes,
    mailbox: store.mailbox,
    processes: store.processes,
    prune: async (retention) => {
      const pruned = await store.prune(retention);
      tails.clear(); // or they would show what is gone
      return pruned;
    },
    close: () => store.close(),
  };
}

function add(tail: Tail, event: Event): void {
  const size = sizeOf(event);
  tail.events.push(event);
  tail.sizes.push(size);
  tail.bytes += size;
  if (tail.events.length <= TAIL_EVENTS && tail.bytes <= MAX_READ_BYTES) return;
  // A quarter at a time, so that dropping the oldest costs next to nothing per event.
  let gone = 0;
  const tooMany = () => tail.events.length - gone > TAIL_EVENTS * 0.75 || tail.bytes > MAX_READ_BYTES * 0.75;
  while (gone < tail.events.length - 1 && tooMany()) tail.bytes -= tail.sizes[gone++] ?? 0;
  tail.events.splice(0, gone);
  tail.sizes.splice(0, gone);
}

function fromTail(tail: Tail | undefined, { after, before, limit, type }: Range): Event[] | undefined {
  if (!tail || after === undefined || before !== undefined || type !== undefined) return undefined;
  const first = tail.events[0]?.seq ?? Number.POSITIVE_INFINITY;
  const last = tail.events.at(-1)?.seq ?? 0;
  if (after + 1 < first || after >= last) return undefined;
  const from = after + 1 - first;
  return tail.events.slice(from, from + limit);
}
