import type { ReadStream } from "node:tty";

const CTRL_C = "\u0003";
const CTRL_D = "\u0004";
const MOST_TYPED = 100;
const LONGEST_LINE = 64 * 1024;

/** What the reader answers: keys at a terminal, lines where stdin is something else, or where lines are wanted. */
export class Keys {
  readonly #stdin: NodeJS.ReadStream & Partial<ReadStream>;
  readonly #byKey: boolean;
  #interrupt: () => void = () => {};
  #onNobody: () => void = () => {};
  #waiting: ((typed: string | undefined) => void) | undefined;
  #typed: string[] = [];
  #line = "";
  #ended = false;

  constructor(stdin: NodeJS.ReadStream, { lines = false } = {}) {
    this.#stdin = stdin;
    this.#byKey = stdin.isTTY && !lines;
    stdin.setEncoding("utf8");
    if (this.#byKey) stdin.setRawMode(true);
    stdin.on("data", (data) => (this.#byKey ? this.#takeKeys(String(data)) : this.#takeLines(String(data))));
    stdin.on("end", () => this.#end());
    stdin.on("error", () => this.#end()); // a terminal that is gone: nobody is there
  }

  /** Whether nothing will come any more. */
  get isOver(): boolean {
    return this.#ended && this.#typed.length === 0;
  }

  onInterrupt(interrupt: () => void): void {
    this.#interrupt = interrupt;
  }

  /** Called when it is clear that nobody will answer anything any more. */
  onNobody(nobody: () => void): void {
    this.#onNobody = nobody;
    if (this.isOver) nobody();
  }

  /** Resolves when something came, or it is clear that nothing will; but no later than that. */
  async firstLook(mostMs: number): Promise<void> {
    if (this.#ended || this.#typed.length > 0) return;
    await new Promise<void>((resolve) => {
      const waited = setTimeout(resolve, mostMs);
      for (const event of ["data", "end"]) {
        this.#stdin.once(event, () => {
          clearTimeout(waited);
          setImmediate(resolve);
        });
      }
    });
  }

  /** `undefined` when nobody is there who could answer. */
  async yesOrNo(): Promise<boolean | undefined> {
    for (;;) {
      const typed = await this.next();
      if (typed === undefined) return undefined;
      if (/^y(es)?$/i.test(typed.trim())) return true;
      if (/^no?$/i.test(typed.trim())) return false;
    }
  }

  /** The next key or line; `undefined` when there will be none, or none is wanted any more. */
  next(signal?: AbortSignal): Promise<string | undefined> {
    const typed = signal?.aborted ? undefined : this.#typed.shift();
    if (typed !== undefined && this.isOver) this.#onNobody(); // after this one
    if (typed !== undefined || this.#ended || signal?.aborted) return Promise.resolve(typed);
    return new Promise((resolve) => {
      this.#waiting = resolve;
      signal?.addEventListener("abort", () => this.#waiting === resolve && this.#give(undefined), { once: true });
    });
  }

  /** Whether a terminal shows what is typed. */
  echo(shown: boolean): void {
    if (this.#stdin.isTTY && !this.#byKey) this.#stdin.setRawMode(!shown);
  }

  close(): void {
    if (this.#stdin.isTTY) this.#stdin.setRawMode(false);
    this.#stdin.pause();
  }

  /** A key that was hit before the question is no answer to it. */
  #takeKeys(keys: string): void {
    for (const key of keys) {
      if (key === CTRL_C) this.#interrupt();
      else this.#give(key === CTRL_D ? undefined : key);
    }
  }

  #takeLines(text: string): void {
    if (text.includes(CTRL_C) && this.#stdin.isRaw) {
      this.#interrupt();
      return;
    }
    const lines = (this.#line + text).split(this.#stdin.isRaw ? /[\r\n]/ : /\r?\n/);
    this.#line = (lines.pop() ?? "").slice(0, LONGEST_LINE);
    for (const line of lines) {
      const typed = this.#stdin.isRaw ? withoutErased(line) : line;
      if (!this.#give(typed) && this.#typed.length < MOST_TYPED) this.#typed.push(typed);
    }
  }

  #give(typed: string | undefined): boolean {
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.(typed);
    return waiting !== undefined;
  }

  #end(): void {
    if (this.#ended) return;
    if (this.#line !== "") this.#takeLines("\n");
    this.#ended = true;
    this.#give(undefined);
    if (this.#typed.length === 0) this.#onNobody();
  }
}

/** A terminal that echoes nothing leaves it to us what Backspace does. */
function withoutErased(line: string): string {
  const kept: string[] = [];
  for (const character of line) {
    if (character === "\u007f" || character === "\b") kept.pop();
    else kept.push(character);
  }
  return kept.join("");
}
