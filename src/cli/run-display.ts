import { runIdOf, type TerminalType } from "../core/event-facts.ts";
import type { Event, EventOf, RunResult } from "../core/events.ts";
import type { Dialect, Frame } from "../dialects/dialect.ts";
import { plainText } from "../dialects/plain-text.ts";
import type { Asker } from "./terminal/asker.ts";
import { drawnFrame, eventLines, printable, uiWithEvents } from "./terminal/event-frames.ts";
import { MORE_BY_KEY } from "./terminal/key-asker.ts";
import { LiveView } from "./terminal/live-view.ts";
import type { Screen } from "./terminal/screen.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { wordRows } from "./terminal/text-width.ts";
import { Transcript } from "./terminal/transcript.ts";
import { duration, oneLine, shortId } from "./terminal/wording.ts";

interface DisplayOptions {
  terminal: Terminal;
  json: boolean;
  quiet: boolean;
  thinking: boolean;
  /** Asks are answered by keys. */
  byKeys: boolean;
  runId: string;
  isOurs(askId: string): boolean;
}

/** What a run looks like: drawn, as lines of JSON, or nothing but its answer. */
export interface Display {
  readonly dialect: Dialect;
  readonly unsentBytes: number;
  /** Where asks are put: stdout is for what was asked for, unless it is the terminal. */
  readonly askScreen: Screen;
  /** Whoever asks draws the question too. */
  readonly drawsQuestions: boolean;
  asks(asker: Asker): void;
  draw(frames: Frame[]): void;
  render(): void;
  /** What the run is doing, in a word. */
  say(status: string): void;
  toggleThinking(): void;
  end(sessionId: string, event: EventOf<TerminalType>): void;
  close(): void;
}

export function displayOf(options: DisplayOptions): Display {
  if (options.json) return new JsonDisplay(options);
  return options.quiet ? new QuietDisplay(options) : new DrawnDisplay(options);
}

class DrawnDisplay implements Display {
  readonly dialect = uiWithEvents;
  readonly askScreen: Screen;
  readonly drawsQuestions: boolean;
  readonly #terminal: Terminal;
  readonly #transcript: Transcript;
  readonly #byKeys: boolean;
  readonly #startedAt = Date.now();
  #view: LiveView | undefined;
  #asker: Asker | undefined;
  #status = "running";

  constructor({ terminal, thinking, byKeys, isOurs }: DisplayOptions) {
    const { out, err } = terminal;
    this.#terminal = terminal;
    this.#byKeys = byKeys;
    this.askScreen = out.live ? out : err;
    this.drawsQuestions = this.askScreen !== out;
    const questions = this.drawsQuestions ? undefined : { more: byKeys ? MORE_BY_KEY : "" };
    this.#transcript = new Transcript(out, { thinking, prompts: false, questions, isOurs });
  }

  get unsentBytes(): number {
    return this.#terminal.out.unsentBytes;
  }

  asks(asker: Asker): void {
    this.#asker = asker;
    const { out } = this.#terminal;
    const shared = this.askScreen === out ? asker : undefined;
    this.#view = new LiveView({ screen: out, transcript: this.#transcript, asker: shared, status: () => this.#now() });
  }

  draw(frames: Frame[]): void {
    this.#view?.draw(frames);
    // A question goes to another stream, and comes after what led to it also where both are read as one.
    if (!this.#terminal.out.live && frames.some((frame) => drawnFrame(frame).event?.type === "ask.opened")) {
      this.#terminal.out.flush();
    }
  }

  render(): void {
    this.#view?.render();
    if (this.drawsQuestions) this.askScreen.show(this.#asker?.below() ?? { lines: [] });
  }

  say(status: string): void {
    this.#status = status;
    this.render();
  }

  toggleThinking(): void {
    this.#terminal.out.add(this.#transcript.toggleThinking());
  }

  end(sessionId: string, event: EventOf<TerminalType>): void {
    const { out, err } = this.#terminal;
    const screen = out.live ? out : err;
    const { paint } = screen;
    const left = this.#transcript.contextLeft;
    // On the terminal it was drawn already.
    const failure = out.live || event.type === "run.completed" ? [] : [oneLine(failureOf(event))];
    const about = [
      ...failure,
      `session ${shortId(sessionId)}`,
      duration(Date.now() - this.#startedAt),
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

  #now() {
    const hint = this.#status === "cancelling" ? "ctrl-c again leaves" : "ctrl-c cancels";
    const text = this.#asker?.below() && this.#status === "running" ? "waits for your answer" : this.#status;
    return {
      text,
      elapsedMs: Date.now() - this.#startedAt,
      hint: this.#byKeys && this.#transcript.hasThoughts ? `${hint} · t thinking` : hint,
    };
  }
}

class QuietDisplay implements Display {
  readonly dialect = uiWithEvents;
  readonly drawsQuestions = true;
  readonly unsentBytes = 0;
  readonly #terminal: Terminal;
  #asker: Asker | undefined;

  constructor({ terminal }: DisplayOptions) {
    this.#terminal = terminal;
  }

  get askScreen(): Screen {
    return this.#terminal.err;
  }

  asks(asker: Asker): void {
    this.#asker = asker;
  }

  draw(): void {}

  render(): void {
    this.askScreen.show(this.#asker?.below() ?? { lines: [] });
  }

  say(): void {}

  toggleThinking(): void {}

  end(_: string, event: EventOf<TerminalType>): void {
    const { out, err } = this.#terminal;
    if (event.type === "run.completed") out.add(plainText(answerOf(event.result)).trimEnd().split("\n"));
    else err.add([`dragoman: ${oneLine(failureOf(event))}`]);
  }

  close(): void {}
}

class JsonDisplay implements Display {
  readonly dialect = eventLines;
  readonly drawsQuestions = false;
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

  asks(): void {}

  draw(frames: Frame[]): void {
    const ofRun = frames.filter((frame) => isOf(drawnFrame(frame).event, this.#runId));
    this.#terminal.out.add(ofRun.map(({ text }) => printable(text)));
  }

  render(): void {}

  say(): void {}

  toggleThinking(): void {}

  /** So that the session can be found again; stdout is for the events. */
  end(sessionId: string): void {
    this.#terminal.err.add([`session ${sessionId}`]);
  }

  close(): void {}
}

const isOf = (event: Event | undefined, runId: string) => event !== undefined && runIdOf(event) === runId;

function answerOf({ text, description, code }: RunResult): string {
  return text || description || code || "";
}

function failureOf(event: EventOf<TerminalType>): string {
  if (event.type === "run.failed") return `failed: ${event.error.message}`;
  return event.type === "run.cancelled" ? `cancelled: ${event.reason}` : "";
}
