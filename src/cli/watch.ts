import { DragomanError } from "../core/errors.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { isUnderWay } from "../core/summary.ts";
import { Feed, type Sink } from "../dialects/feed.ts";
import { profileOf } from "../dialects/profile-of.ts";
import { Views } from "../dialects/views.ts";
import { findSession, latestSession } from "./find-session.ts";
import { drawnFrame, eventLines, printable } from "./terminal/event-frames.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { isClosed, Watching } from "./watching.ts";

export interface WatchOptions {
  store: Store;
  /** To answer and cancel; without it, and without a keyboard, one only looks. */
  runtime?: Runtime;
  terminal: Terminal;
  /** By its id or the beginning of it; the latest one, if not said. */
  session?: string;
  /** Only the last so many runs, and what comes then. */
  tail?: number;
  json: boolean;
  thinking: boolean;
}

const RUNS_AT_ONCE = 1000;

/** Shows a session from its beginning, and goes on as it does. Resolves with the exit code of the process. */
export async function watch(options: WatchOptions): Promise<number> {
  const { store, runtime, terminal, session, tail } = options;
  if (tail !== undefined && !(Number.isInteger(tail) && tail >= 0)) {
    throw new DragomanError("invalid_params", "--tail takes a number of runs.");
  }
  const summary = session === undefined ? await latestSession(store) : await findSession(store, session);
  const after = tail === undefined ? 0 : await seqBeforeLast(store, summary, tail);
  try {
    if (options.json) return await watchJson(store, terminal, summary, after);
    const owner = await store.nodes.owner(summary.sessionId);
    const handle = terminal.hasKeyboard ? await runtime?.open(summary.sessionId) : undefined;
    return await new Watching({ ...options, handle, summary, owner }).play(after);
  } finally {
    terminal.close();
  }
}

function watchJson(store: Store, terminal: Terminal, { sessionId }: SessionSummary, after: number): Promise<number> {
  const { out } = terminal;
  return new Promise((resolve, reject) => {
    const sink: Sink = {
      get unsent() {
        return { messages: 0, bytes: out.unsentBytes };
      },
      write: (frames) => {
        out.add(frames.map(({ text }) => printable(text)));
        if (frames.some((frame) => isClosed(drawnFrame(frame).event))) end();
      },
    };
    const profile = profileOf(eventLines, "everything");
    const about = { views: new Views(store), sessionId, dialect: eventLines, profile, after: { seq: after } };
    const feed = new Feed({ ...about, sink, onError: reject });
    terminal.onDrain(() => feed.pump());
    const end = () => {
      feed.close();
      resolve(0);
    };
  });
}

/** The place before the last `runs` runs; one that is under way is always seen. */
async function seqBeforeLast(store: Store, summary: SessionSummary, runs: number): Promise<number> {
  const { sessionId, run, lastSeq } = summary;
  if (runs === 0) return run && isUnderWay(summary) ? run.seq - 1 : lastSeq;
  let before = Number.MAX_SAFE_INTEGER;
  for (let missing = runs; ; ) {
    const limit = Math.min(missing, RUNS_AT_ONCE);
    const page = await store.read(sessionId, { before, limit, type: "run.started" });
    const first = page[0];
    if (!first) return before === Number.MAX_SAFE_INTEGER ? 0 : before - 1;
    before = first.seq;
    missing -= page.length;
    if (missing <= 0) return before - 1;
  }
}
