import { DragomanError } from "../core/errors.ts";
import { isTerminal, type TerminalType } from "../core/event-facts.ts";
import type { Event, EventOf } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import { Views } from "../dialects/views.ts";
import { busySession, refusedAsBusy } from "./busy-session.ts";
import { type Answers, type Display, displayOf, type Now } from "./display.ts";
import { findSession, latestSession } from "./find-session.ts";
import type { Signals } from "./leave.ts";
import { INTERRUPTED } from "./leave.ts";
import { sayingWhomItWaitsFor } from "./silent-owner.ts";
import { noAnswer } from "./terminal/answer-line.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { byCommand, TerminalSession } from "./terminal-session.ts";

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
  /** Every event of the run as a line of JSON, and nothing else on stdout. */
  json: boolean;
  /** The answer, and nothing else on stdout. */
  quiet: boolean;
  thinking: boolean;
  /** Ends the process before the run has ended. */
  leave(code: number): void;
  /** What is to be done before the process ends, whatever ends it. */
  lastly: Set<() => Promise<unknown>>;
  signals: Signals;
}

const us = byCommand("run");

export const FAILED = 1;

/** A stdin that has ended says so at once; one that may say something later is not waited for. */
const FIRST_LOOK_MS = 50;

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

async function sessionFor(options: RunOptions): Promise<SessionHandle> {
  const { runtime, workspace, engine, model, session: given, continueLatest } = options;
  const { store } = runtime;
  if (given === undefined && !continueLatest) return runtime.create({ workspace, engine, model, by: us });
  const found = given === undefined ? await latestSession(store, workspace) : await findSession(store, given);
  const busy = await busySession(store, found.sessionId);
  if (busy) throw busy;
  return runtime.open(found.sessionId);
}

/** One run, from its prompt to its end. */
class TerminalRun {
  readonly #options: RunOptions;
  readonly #handle: SessionHandle;
  readonly #runId = randomId();
  readonly #display: Display;
  readonly #session: TerminalSession;
  readonly #ended: Promise<EventOf<TerminalType>>;
  #end: (event: EventOf<TerminalType>) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  /** With which exit code, once it was interrupted. */
  #interrupted: number | undefined;

  constructor(options: RunOptions, handle: SessionHandle) {
    this.#options = options;
    this.#handle = handle;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.#ended.catch(() => {}); // whoever waits for it is told
    const { runtime, terminal, json, quiet, thinking } = options;
    const byKeys = terminal.hasKeyboard && !json && (terminal.out.live || terminal.err.live);
    const answers: Answers = byKeys ? "keys" : "lines";
    const status = (now: Now) => this.#status(now, byKeys);
    this.#display = displayOf({
      ...{ terminal, json, quiet, thinking, answers, status },
      prompts: false,
      runId: this.#runId,
    });
    this.#session = new TerminalSession({
      ...{ views: new Views(runtime.store), sessionId: handle.id, handle, answers, by: us },
      ...{ terminal, display: this.#display },
      onEvent: (event) => this.#take(event),
      onKey: ({ text }) => text === "t" && this.#display.toggleThinking(),
      onInterrupt: () => this.#interrupt(INTERRUPTED),
      onNobody: (ask) => void this.#deny(ask).catch(this.#fail),
      onFailure: this.#fail,
    });
  }

  async play(): Promise<number> {
    const { runtime, prompt, terminal, lastly, signals } = this.#options;
    const handle = this.#handle;
    const cancel = () => handle.cancel(this.#runId, "interrupted", us);
    const ignoreBroken = handle.onBroken(this.#fail);
    this.#session.follow((await runtime.store.session(handle.id))?.lastSeq ?? 0);
    try {
      if (!terminal.hasKeyboard) await terminal.lines().firstLook(FIRST_LOOK_MS);
      lastly.add(cancel); // it may be another process that does the work
      await this.#prompt(prompt);
      this.#display.started(handle.id);
      signals.first = (code) => this.#interrupt(code);
      const end = await this.#ended;
      this.#display.end(handle.id, end);
      return this.#exitCode(end);
    } finally {
      signals.first = undefined;
      lastly.delete(cancel);
      ignoreBroken();
      this.#session.close();
    }
  }

  async #prompt(text: string): Promise<void> {
    const request = { kind: "prompt", input: { text }, by: us, runId: this.#runId } as const;
    const { runtime, terminal } = this.#options;
    const { id } = this.#handle;
    const note = (line: string) => terminal.err.add([line]);
    try {
      const accepted = this.#handle.prompt({ ...request, whenBusy: "refuse" });
      await sayingWhomItWaitsFor(accepted, { runtime, sessionId: id, note });
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "run_active") throw error;
      throw await refusedAsBusy(runtime.store, id);
    }
  }

  #exitCode({ type }: EventOf<TerminalType>): number {
    if (type === "run.completed") return 0;
    return (type === "run.cancelled" ? this.#interrupted : undefined) ?? FAILED;
  }

  #status({ asks, hasThoughts, elapsedMs }: Now, byKeys: boolean) {
    const isCancelling = this.#interrupted !== undefined;
    const hint = isCancelling ? "ctrl-c again leaves" : "ctrl-c cancels";
    const text = isCancelling ? "cancelling" : asks ? "waits for your answer" : "running";
    return { text, elapsedMs, hint: byKeys && hasThoughts ? `${hint} · t thinking` : hint };
  }

  #take(event: Event): void {
    if (isTerminal(event) && event.runId === this.#runId) this.#end(event);
  }

  /** The first time the run is cancelled, the second time the process ends. */
  #interrupt(code: number): void {
    if (this.#interrupted !== undefined) {
      this.#options.leave(code);
      return;
    }
    this.#interrupted = code;
    this.#display.render();
    this.#handle.cancel(this.#runId, "interrupted", us).catch(this.#fail);
  }

  /** Nobody is here any more. Unless someone elsewhere can answer, the run does not wait for it. */
  async #deny({ askId, ...question }: EventOf<"ask.opened">): Promise<void> {
    const { store, node } = this.#options.runtime;
    if (await store.nodes.canAnswer(this.#handle.id, question.kind, node)) return;
    try {
      await this.#handle.answer(askId, noAnswer(question), { ...us, client: "nobody" });
    } catch (error) {
      const isClosed = error instanceof DragomanError && /^ask_(closed|not_found)$/.test(error.code);
      if (!isClosed) throw error;
    }
  }
}
