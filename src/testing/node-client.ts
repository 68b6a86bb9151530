import type { EventType } from "../core/events.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Frame, NumberedFrame } from "../dialects/dialect.ts";
import { Feed } from "../dialects/feed.ts";
import { dialects } from "../dialects/index.ts";
import { profileOf } from "../dialects/profile-of.ts";
import type { Cursor } from "../dialects/view.ts";
import type { Views } from "../dialects/views.ts";
import { eventDigest } from "./event-digest.ts";

const PAGE = 100;

/** A message that a client was sent, by its place and a digest of its bytes; what the connection itself says has no place. */
export interface SeenFrame {
  seq?: number;
  k?: number;
  digest: string;
  ask?: string;
}

export type SeenEvent = [seq: number, digest: string, type: EventType];

export interface ClientOptions {
  sessionId: string;
  dialect: string;
  after: Cursor;
}

interface Reports {
  frames(frames: SeenFrame[]): void;
  events(events: SeenEvent[]): void;
  failed(error: unknown): void;
}

function seenFrame(frame: Frame | NumberedFrame): SeenFrame {
  const place = "seq" in frame ? { seq: frame.seq, k: frame.k } : {};
  return { ...place, digest: eventDigest(frame.text), ask: frame.ask };
}

/** Watches a session twice over: as a UI in one of the dialects, and event by event. Gives what ends it. */
export function openClient(runtime: Runtime, views: Views, options: ClientOptions, report: Reports): () => void {
  const { sessionId, after } = options;
  const dialect = dialects.find(({ name }) => name === options.dialect);
  if (!dialect) throw new Error(`no dialect ${options.dialect}`);
  const feed = new Feed({
    views,
    sessionId,
    dialect,
    profile: profileOf(dialect, "everything"),
    after,
    onError: report.failed,
    sink: {
      unsent: { messages: 0, bytes: 0 },
      write: (frames) => report.frames(frames.map(seenFrame)),
    },
  });
  const leave = readEvents(runtime, sessionId, report);
  return () => {
    feed.close();
    leave();
  };
}

function readEvents({ store }: Runtime, sessionId: string, report: Reports): () => void {
  let [after, reading, again, closed] = [0, false, false, false];
  const read = async () => {
    again = true;
    if (reading) return;
    reading = true;
    while (again && !closed) {
      again = false;
      const events = await store.read(sessionId, { after, limit: PAGE });
      if (events.length === 0 || closed) continue;
      after = events.at(-1)?.seq ?? after;
      again = true;
      report.events(events.map((event) => [event.seq, eventDigest(event), event.type]));
    }
    reading = false;
  };
  const look = () => void read().catch(report.failed);
  const unsubscribe = store.wake(sessionId, look);
  look();
  return () => {
    closed = true;
    unsubscribe();
  };
}
