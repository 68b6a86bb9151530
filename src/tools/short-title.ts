const LONGEST = 80;

/** A text as a heading: on one line, and not a long one. */
export function shortTitle(text: string): string {
  const line = text.trim().replace(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}
