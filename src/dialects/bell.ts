/** Rings for all who wait for it at that moment. */
export class Bell {
  #waiting: (() => void)[] = [];

  ring(): void {
    for (const wake of this.#waiting.splice(0)) wake();
  }

  /** Resolves when it rings next. */
  rung(): Promise<void> {
    return new Promise((resolve) => this.#waiting.push(resolve));
  }
}
