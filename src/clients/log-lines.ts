/** What is longer is cut: nobody reads on. */
const LONGEST = 8 * 1024;

/** Bytes of a log in, lines out, as they come; whatever is no text is replaced. */
export class LogLines {
  readonly #utf8 = new TextDecoder();
  readonly #onLine: (line: string) => void;
  #rest = "";

  constructor(onLine: (line: string) => void) {
    this.#onLine = onLine;
  }

  push(chunk: Uint8Array): void {
    const [first = "", ...others] = this.#utf8.decode(chunk, { stream: true }).split("\n");
    let line = this.#rest + first;
    for (const next of others) {
      this.#tell(line);
      line = next;
    }
    this.#rest = line.slice(0, LONGEST);
  }

  end(): void {
    this.#tell(this.#rest + this.#utf8.decode());
    this.#rest = "";
  }

  #tell(line: string): void {
    const text = line.endsWith("\r") ? line.slice(0, -1) : line;
    if (text !== "") this.#onLine(text.slice(0, LONGEST));
  }
}
