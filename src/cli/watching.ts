import { messageOf } from "../core/errors.ts";
import { isTerminal } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import type { Owner } from "../core/nodes.ts";
import { plainText } from "../core/plain-text.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { isUnderWay } from "../core/summary.ts";
import { Views } from "../dialects/views.ts";
import { type Answers, DrawnDisplay, type Now } from "./display.ts";
import { INTERRUPTED } from "./leave.ts";
import type { Key } from "./terminal/keyboard.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { oneLine, shortId } from "./terminal/wording.ts";
import { byCommand, TerminalSession } from "./terminal-session.ts";
import { WatchedState } from "./watched-state.ts";
import { where } from "./where.ts";

interface WatchingOptions {
  store: Store;
  runtime?: Runtime;
  /** Without it one only looks. */
  handle?: SessionHandle;
  terminal: Terminal;
  summary: SessionSummary;
  owner: Owner | undefined;
  thinking: boolean;
}

/** How long a first `c` waits for the second. */
const SURE_MS = 5000;
/** How often to see who has the session. */
const LOOK_MS = 500;

const us = byCommand("watch");

export const isClosed = (event: Event | undefined) => event?.type === "session.closed";

/** A session that is watched until whoever sits there leaves, or it is closed. At a keyboard its asks can be answered. */
export class Watching {
  readonly #options: WatchingOptions;
  readonly #display: DrawnDisplay;
  readonly #session: TerminalSession;
  readonly #state = new WatchedState();
  readonly #answers: Answers;
  readonly #ended: Promise<number>;
  #end: (code: number) => void = () => {};
  #fail: (error: unknown) => void = () => {};
  /** What was asked for once, and is done when it is asked for again. */
  #unsure: "cancel" | "leave" | undefined;
  #forgetting: NodeJS.Timeout | undefined;
  /** Who has the session, and whether that one takes care of the run under way, as far as it is known. */
  #owner: Owner | undefined;
  #lost: "silent" | "gone" | undefined;
  /** Whoever watches leaves when the run has ended, with this code. */
  #leaving: number | undefined;

  constructor(options: WatchingOptions) {
    this.#options = options;
    const { store, runtime, handle, summary, terminal, thinking } = options;
    this.#owner = options.owner;
    this.#ended = new Promise((resolve, reject) => {
      this.#end = resolve;
      this.#fail = reject;
    });
    const { hasKeyboard, out, err } = terminal;
    const answers = handle && hasKeyboard ? (out.live || err.live ? "keys" : "lines") : "none";
    this.#answers = answers;
    const status = (now: Now) => this.#status(now);
    this.#display = new DrawnDisplay({ terminal, thinking, answers, prompts: true, status });
    this.#session = new TerminalSession({
      ...{ views: new Views(runtime?.store ?? store), sessionId: summary.sessionId, handle, answers, by: us },
      ...{ terminal, display: this.#display },
      onAsk: () => this.#sayWhereToAnswer(),
      onEvent: (event) => this.#take(event),
      onKey: (key) => this.#press(key),
      onInterrupt: () => void this.#leave(INTERRUPTED),
      onNobody: () => {}, // someone else will answer it
      onFailure: this.#fail,
    });
  }

  async play(after: number): Promise<number> {
    const { summary, owner, terminal } = this.#options;
    terminal.out.add(heading(summary, owner, terminal.out.paint.dim));
    this.#session.follow(after);
    this.#display.render();
    const looking = setInterval(() => void this.#look(), LOOK_MS);
    try {
      return await this.#ended;
    } finally {
      clearInterval(looking);
      clearTimeout(this.#forgetting);
      this.#session.close();
    }
  }

  #take(event: Event): void {
    this.#state.take(event);
    if (isTerminal(event)) this.#unsure = undefined;
    if (event.type === "run.started") {
      this.#lost = undefined;
      void this.#look();
    }
    if (isTerminal(event) && this.#leaving !== undefined) this.#end(this.#leaving);
    if (isClosed(event)) this.#end(0);
  }

  /** Where nothing is drawn below, it is said once. */
  #sayWhereToAnswer(): void {
    const { out } = this.#options.terminal;
    if (!out.live && this.#answers === "none") out.add([`  ${this.#elsewhere}`]);
  }

  async #look(): Promise<void> {
    const { store, summary } = this.#options;
    const { runId } = this.#state;
    this.#owner = await store.nodes.owner(summary.sessionId).catch(() => this.#owner);
    if (runId === undefined || runId !== this.#state.runId) return; // nobody has to have it, or that was before
    const { state = "gone" } = this.#owner ?? {};
    this.#lost = state === "alive" ? undefined : state;
  }

  /** Whether this process went on with the run of one that died. */
  get #isHere(): boolean {
    const { runtime } = this.#options;
    return this.#state.runId !== undefined && this.#owner !== undefined && this.#owner.node === runtime?.node;
  }

  #press({ text, inWords }: Key): void {
    if (inWords) return; // meant for something else
    if (text === "q") void this.#leave(0);
    if (text === "t") this.#display.toggleThinking();
    if (text === "c") this.#cancel();
  }

  /** The second time, since it is someone else's run. */
  #cancel(): void {
    const { runId } = this.#state;
    if (runId === undefined || this.#state.cancelling || !this.#isSure("cancel")) return;
    const { handle, terminal } = this.#options;
    handle
      ?.cancel(runId, "by dragoman watch", us)
      .catch((error) => terminal.out.add([`! ${oneLine(messageOf(error))}`]));
  }

  /** At once, unless this process goes on with the run: that it would take with it, and its end is seen first. */
  async #leave(code: number): Promise<void> {
    await this.#look();
    const { runId } = this.#state;
    if (!this.#isHere || runId === undefined || this.#leaving !== undefined) return this.#end(code);
    if (!this.#isSure("leave")) return;
    this.#leaving = code;
    this.#options.handle?.cancel(runId, "interrupted", us).catch(() => this.#end(code));
  }

  /** Whether it was asked for a moment ago; else it is said what asking again does. */
  #isSure(wanted: "cancel" | "leave"): boolean {
    const sure = this.#unsure === wanted;
    this.#unsure = sure ? undefined : wanted;
    clearTimeout(this.#forgetting);
    this.#forgetting = setTimeout(() => {
      this.#unsure = undefined;
      this.#display.render();
    }, SURE_MS);
    this.#display.render();
    return sure;
  }

  get #elsewhere(): string {
    return `waits for an answer: dragoman answer ${shortId(this.#options.summary.sessionId)}`;
  }

  #status({ asks, hasThoughts }: Now) {
    const { runId, cancelling } = this.#state;
    const elapsedMs = asks ? undefined : this.#state.elapsedMs; // the keys matter more, and a line has no more room
    if (this.#unsure === "cancel") return { text: "running", elapsedMs, hint: "c again cancels the run" };
    if (this.#unsure === "leave") return { text: "the run goes on in this process", hint: "q again ends both" };
    const text = this.#doing(asks);
    if (this.#answers !== "keys") return { text, elapsedMs, hint: "ctrl-c leaves" };
    const cancels = runId !== undefined && !cancelling ? ["c cancels"] : [];
    const leaves = this.#isHere && this.#leaving === undefined ? "q ends the run" : "q leaves";
    return { text, elapsedMs, hint: [...cancels, ...(hasThoughts ? ["t thinking"] : []), leaves].join(" · ") };
  }

  #doing(asks: boolean): string {
    const { runId, waits, cancelling } = this.#state;
    if (runId === undefined) return "waits for the next run";
    const lost = this.#lost && { silent: "its process says nothing", gone: "its process is gone" }[this.#lost];
    if (this.#session.isAnswering) return lost ? `your answer is on its way; ${lost}` : "your answer is on its way";
    if (asks) return lost ? `${lost}; your answer goes on with it here` : "waits for your answer";
    if (waits) return this.#elsewhere;
    if (lost) return lost;
    return cancelling ? "cancelling" : "running";
  }
}

function heading(summary: SessionSummary, owner: Owner | undefined, dim: (text: string) => string): string[] {
  const { sessionId, workspace, engine, title } = summary;
  const about = [`session ${shortId(sessionId)}`, ...(title ? [oneLine(title)] : []), engine, workspace];
  return [dim([...about, ...inWhich(summary, owner)].map(plainText).join(" · ")), ""];
}

/** The process that has it, as far as one has. */
function inWhich(summary: SessionSummary, owner: Owner | undefined): string[] {
  if (owner?.state === "alive") return [`in ${where(owner)}`];
  if (owner?.state === "silent") return [`in ${where(owner)}, which says nothing`];
  return isUnderWay(summary) ? ["its process is gone"] : [];
}
