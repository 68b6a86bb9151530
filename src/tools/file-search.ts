import { setImmediate } from "node:timers/promises";
import { DragomanError } from "../core/errors.ts";
import type { FindMatches } from "./bounded-regex.ts";
import { isBinary, wholeContent } from "./file-content.ts";
import { openFile } from "./open-file.ts";
import type { Entry } from "./walk.ts";

export interface LineMatch {
  path: string;
  /** Both counted from 1. */
  line: number;
  column: number;
  text: string;
}

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_TOTAL_BYTES = 512 * 1024 * 1024;
/** What is matched in one go. */
const PIECE_CHARACTERS = 256 * 1024;
const TEXT_BEFORE = 200;
const MAX_TEXT = 500;

/** Searches files one after the other, until there is enough. */
export class FileSearch {
  readonly matches: LineMatch[] = [];
  filesSearched = 0;
  /** Whether there may be matches that were not found. */
  incomplete = false;
  #bytesLeft = MAX_TOTAL_BYTES;
  readonly #find: FindMatches;
  readonly #limit: number;
  readonly #signal: AbortSignal;

  constructor(find: FindMatches, limit: number, signal: AbortSignal) {
    this.#find = find;
    this.#limit = limit;
    this.#signal = signal;
  }

  /** Whether to go on with the next one. */
  async file(entry: Entry): Promise<boolean> {
    const bytes = await this.#contentOf(entry);
    if (!bytes) return true;
    this.#bytesLeft -= bytes.length;
    if (this.#bytesLeft < 0) {
      this.incomplete = true;
      return false;
    }
    if (isBinary(bytes)) return true;
    this.filesSearched += 1;
    return this.#text(entry.path, bytes.toString("utf8"));
  }

  async #text(path: string, text: string): Promise<boolean> {
    let firstLine = 1;
    for (const piece of piecesOf(text)) {
      if (this.#signal.aborted) throw new DragomanError("cancelled", "The search was cancelled.");
      // One more than is given, to know whether there are more.
      const lines = piece.split("\n").map((line) => line.replace(/\r$/, ""));
      for (const { index, at } of this.#find(lines, this.#limit + 1 - this.matches.length)) {
        if (this.matches.length === this.#limit) {
          this.incomplete = true;
          return false;
        }
        this.matches.push({ path, line: firstLine + index, column: at + 1, text: excerpt(lines[index] ?? "", at) });
      }
      firstLine += lines.length;
      if (text.length > PIECE_CHARACTERS) await setImmediate();
    }
    return true;
  }

  /** Nothing, if there is nothing to be searched. */
  async #contentOf({ path, real }: Entry): Promise<Buffer | undefined> {
    try {
      const handle = await openFile({ path, real });
      try {
        const bytes = await wholeContent(handle, MAX_FILE_BYTES);
        if (bytes) return bytes;
      } finally {
        await handle.close();
      }
    } catch {
      // Not ours to read, or gone by now.
    }
    this.incomplete = true;
    return undefined;
  }
}

/** The text's lines in larger pieces, without the line end behind each piece. */
function* piecesOf(text: string): Generator<string> {
  let from = 0;
  while (from < text.length) {
    const found = text.indexOf("\n", from + PIECE_CHARACTERS);
    const end = found >= 0 ? found : text.endsWith("\n") ? text.length - 1 : text.length;
    yield text.slice(from, end);
    from = end + 1;
  }
}

/** The line, or what is around the match if it is long. */
function excerpt(line: string, at: number): string {
  if (line.length <= MAX_TEXT) return line;
  const from = Math.max(0, at - TEXT_BEFORE);
  const to = from + MAX_TEXT;
  return `${from > 0 ? "..." : ""}${line.slice(from, to).toWellFormed()}${to < line.length ? "..." : ""}`;
}
