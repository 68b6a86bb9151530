import { DragomanError } from "../core/errors.ts";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { Feed, type Sink } from "../dialects/feed.ts";
import { plainText } from "../dialects/plain-text.ts";
import { profileOf } from "../dialects/profile-of.ts";
import { asksPerson } from "../dialects/question.ts";
import { Views } from "../dialects/views.ts";
import { findSession, latestSession } from "./find-session.ts";
import { drawnFrame, eventLines, printable, uiWithEvents } from "./terminal/event-frames.ts";
import { LiveView, onceForEach } from "./terminal/live-view.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { Transcript } from "./terminal/transcript.ts";
import { oneLine, shortId } from "./terminal/wording.ts";

export interface WatchOptions {
  store: Store;
  terminal: Terminal;
  /** By its id or the beginning of it; the latest one, if not said. */
  session?: string;
  /** Only the last so many runs, and what comes then. */
  tail?: number;
  json: boolean;
  thinking: boolean;
}

/** How often to look for what another process has written: its bell does not ring here. */
const POLL_MS = 250;
const INTERRUPTED = 130;
const RUNS_AT_ONCE = 1000;

const ELSEWHERE = "waits for an answer: give it where the run was started";

/** Shows a session from its beginning, and goes on as it does. Resolves with the exit code of the process. */
export async function watch(options: WatchOptions): Promise<number> {
  const { store, terminal, session, tail } = options;
  if (tail !== undefined && !(Number.isInteger(tail) && tail >= 0)) {
    throw new DragomanError("invalid_params", "--tail takes a number of runs.");
  }
  const summary = session === undefined ? await latestSession(store) : await findSession(store, session);
  const after = tail === undefined ? 0 : await seqBeforeLast(store, summary.sessionId, tail);
  try {
    return await (options.json ? watchJson(options, summary, after) : watchDrawn(options, summary, after));
  } finally {
    terminal.close();
  }
}

function watchJson({ store, terminal }: WatchOptions, { sessionId }: SessionSummary, after: number): Promise<number> {
  const { out } = terminal;
  return new Promise((resolve, reject) => {
    const write: Sink["write"] = (frames) => {
      out.add(frames.map(({ text }) => printable(text)));
      if (frames.some((frame) => isClosed(drawnFrame(frame).event))) end(0);
    };
    const sink = sinkOf(terminal, write);
    const feed = follow({ store, sessionId, dialect: eventLines, after: { seq: after }, sink, onError: reject });
    terminal.onDrain(() => feed.pump());
    const end = (code: number) => {
      feed.close();
      resolve(code);
    };
  });
}

function watchDrawn(options: WatchOptions, summary: SessionSummary, after: number): Promise<number> {
  const { store, terminal, thinking } = options;
  const { sessionId } = summary;
  const { out } = terminal;
  const state = new WatchedState();
  const transcript = new Transcript(out, { thinking, prompts: true, questions: { more: "" }, isOurs: () => false });
  out.add(heading(summary, out.paint.dim));
  return new Promise((resolve, reject) => {
    const view = new LiveView({
      screen: out,
      transcript,
      status: () => ({ text: state.text, hint: keysHint(terminal) }),
    });
    const onEvent = onceForEach((event) => {
      state.take(event);
      // Where nothing is drawn below, it is said once.
      if (event.type === "ask.opened" && state.waits && !out.live) out.add([`  ${ELSEWHERE}`]);
      if (isClosed(event)) end(0);
    });
    const write: Sink["write"] = (frames) => {
      view.draw(frames);
      for (const frame of frames) onEvent(drawnFrame(frame).event);
      view.render();
    };
    const sink = sinkOf(terminal, write);
    const feed = follow({ store, sessionId, dialect: uiWithEvents, after: { seq: after }, sink, onError: reject });
    terminal.onDrain(() => feed.pump());
    terminal.onResize(() => view.render());
    const end = (code: number) => {
      feed.close();
      view.close();
      resolve(code);
    };
    if (terminal.hasKeyboard && out.live) {
      terminal.readKeys((key) => {
        if (key.ctrl && key.name === "c") end(INTERRUPTED);
        else if (key.text === "q") end(0);
        else if (key.text === "t") out.add(transcript.toggleThinking());
      });
    }
    view.render();
  });
}

const isClosed = (event: Event | undefined) => event?.type === "session.closed";

const keysHint = ({ hasKeyboard }: Terminal) => (hasKeyboard ? "t thinking · q leaves" : "ctrl-c leaves");

function heading({ sessionId, workspace, engine, title }: SessionSummary, dim: (text: string) => string): string[] {
  const about = [`session ${shortId(sessionId)}`, ...(title ? [oneLine(title)] : []), engine, workspace];
  return [dim(about.map(plainText).join(" · ")), ""];
}

/** What the session is doing, as its log has it. */
class WatchedState {
  readonly #asks = new Set<string>();
  #running = false;

  get waits(): boolean {
    return this.#asks.size > 0;
  }

  get text(): string {
    if (this.waits) return ELSEWHERE;
    return this.#running ? "running" : "waits for the next run";
  }

  take(event: Event): void {
    if (event.type === "run.started") this.#running = true;
    if (event.type === "ask.opened" && asksPerson(event)) this.#asks.add(event.askId);
    if (event.type === "ask.closed") this.#asks.delete(event.askId);
    if (event.type === "run.cancelling") this.#asks.clear();
    if (event.type === "run.completed" || event.type === "run.failed" || event.type === "run.cancelled") {
      this.#running = false;
      this.#asks.clear();
    }
  }
}

function sinkOf(terminal: Terminal, write: Sink["write"]): Sink {
  return {
    get unsent() {
      return { messages: 0, bytes: terminal.out.unsentBytes };
    },
    write,
  };
}

function follow(options: Omit<ConstructorParameters<typeof Feed>[0], "views" | "profile"> & { store: Store }): Feed {
  const { store, ...rest } = options;
  const views = new Views(withPolling(store, POLL_MS));
  return new Feed({ ...rest, views, profile: profileOf(options.dialect, "everything") });
}

/** A store whose bell also rings by the clock, for readers of what other processes write. */
export function withPolling(store: Store, everyMs: number): Store {
  return {
    append: (...args) => store.append(...args),
    read: (...args) => store.read(...args),
    artifact: (...args) => store.artifact(...args),
    wake: (sessionId, listener) => {
      const unsubscribe = store.wake(sessionId, listener);
      const polling = setInterval(() => listener(sessionId), everyMs);
      return () => {
        clearInterval(polling);
        unsubscribe();
      };
    },
    claim: (...args) => store.claim(...args),
    session: (...args) => store.session(...args),
    sessions: (...args) => store.sessions(...args),
    close: () => store.close(),
  };
}

/** The place before the last `runs` runs. */
async function seqBeforeLast(store: Store, sessionId: string, runs: number): Promise<number> {
  if (runs === 0) return (await store.session(sessionId))?.lastSeq ?? 0;
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
