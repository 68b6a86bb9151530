import { type Block, positionAt } from "../markdown.ts";
import { type EndedLine, endedLines, unclosedFrom } from "../markdown-lines.ts";
import { readSpec, type SpecDocument } from "../spec-document.ts";

/** A document that is being changed line by line. Lines that no edit names stay as they are, with their endings. */
export class Draft {
  #lines: EndedLine[];
  #spec: SpecDocument | undefined;
  #unclosed: number | undefined;
  readonly #ending: string;

  constructor(text: string) {
    this.#lines = endedLines(text);
    const ended = this.#lines.filter((line) => line.ending !== "");
    const crlf = ended.filter((line) => line.ending === "\r\n");
    this.#ending = crlf.length * 2 > ended.length ? "\r\n" : "\n";
  }

  get text(): string {
    return this.#lines.map((line) => line.text + line.ending).join("");
  }

  /** As it reads now. */
  get spec(): SpecDocument {
    this.#spec ??= readSpec(this.text);
    return this.#spec;
  }

  /** The last line behind which something can be written: not in code or in a comment that nothing closes. */
  get end(): number {
    this.#unclosed ??= unclosedFrom(this.text) ?? this.#lines.length + 1;
    return this.#unclosed - 1;
  }

  lineText(number: number): string {
    return this.#lines[number - 1]?.text ?? "";
  }

  /** Puts words in the place of a part of a block's text. A part that is wrapped ends up on one line. */
  replace(block: Block, at: number, length: number, words: string): void {
    const from = this.#position(block, at);
    const to = length > 0 ? this.#position(block, at + length - 1) : { ...from, column: from.column - 1 };
    const first = this.#lines[from.line - 1];
    const last = this.#lines[to.line - 1];
    if (!first || !last) return;
    const text = first.text.slice(0, from.column) + words + last.text.slice(to.column + 1);
    this.#lines.splice(from.line - 1, to.line - from.line + 1, { text, ending: last.ending });
    this.#changed();
  }

  /** Adds words to the end of a block, before its full stop if they are in brackets; of a row, to its longest cell. */
  append(block: Block, words: string): void {
    const text = saidIn(block);
    const stop = /[.;]$/.test(text) && words.startsWith(" (");
    this.replace(block, block.text.indexOf(text) + text.length - (stop ? 1 : 0), 0, words);
  }

  /** Puts lines behind the line of that number; 0 puts them first. */
  insert(after: number, lines: readonly string[]): void {
    const before = this.#lines[after - 1];
    const added = lines.map((text) => ({ text, ending: this.#ending }));
    if (before && before.ending === "") {
      before.ending = this.#ending;
      const last = added.at(-1);
      if (last) last.ending = "";
    }
    this.#lines.splice(after, 0, ...added);
    this.#changed();
  }

  #changed(): void {
    this.#spec = undefined;
    this.#unclosed = undefined;
  }

  #position(block: Block, at: number): { line: number; column: number } {
    const { line, column } = positionAt(block, at);
    const mark = line === 1 && this.#lines[0]?.text.startsWith("\uFEFF") ? 1 : 0;
    return { line, column: column + mark };
  }
}

/** What a block says: of a row the longest cell, for the others are ids, priorities and the like. */
export function saidIn({ text, cells }: Block): string {
  return cells ? cells.reduce((longest, cell) => (cell.length > longest.length ? cell : longest), "") : text;
}
