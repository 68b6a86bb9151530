import { messageOf } from "../core/errors.ts";
import { isTerminal } from "../core/event-facts.ts";
import type { Event } from "../core/events.ts";
import type { Owner } from "../core/nodes.ts";
import type { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import type { Store } from "../core/store.ts";
import type { SessionSummary } from "../core/summary.ts";
import { plainText } from "../dialects/plain-text.ts";
import { asksPerson } from "../dialects/question.ts";
import { Views } from "../dialects/views.ts";
import { type Answers, DrawnDisplay, type Now } from "./display.ts";
import { ownerThere } from "./session-state.ts";
import type { Key } from "./terminal/keyboard.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { oneLine, shortId } from "./terminal/wording.ts";
import { atTerminal, TerminalSession } from "./terminal-session.ts";
import { shortWhere } from "./where.ts";

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

const INTERRUPTED = 130;
/** How long a first `c` waits for the second. */
const SURE_MS = 5000;

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

  constructor(options: WatchingOptions) {
    this.#options = options;
    const { store, runtime, handle, summary, terminal, thinking } = options;
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
      ...{ views: new Views(runtime?.store ?? store), sessionId: summary.sessionId, handle, answers },
      ...{ terminal, display: this.#display },
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
    try {
      return await this.#ended;
    } finally {
      clearTimeout(this.#forgetting);
      this.#session.close();
    }
  }

  #take(event: Event): void {
    this.#state.take(event);
    if (isTerminal(event)) this.#unsure = undefined;
    const { out } = this.#options.terminal;
    // Where nothing is drawn below, it is said once.
    if (event.type === "ask.opened" && this.#state.waits && !out.live && this.#answers === "none") {
      out.add([`  ${this.#elsewhere}`]);
    }
    if (isClosed(event)) this.#end(0);
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
      ?.cancel(runId, "cancelled by the user", atTerminal)
      .catch((error) => terminal.out.add([`! ${oneLine(messageOf(error))}`]));
  }

  /** At once, unless this process went on with the run of one that died: that it would take with it. */
  async #leave(code: number): Promise<void> {
    const { store, runtime, summary } = this.#options;
    const owner = await store.nodes.owner(summary.sessionId).catch(() => undefined);
    const isHere = this.#state.runId !== undefined && owner !== undefined && owner.node === runtime?.node;
    if (!isHere || this.#isSure("leave")) this.#end(code);
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
    const { runId, waits, cancelling } = this.#state;
    if (this.#unsure === "cancel") return { text: "running", hint: "c again cancels the run" };
    if (this.#unsure === "leave") return { text: "the run goes on in this process", hint: "q again ends both" };
    const running = runId === undefined ? "waits for the next run" : cancelling ? "cancelling" : "running";
    const text = asks ? "waits for your answer" : waits ? this.#elsewhere : running;
    if (this.#answers !== "keys") return { text, hint: "ctrl-c leaves" };
    const cancels = runId !== undefined && !cancelling ? ["c cancels"] : [];
    return { text, hint: [...cancels, ...(hasThoughts ? ["t thinking"] : []), "q leaves"].join(" · ") };
  }
}

function heading(summary: SessionSummary, given: Owner | undefined, dim: (text: string) => string): string[] {
  const { sessionId, workspace, engine, title } = summary;
  const owner = ownerThere(given);
  const about = [`session ${shortId(sessionId)}`, ...(title ? [oneLine(title)] : []), engine, workspace];
  return [dim([...about, ...(owner ? [shortWhere(owner)] : [])].map(plainText).join(" · ")), ""];
}

/** What the session is doing, as its log has it. */
class WatchedState {
  readonly #asks = new Set<string>();
  /** The run under way. */
  runId: string | undefined;
  cancelling = false;

  get waits(): boolean {
    return this.#asks.size > 0;
  }

  take(event: Event): void {
    if (event.type === "run.started") {
      this.runId = event.runId;
      this.cancelling = false;
    }
    if (event.type === "ask.opened" && asksPerson(event)) this.#asks.add(event.askId);
    if (event.type === "ask.closed") this.#asks.delete(event.askId);
    if (event.type === "run.cancelling") this.cancelling = true;
    if (event.type === "run.cancelling" || isTerminal(event)) this.#asks.clear();
    if (isTerminal(event) && event.runId === this.runId) this.runId = undefined;
  }
}
