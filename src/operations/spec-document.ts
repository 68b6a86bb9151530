import { type Block, readMarkdown, type Section } from "./markdown.ts";
import { type Mark, marksIn } from "./spec-document-marks.ts";
import { type Reading, readParts } from "./spec-document-parts.ts";
import { type Role, rolesOf, titleSection } from "./spec-document-roles.ts";

export type { Block, Section } from "./markdown.ts";
export type { Mark } from "./spec-document-marks.ts";
export type { Role } from "./spec-document-roles.ts";

/** Words of the document, without its marks of emphasis, and the line they begin at (from 1). */
export interface Item {
  text: string;
  line: number;
}

export interface Requirement extends Item {
  /** As the document has it (`FR-001`, `NFR-2`, `FR-AUTH-001`), or made up by order (`R1`). */
  id: string;
  /** Whether the document gives the id. */
  given: boolean;
}

export interface Criterion extends Item {
  id: string;
  given: boolean;
}

export interface Story extends Item {
  /** `US1`, by the number in its heading, or by order. */
  id: string;
  title: string;
  /** `P1`, or the word that stands there (`High`). */
  priority?: string;
  scenarios: Item[];
  independentTest?: Item;
  /** Its last line. */
  end: number;
}

export interface Clarified extends Item {
  question: string;
  answer: string;
  /** The date of its session, where one is given. */
  session?: string;
}

/** A block with what it is there for. */
export interface Statement extends Item {
  role: Role;
  /** The requirement, criterion or story that it belongs to. */
  owner?: string;
  block: Block;
}

export interface SpecDocument {
  title: string;
  /** As they stand, without their line endings. */
  lines: string[];
  sections: Section[];
  stories: Story[];
  requirements: Requirement[];
  criteria: Criterion[];
  /** All acceptance scenarios, also those that stand in no story. */
  scenarios: Item[];
  edgeCases: Item[];
  entities: Item[];
  assumptions: Item[];
  outOfScope: Item[];
  marks: Mark[];
  clarifications: Clarified[];
  /** Everything that is said, in order. */
  statements: Statement[];
}

/** Reads a spec in spec-kit's shape, and any looser one as well as a reader could. No text makes it fail. */
export function readSpec(text: string): SpecDocument {
  const { lines, sections, blocks } = readMarkdown(text);
  const roles = rolesOf(sections);
  const title = titleSection(sections);
  const reading: Reading = { lines, blocks, title, roleOf: (section) => roles.get(section) ?? "other" };
  const parts = readParts(reading);
  return {
    title: titleText(title?.title ?? sections[1]?.title ?? ""),
    lines: lines.map((line) => line.raw),
    sections: sections.filter((section) => section.level > 0),
    ...parts,
    marks: marksIn(parts.statements),
  };
}

function titleText(title: string): string {
  return title
    .replace(/^(?:feature )?(?:spec(?:ification)?|prd|product requirements document)\s*[:–—-]\s*/i, "")
    .trim();
}
