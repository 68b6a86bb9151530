import { plainText } from "../core/plain-text.ts";
import { fenced } from "./block.ts";

/** A fence of code at the beginning of its line. */
const fence = /^(`{3,}|~{3,})(.*)$/;
/** One within a list or a quotation: where it ends depends on more than is looked at here. */
const nestedFence = /^[\s>*+\-\d.)]+(?:`{3,}|~{3,})/;

/** What begins HTML where Markdown allows it: a tag, a comment, a declaration. */
const html = /<(?=[A-Za-z/!?])/g;
const codeSpan = /(?<!`)(`+)(?!`)(.*?[^`])\1(?!`)/g;

/**
 * Markdown that someone else wrote, for the middle of a document: its HTML is text, so that it cannot hide what follows it, and a
 * fence that it left open is closed. Where it cannot be told how it would be read, it is shown as it was written.
 */
export function foreignMarkdown(text: string): string {
  const plain = plainText(text);
  let open: string | undefined;
  let balanced = true;
  const lines: string[] = [];
  for (const line of plain.split("\n")) {
    const [, marks = "", rest = ""] = fence.exec(line) ?? [];
    if (open !== undefined) {
      if (marks.startsWith(open) && rest.trim() === "") open = undefined;
      lines.push(line);
    } else if (nestedFence.test(line)) {
      return fenced({ kind: "text", text: plain, at: 0, language: "markdown" });
    } else if (marks !== "" && !(marks.startsWith("`") && rest.includes("`"))) {
      open = marks;
      lines.push(line);
    } else {
      balanced = (balanced && isBalanced(line)) || line.trim() === "";
      lines.push(escapeHtml(line, balanced));
    }
  }
  return open === undefined ? lines.join("\n") : [...lines, open].join("\n");
}

/** Whether all code in the line ends in it. Elsewhere than in code a backslash, and in tables a bar, would change that. */
function isBalanced(line: string): boolean {
  return !/[|\\]/.test(line) && !line.replace(codeSpan, "").includes("`");
}

/** Code within a line can keep its signs where it is certain that it is code. */
function escapeHtml(line: string, keepCode: boolean): string {
  if (!keepCode) return line.replace(html, "&lt;");
  let text = "";
  let from = 0;
  for (const { index, 0: span } of line.matchAll(codeSpan)) {
    text += line.slice(from, index).replace(html, "&lt;") + span;
    from = index + span.length;
  }
  return text + line.slice(from).replace(html, "&lt;");
}

/** Someone else's text in one line of the document. */
export function foreignLine(text: string): string {
  return plainText(text).replace(/\s+/g, " ").trim().replace(html, "&lt;");
}

/** Text as a quotation; no more of it is read as Markdown than a word in bold. */
export function quoted(text: string): string {
  return plainText(text)
    .trim()
    .split("\n")
    .map((line) => `> ${escapeHtml(line, false).replace(/^(\s*)([`~#>*+-]|\d+[.)])/, "$1\\$2")}`.trimEnd())
    .join("\n");
}

/** Any text as code within a line. */
export function inlineCode(text: string): string {
  const plain = plainText(text).replace(/\s+/g, " ").trim();
  const longest = (plain.match(/`+/g) ?? []).reduce((length, run) => Math.max(length, run.length), 0);
  const ticks = "`".repeat(longest + 1);
  const space = plain.startsWith("`") || plain.endsWith("`") ? " " : "";
  return `${ticks}${space}${plain}${space}${ticks}`;
}
