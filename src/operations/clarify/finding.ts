import type { Place } from "../documents.ts";
import { type Block, lineAt, plain } from "../markdown.ts";
import { type Sentence, sentencesIn } from "../markdown-sentences.ts";
import type { SpecDocument, Statement } from "../spec-document.ts";

/**
 * What is wrong: the author says it is open (`marked`), nobody can test it (`vague`, and for a success criterion
 * `unmeasurable`), nothing is said (`missing`), two things are said (`contradictory`).
 */
export type FindingKind = "vague" | "missing" | "contradictory" | "unmeasurable" | "marked";

export interface Finding {
  kind: FindingKind;
  message: string;
  place: Place;
  /** How much hangs on it and how little is known: 1 to 30. What the text itself leaves open comes before what a reader misses. */
  weight: number;
  /** What it is about: of one topic one question is asked. */
  topic?: string;
  /** The words that are to be settled, as they stand in the document. */
  words?: string;
  /** The requirement, criterion or story it is found in. */
  owner?: string;
  /** Of a contradiction: where the other statement stands, and what each of the two says. */
  other?: Place;
  values?: string[];
  /** Of numbers that disagree: each with the place that gives it. */
  sides?: { value: string; place: Place }[];
}

/** How much hangs on a topic. Scope comes before security, security before use, use before technique. */
export const impact = { scope: 5, security: 4, use: 3, technique: 2, wording: 1 } as const;
export type Impact = keyof typeof impact;

/** How little is known: the author asks, the text disagrees with itself, a note says that it is open, it can be read in several ways, it could be guessed. */
const doubt = { open: 3, likely: 2, slight: 1 } as const;
/** What no reader can overlook outweighs all that a reader may only miss. */
const plainToSee = { said: 24, torn: 22, noted: 17 } as const;
export type Doubt = keyof typeof doubt | keyof typeof plainToSee;

export function weightOf(what: Impact, how: Doubt): number {
  return how in plainToSee
    ? plainToSee[how as keyof typeof plainToSee] + impact[what]
    : impact[what] * doubt[how as keyof typeof doubt];
}

/** From here on something is wrong that the author would not leave: the spec is no careful one. */
export const SERIOUS = 15;
/** A section that a spec needs. Less than what touches scope or security, more than a loose word. */
export const SECTION = 12;

const LONGEST_QUOTE = 160;

export function shortened(text: string, longest = LONGEST_QUOTE): string {
  const flat = text.replace(/\s+/g, " ").trim();
  return flat.length <= longest
    ? flat
    : `${flat
        .slice(0, longest - 1)
        .toWellFormed()
        .trimEnd()}…`;
}

/** The words as a reader sees them: without marks of emphasis, of a row its cells. */
export function placeAt(line: number, quote: string): Place {
  const words = quote.slice(0, LONGEST_READ).replace(/^\s*(?:[-*+]\s+|#+\s+)/, "");
  const row = /^\s*\|/.test(words) ? words.replace(/^\s*\|\s*|\s*\|\s*$/g, "") : words;
  return { document: "spec", line, quote: shortened(plain(row).replaceAll("**", "")) };
}

const LONGEST_READ = 1000;

/** The place of a character of a block. Of a long block the sentence is quoted, and of a long sentence what is around. */
export function placeIn(block: Block, offset: number, length: number): Place {
  const { text, at } =
    block.text.length <= LONGEST_QUOTE ? { text: block.text, at: 0 } : sentenceAround(block.text, offset);
  const from = text.length <= LONGEST_QUOTE ? 0 : Math.max(0, offset - at - Math.max(0, LONGEST_QUOTE - length) / 2);
  const start = from === 0 ? 0 : text.indexOf(" ", Math.floor(from)) + 1;
  return placeAt(lineAt(block, offset), text.slice(Math.min(start, offset - at)));
}

const WINDOW = 600;

/** The sentence that has the character; no more of a text without stops is looked at than one would read. */
export function sentenceAround(text: string, offset: number): Sentence {
  const from = Math.max(0, offset - WINDOW);
  const sentence = sentencesIn(text.slice(from, offset + WINDOW)).findLast((one) => from + one.at <= offset);
  return { text: sentence?.text ?? text.slice(offset, offset + WINDOW), at: sentence ? from + sentence.at : offset };
}

/** Roles whose statements bind whoever builds it. Motives, tests and what is left out are told, not demanded. */
const BINDING = new Set(["requirements", "story", "stories", "scenarios", "edgeCases", "criteria", "assumptions"]);

/** A text without headings for it still demands things. */
export function isBinding(spec: SpecDocument, statement: Statement): boolean {
  if (statement.block.kind === "heading") return false;
  if (BINDING.has(statement.role)) return true;
  const loose = statement.role === "overview" || statement.role === "other";
  return loose && (statement.owner !== undefined || !hasOwnRequirements(spec));
}

export function hasOwnRequirements(spec: SpecDocument): boolean {
  return spec.statements.some((one) => one.role === "requirements" && one.block.kind !== "heading");
}

/** How a statement is called in a sentence: "FR-003", "User Story 2", "line 14". */
export function nameOf(owner: string | undefined, line: number): string {
  const story = /^US(\d+)$/.exec(owner ?? "")?.[1];
  if (story) return `User Story ${story}`;
  return owner && !/^[RC]\d+$/.test(owner) ? owner : `line ${line}`;
}
