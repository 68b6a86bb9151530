import { plain } from "../markdown.ts";
import type { Section, SpecDocument } from "../spec-document.ts";
import { insertSection, lastWords, topLevel } from "./additions.ts";
import type { Draft } from "./draft.ts";

/** As it is read again. */
const bare = (text: string): string => plain(text).replace(/\s+/g, " ").toLowerCase();

/** Whether the same question has the same answer there already. */
export function isRecorded(spec: SpecDocument, question: string, answer: string): boolean {
  const [asked, said] = [bare(oneLine(question)), bare(answer)];
  return spec.clarifications.some((one) => bare(one.question) === asked && bare(one.answer) === said);
}

/** The question as one line of a list in which the arrow to the answer is the only one. */
export function oneLine(question: string): string {
  return question
    .replace(/\s+/g, " ")
    .replace(/[`*_~|<>[\]]+/g, "")
    .replace(/(?:→|->|=>|⇒)/g, "-")
    .trim();
}

/** Writes the answers under `## Clarifications`, `### Session <today>`, as spec-kit does. */
export function record(draft: Draft, told: readonly { question: string; answer: string }[], today: string): void {
  const items = [...new Set(told.map(({ question, answer }) => `- Q: ${oneLine(question)} → A: ${answer}`))];
  if (items.length === 0) return;
  const { sections } = draft.spec;
  const whole = sections.find((one) => /^\W*clarifications?\W*$/i.test(one.title));
  const session =
    whole && sections.find((one) => one.line > whole.line && one.line <= whole.end && one.title.includes(today));
  if (!whole) makeWhole(draft, items, today);
  else if (!session) makeSession(draft, whole, items, today);
  else addTo(draft, session, items);
}

function addTo(draft: Draft, session: Section, items: readonly string[]): void {
  const last = lastWords(draft, session.line, session.end);
  draft.insert(last, last === session.line ? ["", ...items] : items);
}

function makeSession(draft: Draft, whole: Section, items: readonly string[], today: string): void {
  const last = lastWords(draft, whole.line, whole.end);
  const heading = `${"#".repeat(Math.min(6, whole.level + 1))} Session ${today}`;
  const follows = last < draft.end && draft.lineText(last + 1).trim() !== "";
  draft.insert(last, ["", heading, "", ...items, ...(follows ? [""] : [])]);
}

/** Behind what introduces the feature and before what is demanded. */
function makeWhole(draft: Draft, items: readonly string[], today: string): void {
  const { spec } = draft;
  const level = Math.max(1, Math.min(5, topLevel(spec)));
  const demanding = spec.statements.find(
    ({ block, role }) =>
      block.kind === "heading" &&
      block.section.level <= level &&
      role !== "overview" &&
      role !== "aside" &&
      role !== "other" &&
      role !== "clarifications",
  );
  const lines = [`${"#".repeat(level)} Clarifications`, "", `${"#".repeat(level + 1)} Session ${today}`, "", ...items];
  insertSection(draft, lines, demanding ? demanding.line - 1 : draft.end);
}
