/** Counts what each has open, so that one cannot take all connections from the others. */
export class Places {
  readonly most: number;
  readonly #taken = new Map<string, number>();

  constructor(most: number) {
    this.most = most;
  }

  isFull(owner: string): boolean {
    return (this.#taken.get(owner) ?? 0) >= this.most;
  }

  /** The function that is returned gives it back, once. */
  take(owner: string): () => void {
    this.#taken.set(owner, (this.#taken.get(owner) ?? 0) + 1);
    let isTaken = true;
    return () => {
      if (isTaken) this.#giveBack(owner);
      isTaken = false;
    };
  }

  #giveBack(owner: string): void {
    const left = (this.#taken.get(owner) ?? 0) - 1;
    if (left > 0) this.#taken.set(owner, left);
    else this.#taken.delete(owner);
  }
}
