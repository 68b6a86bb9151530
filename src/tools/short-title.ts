import { plainText } from "../core/plain-text.ts";

const LONGEST = 80;

/** A text as a heading: on one line, and not a long one, with nothing in it that a person does not see. */
export function shortTitle(text: string): string {
  const line = plainText(text).trim().replace(/\s+/g, " ");
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1).toWellFormed()}…` : line;
}
