import { asDragomanError, DragomanError } from "../core/errors.ts";
import { isTerminal, type TerminalType } from "../core/event-facts.ts";
import type { Event, EventOf, Origin } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { Runtime } from "../core/runtime.ts";
import type { Session } from "../core/session.ts";
import { Feed, type Sink } from "../dialects/feed.ts";
import { profileOf } from "../dialects/profile-of.ts";
import { asksPerson } from "../dialects/question.ts";
import { Views } from "../dialects/views.ts";
import { findSession, latestSession } from "./find-session.ts";
import { type Display, displayOf } from "./run-display.ts";
import { noAnswer } from "./terminal/answer-line.ts";
import type { Asker, AskerEnd } from "./terminal/asker.ts";
import { drawnFrame } from "./terminal/event-frames.ts";
import { KeyAsker } from "./terminal/key-asker.ts";
import { LineAsker } from "./terminal/line-asker.ts";
import { onceForEach } from "./terminal/live-view.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { shortId } from "./terminal/wording.ts";

export interface RunOptions {
  runtime: Runtime;
  terminal: Terminal;
  prompt: string;
  /** Where a new session works, and where `continueLatest` looks. */
  workspace: string;
  /** Of a new session. */
  engine: string;
  model?: string;
  /** The session to go on with, by its id or the beginning of it. */
  session?: string;
  /** Go on with the latest session of the workspace. */
  continueLatest: boolean;
  /** Also when a run of another process seems to be under way in it. */
  takeOver: boolean;
  /** Every event of the run as a line of JSON, and nothing else on stdout. */
  json: boolean;
  /** The answer, and nothing else on stdout. */
  quiet: boolean;
  thinking: boolean;
  /** Ends the process before the run has ended. */
  leave(code: number): void;
}

export const FAILED = 1;
export const INTERRUPTED = 130;

/** A stdin that has ended says so at once; one that may say something later is not waited for. */
const FIRST_LOOK_MS = 50;

const by: Origin = { dialect: "terminal", client: "terminal" };
const answerable = ["confirm", "prompt", "pick"] as const;

/** Runs a prompt and shows what comes of it. Resolves with the exit code of the process. */
export async function run(options: RunOptions): Promise<number> {
  const { prompt, terminal } = options;
  if (prompt.trim() === "") throw new DragomanError("invalid_params", "The prompt is empty. Say what is to be done.");
  if (options.json && options.quiet) throw new DragomanError("invalid_params", "Choose one of --json and --quiet.");
  const session = await sessionFor(options);
  try {
    return await new TerminalRun(options, session).play();
  } finally {
    terminal.close();
  }
}

async function sessionFor(options: RunOptions): Promise<Session> {
  const { runtime, workspace, engine, model, session: given, continueLatest, takeOver } = options;
  if (given === undefined && !continueLatest) return runtime.create({ workspace, engine, model, by });
  const found =
    given === undefined ? await latestSession(runtime.store, workspace) : await findSession(runtime.store, given);
  const { sessionId, run: latest } = found;
  if ((latest?.status === "running" || latest?.status === "cancelling") && !takeOver) {
    const id = shortId(sessionId);
    const message =
      `A run is under way in session ${id}, or its process ended before it. See: dragoman watch ${id}\n` +
      "To end that run and go on, add --take-over.";
    throw new DragomanError("run_active", message);
  }
  return runtime.open(sessionId);
}

/** One run, from its prompt to its end. */
class TerminalRun {
  readonly #options: RunOptions;
  readonly #session: Session;
  readonly #runId = randomId();
  readonly #display: Display;
  readonly #asker: Asker;
  readonly #ours = new Set<string>();
  readonly #ended: Promise<EventOf<TerminalType>>;
  readonly #detach: () => void;
  #end: (event: EventOf<TerminalType>) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  #interrupted = false;

  constructor(options: RunOptions, session: Session) {
    this.#options = options;
    this.#session = session;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.#ended.catch(() => {}); // whoever waits for it is told
    this.#detach = session.attach(answerable);
    const { terminal, json, quiet, thinking } = options;
    const isOurs = (askId: string) => this.#ours.has(askId);
    const byKeys = terminal.hasKeyboard && !json && (terminal.out.live || terminal.err.live);
    this.#display = displayOf({ terminal, json, quiet, thinking, byKeys, runId: this.#runId, isOurs });
    this.#asker = byKeys ? this.#askByKeys() : this.#askByLines();
    this.#display.asks(this.#asker);
  }

  async play(): Promise<number> {
    const { runtime, prompt, terminal } = this.#options;
    const session = this.#session;
    const before = (await runtime.store.session(session.id))?.lastSeq ?? 0;
    const { dialect } = this.#display;
    const feed = new Feed({
      views: new Views(runtime.store),
      sessionId: session.id,
      dialect,
      profile: profileOf(dialect, "everything"),
      after: { seq: before },
      sink: this.#sink(),
      onError: this.#fail,
    });
    terminal.onDrain(() => feed.pump());
    try {
      if (!terminal.hasKeyboard) await terminal.lines().firstLook(FIRST_LOOK_MS);
      const input = { text: prompt };
      await session.prompt({ kind: "prompt", input, by, runId: this.#runId, whenBusy: "refuse" });
      void session.settled().then(() => session.broken && this.#fail(session.broken));
      const end = await this.#ended;
      this.#display.end(session.id, end);
      return this.#exitCode(end);
    } finally {
      feed.close();
      this.#asker.closeAll();
      this.#detach();
      this.#display.close();
    }
  }

  #sink(): Sink {
    const display = this.#display;
    const onEvent = onceForEach((event) => this.#take(event));
    return {
      get unsent() {
        return { messages: 0, bytes: display.unsentBytes };
      },
      write: (frames) => {
        display.draw(frames);
        for (const frame of frames) onEvent(drawnFrame(frame).event);
      },
    };
  }

  #exitCode({ type }: EventOf<TerminalType>): number {
    if (type === "run.completed") return 0;
    return type === "run.cancelled" && this.#interrupted ? INTERRUPTED : FAILED;
  }

  #take(event: Event): void {
    if (event.type === "ask.opened" && asksPerson(event)) this.#asker.open(event);
    if (event.type === "ask.closed") this.#asker.closed(event.askId);
    if (event.type === "run.cancelling") this.#asker.closeAll();
    if (isTerminal(event) && event.runId === this.#runId) this.#end(event);
  }

  /** The first time the run is cancelled, the second time the process ends. */
  #interrupt(): void {
    if (this.#interrupted) {
      this.#options.leave(INTERRUPTED);
      return;
    }
    this.#interrupted = true;
    this.#display.say("cancelling");
    this.#session.cancel(this.#runId, "interrupted", by).catch(this.#fail);
  }

  #answering(): AskerEnd {
    return {
      answer: (askId, answer) => {
        this.#ours.add(askId);
        this.#session.answer(askId, answer, by).catch((error) => this.#tooLate(askId, error));
      },
      nobody: ({ askId, ...question }) => {
        this.#detach();
        const client = "nobody";
        const denied = this.#session.answer(askId, noAnswer(question), { ...by, client });
        denied.catch((error) => this.#tooLate(askId, error));
      },
    };
  }

  /** Another was faster, and the log says who. */
  #tooLate(askId: string, error: unknown): void {
    this.#ours.delete(askId);
    const { code } = asDragomanError(error);
    if (code !== "ask_closed" && code !== "ask_not_found") this.#fail(error);
  }

  #askByKeys(): Asker {
    const { terminal } = this.#options;
    const { askScreen, drawsQuestions } = this.#display;
    const onChange = () => this.#display.render();
    const asker = new KeyAsker({ ...this.#answering(), screen: askScreen, drawsQuestions, onChange });
    terminal.readKeys((key) => {
      if (key.ctrl && key.name === "c") this.#interrupt();
      else if (!asker.press(key) && key.text === "t") this.#display.toggleThinking();
    });
    terminal.onResize(onChange);
    return asker;
  }

  #askByLines(): Asker {
    const { terminal, json } = this.#options;
    const keys = terminal.lines();
    keys.onNobody(this.#detach);
    keys.onInterrupt(() => this.#interrupt());
    terminal.onResize(() => this.#display.render());
    const { askScreen, drawsQuestions } = this.#display;
    const draws = json ? "nothing" : drawsQuestions ? "all" : "hints";
    return new LineAsker({ ...this.#answering(), keys, screen: askScreen, draws });
  }
}
