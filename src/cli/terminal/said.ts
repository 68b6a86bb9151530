/** Enough to know an answer by. */
const ENOUGH = 1024 * 1024;

/** What was said in a run, to know an answer that repeats it: all of it, or what came after the last thing that was done. */
export class Said {
  #all = "";
  #lately = "";
  #last = "";

  add(text: string): void {
    this.#last = flat(text);
    this.#all = joined(this.#all, this.#last);
    this.#lately = joined(this.#lately, this.#last);
  }

  /** Something was done: an answer may begin anew. */
  pass(): void {
    this.#lately = "";
    this.#last = "";
  }

  forget(): void {
    this.pass();
    this.#all = "";
  }

  has(answer: string): boolean {
    const given = flat(answer);
    if (given === "" || given === this.#last) return true;
    return [this.#all, this.#lately].some(
      (said) => given === said || (said.length === ENOUGH && given.startsWith(said)),
    );
  }
}

const joined = (before: string, next: string) => `${before} ${next}`.trim().slice(0, ENOUGH);

/** Where lines break makes no other text. */
const flat = (text: string) => text.replace(/\s+/g, " ").trim();
