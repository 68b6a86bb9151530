import type { Answer } from "../core/engine.ts";
import { asDragomanError } from "../core/errors.ts";
import type { Event, EventOf, Origin } from "../core/events.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import { Feed, type Sink } from "../dialects/feed.ts";
import { profileOf } from "../dialects/profile-of.ts";
import type { Views } from "../dialects/views.ts";
import type { Answers, Display } from "./display.ts";
import type { Keys } from "./keys.ts";
import type { Asker, AskerEnd } from "./terminal/asker.ts";
import { askIn, drawnFrame } from "./terminal/event-frames.ts";
import { KeyAsker } from "./terminal/key-asker.ts";
import type { Key } from "./terminal/keyboard.ts";
import { LineAsker } from "./terminal/line-asker.ts";
import { onceForEach } from "./terminal/live-view.ts";
import type { Terminal } from "./terminal/terminal.ts";
import { oneLine } from "./terminal/wording.ts";

/** Whoever uses a command of ours: others are told which it was. */
export const byCommand = (name: string): Origin => ({ dialect: "terminal", client: name });

const answerable = ["confirm", "prompt", "pick"] as const;

interface TerminalSessionOptions {
  views: Views;
  sessionId: string;
  /** Whom to answer; without it nothing is. */
  handle?: SessionHandle;
  terminal: Terminal;
  display: Display;
  answers: Answers;
  /** Who answers. */
  by: Origin;
  /** What is known to be the answer is not asked. */
  known?(ask: EventOf<"ask.opened">): Answer | undefined;
  /** An ask that is open is put, or would be if anybody could answer here. */
  onAsk?(): void;
  /** Every event, once it is drawn. */
  onEvent(event: Event): void;
  /** A key that answers nothing. */
  onKey(key: Key): void;
  onInterrupt(): void;
  /** An ask was put, and nobody is there any more. */
  onNobody(ask: EventOf<"ask.opened">): void;
  /** It cannot go on. */
  onFailure(error: unknown): void;
}

/** A session at a terminal: it is drawn as it goes on, and its asks are put to whoever sits there. */
export class TerminalSession {
  readonly #options: TerminalSessionOptions;
  readonly #asker: Asker | undefined;
  readonly #asks = new Map<string, EventOf<"ask.opened">>();
  /** Answered here, which the log does not have yet. */
  readonly #sent = new Set<string>();
  /** Asks that wait until those whose answer was known are out of the way. */
  #held: EventOf<"ask.opened">[] = [];
  #known = new Set<string>();
  readonly #detach: () => void;
  /** Where lines are answers. */
  #lines: Keys | undefined;
  #feed: Feed | undefined;

  constructor(options: TerminalSessionOptions) {
    this.#options = options;
    const { answers, handle, display, terminal } = options;
    this.#detach = answers === "none" || !handle ? () => {} : handle.attach(answerable);
    this.#asker = this.#newAsker();
    display.begin(this.#asker);
    terminal.onResize(() => display.render());
  }

  /** Draws what comes after this event. */
  follow(seq: number): void {
    const { views, sessionId, display, terminal, onFailure } = this.#options;
    const { dialect } = display;
    const feed = new Feed({
      views,
      sessionId,
      dialect,
      profile: profileOf(dialect, "everything"),
      after: { seq },
      sink: this.#sink(),
      onError: onFailure,
    });
    this.#feed = feed;
    terminal.onDrain(() => feed.pump());
  }

  /** Whether an answer was given here that has not reached the log. */
  get isAnswering(): boolean {
    return this.#sent.size > 0;
  }

  close(): void {
    this.#feed?.close();
    this.#asker?.closeAll();
    this.#detach();
    this.#options.display.close();
  }

  #sink(): Sink {
    const { display, onEvent } = this.#options;
    const once = onceForEach((event) => {
      this.#noteEnd(event);
      onEvent(event);
    });
    return {
      get unsent() {
        return { messages: 0, bytes: display.unsentBytes };
      },
      write: (frames) => {
        const asked = this.#asked;
        display.draw(frames);
        for (const frame of frames) {
          const ask = askIn(frame);
          if (ask) this.#put(ask);
          once(drawnFrame(frame).event);
        }
        const isAnswer = frames.some((frame) => drawnFrame(frame).event?.type === "ask.closed");
        if (asked && isAnswer && asked === this.#asked) display.repeat(asked);
        display.render();
      },
    };
  }

  /** The one that whoever sits there looks at: they are put one after the other. */
  get #asked(): EventOf<"ask.opened"> | undefined {
    if (!this.#asker) return undefined;
    return [...this.#asks.values()].find(({ askId }) => !this.#sent.has(askId));
  }

  #put(ask: EventOf<"ask.opened">): void {
    if (this.#asks.has(ask.askId) || !answerable.some((kind) => kind === ask.kind)) return;
    this.#asks.set(ask.askId, ask);
    this.#open(ask);
    this.#options.onAsk?.();
  }

  /** A question that is answered already, or that nobody can answer here, is not asked here. */
  #open(ask: EventOf<"ask.opened">): void {
    const known = this.#options.known?.(ask);
    if (known) {
      this.#known.add(ask.askId);
      this.#answering().answer(ask.askId, known);
    } else if (this.#known.size > 0) this.#held.push(ask);
    else if (this.#lines?.isOver) this.#options.onNobody(ask);
    else this.#asker?.open(ask);
  }

  /** It is out of the way, and those that were held are asked. */
  #forgetKnown(askId: string): void {
    if (!this.#known.delete(askId) || this.#known.size > 0) return;
    for (const ask of this.#held.splice(0)) if (this.#asks.has(ask.askId)) this.#open(ask);
  }

  /** Nobody is here any more, for none of the questions. */
  #leaveOpen(): void {
    this.#detach();
    this.#asker?.closeAll();
    for (const ask of this.#asks.values()) if (!this.#sent.has(ask.askId)) this.#options.onNobody(ask);
  }

  #noteEnd(event: Event): void {
    if (event.type === "ask.closed") {
      this.#asks.delete(event.askId);
      this.#sent.delete(event.askId);
      this.#asker?.closed(event.askId);
      this.#forgetKnown(event.askId);
    }
    if (event.type === "run.cancelling") this.#asker?.closeAll();
  }

  #answering(): AskerEnd {
    const { handle, display, by } = this.#options;
    return {
      answer: (askId, answer) => {
        display.ours.add(askId);
        this.#sent.add(askId);
        handle?.answer(askId, answer, by).catch((error) => this.#notAnswered(askId, error));
        if (this.#lines?.isOver) this.#leaveOpen(); // it was the last line
      },
      nobody: () => this.#leaveOpen(),
    };
  }

  /** Another was faster, and the log says who; or whoever has the session did not hear it, and it is put again. */
  #notAnswered(askId: string, error: unknown): void {
    const { display, onFailure } = this.#options;
    display.ours.delete(askId);
    this.#sent.delete(askId);
    this.#forgetKnown(askId);
    const { code, message } = asDragomanError(error);
    if (code === "ask_closed" || code === "ask_not_found") return;
    if (code !== "owner_unreachable") {
      onFailure(error);
      return;
    }
    display.askScreen.add([`! ${oneLine(message)}`]);
    const ask = this.#asks.get(askId);
    if (ask) this.#open(ask);
  }

  #newAsker(): Asker | undefined {
    const { terminal, display, answers, onKey, onInterrupt } = this.#options;
    const { askScreen, questions } = display;
    if (answers === "keys") {
      const drawsQuestions = questions === "all";
      const onChange = () => display.render();
      const asker = new KeyAsker({ ...this.#answering(), screen: askScreen, drawsQuestions, onChange });
      terminal.readKeys((key) => {
        if (key.ctrl && key.name === "c") onInterrupt();
        else if (!asker.press(key)) onKey(key);
      });
      return asker;
    }
    if (answers === "none") return undefined;
    const keys = terminal.lines();
    this.#lines = keys;
    if (!this.#options.known) keys.onNobody(() => this.#detach());
    keys.onInterrupt(onInterrupt);
    return new LineAsker({ ...this.#answering(), keys, screen: askScreen, draws: questions });
  }
}
