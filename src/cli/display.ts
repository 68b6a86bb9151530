import { runIdOf, type TerminalType } from "../core/event-facts.ts";
import type { Event, EventOf, RunResult } from "../core/events.ts";
import { plainText } from "../core/plain-text.ts";
import type { SessionSummary } from "../core/summary.ts";
import type { Dialect, Frame } from "../dialects/dialect.ts";
import type { Asker } from "./terminal/asker.ts";
import { drawnFrame, eventLines, printable, uiWithEvents } from "./terminal/event-frames.ts";
import { LiveView } from "./terminal/live-view.ts";
import type { Screen } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wordRows } from "./terminal/text-width.ts";
import { Transcript } from "./terminal/transcript.ts";
import { duration, oneLine, reasonText, shortId } from "./terminal/wording.ts";

/** How asks are answered, if they are: by keys, by lines, or not here. */
export type Answers = "keys" | "lines" | "none";

/** What there is to know for the last line of a drawing. */
export interface Now {
  /** An ask waits, with its keys below it. */
  asks: boolean;
  hasThoughts: boolean;
  elapsedMs: number;
}

interface DrawnOptions {
  terminal: Pick<Terminal, "out" | "err">;
  thinking: boolean;
  answers: Answers;
  /** Prompts are drawn too: whoever reads did not type them. */
  prompts: boolean;
  /** What the last line says. */
  status(now: Now): { text: string; elapsedMs?: number; hint: string };
}

interface DisplayOptions extends DrawnOptions {
  terminal: Terminal;
  json: boolean;
  quiet: boolean;
  runId: string;
}

/** What a session looks like: drawn, as lines of JSON, or nothing but its answer. */
export interface Display {
  readonly dialect: Dialect;
  readonly unsentBytes: number;
  /** The asks that were answered here. */
  readonly ours: Set<string>;
  /** Where asks are put: stdout is for what was asked for, unless it is the terminal. */
  readonly askScreen: Screen;
  /**
   * What whoever asks has to draw: questions with how to answer them, or nothing. Several may be open at once, so each is drawn when
   * its turn to be answered has come.
   */
  readonly questions: "all" | "nothing";
  begin(asker: Asker | undefined): void;
  /** The run is accepted. */
  started(sessionId: string): void;
  draw(frames: Frame[]): void;
  render(): void;
  /** Says again what is being asked: something about another question was drawn below it. */
  repeat(ask: EventOf<"ask.opened">): void;
  toggleThinking(): void;
  end(session: Worked, event: EventOf<TerminalType>): void;
  close(): void;
}

/** The session of a run, and what did the work in it. */
export type Worked = Pick<SessionSummary, "sessionId" | "engine" | "model">;

export function displayOf(options: DisplayOptions): Display {
  if (options.json) return new JsonDisplay(options);
  return options.quiet ? new QuietDisplay(options) : new DrawnDisplay(options);
}

export class DrawnDisplay implements Display {
  readonly dialect = uiWithEvents;
  readonly ours = new Set<string>();
  readonly askScreen: Screen;
  readonly questions = "all";
  readonly #options: DrawnOptions;
  readonly #transcript: Transcript;
  readonly #startedAt = Date.now();
  #view: LiveView | undefined;
  #asker: Asker | undefined;

  constructor(options: DrawnOptions) {
    this.#options = options;
    const { terminal, thinking, prompts, answers } = options;
    const { out, err } = terminal;
    this.askScreen = out.live ? out : err;
    const isOurs = (askId: string) => this.ours.has(askId);
    this.#transcript = new Transcript(out, { thinking, prompts, questions: answers === "none", isOurs });
  }

  get unsentBytes(): number {
    return this.#options.terminal.out.unsentBytes;
  }

  begin(asker: Asker | undefined): void {
    this.#asker = asker;
    const { out } = this.#options.terminal;
    const shared = this.askScreen === out ? asker : undefined;
    this.#view = new LiveView({ screen: out, transcript: this.#transcript, asker: shared, status: () => this.#now() });
  }

  started(): void {}

  draw(frames: Frame[]): void {
    this.#view?.draw(frames);
    // A question goes to another stream, and comes after what led to it also where both are read as one.
    const { out } = this.#options.terminal;
    if (!out.live && frames.some((frame) => drawnFrame(frame).event?.type === "ask.opened")) out.flush();
  }

  render(): void {
    this.#view?.render();
    const { out } = this.#options.terminal;
    if (this.askScreen !== out) this.askScreen.show(this.#asker?.below() ?? { lines: [] });
  }

  repeat({ title }: EventOf<"ask.opened">): void {
    const { out } = this.#options.terminal;
    if (this.askScreen === out) out.add(["", ...wordRows(`? ${oneLine(title)}`, out.width).map(out.paint.bold)]);
  }

  toggleThinking(): void {
    this.#options.terminal.out.add(this.#transcript.toggleThinking());
  }

  end({ sessionId, engine, model }: Worked, event: EventOf<TerminalType>): void {
    const { out, err } = this.#options.terminal;
    const screen = out.live ? out : err;
    const { paint } = screen;
    const left = this.#transcript.contextLeft;
    // On the terminal it was drawn already.
    const failure = out.live || event.type === "run.completed" ? [] : [oneLine(failureOf(event))];
    const about = [
      ...failure,
      `session ${shortId(sessionId)}`,
      ...[engine, model].flatMap((name) => (name ? [oneLine(name)] : [])),
      duration(this.#elapsedMs),
      ...(left === undefined ? [] : [`context ${left}% left`]),
    ];
    // That a run completed is no praise: the answer may be that something failed.
    const sign = failure.length === 0 ? "" : "✗ ";
    const rows = wordRows(sign + about.join(" · "), screen.width).map(paint.dim);
    screen.add(out.live ? ["", ...rows] : rows);
  }

  close(): void {
    this.#view?.close();
  }

  get #elapsedMs(): number {
    return Date.now() - this.#startedAt;
  }

  #now() {
    const { hasThoughts } = this.#transcript;
    const asks = this.#asker?.below() !== undefined;
    return this.#options.status({ asks, hasThoughts, elapsedMs: this.#elapsedMs });
  }
}

class QuietDisplay implements Display {
  readonly dialect = uiWithEvents;
  readonly ours = new Set<string>();
  readonly questions = "all";
  readonly unsentBytes = 0;
  readonly #terminal: Terminal;
  #asker: Asker | undefined;

  constructor({ terminal }: DisplayOptions) {
    this.#terminal = terminal;
  }

  get askScreen(): Screen {
    return this.#terminal.err;
  }

  begin(asker: Asker | undefined): void {
    this.#asker = asker;
  }

  started(sessionId: string): void {
    tellSession(this.#terminal.err, sessionId);
  }

  draw(): void {}

  render(): void {
    this.askScreen.show(this.#asker?.below() ?? { lines: [] });
  }

  repeat(): void {}

  toggleThinking(): void {}

  end(_: Worked, event: EventOf<TerminalType>): void {
    const { out, err } = this.#terminal;
    if (event.type === "run.completed") out.add(plainText(answerOf(event.result)).trimEnd().split("\n"));
    else err.add([`dragoman: ${oneLine(failureOf(event))}`]);
  }

  close(): void {}
}

class JsonDisplay implements Display {
  readonly dialect = eventLines;
  readonly ours = new Set<string>();
  readonly questions = "nothing";
  readonly #terminal: Terminal;
  readonly #runId: string;

  constructor({ terminal, runId }: DisplayOptions) {
    this.#terminal = terminal;
    this.#runId = runId;
  }

  get unsentBytes(): number {
    return this.#terminal.out.unsentBytes;
  }

  get askScreen(): Screen {
    return this.#terminal.err;
  }

  begin(): void {}

  started(sessionId: string): void {
    tellSession(this.#terminal.err, sessionId);
  }

  draw(frames: Frame[]): void {
    const ofRun = frames.filter((frame) => isOf(drawnFrame(frame).event, this.#runId));
    this.#terminal.out.add(ofRun.map(({ text }) => printable(text)));
  }

  render(): void {}

  repeat(): void {}

  toggleThinking(): void {}

  /** So that the session can be found again; stdout is for the events. */
  end({ sessionId }: Worked): void {
    this.#terminal.err.add([`session ${sessionId}`]);
  }

  close(): void {}
}

/** For whoever wants to answer or cancel from elsewhere: at once, and not on stdout, which is for what was asked for. */
function tellSession(err: Screen, sessionId: string): void {
  err.add([`session ${sessionId}`]);
  err.flush();
}

const isOf = (event: Event | undefined, runId: string) => event !== undefined && runIdOf(event) === runId;

function answerOf({ text, description, code }: RunResult): string {
  return text || description || code || "";
}

function failureOf(event: EventOf<TerminalType>): string {
  if (event.type === "run.failed") return `failed: ${event.error.message}`;
  return event.type === "run.cancelled" ? `cancelled: ${reasonText(event.reason)}` : "";
}
