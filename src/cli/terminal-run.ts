import type { Answer } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import { isTerminal, type TerminalType } from "../core/event-facts.ts";
import type { Event, EventOf, Origin } from "../core/events.ts";
import { randomId } from "../core/ids.ts";
import type { Runtime } from "../core/runtime.ts";
import type { RunRequest } from "../core/session.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import { emptySummary } from "../core/summary.ts";
import { Views } from "../dialects/views.ts";
import { refusedAsBusy } from "./busy-session.ts";
import type { Answers, Display, Now } from "./display.ts";
import { INTERRUPTED, type Signals } from "./leave.ts";
import { sayingWhomItWaitsFor } from "./silent-owner.ts";
import { noAnswer } from "./terminal/answer-line.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { shortId } from "./terminal/wording.ts";
import { TerminalSession } from "./terminal-session.ts";

const FAILED = 1;

/** A stdin that has ended says so at once; one that may say something later is not waited for. */
const FIRST_LOOK_MS = 50;

/** How often to see whether someone elsewhere, who could answer, is still there. */
const LOOK_MS = 1000;

/** What the display of a run depends on. */
export interface Drawing {
  runId: string;
  answers: Answers;
  status(now: Now): { text: string; elapsedMs?: number; hint: string };
}

export interface TerminalRunOptions {
  runtime: Runtime;
  terminal: Terminal;
  handle: SessionHandle;
  /** What is to be done, by whom. */
  request: Pick<RunRequest, "kind" | "input" | "rules">;
  by: Origin;
  /** Whether keys can be answers. */
  byKeys: boolean;
  display(drawing: Drawing): Display;
  /** What is known to be the answer is not asked. */
  known?(ask: EventOf<"ask.opened">): Answer | undefined;
  /** Told of the end before the display is. */
  onEnd?(end: EventOf<TerminalType>): Promise<void>;
  /** Ends the process before the run has ended. */
  leave(code: number): void;
  /** What is to be done before the process ends, whatever ends it. */
  lastly: Set<() => Promise<unknown>>;
  signals: Signals;
}

/** One run at a terminal, from its request to its end. */
export class TerminalRun {
  readonly #options: TerminalRunOptions;
  readonly #runId = randomId();
  readonly #display: Display;
  readonly #session: TerminalSession;
  readonly #ended: Promise<EventOf<TerminalType>>;
  #end: (event: EventOf<TerminalType>) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  /** With which exit code, once it was interrupted. */
  #interrupted: number | undefined;
  /** Asks that someone elsewhere may answer, and nobody here. */
  readonly #elsewhere = new Map<string, EventOf<"ask.opened">>();
  #looking: NodeJS.Timeout | undefined;

  constructor(options: TerminalRunOptions) {
    this.#options = options;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    this.#ended.catch(() => {}); // whoever waits for it is told
    const { runtime, terminal, handle, by, byKeys, known } = options;
    const answers: Answers = byKeys ? "keys" : "lines";
    const status = (now: Now) => this.#status(now, byKeys);
    this.#display = options.display({ runId: this.#runId, answers, status });
    this.#session = new TerminalSession({
      ...{ views: new Views(runtime.store), sessionId: handle.id, handle, answers, by },
      ...{ terminal, display: this.#display, known },
      onEvent: (event) => this.#take(event),
      onKey: ({ text }) => text === "t" && this.#display.toggleThinking(),
      onInterrupt: () => this.#interrupt(INTERRUPTED),
      onNobody: (ask) => this.#leaveToOthers(ask),
      onFailure: this.#fail,
    });
  }

  /** Resolves with the exit code of the process. */
  async play(): Promise<number> {
    const { runtime, handle, terminal, by, lastly, signals, onEnd } = this.#options;
    const cancel = () => handle.cancel(this.#runId, "interrupted", by);
    const ignoreBroken = handle.onBroken(this.#fail);
    this.#session.follow((await runtime.store.session(handle.id))?.lastSeq ?? 0);
    try {
      if (!terminal.hasKeyboard) await terminal.lines().firstLook(FIRST_LOOK_MS);
      lastly.add(cancel); // it may be another process that does the work
      await this.#request();
      this.#display.started(handle.id);
      signals.first = (code) => this.#interrupt(code);
      const end = await this.#ended;
      await onEnd?.(end);
      const worked = (await runtime.store.session(handle.id)) ?? emptySummary(handle.id);
      this.#display.end(worked, end);
      return this.#exitCode(end);
    } finally {
      signals.first = undefined;
      lastly.delete(cancel);
      ignoreBroken();
      clearInterval(this.#looking);
      this.#session.close();
    }
  }

  async #request(): Promise<void> {
    const { runtime, terminal, handle, request, by } = this.#options;
    const note = (line: string) => terminal.err.add([line]);
    try {
      const accepted = handle.prompt({ ...request, by, runId: this.#runId, whenBusy: "refuse" });
      await sayingWhomItWaitsFor(accepted, { runtime, sessionId: handle.id, note });
    } catch (error) {
      if (!(error instanceof DragomanError) || error.code !== "run_active") throw error;
      throw await refusedAsBusy(runtime.store, handle.id);
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
    if (event.type === "ask.closed") this.#elsewhere.delete(event.askId);
    if (isTerminal(event) && event.runId === this.#runId) this.#end(event);
  }

  /** The first time the run is cancelled, the second time the process ends. */
  #interrupt(code: number): void {
    const { handle, by, leave } = this.#options;
    if (this.#interrupted !== undefined) {
      leave(code);
      return;
    }
    this.#interrupted = code;
    this.#display.render();
    handle.cancel(this.#runId, "interrupted", by).catch(this.#fail);
  }

  /** Nobody is here any more. While someone elsewhere can answer, the run waits for them, and no longer. */
  #leaveToOthers(ask: EventOf<"ask.opened">): void {
    this.#elsewhere.set(ask.askId, ask);
    void this.#lookElsewhere().catch(this.#fail);
  }

  async #lookElsewhere(): Promise<void> {
    const { handle, runtime, terminal } = this.#options;
    for (const ask of [...this.#elsewhere.values()]) {
      const isAwaited = await runtime.store.nodes.canAnswer(handle.id, ask.kind, runtime.node);
      if (!this.#elsewhere.has(ask.askId)) continue; // it was answered meanwhile
      if (!isAwaited) await this.#deny(ask);
      else if (!this.#looking) {
        const how = `dragoman watch ${shortId(handle.id)}`;
        terminal.err.add([`Waits for an answer from elsewhere (${how}); Ctrl-C cancels.`]);
        this.#looking = setInterval(() => void this.#lookElsewhere().catch(this.#fail), LOOK_MS);
      }
    }
  }

  async #deny({ askId, ...question }: EventOf<"ask.opened">): Promise<void> {
    const { handle, by } = this.#options;
    this.#elsewhere.delete(askId);
    try {
      await handle.answer(askId, noAnswer(question), { ...by, client: "nobody" });
    } catch (error) {
      const isClosed = error instanceof DragomanError && /^ask_(closed|not_found)$/.test(error.code);
      if (!isClosed) throw error;
    }
  }
}
