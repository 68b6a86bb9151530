import type { ReadStream } from "node:tty";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const MOST_TYPED = 100;

/** What the reader answers: keys at a terminal, lines where stdin is something else. */
export class Keys {
  readonly #stdin: NodeJS.ReadStream & Partial<ReadStream>;
  #interrupt: () => void = () => {};
  #onNobody: () => void = () => {};
  #waiting: ((typed: string | undefined) => void) | undefined;
  #typed: string[] = [];
  #line = "";
  #ended = false;

  constructor(stdin: NodeJS.ReadStream) {
    this.#stdin = stdin;
    stdin.setEncoding("utf8");
    if (stdin.isTTY) stdin.setRawMode(true);
    stdin.on("data", (data) => (stdin.isTTY ? this.#takeKeys(String(data)) : this.#takeLines(String(data))));
    stdin.on("end", () => this.#end());
  }

  onInterrupt(interrupt: () => void): void {
    this.#interrupt = interrupt;
  }

  /** Called when it is clear that nobody will answer anything any more. */
  onNobody(nobody: () => void): void {
    this.#onNobody = nobody;
    if (this.#ended && this.#typed.length === 0) nobody();
  }

  /** `undefined` when nobody is there who could answer. */
  async yesOrNo(): Promise<boolean | undefined> {
    for (;;) {
      const typed = await this.#next();
      if (typed === undefined) return undefined;
      if (/^y(es)?$/i.test(typed.trim())) return true;
      if (/^no?$/i.test(typed.trim())) return false;
    }
  }

  close(): void {
    if (this.#stdin.isTTY) this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  #next(): Promise<string | undefined> {
    const typed = this.#typed.shift();
    if (typed !== undefined || this.#ended) return Promise.resolve(typed);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  /** A key that was hit before the question is no answer to it. */
  #takeKeys(keys: string): void {
    for (const key of keys) {
      if (key === CTRL_C) this.#interrupt();
      else this.#give(key === CTRL_D ? undefined : key);
    }
  }

  #takeLines(text: string): void {
    const lines = (this.#line + text).split("\n");
    this.#line = (lines.pop() ?? "").slice(0, 1000);
    for (const line of lines) if (!this.#give(line) && this.#typed.length < MOST_TYPED) this.#typed.push(line);
  }

  #give(typed: string | undefined): boolean {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(typed);
    return waiting !== undefined;
  }

  #end(): void {
    if (this.#line !== "") this.#takeLines("\n");
    this.#ended = true;
    this.#give(undefined);
    if (this.#typed.length === 0) this.#onNobody();
  }
}
