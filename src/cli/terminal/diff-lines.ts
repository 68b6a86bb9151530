import { plainText } from "../../core/plain-text.ts";
import type { Paint } from "./paint.ts";
import { rowsAtSpaces } from "./text-width.ts";
import { count } from "./wording.ts";

/** A diff in its colours, each line whole: what does not fit in a row goes on in the next, since it is decided on by it. */
export function diffLines(diff: string, paint: Paint, width: number): string[] {
  const lines = plainText(diff).split("\n");
  if (lines.at(-1) === "") lines.pop();
  return lines.flatMap((line) => rowsAtSpaces(line, width).map(colourOf(line, paint)));
}

function colourOf(line: string, paint: Paint): (text: string) => string {
  if (/^(\+\+\+|---|diff |index )/.test(line)) return paint.bold;
  if (line.startsWith("@@")) return paint.cyan;
  if (line.startsWith("+")) return paint.green;
  return line.startsWith("-") ? paint.red : (text) => text;
}

/** How much a diff changes, in a line. */
export function diffStat(diff: string): string {
  const lines = diff.split("\n");
  const files = lines.filter((line, at) => line.startsWith("+++ ") && lines[at - 1]?.startsWith("--- ")).length;
  const [added = 0, removed = 0] = ["+", "-"].map(
    (sign) => lines.filter((line) => line.startsWith(sign)).length - files,
  );
  return `${count(files, "file")}, +${added} −${removed}`;
}

/** The beginning of what is too long for the screen, and how much of it is missing. */
export function bounded(lines: string[], most: number, more: (missing: number) => string): string[] {
  if (lines.length <= most) return lines;
  const shown = Math.max(1, most - 1);
  return [...lines.slice(0, shown), more(lines.length - shown)];
}
