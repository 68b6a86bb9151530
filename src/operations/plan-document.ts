import { headingOf, markdownLines } from "./markdown-lines.ts";
import { requirementsIn } from "./task-document-fields.ts";

export interface PlanSection {
  title: string;
  level: number;
  line: number;
  /** Its words, without those of sections below it and without what a template left. */
  words: string;
}

export interface PlanDocument {
  title: string;
  sections: PlanSection[];
  /** Ids of requirements, criteria and stories that it names. */
  references: { id: string; line: number }[];
  /** What is left open: NEEDS CLARIFICATION, TBD, TODO. */
  marks: { text: string; line: number }[];
  /** What the template left to be filled in. */
  placeholders: { text: string; line: number }[];
  /** Lines that are read as its words: no code, no comments. */
  said: { text: string; line: number }[];
  lines: string[];
}

const MARK = /\bNEEDS CLARIFICATION\b|\bTBD\b|\bTODO\b|\bto be (?:decided|determined|defined)\b/;
const PLACEHOLDER =
  /\[(?:FEATURE|DATE|link|###-feature-name|###-feature|e\.g\.,[^\]]{0,200}|Extract from feature spec[^\]]{0,200}|Gates determined[^\]]{0,120}|Document the selected structure[^\]]{0,200}|domain-specific[^\]]{0,200}|if applicable[^\]]{0,200}|REMOVE IF UNUSED)\]/;

/** Reads spec-kit's plan.md and its relatives; never throws. */
export function readPlan(text: string): PlanDocument {
  const lines = markdownLines(text);
  const sections: PlanSection[] = [];
  const plan: PlanDocument = {
    title: "",
    sections,
    references: [],
    marks: [],
    placeholders: [],
    said: [],
    lines: lines.map((line) => line.raw),
  };
  for (const { kind, text: words, number, raw } of lines) {
    const heading = kind === "heading" ? headingOf(words) : undefined;
    if (heading) {
      const { title, marks = 2 } = heading;
      sections.push({ title: title.replace(/[*`]/g, ""), level: marks, line: number, words: "" });
    }
    const placeholder = PLACEHOLDER.exec(words)?.[0];
    if (placeholder) plan.placeholders.push({ text: placeholder, line: number });
    const section = sections.at(-1);
    // A tree of folders or a diagram is a section's words too.
    if (section && !heading) section.words += ` ${kind === "code" ? raw : words.replace(PLACEHOLDER, " ")}`;
    if (kind === "blank" || words.trim() === "") continue;
    plan.said.push({ text: words, line: number });
    const mark = MARK.exec(words)?.[0];
    if (mark) plan.marks.push({ text: mark, line: number });
    for (const id of requirementsIn(words)) plan.references.push({ id, line: number });
  }
  plan.title = (sections.find(({ level }) => level === 1)?.title ?? "").replace(
    /^(?:implementation )?plan\s*[:–—-]\s*/i,
    "",
  );
  return plan;
}

/** The sections that a plan needs, by the names that they go by. */
export const PLAN_PARTS: readonly { name: string; title: RegExp }[] = [
  { name: "Summary", title: /\b(?:summary|overview|introduction|goal|approach|abstract|objective)\b/i },
  {
    name: "Technical Context",
    title:
      /\b(?:technical (?:context|approach|design|decisions)|tech(?:nology)? (?:stack|choices)|architecture|technolog(?:y|ies)|stack|design)\b/i,
  },
  {
    name: "Project Structure",
    title:
      /\b(?:project structure|structure|source code|layout|components?|modules?|directory|file structure|architecture)\b/i,
  },
  {
    name: "Quality checks (Constitution Check)",
    title:
      /\b(?:constitution|quality|gates?|principles|testing|test (?:plan|strategy)|verification|checks?|definition of done)\b/i,
  },
];

/** The section of a part and all below it, where it says something. */
export function partOf({ sections }: PlanDocument, title: RegExp): PlanSection | undefined {
  for (const [index, section] of sections.entries()) {
    if (section.level === 1 || !title.test(section.title)) continue;
    let words = section.words;
    for (const below of sections.slice(index + 1)) {
      if (below.level <= section.level) break;
      words += ` ${below.words}`;
    }
    if (/[\p{L}\p{N}]{2,}(?:\W+[\p{L}\p{N}]+){2,}/u.test(words.slice(0, 5000))) return section;
  }
  return undefined;
}
