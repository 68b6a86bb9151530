/** Enough to know an answer by. */
const ENOUGH = 1024 * 1024;

/** What was said since the last thing that was done, to know an answer that repeats it. */
export class Said {
  #text = "";
  #last = "";

  add(text: string): void {
    this.#last = flat(text);
    this.#text = `${this.#text} ${this.#last}`.trim().slice(0, ENOUGH);
  }

  forget(): void {
    this.#text = "";
    this.#last = "";
  }

  has(answer: string): boolean {
    const given = flat(answer);
    if (given === "") return true;
    if (given === this.#last || given === this.#text) return true;
    return this.#text.length === ENOUGH && given.startsWith(this.#text);
  }
}

/** Where lines break makes no other text. */
const flat = (text: string) => text.replace(/\s+/g, " ").trim();
