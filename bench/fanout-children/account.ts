/** What someone was told of a run after a time in which it did not listen. */
export class Account {
  executions = 0;
  thinking = 0;
  /** Thinking that was left out, by the notices that name it. */
  dropped = 0;
  /** What the protocol does not allow. */
  readonly faults: string[] = [];
  readonly #named = new Set<number>();
  #last = -1;

  take(text: string): void {
    const { sequence, type, metadata } = JSON.parse(text);
    if (sequence < 0) {
      for (const named of metadata?.dropped ?? []) this.#named.add(named);
      return;
    }
    if (sequence <= this.#last) this.faults.push(`${sequence} came after ${this.#last}`);
    for (let missing = this.#last + 1; missing < sequence; missing++) {
      if (this.#named.has(missing)) this.dropped++;
      else this.faults.push(`${missing} never came, and nobody said so`);
    }
    this.#last = sequence;
    if (type === "execution") this.executions++;
    else if (type === "thinking") this.thinking++;
    else this.faults.push(`${sequence} is of the type ${type}`);
  }
}
