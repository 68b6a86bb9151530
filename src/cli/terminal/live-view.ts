import type { Event } from "../../core/events.ts";
import type { Frame } from "../../dialects/dialect.ts";
import type { Asker } from "./asker.ts";
import { drawnFrame } from "./event-frames.ts";
import type { Below, Screen } from "./screen.ts";
import { SPIN_MS, type Status, spinnerAt, statusLine } from "./status-line.ts";
import type { Transcript } from "./transcript.ts";

interface LiveViewOptions {
  screen: Screen;
  transcript: Transcript;
  /** Whoever asks on this screen. */
  asker?: Asker;
  /** What the last line says; nothing, when there is none. */
  status(): Omit<Status, "contextLeft"> | undefined;
}

/** A session on a screen: what was said stays, what is under way is below it, the status is the last line. */
export class LiveView {
  readonly #options: LiveViewOptions;
  readonly #spinning: NodeJS.Timeout | undefined;

  constructor(options: LiveViewOptions) {
    this.#options = options;
    if (options.screen.live) this.#spinning = setInterval(() => this.render(), SPIN_MS).unref();
  }

  draw(frames: Frame[]): void {
    const { screen, transcript } = this.#options;
    for (const frame of frames) screen.add(transcript.take(drawnFrame(frame)));
    this.render();
  }

  render(): void {
    if (this.#options.screen.live) this.#options.screen.show(this.#below());
  }

  close(): void {
    clearInterval(this.#spinning);
    this.#options.screen.show({ lines: [] });
  }

  #below(): Below {
    const { screen, transcript, asker, status } = this.#options;
    const asked = asker?.below();
    const under = asked ?? { lines: transcript.below(spinnerAt(Date.now())) };
    const now = status();
    const last = now ? [statusLine({ ...now, contextLeft: transcript.contextLeft }, screen.paint)] : [];
    return { ...under, lines: [...under.lines, ...last] };
  }
}

/** Calls back once for each event, however many frames it made. */
export function onceForEach(onEvent: (event: Event) => void): (event: Event | undefined) => void {
  let last = 0;
  return (event) => {
    if (!event || event.seq <= last) return;
    last = event.seq;
    onEvent(event);
  };
}
