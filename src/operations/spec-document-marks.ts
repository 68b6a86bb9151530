import { type Block, lineAt } from "./markdown.ts";
import type { Statement } from "./spec-document.ts";

/** A place that its author left open: `[NEEDS CLARIFICATION: which?]`. */
export interface Mark {
  /** What is asked; empty where nothing is. */
  question: string;
  /** As it stands in the document, wrapped lines joined. */
  text: string;
  line: number;
  /** The requirement, criterion or story that it stands in. */
  owner?: string;
  block: Block;
  /** Where it stands in the block's text. */
  at: number;
}

const OPENING =
  /\[?\s?NEEDS?[ _-]CLARIFICATION\b\s*:?|\[\s?(?:CLARIFY|CLARIFICATION NEEDED|TO BE CLARIFIED|OPEN QUESTION|QUESTION)\s*:/gi;
const LONGEST = 2000;
const MOST_MARKS = 500;

export function marksIn(statements: readonly Statement[]): Mark[] {
  return statements.flatMap((statement) => (statement.role === "aside" ? [] : marksOf(statement))).slice(0, MOST_MARKS);
}

function marksOf({ block, owner }: Statement): Mark[] {
  const marks: Mark[] = [];
  for (const found of block.text.matchAll(OPENING)) {
    const bracketed = found[0].startsWith("[");
    if (!bracketed && !/^NEEDS/.test(found[0])) continue; // "this needs clarification" in a sentence is no mark
    const end = (bracketed ? closing(block.text, found.index) : undefined) ?? lineEnd(block, found.index);
    const text = block.text.slice(found.index, end);
    const question = text
      .slice(found[0].length)
      .replace(/\]$/, "")
      .replace(/^[\s:–—-]+/, "")
      .trim();
    if (!question && isMention(block.text, found.index, end)) continue;
    marks.push({ question, text, line: lineAt(block, found.index), owner, block, at: found.index });
  }
  return marks;
}

/** After the bracket that closes the one at `from`. */
function closing(text: string, from: number): number | undefined {
  let depth = 0;
  for (let at = from; at < Math.min(text.length, from + LONGEST); at++) {
    if (text[at] === "[") depth++;
    else if (text[at] === "]" && --depth === 0) return at + 1;
  }
  return undefined;
}

/** A mark that nothing closes ends with its sentence, and with its line at the latest. */
function lineEnd(block: Block, from: number): number {
  const next = block.pieces.find((piece) => piece.at > from);
  const line = block.text.slice(from, next ? next.at - 1 : from + LONGEST);
  const stop = line.search(/[?.](?:\s|$)/);
  return from + (stop < 0 ? line.length : stop + 1);
}

/** "No [NEEDS CLARIFICATION] markers remain", or the mark in code: it is spoken of, not used. */
function isMention(text: string, from: number, end: number): boolean {
  return text[from - 1] === "`" || /^[`\s]*(?:markers?|marks?|tags?|placeholders?)\b/i.test(text.slice(end, end + 20));
}
