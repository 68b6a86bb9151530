import { cellsOf } from "./markdown.ts";
import { headingOf, type MarkdownLine, markdownLines } from "./markdown-lines.ts";
import { fieldOf } from "./task-document-fields.ts";
import { keyOf, namesNoTask, prefixOf } from "./task-document-ids.ts";

/** How a task is written down: a box to tick, a heading, a row of a table, an item of a list. */
export type EntryKind = "box" | "heading" | "row" | "item";

export interface Heading {
  title: string;
  level: number;
  line: number;
  parent?: Heading;
}

/** Something that may be a task, with the lines that belong to it. */
export interface Entry {
  kind: EntryKind;
  /** Nothing where the author gave none. */
  id?: string;
  /** The number of the list item, where that is the only id. */
  marker?: string;
  title: string;
  line: number;
  indent: number;
  done: boolean;
  heading?: Heading;
  /** Wrapped lines of the title are part of `title`. */
  body: MarkdownLine[];
  cells?: Map<string, string>;
  /** A row that only tells more of a task listed elsewhere. */
  further?: boolean;
  /** The entry that this one is indented under. */
  parent?: Entry;
}

export interface Outline {
  lines: MarkdownLine[];
  headings: Heading[];
  entries: Entry[];
  /** Lines of no entry, each with the heading that it stands under. */
  rest: { line: MarkdownLine; heading?: Heading }[];
}

/** Sections that speak of tasks but list none. */
export const ASIDE =
  /\b(?:dependenc|execution order|parallel|strateg|notes?\b|summary|examples?\b|critical path|traceab|coverage|checklist|format\b|conventions|graph|risks?\b|legend|progress|definition of done|acceptance|success criteria|review|overview|validation|mvp scope|task ordering|references|changelog|out of scope|assumptions|open questions|glossary|rollback|metrics|estimates?\b|timeline|milestones$)/i;

const BOX = /^(\s*)(?:[-*+•]|(\d{1,9})[.)])\s+\[([ xX✓✔~/-]?)\]\s*(.*)$/u;
const ITEM = /^(\s*)(?:[-*+•]|(\d{1,9})[.)])\s+(.*)$/;
const ID =
  /^(?:~~)?[*_`[(]{0,4}((?:Task|TASK|task)[ #-]{0,2}\d{1,5}(?:\.\d{1,3}){0,2}[a-z]?|[A-Z]{1,10}(?:-[A-Z]{1,10})?[-_]?\d{1,5}(?:\.\d{1,3}){0,2}[a-z]?|#?\d{1,4}(?:\.\d{1,3}){0,3})(?=[\s\])*_`:.),–—|-]|$)([\])*_`]{0,4})\s*([:.)–—|-]{0,2})(.*)$/;

/** Of a line, and of a title with its wrapped lines, no more is read: longer ones are no words of a person's. */
const LONGEST = 2000;

/** Reads the lines of a document into what may be its tasks, and the rest. */
export function outlineOf(text: string): Outline {
  const lines = markdownLines(text).map((line) =>
    line.text.length > LONGEST ? { ...line, text: line.text.slice(0, LONGEST) } : line,
  );
  return new Reader(lines).read();
}

class Reader {
  readonly #outline: Outline;
  #heading: Heading | undefined;
  #open: Entry | undefined;
  #header: string[] | undefined;
  #blank = false;

  constructor(lines: MarkdownLine[]) {
    this.#outline = { lines, headings: [], entries: [], rest: [] };
  }

  read(): Outline {
    for (const line of this.#outline.lines) {
      if (line.kind !== "row") this.#header = undefined;
      if (line.kind === "blank") this.#blank = true;
      else if (line.kind === "heading") this.#title(line);
      else if (line.kind === "row") this.#row(line);
      else if (line.kind === "item") this.#item(line);
      else if (line.kind === "text") this.#text(line);
      else if (line.kind === "rule") this.#open = undefined;
      if (line.kind !== "blank") this.#blank = false;
    }
    return this.#outline;
  }

  #title(line: MarkdownLine): void {
    const { title, marks: level = 2 } = headingOf(line.text);
    const head = headOf(title);
    const inside = this.#open?.kind === "heading" && (this.#open.heading?.level ?? 0) < level;
    if (inside && !head?.id) {
      this.#open?.body.push(line);
      return;
    }
    let parent = this.#heading;
    while (parent && parent.level >= level) parent = parent.parent;
    this.#heading = { title: bare(title), level, line: line.number, parent };
    this.#outline.headings.push(this.#heading);
    this.#open = undefined;
    if (head?.id) this.#add({ kind: "heading", ...head, line, done: ticked(title) });
  }

  #item(line: MarkdownLine): void {
    const [, , number, box, boxed] = BOX.exec(line.text) ?? [];
    const [, , plainNumber, plain = ""] = ITEM.exec(line.text) ?? [];
    const words = boxed ?? plain;
    const head = headOf(words);
    const child = this.#open !== undefined && this.#owns(line);
    const isTask = boxed !== undefined ? !child || head?.id !== undefined : head?.id !== undefined && !child;
    const mayBe = !child && fieldOf(line.text)?.name === undefined && words.trim() !== "";
    if (!isTask && !(boxed === undefined && mayBe)) {
      if (child) this.#open?.body.push(line);
      else this.#leave(line);
      return;
    }
    const done = boxed !== undefined ? /[xX✓✔]/u.test(box ?? "") : /^~~|✅/u.test(words);
    const { id, title } = head ?? { title: words };
    this.#add({ kind: boxed === undefined ? "item" : "box", id, title, marker: number ?? plainNumber, line, done });
  }

  /** Whether a line belongs to the task that is open. */
  #owns(line: MarkdownLine): boolean {
    const { kind, indent } = this.#open ?? {};
    return kind === "heading" || (kind !== "row" && line.indent > (indent ?? 0));
  }

  #text(line: MarkdownLine): void {
    const open = this.#open;
    const lazy = !this.#blank && open?.kind !== "heading";
    if (!open || open.kind === "row" || (!this.#owns(line) && !lazy)) {
      this.#open = undefined;
      this.#leave(line);
      return;
    }
    const wraps = !this.#blank && open.kind !== "heading" && open.body.length === 0 && !fieldOf(line.text);
    if (wraps && open.title.length < LONGEST) open.title = `${open.title} ${line.text.trim()}`;
    else open.body.push(line);
  }

  #row(line: MarkdownLine): void {
    const cells = cellsOf(line.text);
    if (cells.every((cell) => /^:?-*:?$/.test(cell))) return;
    if (!this.#header) {
      this.#header = cells.map((cell) => bare(cell).toLowerCase());
      if (this.#open?.kind !== "heading") this.#open = undefined;
      return;
    }
    const row = rowOf(this.#header, cells);
    if (!row || this.#open?.kind === "heading") this.#leave(line);
    else this.#add({ kind: "row", ...row, line, done: ticked(row.cells.get("status") ?? "") });
  }

  #add(entry: Omit<Entry, "line" | "indent" | "body" | "heading"> & { line: MarkdownLine }): void {
    const { line, ...rest } = entry;
    const { entries } = this.#outline;
    const parent = entry.kind === "box" || entry.kind === "item" ? this.#above(line.indent) : undefined;
    const made: Entry = { ...rest, line: line.number, indent: line.indent, heading: this.#heading, body: [], parent };
    entries.push(made);
    this.#open = made;
  }

  /** The nearest entry of a list that a line is indented under; none if a heading is between. */
  #above(indent: number): Entry | undefined {
    for (let above = this.#outline.entries.at(-1); above; above = above.parent) {
      if (above.heading !== this.#heading || above.kind === "row") return undefined;
      if (above.kind === "heading" || above.indent < indent) return above;
    }
    return undefined;
  }

  #leave(line: MarkdownLine): void {
    this.#outline.rest.push({ line, heading: this.#heading });
  }
}

const bare = (text: string) => text.replace(/\*\*|`/g, "").trim();
const ticked = (text: string) => /\[[xX✓]\]|✅|☑|^\s*(?:done|complete[d]?|finished|closed)\b/iu.test(text);

/** The id and the title that a text begins with. */
export function headOf(text: string): { id?: string; title: string } | undefined {
  const found = ID.exec(text);
  if (!found) return { title: text };
  const [, written = "", closing = "", mark = "", rest = ""] = found;
  const letters = /^#?([A-Za-z]*)/.exec(written)?.[1] ?? "";
  if (namesNoTask(prefixOf(letters))) return { title: text };
  const number = letters === "";
  // "3 retries", "S3 bucket": a number or a name, no id, unless it is set off from what follows.
  const setOff = mark !== "" || closing.length > 0;
  if (number && !setOff && !written.includes(".")) return { title: text };
  if (!number && !/^(?:T|TASK|Task|task)/.test(letters) && !setOff && !written.includes("-")) return { title: text };
  // "T001-T003: …" and "T001 → T002" speak of several.
  if (/^\s*(?:T-?\d|→|->|←|,\s*T-?\d|(?:and|&|to)\s+T-?\d|\d)/.test(rest) && !number) return { title: text };
  const id = written.replace(/^task[ #-]{0,2}(?=\d)/i, (head) => (/-/.test(head) ? head : "Task "));
  return { id, title: rest.trim() };
}

const COLUMNS: readonly (readonly [string, RegExp])[] = [
  ["id", /^(?:id|#|task ?id|task ?#|no\.?|nr\.?|key|task no\.?)$/],
  ["depends", /depend|blocked by|prereq|predecessor|^after$|^needs$|^requires$|^deps$/],
  ["blocks", /^blocks$|^unblocks$|required by/],
  ["estimate", /estimate|effort|^size$|points|^hours?$|^days?$|duration|^est\.?$|t-?shirt|^time$/],
  ["acceptance", /accept|^done when|criteria|verif|^tests?$|definition of done|validation/],
  ["serves", /require|^req|serves|covers|^fr$|^spec|^ref|^trace/],
  ["story", /^(?:user )?story$|^us$/],
  ["phase", /^phase$|milestone|sprint|^stage$|^group$/],
  ["status", /^status$|^state$|^done\??$|^✓$|^✔$|^complete/],
  ["parallel", /parallel|^\[?p\]?$/],
  ["files", /^files?\b|^path|location/],
  [
    "title",
    /^(?:task|title|name|description|task (?:name|description|title)|what|summary|work|item|deliverable|activity|step)s?$/,
  ],
];

/** A row of a table of tasks: it needs an id and either a title or something that only tasks have. */
function rowOf(
  header: string[],
  cells: string[],
): { id: string; title: string; cells: Map<string, string> } | undefined {
  const named = new Map<string, string>();
  for (const [index, name] of header.entries()) {
    const column = COLUMNS.find(([, pattern]) => pattern.test(name))?.[0];
    if (!column) continue;
    if (column === "estimate") named.set("unit", unitOf(name));
    if (!named.has(column)) named.set(column, bare(cells[index] ?? ""));
    else if (column === "title") named.set("title", `${named.get("title")}: ${bare(cells[index] ?? "")}`);
  }
  const title = named.get("title") ?? "";
  const inTitle = headOf(title);
  const written = named.get("id") ?? inTitle?.id ?? "";
  const id = /^#?[A-Za-z]{0,10}[- ]?(?:[A-Z]{1,10}-)?\d{1,5}(?:\.\d{1,3}){0,3}[a-z]?$/.exec(written)?.[0];
  if (!id || namesNoTask(prefixOf(/^[A-Za-z]*/.exec(id)?.[0] ?? ""))) return undefined;
  const own = named.has("depends") || named.has("estimate") || named.has("status") || named.has("acceptance");
  if (!own && !(named.has("id") && title !== "" && /^t/.test(keyOf(id)))) return undefined;
  return { id, title: named.has("id") ? title : (inTitle?.title ?? ""), cells: named };
}

function unitOf(name: string): string {
  if (/point|sp\b/.test(name)) return "points";
  if (/day|\(d\)/.test(name)) return "days";
  return /hour|\(h\)|hrs/.test(name) ? "hours" : "";
}
