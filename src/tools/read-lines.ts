import type { FileHandle } from "node:fs/promises";
import { DragomanError } from "../core/errors.ts";
import { isBinary } from "./file-content.ts";

export interface LineRange {
  startLine: number;
  maxLines: number;
}

export interface Lines {
  content: string;
  /** Left out for a file that is too large to be read to its end. */
  totalLines?: number;
  truncated: boolean;
}

const CHUNK_BYTES = 256 * 1024;
const MAX_SCANNED_BYTES = 256 * 1024 * 1024;
const MAX_LINE_CHARACTERS = 2000;
const MAX_LINE_BYTES = MAX_LINE_CHARACTERS * 4;
const MAX_CONTENT_CHARACTERS = 200_000;
const LF = 10;

/** Some lines of a text file of any size, as they are in it, line ends included, and how many there are. */
export async function readLines(handle: FileHandle, range: LineRange, signal: AbortSignal): Promise<Lines | "binary"> {
  const scan = new LineScan(range);
  const buffer = Buffer.alloc(CHUNK_BYTES);
  for (let scanned = 0; scanned < MAX_SCANNED_BYTES; ) {
    if (signal.aborted) throw new DragomanError("cancelled", "The reading was cancelled.");
    const { bytesRead } = await handle.read(buffer, 0, CHUNK_BYTES, null);
    const chunk = buffer.subarray(0, bytesRead);
    if (scanned === 0 && isBinary(chunk)) return "binary";
    if (bytesRead === 0) return { ...scan.end(), totalLines: scan.lines };
    scan.add(chunk);
    scanned += bytesRead;
  }
  return { ...scan.end(), truncated: true };
}

/** Keeps the wanted lines, and of each no more than can be shown. */
class LineScan {
  /** Those that have ended. */
  lines = 0;
  #content = "";
  #truncated = false;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #wantedUntil: number;
  readonly #startLine: number;

  constructor({ startLine, maxLines }: LineRange) {
    this.#startLine = startLine;
    this.#wantedUntil = startLine + maxLines;
  }

  add(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(LF); at >= 0 && !this.#isPast; at = chunk.indexOf(LF, from)) {
      this.#keep(chunk.subarray(from, at + 1));
      this.#endLine();
      from = at + 1;
    }
    const rest = chunk.subarray(from);
    if (this.#isPast) this.#count(rest);
    else this.#keep(rest);
  }

  end(): { content: string; truncated: boolean } {
    if (this.#lineBytes > 0) this.#endLine();
    return { content: this.#content, truncated: this.#truncated };
  }

  get #isPast(): boolean {
    return this.lines + 1 >= this.#wantedUntil;
  }

  #count(rest: Buffer): void {
    if (rest.length > 0) this.#truncated = true;
    // By index: an iterator takes ten times as long.
    for (let at = 0; at < rest.length; at++) if (rest[at] === LF) this.lines += 1;
    const last = rest.lastIndexOf(LF);
    this.#lineBytes = last < 0 ? this.#lineBytes + rest.length : rest.length - 1 - last;
  }

  #keep(bytes: Buffer): void {
    this.#lineBytes += bytes.length;
    if (this.lines + 1 < this.#startLine) return;
    const kept = this.#line.reduce((sum, { length }) => sum + length, 0);
    // Copied, since the buffer is used again.
    if (kept < MAX_LINE_BYTES) this.#line.push(Buffer.from(bytes.subarray(0, MAX_LINE_BYTES)));
  }

  #endLine(): void {
    this.lines += 1;
    if (this.#line.length > 0) this.#append(Buffer.concat(this.#line));
    this.#line = [];
    this.#lineBytes = 0;
  }

  #append(kept: Buffer): void {
    const text = kept.toString("utf8");
    const isWhole = kept.length === this.#lineBytes && text.length <= MAX_LINE_CHARACTERS;
    const shown = isWhole ? text : cut(text, this.#lineBytes);
    const hasRoom = this.#content.length + shown.length <= MAX_CONTENT_CHARACTERS;
    if (!isWhole || !hasRoom) this.#truncated = true;
    if (hasRoom) this.#content += this.lines === 1 ? shown.replace(/^\uFEFF/, "") : shown;
    // A later, shorter line would look as if it came next.
    else this.#wantedUntil = 0;
  }
}

function cut(text: string, bytes: number): string {
  // Not in the middle of a pair of surrogates.
  const beginning = text.slice(0, MAX_LINE_CHARACTERS).replace(/[\uD800-\uDBFF]$/, "");
  return `${beginning} ... [the line is cut here: it has ${bytes} bytes]\n`;
}
