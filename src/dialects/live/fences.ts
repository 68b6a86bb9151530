/** Where a text is in its markdown: between lines or within one, in prose or in fenced code. */
export interface Fences {
  /** The beginning of a line that may yet turn out to be a fence. */
  held: string;
  atLineStart: boolean;
  /** How many backticks opened the code; 0 in prose. */
  ticks: number;
}

/** The pieces of a text. Put together again, with the fences as they were written, they are the text. */
export type Piece =
  | { is: "text"; text: string }
  | { is: "open"; fence: string; language?: string }
  | { is: "close"; fence: string };

/** A longer line is no fence, so that no more than this is ever held back. */
export const LONGEST_FENCE = 200;
const DEEPEST_INDENT = 3;
const FEWEST_TICKS = 3;

export function noFences(): Fences {
  return { held: "", atLineStart: true, ticks: 0 };
}

/** Adds a delta. Which pieces come out depends on the whole text only, not on how it was cut into deltas. */
export function scan(fences: Fences, delta: string): Piece[] {
  const pieces: Piece[] = [];
  const text = fences.held + delta;
  let sent = 0;
  let at = 0;
  let atLineStart = fences.atLineStart;
  fences.held = "";
  while (at < text.length) {
    if (atLineStart) {
      const end = fenceEnd(text, at, fences.ticks);
      if (end !== NO_FENCE) {
        if (at > sent) pieces.push({ is: "text", text: text.slice(sent, at) });
        if (end === UNDECIDED) {
          fences.held = text.slice(at);
          fences.atLineStart = true;
          return pieces;
        }
        pieces.push(turn(fences, text.slice(at, end)));
        at = end;
        sent = end;
        continue;
      }
    }
    const newline = text.indexOf("\n", at);
    atLineStart = newline !== -1;
    at = atLineStart ? newline + 1 : text.length;
  }
  if (at > sent) pieces.push({ is: "text", text: text.slice(sent) });
  fences.atLineStart = atLineStart;
  return pieces;
}

/** Gives what was held back. Code may well end without a newline after its fence. */
export function finish(fences: Fences): Piece[] {
  const { held, ticks } = fences;
  const closes = ticks > 0 && held !== "" && fenceEnd(`${held}\n`, 0, ticks) > 0;
  Object.assign(fences, noFences());
  if (closes) return [{ is: "close", fence: held }];
  return held === "" ? [] : [{ is: "text", text: held }];
}

function turn(fences: Fences, fence: string): Piece {
  if (fences.ticks > 0) {
    fences.ticks = 0;
    return { is: "close", fence };
  }
  const info = fence.trim();
  fences.ticks = info.lastIndexOf("`") + 1;
  const language = info.slice(fences.ticks).trim().split(/\s/, 1)[0];
  return language ? { is: "open", fence, language } : { is: "open", fence };
}

const NO_FENCE = -1;
const UNDECIDED = -2;
const SPACE = 32;
const TICK = 96;
const NEWLINE = 10;

/** Where the fence line that starts at `start` ends; once it says no, no further text changes that. */
function fenceEnd(text: string, start: number, ticks: number): number {
  let at = start;
  while (text.charCodeAt(at) === SPACE) at++;
  if (at - start > DEEPEST_INDENT) return NO_FENCE;
  const first = at;
  while (text.charCodeAt(at) === TICK) at++;
  if (at < text.length && at - first < Math.max(ticks, FEWEST_TICKS)) return NO_FENCE;
  for (; at < text.length; at++) {
    const char = text.charCodeAt(at);
    if (at - start > LONGEST_FENCE) return NO_FENCE;
    if (char === NEWLINE) return at + 1;
    // An opening fence has no backtick after its language, a closing one has nothing at all.
    if (ticks > 0 ? char > SPACE : char === TICK) return NO_FENCE;
  }
  return at - start > LONGEST_FENCE ? NO_FENCE : UNDECIDED;
}
