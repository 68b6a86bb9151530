/** Pieces that are shorter are counted to the event before them, so that there are few of them. */
const SHORTEST = 256;

interface Piece {
  seq: number;
  length: number;
}

/**
 * Of which events of the log a text is made that waits to be said. What it loses before it is said (escapes, for one) is not
 * known by its place, so that a piece may be taken for one of an earlier event than it is, and never for one of a later.
 */
export class TextOrigins {
  #pieces: Piece[] = [];

  /** The first of the events. */
  get first(): number | undefined {
    return this.#pieces[0]?.seq;
  }

  add(seq: number, length: number): void {
    if (length === 0) return;
    const last = this.#pieces.at(-1);
    if (last && last.length < SHORTEST) last.length += length;
    else this.#pieces.push({ seq, length });
  }

  /** At least so many characters were said from the beginning, and so many are left. */
  said(count: number, left: number): void {
    if (this.#pieces.length === 0) return;
    const kept: Piece[] = [];
    let [gone, room] = [count, left];
    for (const { seq, length } of this.#pieces) {
      const rest = Math.min(Math.max(0, length - gone), room);
      gone = Math.max(0, gone - length);
      room -= rest;
      if (rest > 0) kept.push({ seq, length: rest });
    }
    this.#pieces = kept;
  }
}
