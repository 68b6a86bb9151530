/** What a line is. Code, comments and front matter are no words of the author's to a reader of the rendered page. */
export type LineKind = "blank" | "heading" | "item" | "row" | "rule" | "code" | "comment" | "front" | "text";

export interface MarkdownLine {
  /** From 1. */
  number: number;
  /** As it stands, without its line ending. */
  raw: string;
  /** As `raw`, with comments and quote marks blanked out by spaces so that columns stay; empty for code, comments and front matter. */
  text: string;
  kind: LineKind;
  /** Columns before the first character; a tab counts four. */
  indent: number;
}

export interface EndedLine {
  text: string;
  /** "\n", "\r\n", or "" for a last line without one. */
  ending: string;
}

/** Joined again, the lines are the text, byte for byte. A text that ends in a line ending has no empty line after it. */
export function endedLines(text: string): EndedLine[] {
  const lines: EndedLine[] = [];
  for (let at = 0; at < text.length; ) {
    const feed = text.indexOf("\n", at);
    if (feed < 0) {
      lines.push({ text: text.slice(at), ending: "" });
      break;
    }
    const crlf = feed > at && text[feed - 1] === "\r";
    lines.push({ text: text.slice(at, crlf ? feed - 1 : feed), ending: crlf ? "\r\n" : "\n" });
    at = feed + 1;
  }
  return lines;
}

const HEADING = /^ {0,3}#{1,6}(?:[ \t]|$)/;
const ITEM = /^\s*(?:[-*+•]|\d{1,9}[.)])(?:[ \t]+\S|[ \t]*$)/;
const RULE = /^ {0,3}(?:-[ \t]*){3,}$|^ {0,3}(?:\*[ \t]*){3,}$|^ {0,3}(?:_[ \t]*){3,}$/;
const FENCE = /^\s*(`{3,}|~{3,})/;
const UNDERLINE = /^ {0,3}(=+|-{2,})\s*$/;

/** Reads a document line by line; no text makes it fail. */
export function markdownLines(text: string): MarkdownLine[] {
  return readLines(text).lines;
}

/** The line at which code or a comment begins that nothing closes, so that whatever is behind it belongs to it; or none. */
export function unclosedFrom(text: string): number | undefined {
  const { fence, inComment, since } = readLines(text).reading;
  return fence || inComment ? since : undefined;
}

function readLines(text: string): { lines: MarkdownLine[]; reading: Reading } {
  const raws = endedLines(text).map((line) => line.text);
  if (raws[0]?.startsWith("\uFEFF")) raws[0] = raws[0].slice(1);
  const lines: MarkdownLine[] = [];
  const reading: Reading = { fence: "", inComment: false, since: 0, front: frontMatterEnd(raws) };
  for (const [index, raw] of raws.entries()) lines.push(readLine(raw, index + 1, reading));
  markUnderlined(lines);
  return { lines, reading };
}

interface Reading {
  fence: string;
  inComment: boolean;
  /** Where the fence or comment began. */
  since: number;
  /** The number of the line that closes the front matter; 0 where there is none. */
  front: number;
}

function frontMatterEnd(raws: string[]): number {
  if (raws[0]?.trimEnd() !== "---" || !/^[A-Za-z_][\w-]*:/.test(raws[1] ?? "")) return 0;
  return raws.findIndex((raw, index) => index > 0 && raw.trimEnd() === "---") + 1;
}

function readLine(raw: string, number: number, reading: Reading): MarkdownLine {
  const line = (kind: LineKind, text = ""): MarkdownLine => ({ number, raw, text, kind, indent: indentOf(raw) });
  if (number <= reading.front) return line("front");
  if (reading.fence) {
    if (closes(raw, reading.fence)) reading.fence = "";
    return line("code");
  }
  const wasInComment = reading.inComment;
  const text = withoutComments(raw, number, reading);
  const opened = wasInComment ? null : FENCE.exec(text);
  if (opened?.[1] && !text.slice(opened[0].length).includes("`")) {
    reading.fence = opened[1];
    reading.since = number;
    return line("code");
  }
  const quoted = /^\s{0,3}>[\s>]*/.exec(text)?.[0];
  if (quoted) return line(kindOf(text.slice(quoted.length)), " ".repeat(quoted.length) + text.slice(quoted.length));
  if (text.trim() === "") return line(raw.trim() === "" ? "blank" : "comment");
  return line(kindOf(text), text);
}

function closes(raw: string, fence: string): boolean {
  const bare = raw.trim();
  return bare.length >= fence.length && bare[0] === fence[0] && bare === fence.charAt(0).repeat(bare.length);
}

function withoutComments(raw: string, number: number, reading: Reading): string {
  if (!reading.inComment && !raw.includes("<!--")) return raw;
  let text = "";
  for (let at = 0; at < raw.length; ) {
    const next = raw.indexOf(reading.inComment ? "-->" : "<!--", at);
    const end = next < 0 ? raw.length : reading.inComment ? next + 3 : next;
    text += reading.inComment ? " ".repeat(end - at) : raw.slice(at, end);
    if (next >= 0) reading.inComment = !reading.inComment;
    if (next >= 0 && reading.inComment) reading.since = number;
    at = end;
  }
  return text;
}

function kindOf(text: string): LineKind {
  if (HEADING.test(text)) return "heading";
  if (RULE.test(text)) return "rule";
  if (ITEM.test(text)) return "item";
  if (text.trimStart().startsWith("|")) return "row";
  return "text";
}

function indentOf(raw: string): number {
  let indent = 0;
  for (const character of raw) {
    if (character === " ") indent++;
    else if (character === "\t") indent += 4;
    else break;
  }
  return indent;
}

/**
 * The words of a heading, and how many marks it begins with: none where the line below makes it one. Marks that close it are no
 * words of it, the one of "C#" is. Linear in the length of the line, whatever is in it.
 */
export function headingOf(text: string): { title: string; marks?: number } {
  const line = text.trim();
  const marks = /^#{1,6}(?=\s|$)/.exec(line)?.[0].length;
  const title = line
    .slice(marks ?? 0)
    .replace(/(?:^|\s)#+$/, "")
    .trim();
  return { title, marks };
}

/** A line of text above `===` or `---` is a heading; above dashes only if it reads like one, for many mean a rule there. */
function markUnderlined(lines: MarkdownLine[]): void {
  for (const [index, line] of lines.entries()) {
    const above = lines[index - 1];
    if (above?.kind !== "text" || (line.kind !== "text" && line.kind !== "rule")) continue;
    const underline = UNDERLINE.exec(line.text)?.[1];
    const alone = index < 2 || lines[index - 2]?.kind !== "text";
    if (!underline || !alone) continue;
    if (underline.startsWith("-") && !/^[^*|:.]{1,80}$/.test(above.text.trim())) continue;
    above.kind = "heading";
    line.kind = "rule";
  }
}
