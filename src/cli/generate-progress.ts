import { setImmediate as nextTurn } from "node:timers/promises";

export interface Output {
  write(text: string): unknown;
  isTTY?: boolean;
}

/** What is being done, on one line that is drawn again on a terminal, and as one line per step elsewhere. */
export class GenerateProgress {
  readonly #output: Output;
  #shown = "";

  constructor(output: Output) {
    this.#output = output;
  }

  /** Only where it can be taken back. */
  show(text: string): void {
    if (!this.#output.isTTY) return;
    this.#output.write(`\r\u001b[K${text}...`);
    this.#shown = text;
  }

  /** A step that may keep the process busy: whoever reads sees it before. */
  async step(text: string): Promise<void> {
    if (this.#output.isTTY) this.show(text);
    else this.#output.write(`${text}\n`);
    await nextTurn();
  }

  clear(): void {
    if (this.#shown !== "") this.#output.write("\r\u001b[K");
    this.#shown = "";
  }
}
