import { DragomanError } from "../core/errors.ts";
import { DEFAULT_MAX_BYTES, LineSplitter } from "./line-splitter.ts";

/** The text of a line, or what was wrong with it. */
export type Line = string | DragomanError;

const BLANK = /^[ \t\r]*$/;

/**
 * Bytes in, lines of JSON text out. Only LF ends a line: U+2028 and a lone CR may stand inside one. Blank lines are skipped.
 * A line that is too long or not UTF-8 costs nothing but its own error; the lines around it are unharmed.
 */
export class NdjsonDecoder {
  // Not ignoring a BOM means dropping it: PowerShell writes one, and no JSON text begins with it.
  readonly #utf8 = new TextDecoder("utf-8", { fatal: true });
  readonly #splitter: LineSplitter;
  #lines: Line[] = [];

  constructor({ maxBytes = DEFAULT_MAX_BYTES }: { maxBytes?: number } = {}) {
    this.#splitter = new LineSplitter({
      crEndsLine: false,
      maxBytes,
      onLine: (line) => this.#decode(line),
      onTooLarge: () => {
        this.#lines.push(new DragomanError("too_large", `A line is longer than ${maxBytes} bytes`, { maxBytes }));
      },
    });
  }

  push(chunk: Uint8Array): Line[] {
    this.#splitter.push(chunk);
    return this.#take();
  }

  /**
   * At the end of input: the line that lacks its LF, if there is one. It is given as any other, since a whole message may come
   * without its LF and half of one is not JSON.
   */
  end(): Line[] {
    this.#splitter.end();
    return this.#take();
  }

  #decode(bytes: Uint8Array): void {
    let text: string;
    try {
      text = this.#utf8.decode(bytes);
    } catch {
      this.#lines.push(new DragomanError("parse_error", `A line of ${bytes.length} bytes is not valid UTF-8`));
      return;
    }
    if (BLANK.test(text)) return;
    this.#lines.push(text.endsWith("\r") ? text.slice(0, -1) : text);
  }

  #take(): Line[] {
    const lines = this.#lines;
    this.#lines = [];
    return lines;
  }
}

/** One line for a JSON text. In valid JSON a raw line end can only be white space, so a blank says the same. */
export function encodeLine(json: string): string {
  const line = json.includes("\n") || json.includes("\r") ? json.replace(/[\r\n]/g, " ") : json;
  return `${escapeSeparators(line)}\n`;
}

export function encode(value: unknown): string {
  let json: string | undefined;
  try {
    json = JSON.stringify(value);
  } catch (error) {
    throw new DragomanError("invalid_request", `Not a JSON value: ${(error as Error).message}`);
  }
  if (json === undefined) throw new DragomanError("invalid_request", `Not a JSON value: ${typeof value}`);
  return `${escapeSeparators(json)}\n`;
}

// Readers that take U+2028 and U+2029 for line ends (Node's readline does) would cut the line there.
function escapeSeparators(json: string): string {
  if (!json.includes("\u2028") && !json.includes("\u2029")) return json;
  return json.replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
