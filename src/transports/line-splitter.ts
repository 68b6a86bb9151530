const LF = 0x0a;
const CR = 0x0d;
// Kept between lines; what a longer line needed on top is given back once that line is over.
const SMALL = 64 * 1024;

export const DEFAULT_MAX_BYTES = 16 * 1024 * 1024;

export interface LineSplitterOptions {
  /** SSE ends a line at LF, CR or CRLF; NDJSON at LF alone. */
  crEndsLine: boolean;
  maxBytes: number;
  /** The bytes are a view into a buffer that is used again: valid during the call only. */
  onLine(line: Uint8Array): void;
  onTooLarge(): void;
}

/**
 * Cuts a stream of bytes into lines, however it is chunked. CR and LF are never part of a longer UTF-8 sequence, so lines
 * can be cut before they are decoded. A line over the bound is reported the moment it passes it, and the rest of it is
 * skipped without being held.
 */
export class LineSplitter {
  readonly #options: LineSplitterOptions;
  #held = new Uint8Array(0);
  #length = 0;
  #skipping = false;
  #afterCr = false;

  constructor(options: LineSplitterOptions) {
    this.#options = options;
  }

  push(chunk: Uint8Array): void {
    if (chunk.length === 0) return;
    const { crEndsLine } = this.#options;
    let start = this.#afterCr && chunk[0] === LF ? 1 : 0;
    // Each is searched again only once it is consumed: a chunk is read at most twice, however many lines it has.
    let lf = chunk.indexOf(LF, start);
    let cr = crEndsLine ? chunk.indexOf(CR, start) : -1;
    while (lf >= 0 || cr >= 0) {
      const end = cr < 0 || (lf >= 0 && lf < cr) ? lf : cr;
      this.#finish(chunk.subarray(start, end));
      start = end === cr && lf === cr + 1 ? lf + 1 : end + 1;
      if (lf >= 0 && lf < start) lf = chunk.indexOf(LF, start);
      if (cr >= 0 && cr < start) cr = chunk.indexOf(CR, start);
    }
    const rest = chunk.subarray(start);
    if (rest.length > 0 && this.#fits(rest)) this.#append(rest);
    this.#afterCr = crEndsLine && chunk[chunk.length - 1] === CR;
  }

  /** Hands over what came after the last line end, if anything did. */
  end(): void {
    if (this.#length > 0) this.#finish(new Uint8Array(0));
    this.#skipping = false;
    this.#afterCr = false;
  }

  #finish(rest: Uint8Array): void {
    if (this.#fits(rest)) this.#options.onLine(this.#length === 0 ? rest : this.#append(rest));
    this.#release();
    this.#skipping = false;
  }

  #fits(part: Uint8Array): boolean {
    if (this.#skipping) return false;
    if (this.#length + part.length <= this.#options.maxBytes) return true;
    this.#skipping = true;
    this.#release();
    this.#options.onTooLarge();
    return false;
  }

  // Copies, because the caller may use its chunk again. The buffer doubles, so a line in many chunks costs linear time; a list
  // of the chunks would cost a hundred bytes for each byte of a peer that sends them singly.
  #append(part: Uint8Array): Uint8Array {
    const length = this.#length + part.length;
    if (length > this.#held.length) {
      const larger = new Uint8Array(Math.min(this.#options.maxBytes, Math.max(length, 2 * this.#held.length, 1024)));
      larger.set(this.#held.subarray(0, this.#length));
      this.#held = larger;
    }
    this.#held.set(part, this.#length);
    this.#length = length;
    return this.#held.subarray(0, length);
  }

  #release(): void {
    this.#length = 0;
    if (this.#held.length > SMALL) this.#held = new Uint8Array(0);
  }
}
