import { headingOf, type MarkdownLine, markdownLines } from "./markdown-lines.ts";

/** A heading and what stands under it. Labels (`**Acceptance Scenarios**:` on a line of its own) count as level 7. */
export interface Section {
  title: string;
  /** 0 for what stands before the first heading, 1 to 6, 7 for a label. */
  level: number;
  /** The line of the heading; 0 for what stands before the first. */
  line: number;
  /** Its last line, with its subsections. */
  end: number;
  parent?: Section;
}

export type BlockKind = "heading" | "paragraph" | "item" | "row";

/** What a reader takes as one piece: a heading, a paragraph, a list item with its wrapped lines, a row of a table. */
export interface Block {
  kind: BlockKind;
  /** Its words, wrapped lines joined by a space, without the list marker. */
  text: string;
  line: number;
  end: number;
  indent: number;
  section: Section;
  /** `-`, `*`, `1.` of an item. */
  marker?: string;
  /** Of an item that is a task box. */
  checked?: boolean;
  /** The item it is indented under. */
  parent?: Block;
  /** Of a row, its cells; `header` are those of the table's first row. */
  cells?: string[];
  header?: string[];
  /** Where in `text` each of its lines begins, and the column of the raw line that this is. */
  pieces: { at: number; line: number; column: number }[];
}

export interface Markdown {
  lines: MarkdownLine[];
  sections: Section[];
  blocks: Block[];
}

/** Reads headings, paragraphs, list items and table rows. Code, comments and front matter give no blocks. */
export function readMarkdown(text: string): Markdown {
  const reader = new Reader(markdownLines(text));
  reader.read();
  return { lines: reader.lines, sections: reader.sections, blocks: reader.blocks };
}

/** The line that has the character at `offset` of the block's text. */
export function lineAt(block: Block, offset: number): number {
  return pieceAt(block, offset).line;
}

/** The line and column of the raw document that a character of the block's text stands at. */
export function positionAt(block: Block, offset: number): { line: number; column: number } {
  const piece = pieceAt(block, offset);
  return { line: piece.line, column: piece.column + offset - piece.at };
}

function pieceAt(block: Block, offset: number): Block["pieces"][number] {
  let [low, high] = [0, block.pieces.length - 1];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((block.pieces[middle]?.at ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return block.pieces[low] ?? { at: 0, line: block.line, column: 0 };
}

/** Words without the marks of emphasis, code and links, and without what is struck out. */
export function plain(text: string): string {
  return text
    .replace(/\[([^\][]{1,200})\]\([^()\s]{1,500}\)/g, "$1")
    .replace(/~~[^~]{1,4000}~~/g, "")
    .replace(/\*\*|__|`/g, "")
    .replace(/(^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s).,;:]|$)/g, "$1")
    .replace(/[ \t]+/g, " ")
    .trim();
}

/** A line that is only bold words, or a few words and a colon. */
const BOLD_LABEL = /^\s*\*\*([^*]{1,80})\*\*\s*:?\s*$/;
const LABELLED = /^\s*\*\*[^*]{1,60}(?:\*\*:|:\*\*)/;
/** A list without list marks: each line begins with its id, or says what is in and what is out. */
const NUMBERED =
  /^\s{0,3}[[(]?[A-Z][A-Z0-9]{0,9}(?:-[A-Z][A-Z0-9]{0,11}){0,3}-\d{1,4}[\])]?\s?(?::|[–—-]\s)|^\s{0,3}(?:In scope|Out of scope|Not in scope|Non-goals?)\s?:/;
const PLAIN_LABEL = /^\s{0,3}([\p{L}][\p{L}\p{N} /&'()-]{1,60}):\s*$/u;

function labelOf(line: MarkdownLine): string | undefined {
  if (line.kind !== "text") return undefined;
  const title = BOLD_LABEL.exec(line.text)?.[1] ?? PLAIN_LABEL.exec(line.text)?.[1];
  return title?.replace(/:\s*$/, "").trim();
}

const MARKER = /^(\s*)([-*+•]|\d{1,9}[.)])(\s+|$)(?:\[([ xX])\]\s+)?/;

class Reader {
  readonly sections: Section[] = [{ title: "", level: 0, line: 0, end: 0 }];
  readonly blocks: Block[] = [];
  readonly lines: MarkdownLine[];
  #open: Block | undefined;
  #header: string[] | undefined;
  #items: Block[] = [];

  constructor(lines: MarkdownLine[]) {
    this.lines = lines;
  }

  read(): void {
    for (const line of this.lines) {
      if (line.kind === "heading") this.#heading(line);
      else if (line.kind === "item") this.#item(line);
      else if (line.kind === "row") this.#row(line);
      else if (line.kind === "text") this.#text(line);
      else if (line.kind !== "comment") this.#open = undefined;
      if (line.kind !== "row") this.#header = undefined;
    }
    for (const section of this.sections) section.end ||= this.lines.length;
  }

  get #section(): Section {
    return this.sections.at(-1) as Section;
  }

  #heading(line: MarkdownLine): void {
    const underlined = this.lines[line.number]?.text.trim().startsWith("=") ? 1 : 2;
    const { title, marks = underlined } = headingOf(line.text);
    this.#begin(plain(title), marks, line);
  }

  #begin(title: string, level: number, line: MarkdownLine): void {
    let parent: Section | undefined = this.#section;
    while (parent && parent.level >= level) {
      parent.end ||= line.number - 1;
      parent = parent.parent;
    }
    this.sections.push({ title, level, line: line.number, end: 0, parent });
    this.#add("heading", line, /^[\s#]*/.exec(line.text)?.[0].length ?? 0);
    this.#open = undefined;
    this.#items = [];
  }

  #text(line: MarkdownLine): void {
    const item = this.#items.at(-1);
    const label = line.indent < 2 || (line.indent < 4 && !item) ? labelOf(line) : undefined;
    if (label) this.#begin(label, 7, line);
    else if (this.#open && !LABELLED.test(line.text) && !NUMBERED.test(line.text)) this.#wrap(this.#open, line);
    else if (item && line.indent >= item.indent + 2) this.#add("item", line, 0, { parent: item });
    else {
      this.#items = [];
      this.#add("paragraph", line, 0);
    }
  }

  #wrap(block: Block, line: MarkdownLine): void {
    const at = block.text.length + 1;
    const text = line.text.trim();
    block.text = `${block.text} ${text}`;
    block.end = line.number;
    block.pieces.push({ at, line: line.number, column: line.text.indexOf(text) });
  }

  #item(line: MarkdownLine): void {
    const [marker, , sign, , box] = MARKER.exec(line.text) ?? [""];
    while ((this.#items.at(-1)?.indent ?? -1) >= line.indent) this.#items.pop();
    const parent = this.#items.at(-1);
    const checked = box === undefined ? undefined : box !== " ";
    const block = this.#add("item", line, marker.length, { marker: sign, parent, checked });
    block.indent = line.indent;
    this.#items.push(block);
  }

  #row(line: MarkdownLine): void {
    this.#open = undefined;
    const cells = cellsOf(line.text);
    if (cells.every((cell) => /^:?-+:?$/.test(cell))) return;
    const block = this.#add("row", line, 0, { cells, header: this.#header });
    this.#header ??= cells;
    block.text = line.text.trim();
    this.#open = undefined; // a row never wraps
  }

  #add(kind: BlockKind, line: MarkdownLine, from: number, more: Partial<Block> = {}): Block {
    const text = line.text.slice(Math.min(from, line.text.length)).trim();
    const column = Math.max(0, line.text.indexOf(text, Math.min(from, line.text.length)));
    const { number, indent } = line;
    const pieces = [{ at: 0, line: number, column }];
    const block: Block = { kind, text, line: number, end: number, indent, section: this.#section, pieces, ...more };
    this.blocks.push(block);
    this.#open = block;
    return block;
  }
}

/** A pipe in code or behind a backslash divides no cells; a lone backtick begins no code. */
export function cellsOf(text: string): string[] {
  const inner = text.trim().replace(/^\|/, "").replace(/\|$/, "");
  const cells: string[] = [""];
  let inCode = false;
  for (let at = 0; at < inner.length; at++) {
    const character = inner.charAt(at);
    if (character === "`") inCode = !inCode && inner.includes("`", at + 1);
    if (character === "|" && !inCode && inner[at - 1] !== "\\") cells.push("");
    else cells[cells.length - 1] += character;
  }
  return cells.map((cell) => cell.trim());
}
