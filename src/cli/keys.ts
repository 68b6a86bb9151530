import type { ReadStream } from "node:tty";

const MOST_TYPED = 100;

/** The reader's keys, or lines where stdin is not a terminal. */
export class Keys {
  readonly #stdin: NodeJS.ReadStream & Partial<ReadStream>;
  #interrupt: () => void = () => process.exit(130);
  #waiting: ((key: string | undefined) => void) | undefined;
  #typed: string[] = [];
  #ended = false;

  constructor(stdin: NodeJS.ReadStream) {
    this.#stdin = stdin;
    stdin.setEncoding("utf8");
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on("data", (data) => this.#take(String(data)));
    stdin.on("end", () => this.#end());
  }

  /** Called at the first Ctrl-C; the second one ends the program. */
  onInterrupt(interrupt: () => void): void {
    this.#interrupt = () => {
      this.#interrupt = () => process.exit(130);
      interrupt();
    };
  }

  /** `undefined` when nobody is there who could answer. */
  async yesOrNo(): Promise<boolean | undefined> {
    for (;;) {
      const key = await this.#next();
      if (key === undefined) return undefined;
      if (/^[yYjJ]$/.test(key)) return true;
      if (/^[nN]$/.test(key)) return false;
    }
  }

  close(): void {
    if (this.#stdin.isTTY) this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  #next(): Promise<string | undefined> {
    const key = this.#typed.shift();
    if (key !== undefined || this.#ended) return Promise.resolve(key);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  #take(data: string): void {
    for (const key of data) {
      if (key === "\u0003") this.#interrupt();
      else if (this.#waiting) {
        const waiting = this.#waiting;
        this.#waiting = undefined;
        waiting(key);
      } else if (!this.#stdin.isTTY && this.#typed.length < MOST_TYPED) this.#typed.push(key);
      // At a terminal, a key that was hit before the question is no answer to it.
    }
  }

  #end(): void {
    this.#ended = true;
    this.#waiting?.(undefined);
  }
}
