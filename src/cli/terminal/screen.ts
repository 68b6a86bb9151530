import type { Paint } from "./paint.ts";
import { cut, widthOf } from "./text-width.ts";

export type Output = NodeJS.WritableStream & {
  isTTY?: boolean;
  columns?: number;
  rows?: number;
  writableLength?: number;
};

/** Where something is drawn, as far as the drawing depends on it. */
export interface Place {
  readonly paint: Paint;
  /** Columns of a line; without a terminal lines have no end. */
  readonly width: number;
  readonly rows: number;
  /** Whether the last lines can be drawn anew. */
  readonly live: boolean;
}

/** What is drawn below all that was said, and drawn anew whenever it changes. */
export interface Below {
  lines: string[];
  /** The column of the cursor in the first of them; it is hidden when nothing is typed. */
  cursor?: number;
}

const NOTHING: Below = { lines: [] };

/** Writes at most this often; all that came meanwhile is one write. */
const TICK_MS = 16;

const ESC = "\u001b[";
const ERASE_BELOW = `\r${ESC}J`;
const ERASE_LINE = `${ESC}2K`;
const HIDE_CURSOR = `${ESC}?25l`;
const SHOW_CURSOR = `${ESC}?25h`;

/**
 * Lines that stay, and on a terminal some lines below them that change. The cursor always waits in the first of those, so that
 * whatever a terminal does to its lines when it is resized, everything from there on is ours to erase.
 */
export class Screen implements Place {
  readonly paint: Paint;
  readonly live: boolean;
  readonly #out: Output;
  #added: string[] = [];
  #addedLength = 0;
  #wanted: Below = NOTHING;
  #drawn: Below = NOTHING;
  #stale = false;
  #cursorShown = true;
  #timer: NodeJS.Timeout | undefined;
  #closed = false;

  constructor(out: Output, { paint, live }: Pick<Place, "paint" | "live">) {
    this.#out = out;
    this.paint = paint;
    this.live = live;
  }

  get width(): number {
    return this.#out.isTTY ? Math.max(20, this.#out.columns ?? 80) : Number.POSITIVE_INFINITY;
  }

  get rows(): number {
    return this.#out.isTTY ? Math.max(4, this.#out.rows ?? 24) : Number.POSITIVE_INFINITY;
  }

  /** What has not reached the terminal or pipe yet. */
  get unsentBytes(): number {
    return this.#addedLength + (this.#out.writableLength ?? 0);
  }

  /** Lines that stay. */
  add(lines: string[]): void {
    if (lines.length === 0 || this.#closed) return;
    this.#added.push(...lines);
    for (const line of lines) this.#addedLength += line.length + 1;
    this.#schedule();
  }

  /** What is to be seen below them from now on. */
  show(below: Below): void {
    if (!this.live || this.#closed) return;
    this.#wanted = below;
    this.#schedule();
  }

  /** The terminal has another size: what is below is drawn anew. */
  resized(): void {
    this.#stale = true;
    this.#schedule();
  }

  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const text = this.live ? this.#update() : this.#takeAdded();
    if (text !== "") this.#out.write(text);
  }

  /** Leaves the lines that stay, and a cursor below them. Nothing is drawn after that. */
  close(): void {
    if (this.#closed) return;
    this.#wanted = NOTHING;
    this.flush();
    this.#closed = true;
  }

  #schedule(): void {
    if (this.#closed) return;
    this.#timer ??= setTimeout(() => this.flush(), TICK_MS);
  }

  #takeAdded(): string {
    const text = this.#added.map((line) => `${line}\n`).join("");
    this.#added = [];
    this.#addedLength = 0;
    return text;
  }

  #update(): string {
    const below = this.#fitted(this.#wanted);
    const before = this.#drawn;
    const afresh = this.#stale || this.#added.length > 0 || below.lines.length !== before.lines.length;
    const changed = below.lines.some((line, index) => line !== before.lines[index]) || below.cursor !== before.cursor;
    if (!afresh && !changed) return "";
    this.#drawn = below;
    this.#stale = false;
    const erased = before.lines.length > 0 ? ERASE_BELOW : "";
    const lines = afresh
      ? below.lines
      : below.lines.map((line, i) => (line === before.lines[i] ? "" : ERASE_LINE + line));
    const drawn = afresh ? `${erased}${this.#takeAdded()}${lines.join("\n")}` : `\r${lines.join("\n")}`;
    return (below.lines.length > 0 ? this.#cursor(false) : "") + drawn + this.#back(below);
  }

  /** To the first line, where the cursor waits. */
  #back({ lines, cursor }: Below): string {
    if (lines.length === 0) return this.#cursor(true);
    const up = lines.length > 1 ? `${ESC}${lines.length - 1}A` : "";
    const right = cursor ? `${ESC}${cursor}C` : "";
    return `${up}\r${right}${this.#cursor(cursor !== undefined)}`;
  }

  #cursor(shown: boolean): string {
    if (this.#cursorShown === shown) return "";
    this.#cursorShown = shown;
    return shown ? SHOW_CURSOR : HIDE_CURSOR;
  }

  /** Each line in one row, and fewer of them than the terminal has. */
  #fitted({ lines, cursor }: Below): Below {
    const most = this.rows - 1;
    const kept = lines.length <= most ? lines : [...lines.slice(0, most - 1), ...lines.slice(-1)];
    const width = this.width - 1;
    return { lines: kept.map((line) => fitPainted(line, width)), cursor: cursor && Math.min(cursor, width - 1) };
  }
}

const colour = new RegExp(`(${ESC.replace("[", "\\[")}\\d+m)`);

/** Cuts a line with colours in it; those that are left are ended. */
export function fitPainted(line: string, width: number): string {
  const parts = line.split(colour);
  const texts = parts.filter((_, index) => index % 2 === 0);
  if (widthOf(texts.join("")) <= width) return line;
  let room = width;
  let fit = "";
  for (const [index, part] of parts.entries()) {
    const isColour = index % 2 === 1;
    const isLast = texts.slice(index / 2 + 1).every((text) => text === "");
    if (isColour || widthOf(part) < room || (isLast && widthOf(part) === room)) {
      fit += part;
      if (!isColour) room -= widthOf(part);
    } else {
      fit += cut(`${part}…`, room);
      room = 0;
    }
  }
  return fit;
}
