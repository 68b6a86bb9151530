import type { Clock } from "../../core/clock.ts";

const MOST_ENTRIES = 1000;
const MOST_BYTES = 256 * 1024;

export interface DebugEntry {
  at: number;
  /** `runtime` is a line of its stderr; `host` is what happened to it and to requests. */
  from: "runtime" | "host";
  text: string;
}

/**
 * What a debug console shows: the latest entries, so many and no more. Their text is plain: escape sequences, control characters and what
 * turns the direction of text are taken out, since nobody knows in what it will be shown.
 */
export class DebugLog {
  readonly #clock: Clock;
  readonly #onEntry: (entry: DebugEntry) => void;
  #entries: { entry: DebugEntry; bytes: number }[] = [];
  #bytes = 0;

  constructor(clock: Clock, onEntry: (entry: DebugEntry) => void) {
    this.#clock = clock;
    this.#onEntry = onEntry;
  }

  /** The oldest first. */
  get entries(): DebugEntry[] {
    return this.#entries.map(({ entry }) => entry);
  }

  add(from: DebugEntry["from"], text: string): void {
    const entry = { at: this.#clock.now(), from, text: plain(text) };
    const bytes = new TextEncoder().encode(entry.text).length;
    this.#entries.push({ entry, bytes });
    this.#bytes += bytes;
    while (this.#entries.length > MOST_ENTRIES || this.#bytes > MOST_BYTES)
      this.#bytes -= this.#entries.shift()?.bytes ?? 0;
    this.#onEntry(entry);
  }
}

const ESC = "\u001b";
const sequences = new RegExp(`${ESC}\\[[0-?]*[ -/]*[@-~]|${ESC}[ -~]`, "g");

function plain(text: string): string {
  return text.replace(sequences, "").replace(/[^\P{Cc}\t]|\p{Bidi_Control}/gu, "");
}
