import type { ReadStream } from "node:tty";
import { Keys } from "../keys.ts";
import { type Key, Keyboard, PASTES_MARKED, PASTES_UNMARKED } from "./keyboard.ts";
import { colours, noColours } from "./paint.ts";
import { type Output, Screen } from "./screen.ts";

export interface Streams {
  stdin: NodeJS.ReadStream;
  stdout: Output;
  stderr: Output;
}

/** What a command reads from and draws on, and the way back to how it was found. */
export class Terminal {
  readonly out: Screen;
  readonly err: Screen;
  readonly #streams: Streams;
  #keyboard: Keyboard | undefined;
  #keys: Keys | undefined;
  #onResize: () => void = () => {};
  #closed = false;

  constructor(streams: Streams, env: NodeJS.ProcessEnv) {
    this.#streams = streams;
    const screen = (out: Output) => {
      const live = out.isTTY === true && env.TERM !== "dumb";
      return new Screen(out, { live, paint: live && !env.NO_COLOR ? colours : noColours });
    };
    this.out = screen(streams.stdout);
    this.err = screen(streams.stderr);
    streams.stderr.on("error", () => {}); // who closed it does not want to hear of it
    // At once: whether stdin has ended is known only to whoever reads it.
    if (!streams.stdin.isTTY) this.#keys = new Keys(streams.stdin);
    streams.stdout.on("resize", this.#resized);
    streams.stderr.on("resize", this.#resized);
  }

  /** Someone sits there whose keys can be read one by one. */
  get hasKeyboard(): boolean {
    return this.#streams.stdin.isTTY === true;
  }

  /** stdout itself, for what is not drawn. */
  get stdout(): Output {
    return this.#streams.stdout;
  }

  onResize(resized: () => void): void {
    this.#onResize = resized;
  }

  onDrain(drained: () => void): void {
    this.#streams.stdout.on("drain", drained);
  }

  readKeys(onKey: (key: Key) => void): void {
    this.#keyboard ??= new Keyboard(this.#streams.stdin as ReadStream, onKey);
    if (this.out.live || this.err.live) this.#mark(PASTES_MARKED);
  }

  /** What comes from stdin line by line. */
  lines(): Keys {
    this.#keys ??= new Keys(this.#streams.stdin, { lines: true });
    return this.#keys;
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.out.close();
    this.err.close();
    if (this.#keyboard) this.#mark(PASTES_UNMARKED);
    this.#keyboard?.close();
    this.#keys?.close();
    this.#streams.stdout.off("resize", this.#resized);
    this.#streams.stderr.off("resize", this.#resized);
  }

  #mark(sequence: string): void {
    const { stdout, stderr } = this.#streams;
    (this.out.live ? stdout : stderr).write(sequence);
  }

  #resized = () => {
    this.out.resized();
    this.err.resized();
    this.#onResize();
  };
}
