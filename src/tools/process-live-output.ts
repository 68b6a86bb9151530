import type { Readable } from "node:stream";
import { StringDecoder } from "node:string_decoder";

const EVERY_MS = 50;
const MOST_SHOWN = 1024 * 1024;
/** What waits to be shown before the process has to wait as well. */
const MOST_WAITING = 64 * 1024;

const END_OF_LIVE = "\n[There is more than 1 MB of output. The rest is not shown while it runs.]\n";

/**
 * Passes on what a process says while it runs: not every letter by itself, no half characters, and no faster than it is taken. All of
 * it goes to `hear`, the first MB to `show`.
 */
export class ProcessLiveOutput {
  readonly #show: (text: string) => Promise<void>;
  readonly #hear: (text: string) => void;
  readonly #streams: { stream: Readable; decoder: StringDecoder }[];
  #waiting = "";
  #shown = 0;
  #timer: NodeJS.Timeout | undefined;
  #showing: Promise<void> | undefined;

  constructor(streams: Readable[], show: (text: string) => Promise<void>, hear: (text: string) => void) {
    this.#show = show;
    this.#hear = hear;
    this.#streams = streams.map((stream) => ({ stream, decoder: new StringDecoder("utf8") }));
    for (const { stream, decoder } of this.#streams) {
      stream.on("data", (bytes: Buffer) => this.#take(decoder.write(bytes)));
      stream.on("error", () => {}); // A pipe that breaks has nothing more to say.
    }
  }

  /** Whether the process waits for someone to take what it said. */
  get blocked(): boolean {
    return this.#showing !== undefined && this.#waiting.length > MOST_WAITING;
  }

  /** Resolves when everything said so far is shown. */
  async end(): Promise<void> {
    for (const { decoder } of this.#streams) this.#take(decoder.end());
    while (this.#showing || this.#waiting) await (this.#showing ?? this.#flush());
    clearTimeout(this.#timer);
  }

  #take(text: string): void {
    if (text === "") return;
    this.#hear(text);
    this.#waiting += this.#fitting(text);
    if (this.#waiting === "") return;
    this.#timer ??= setTimeout(() => void this.#flush(), EVERY_MS);
    if (this.blocked) for (const { stream } of this.#streams) stream.pause();
  }

  #fitting(text: string): string {
    const room = MOST_SHOWN - this.#shown;
    if (room < 0) return "";
    this.#shown += text.length;
    if (text.length <= room) return text;
    this.#shown = MOST_SHOWN + 1;
    return text.slice(0, room).toWellFormed() + END_OF_LIVE;
  }

  async #flush(): Promise<void> {
    if (this.#showing) return this.#showing;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.#waiting;
    this.#waiting = "";
    this.#showing = this.#show(text).catch(() => {});
    await this.#showing;
    this.#showing = undefined;
    for (const { stream } of this.#streams) stream.resume();
    if (this.#waiting) this.#timer ??= setTimeout(() => void this.#flush(), EVERY_MS);
  }
}
