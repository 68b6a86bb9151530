import { LONGEST_CONTENT } from "./messages.ts";

const encoder = new TextEncoder();
const scratch = new Uint8Array(LONGEST_CONTENT);

/** The text in parts of at most 10 KB, cut after a line where there is one, else between two code points. Nothing is lost. */
export function split(text: string): string[] {
  if (text.length * 3 <= LONGEST_CONTENT) return [text];
  const parts: string[] = [];
  for (let from = 0; from < text.length; ) {
    const to = endOfPart(text, from);
    parts.push(text.slice(from, to));
    from = to;
  }
  return parts;
}

function endOfPart(text: string, from: number): number {
  // The encoder stops before a code point that does not fit, and tells how much it has read.
  const to = from + encoder.encodeInto(text.slice(from, from + LONGEST_CONTENT), scratch).read;
  if (to >= text.length) return text.length;
  const afterLine = text.lastIndexOf("\n", to - 1) + 1;
  return afterLine > from ? afterLine : to;
}
