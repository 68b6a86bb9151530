const KEPT = 32 * 1024;

/** Keeps the beginning and the end of a text of any length. */
export class ProcessCapture {
  readonly #kept: number;
  #head = "";
  #tail = "";
  #left = 0;

  constructor(kept = KEPT) {
    this.#kept = kept;
  }

  get truncated(): boolean {
    return this.#left > 0;
  }

  add(text: string): void {
    // Once something went to the end, what comes after it does too.
    const room = this.#tail === "" ? this.#kept - this.#head.length : 0;
    const cut = room > 0 ? wholeCharacters(text, Math.min(room, text.length)) : 0;
    this.#head += text.slice(0, cut);
    this.#tail += text.slice(cut);
    if (this.#tail.length > 2 * this.#kept) this.#shorten();
  }

  text(): string {
    this.#shorten();
    if (!this.truncated) return this.#head + this.#tail;
    return `${this.#head}\n[... ${this.#left} characters left out ...]\n${this.#tail}`;
  }

  #shorten(): void {
    if (this.#tail.length <= this.#kept) return;
    const cut = wholeCharacters(this.#tail, this.#tail.length - this.#kept);
    this.#left += cut;
    this.#tail = this.#tail.slice(cut);
  }
}

/** The nearest place at or before this one that is not within a character. */
function wholeCharacters(text: string, at: number): number {
  const unit = text.charCodeAt(at);
  return at < text.length && unit >= 0xdc00 && unit <= 0xdfff ? at - 1 : at;
}
