/** More of them are only counted. */
const MOST_TOLD = 20;

export interface StrayNote {
  level: "debug" | "warning";
  text: string;
}

/** What an agent writes on its stdout that is no protocol: the first lines of a run are told, the others counted. */
export class StrayLines {
  readonly #agent: string;
  #count = 0;
  #waiting: string[] = [];

  constructor(agent: string) {
    this.#agent = agent;
  }

  add(line: string): void {
    this.#count++;
    if (this.#count <= MOST_TOLD) this.#waiting.push(line);
  }

  /** What is to be told now. */
  take(): StrayNote[] {
    const lines = this.#waiting;
    this.#waiting = [];
    return lines.map((line) => ({ level: "debug", text: `${this.#agent} wrote among its messages: ${line}` }));
  }

  /** What is to be told at the end of a run; the next one counts anew. */
  sum(): StrayNote[] {
    const count = this.#count;
    const told = this.take();
    this.#count = 0;
    if (count <= MOST_TOLD) return told;
    const text = `${this.#agent} wrote ${count} lines among its messages that are no protocol; ${count - MOST_TOLD} of them are not shown.`;
    return [...told, { level: "warning", text }];
  }
}
