import { plainText } from "../../dialects/plain-text.ts";
import type { Paint } from "./paint.ts";
import { rowsOf } from "./text-width.ts";

/** A diff in its colours, each line whole: what does not fit in a row goes on in the next, since it is decided on by it. */
export function diffLines(diff: string, paint: Paint, width: number): string[] {
  const lines = plainText(diff).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line) => rowsOf(line, width).map(colourOf(line, paint)));
}

function colourOf(line: string, paint: Paint): (text: string) => string {
  if (/^(\+\+\+|---|diff |index )/.test(line)) return paint.bold;
  if (line.startsWith("@@")) return paint.cyan;
  if (line.startsWith("+")) return paint.green;
  return line.startsWith("-") ? paint.red : (text) => text;
}

/** The beginning of what is too long for the screen, and how much of it is missing. */
export function bounded(lines: string[], most: number, more: (missing: number) => string): string[] {
  if (lines.length <= most) return lines;
  const shown = Math.max(1, most - 1);
  return [...lines.slice(0, shown), more(lines.length - shown)];
}
