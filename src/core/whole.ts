import { DragomanError } from "./errors.ts";
import type { Event, RunInput } from "./events.ts";
import { MAX_READ_BYTES, type Range, type Store } from "./store.ts";

/** Only when something is to be checked: they take long to make, and every feed depends on this file. */
const schemas = () => import("./events.ts");

/** The input of a run as it was given; a large one is kept in an artifact. */
export async function wholeInput(store: Store, sessionId: string, input: RunInput): Promise<RunInput> {
  if (input.artifactId === undefined) return input;
  const { inputSchema } = await schemas();
  return inputSchema.parse(JSON.parse(await load(store, sessionId, input.artifactId)));
}

/** Reads a log with large results in the place of the artifacts that hold them, no more of them at once than a read may have. */
export async function readWhole(store: Store, sessionId: string, range: Range): Promise<Event[]> {
  const events: Event[] = [];
  let bytes = 0;
  for (const event of await store.read(sessionId, range)) {
    const artifactId = event.type === "run.completed" ? event.result.artifactId : undefined;
    if (event.type !== "run.completed" || artifactId === undefined) {
      events.push(event);
      continue;
    }
    if (bytes > MAX_READ_BYTES) break;
    const text = await find(store, sessionId, artifactId);
    // Pruned since the event was read: what is there now is another range.
    if (text === undefined && !(await isThere(store, sessionId, event))) return readWhole(store, sessionId, range);
    if (text === undefined) throw missing(sessionId, artifactId);
    bytes += text.length;
    const { resultSchema } = await schemas();
    events.push({ ...event, result: resultSchema.parse(JSON.parse(text)) });
  }
  return events;
}

async function isThere(store: Store, sessionId: string, { seq }: Event): Promise<boolean> {
  const [found] = await store.read(sessionId, { after: seq - 1, limit: 1 });
  return found?.seq === seq;
}

async function load(store: Store, sessionId: string, artifactId: string): Promise<string> {
  const text = await find(store, sessionId, artifactId);
  if (text === undefined) throw missing(sessionId, artifactId);
  return text;
}

async function find(store: Store, sessionId: string, artifactId: string): Promise<string | undefined> {
  const bytes = await store.artifact(sessionId, artifactId);
  return bytes && Buffer.from(bytes).toString();
}

function missing(sessionId: string, artifactId: string): DragomanError {
  return new DragomanError("store_corrupt", `The artifact ${artifactId} of session ${sessionId} is missing.`);
}
