const TOGETHER_MS = 50;

/** Looks when it is told to, and never twice at a time: what comes meanwhile has it look once more. */
export class Lookout {
  #look;
  #underWay;
  #again = false;
  #next;
  #isSoon = false;

  /** `look` gives the milliseconds until it is time for the next, or nothing. */
  constructor(look) {
    this.#look = look;
  }

  now() {
    this.#again = true;
    this.#underWay ??= this.#whileAsked();
    return this.#underWay;
  }

  /** For whoever may tell of many changes at once. */
  soon() {
    if (this.#isSoon) return;
    this.#isSoon = true;
    setTimeout(() => {
      this.#isSoon = false;
      this.now();
    }, TOGETHER_MS);
  }

  async #whileAsked() {
    let after;
    clearTimeout(this.#next);
    try {
      while (this.#again) {
        this.#again = false;
        after = await this.#look();
      }
    } finally {
      this.#underWay = undefined;
    }
    if (after !== undefined) this.#next = setTimeout(() => this.now(), after);
  }
}
