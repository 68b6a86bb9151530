import type { Block } from "../markdown.ts";
import type { Role, Section, SpecDocument, Statement } from "../spec-document.ts";
import { leadingId } from "../spec-document-ids.ts";
import { titleSection } from "../spec-document-roles.ts";
import type { Draft } from "./draft.ts";

interface Kind {
  role: Role;
  /** Of the ids in this section, where it has ids. */
  prefix?: string;
  /** The headings that are made where there are none. */
  headings: readonly string[];
  /** Sections that it is put in front of when it is made. */
  before: readonly Role[];
}

const kinds = {
  requirement: {
    role: "requirements",
    prefix: "FR-",
    headings: ["Requirements", "Functional Requirements"],
    before: ["criteria", "assumptions", "outOfScope", "openQuestions"],
  },
  criterion: {
    role: "criteria",
    prefix: "SC-",
    headings: ["Success Criteria", "Measurable Outcomes"],
    before: ["assumptions", "outOfScope", "openQuestions"],
  },
  edgeCase: {
    role: "edgeCases",
    headings: ["Edge Cases"],
    before: ["requirements", "entities", "criteria", "assumptions", "outOfScope", "openQuestions"],
  },
  outOfScope: { role: "outOfScope", headings: ["Out of Scope"], before: ["openQuestions"] },
  story: {
    role: "stories",
    headings: ["User Scenarios & Testing"],
    before: ["edgeCases", "requirements", "entities", "criteria", "assumptions", "outOfScope", "openQuestions"],
  },
} satisfies Record<string, Kind>;

export type AddedKind = keyof typeof kinds;

/** Adds an item to its section, behind the last one there and with the next free id; makes the section where there is none. */
export function addItem(draft: Draft, kind: AddedKind, words: string): void {
  const about: Kind = kinds[kind];
  const { spec } = draft;
  const last = lastItem(spec, about);
  if (last) {
    insertBehind(draft, last, about, words);
    return;
  }
  const heading = spec.statements.find((one) => one.role === about.role && one.block.kind === "heading");
  const item = `- ${about.prefix ? `**${nextId(spec, about.prefix)}**: ` : ""}${words}`;
  if (heading) insertUnder(draft, deepest(spec, heading.block.section, about.role), item);
  else makeSection(draft, about, item);
}

/** The last item of the section that has an id of the series, or of those without ids the last that stands at the top. */
function lastItem(spec: SpecDocument, { role, prefix }: Kind): Statement | undefined {
  const items = spec.statements.filter(
    ({ block, role: own }) =>
      own === role && block.kind !== "heading" && (block.kind !== "paragraph" || idOf(block)) && !block.parent,
  );
  const series = prefix ? items.filter(({ block }) => idOf(block)?.startsWith(prefix)) : [];
  const named = prefix ? items.filter(({ block }) => idOf(block) && !idOf(block)?.startsWith("N")) : [];
  return series.at(-1) ?? named.at(-1) ?? items.at(-1);
}

function idOf(block: Block): string | undefined {
  return block.cells ? block.cells.map((cell) => leadingId(`${cell}:`)?.id).find(Boolean) : leadingId(block.text)?.id;
}

function insertBehind(draft: Draft, { block }: Statement, { prefix }: Kind, words: string): void {
  const own = idOf(block);
  const id = own && prefix ? nextId(draft.spec, prefix, own) : undefined;
  const line = block.cells
    ? rowOf(block, id, words)
    : `${" ".repeat(block.indent)}${markerBehind(block)}${id ? `${likeId(block, id)}: ` : ""}${words}`;
  draft.insert(endWithChildren(draft.spec, block), [line]);
}

/** A paragraph with an id has no list mark, and neither has the next. */
const markerBehind = ({ kind, marker = "-" }: Block): string => (kind === "paragraph" ? "" : `${nextMarker(marker)} `);

const likeId = ({ text }: Block, id: string): string => (text.startsWith("**") ? `**${id}**` : id);

const nextMarker = (marker: string): string => marker.replace(/^\d+/, (number) => String(Number(number) + 1));

function rowOf(block: Block, id: string | undefined, words: string): string {
  const cells = block.cells ?? [];
  const longest = cells.reduce((best, cell, at) => (cell.length > (cells[best]?.length ?? 0) ? at : best), 0);
  const named = cells.findIndex((cell) => leadingId(`${cell}:`));
  return `| ${cells.map((_, at) => (at === named && id ? id : at === longest ? words : "")).join(" | ")} |`;
}

function endWithChildren(spec: SpecDocument, block: Block): number {
  let end = block.end;
  for (const { block: other } of spec.statements) {
    let above = other.parent;
    while (above && above !== block) above = above.parent;
    if (above === block) end = Math.max(end, other.end);
  }
  return end;
}

/** The next number of the series, written as wide as the others. */
export function nextId(spec: SpecDocument, prefix: string, like?: string): string {
  const series = like?.replace(/\d+[a-z]?$/, "") ?? prefix;
  const taken = [...spec.requirements, ...spec.criteria].map((one) => one.id).filter((id) => id.startsWith(series));
  const numbers = taken.map((id) => /^\d+/.exec(id.slice(series.length))?.[0] ?? "0");
  const width = numbers.length > 0 ? Math.min(...numbers.map((digits) => digits.length)) : 3;
  return `${series}${String(Math.max(0, ...numbers.map(Number)) + 1).padStart(width, "0")}`;
}

/** Under "Requirements" the list stands under "Functional Requirements", if there is such a heading. */
function deepest(spec: SpecDocument, section: Section, role: Role): Section {
  const inner = spec.statements.find(
    (one) => one.role === role && one.block.kind === "heading" && one.block.section.parent === section,
  );
  return inner ? inner.block.section : section;
}

function insertUnder(draft: Draft, section: Section, item: string): void {
  const last = lastWords(draft, section.line, section.end);
  const spaced = last === section.line || !/^\s*(?:[-*+]|\d+[.)])\s/.test(draft.lineText(last));
  const follows = last < draft.end && draft.lineText(last + 1).trim() !== "";
  draft.insert(last, [...(spaced ? [""] : []), item, ...(follows ? [""] : [])]);
}

/** The last line of the section that is not blank or a rule. */
export function lastWords(draft: Draft, from: number, to: number): number {
  let last = Math.max(from, Math.min(to, draft.end));
  while (last > from && /^\s*(?:-{3,}|\*{3,}|_{3,})?\s*$/.test(draft.lineText(last))) last--;
  return last;
}

function makeSection(draft: Draft, { headings, before }: Kind, item: string): void {
  const { spec } = draft;
  const next = before.flatMap((role) => topHeading(spec, role))[0];
  const level = next ? next.level : topLevel(spec);
  const lines = headings.flatMap((title, depth) => [`${"#".repeat(Math.min(6, level + depth))} ${title}`, ""]);
  insertSection(draft, [...lines, item], next ? next.line - 1 : draft.end);
}

/** Puts a section between others, with one blank line on either side. */
export function insertSection(draft: Draft, lines: readonly string[], after: number): void {
  const spaceBefore = after > 0 && draft.lineText(after).trim() !== "" ? [""] : [];
  const spaceAfter = after < draft.end ? [""] : [];
  draft.insert(after, [...spaceBefore, ...lines, ...spaceAfter]);
}

/** The heading of a section of that role that stands in no other one of it. */
function topHeading(spec: SpecDocument, role: Role): Section[] {
  const headings = spec.statements.filter(
    (one) => one.role === role && one.block.kind === "heading" && one.block.section.level < 7,
  );
  return headings.slice(0, 1).map((one) => one.block.section);
}

/** The level of the sections right under the title. */
export function topLevel({ sections }: SpecDocument): number {
  const title = titleSection(sections);
  const levels = sections.filter((one) => one.level < 7 && one !== title).map((one) => one.level);
  return levels.length > 0 ? Math.min(...levels) : 2;
}
