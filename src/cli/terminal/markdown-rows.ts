import { plainText } from "../../core/plain-text.ts";
import { diffLines } from "./diff-lines.ts";
import type { Paint } from "./paint.ts";
import type { Place } from "./screen.ts";
import { rowsOf, wordRows } from "./text-width.ts";

// Answers are Markdown. On a terminal its signs give way to what they mean; where there are no colours to say it they stay.

// Controls, which plain text has none of, and which take no room when a line is broken into rows.
const CODE = "\u0001";
const BOLD = "\u0002";
const INDENT = "  ";

/** Text of any length in the rows of a terminal, without empty ones around it. */
export function rowsOfText(text: string, width: number): string[] {
  return linesOf(text).flatMap((line) => wordRows(line, width));
}

/** The same for an answer. */
export function markdownRows(text: string, { paint, width }: Place): string[] {
  if (paint.bold(BOLD) === BOLD) return rowsOfText(text, width);
  const rows: string[] = [];
  let fence: { mark: string; language: string; lines: string[] } | undefined;
  const endFence = () => {
    if (fence) rows.push(...codeRows(fence.lines, fence.language, paint, width));
    fence = undefined;
  };
  for (const line of linesOf(text)) {
    const [, mark = "", language = ""] = /^ {0,3}(`{3,}|~{3,})([\w+-]*) *$/.exec(line) ?? [];
    if (fence && mark.startsWith(fence.mark) && language === "") endFence();
    else if (fence) fence.lines.push(line);
    else if (mark !== "") fence = { mark, language, lines: [] };
    else rows.push(...proseRows(line, paint, width));
  }
  endFence();
  return rows;
}

const linesOf = (text: string) =>
  plainText(text)
    .replace(/^\s*\n|\s+$/g, "")
    .split("\n");

function codeRows(lines: string[], language: string, paint: Paint, width: number): string[] {
  const room = width - INDENT.length;
  const rows =
    language === "diff" ? diffLines(lines.join("\n"), paint, room) : lines.flatMap((line) => rowsOf(line, room));
  return rows.map((row) => INDENT + row);
}

function proseRows(line: string, paint: Paint, width: number): string[] {
  const [heading] = /^#{1,6} +/.exec(line) ?? [];
  if (heading) return wordRows(line.slice(heading.length), width).map(paint.bold);
  const [, quote] = /^> ?(.*)$/.exec(line) ?? [];
  if (quote !== undefined) return wordRows(quote, width - 2).map((row) => paint.dim(`│ ${row}`));
  const [marker = ""] = /^ *(?:[-*•]|\d{1,3}[.)]) +/.exec(line) ?? [];
  // What is in a list stays beside its sign.
  const rows = wordRows(marked(line.slice(marker.length)), Math.max(10, width - marker.length));
  return painted(rows, paint).map((row, index) => (index === 0 ? marker : " ".repeat(marker.length)) + row);
}

/** Signs that belong together become one mark at each end; those that stand alone are text. */
function marked(line: string): string {
  return line
    .split(/((`+)(?!`).+?(?<!`)\2(?!`))/)
    .filter((_, index) => index % 3 !== 2)
    .map((part, index) =>
      index % 2 === 1 ? inCode(part) : part.replace(/\*\*(?=\S)(.+?)(?<=\S)\*\*/g, `${BOLD}$1${BOLD}`),
    )
    .join("");
}

function inCode(span: string): string {
  const content = span.replace(/^`+|`+$/g, "");
  const isPadded = content.startsWith(" ") && content.endsWith(" ") && content.trim() !== "";
  return CODE + (isPadded ? content.slice(1, -1) : content) + CODE;
}

/** A span may go on in the next row, so what is open is carried on. */
function painted(rows: string[], paint: Paint): string[] {
  const open = { [CODE]: false, [BOLD]: false };
  return rows.map((row) =>
    row
      .split(new RegExp(`([${CODE}${BOLD}])`))
      .map((part) => {
        if (part === CODE || part === BOLD) {
          open[part] = !open[part];
          return "";
        }
        const coded = open[CODE] ? paint.cyan(part) : part;
        return open[BOLD] ? paint.bold(coded) : coded;
      })
      .join(""),
  );
}
