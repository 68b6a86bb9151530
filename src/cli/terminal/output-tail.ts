import { plainText } from "../../core/plain-text.ts";

/** A line without an end is shown in parts of this length. */
const LONGEST_LINE = 8192;

/**
 * What a tool says while it works, in lines without escapes. Of a long output the last lines are kept; whoever wants all of it takes
 * the lines as they come.
 */
export class OutputTail {
  readonly #most: number;
  #lines: string[] = [];
  #before = 0;
  #rest = "";

  constructor(most: number) {
    this.#most = most;
  }

  /** Gives the lines that are complete now. */
  push(text: string): string[] {
    const parts = (this.#rest + text).split("\n");
    this.#rest = parts.pop() ?? "";
    if (this.#rest.length > LONGEST_LINE) {
      parts.push(this.#rest);
      this.#rest = "";
    }
    const lines = parts.map(shown);
    this.#keep(lines);
    return lines;
  }

  /** The last line needs no end. */
  end(): string[] {
    if (this.#rest === "") return [];
    const line = shown(this.#rest);
    this.#rest = "";
    this.#keep([line]);
    return [line];
  }

  /** The last lines, the one under way included. */
  get lines(): string[] {
    const all = this.#rest === "" ? this.#lines : [...this.#lines, shown(this.#rest)];
    return all.slice(-this.#most);
  }

  /** How many lines came before those. */
  get before(): number {
    return this.#before + this.#lines.length + (this.#rest === "" ? 0 : 1) - this.lines.length;
  }

  #keep(lines: string[]): void {
    this.#lines.push(...lines);
    const gone = Math.max(0, this.#lines.length - this.#most);
    this.#before += gone;
    this.#lines.splice(0, gone);
  }
}

/** A line that was written over, as progress bars are, is what was written last. */
function shown(line: string): string {
  const written = line.split("\r").findLast((part) => part.trim() !== "") ?? "";
  return plainText(written).replaceAll("\n", " ").trimEnd();
}
