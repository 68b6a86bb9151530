import type { Statement } from "../spec-document.ts";
import { addItem, lastWords } from "./additions.ts";
import { asPhrase, asSentence } from "./clean-answer.ts";
import type { Draft } from "./draft.ts";
import {
  settleDangling,
  settleDoubled,
  settleNumbers,
  settleOrder,
  settleScope,
  settleStatements,
} from "./edit-statements.ts";
import { annotate, annotatePlace, fillMarks, fillPlaceholder, fillWords } from "./edit-words.ts";
import type { Finding } from "./finding.ts";
import { gaps } from "./gaps.ts";
import type { ClarifyQuestion } from "./questions.ts";
import { appendTo, byPlain, byText, noteAt } from "./words-in-draft.ts";

/** Writes an answer where the question comes from; `false` where its words are no longer there. */
type Edit = (draft: Draft, question: ClarifyQuestion, answer: string) => boolean;

/** By the first word of the finding's topic. */
export const edits: Record<string, Edit> = {
  marked: (draft, question, answer) =>
    (/CLARIF|^\[\s?(?:OPEN )?QUESTION/i.test(question.finding.words ?? "") ? fillMarks : fillWords)(
      draft,
      question,
      answer,
    ),
  question: (draft, { finding }, answer) => appendTo(draft, byText(draft, finding.words), ` → ${answer}`),
  vague: annotate,
  criterion: (draft, { finding }, answer) =>
    appendTo(draft, criterionOf(draft, finding), ` (measured: ${asPhrase(answer)})`),
  number: settleNumbers,
  opposite: settleStatements,
  denied: settleStatements,
  reserved: settleStatements,
  field: settleStatements,
  exclusive: settleStatements,
  scope: settleScope,
  order: settleOrder,
  doubled: settleDoubled,
  dangling: settleDangling,
  placeholder: fillPlaceholder,
  gap: addGap,
  scenario: addScenario,
  priority: addPriority,
  requirements: (draft, _, answer) => added(draft, "requirement", asSentence(answer)),
  untold: addUntold,
  stories: (draft, _, answer) => added(draft, "story", asSentence(`Used first by: ${asPhrase(answer)}`)),
  criteria: (draft, _, answer) => added(draft, "criterion", asSentence(answer)),
  edge: (draft, { finding }, answer) =>
    finding.topic === "edge-answer"
      ? appendTo(draft, byPlain(draft, finding.words), ` ${asSentence(answer)}`)
      : added(draft, "edgeCase", asSentence(`When something goes wrong: ${asPhrase(answer)}`)),
  empty: addFirst,
  no: addFirst,
};

export function editFor(topic: string | undefined): Edit {
  return edits[(topic ?? "").split("-")[0] ?? ""] ?? annotatePlace;
}

/** A row is read without its id and its small cells, so its words do not stand there as one. */
function criterionOf(draft: Draft, { words, owner }: Finding): Statement | undefined {
  const criterion = draft.spec.criteria.find((one) => one.id === owner && one.text === words);
  const row = draft.spec.statements.find((one) => one.line === criterion?.line && one.block.kind === "row");
  return row ?? byPlain(draft, words, owner);
}

function added(draft: Draft, kind: Parameters<typeof addItem>[1], words: string): boolean {
  addItem(draft, kind, words);
  return true;
}

function addUntold(draft: Draft, { finding, options }: ClarifyQuestion, answer: string): boolean {
  if (answer !== options.at(-1)?.label) return added(draft, "requirement", asSentence(answer));
  return added(draft, "outOfScope", asSentence(`User Story ${finding.owner?.slice(2)}: ${finding.place.quote}`));
}

/** What the options say of the document is no requirement; what the user says is one. */
function addFirst(draft: Draft, { options }: ClarifyQuestion, answer: string): boolean {
  return options.some(({ label }) => label === answer) || added(draft, "requirement", asSentence(answer));
}

function addGap(draft: Draft, { finding }: ClarifyQuestion, answer: string): boolean {
  const gap = gaps.find((one) => `gap-${one.topic}` === finding.topic);
  if (!gap) return false;
  return added(draft, gap.edge ? "edgeCase" : "requirement", asSentence(gap.becomes(asPhrase(answer))));
}

function addScenario(draft: Draft, { finding }: ClarifyQuestion, answer: string): boolean {
  const story = draft.spec.stories.find((one) => one.id === finding.owner);
  const own = draft.spec.statements.find((one) => one.line === story?.line);
  if (!story || !own) return false;
  if (/\bleft out of this version\W*$/i.test(answer)) return noteAt(draft, own, answer);
  if (own.block.kind !== "heading") {
    draft.insert(own.block.end, [`${" ".repeat(own.block.indent + 2)}- ${asSentence(answer)}`]);
    return true;
  }
  const label = draft.spec.sections.find(
    (one) => one.line > story.line && one.line <= story.end && /acceptance/i.test(one.title),
  );
  const last = lastWords(draft, label?.line ?? story.line, label?.end ?? story.end);
  const follows = last < draft.end && draft.lineText(last + 1).trim() !== "" ? [""] : [];
  draft.insert(last, [...(label ? [] : ["", "**Acceptance Scenarios**:"]), "", `1. ${asSentence(answer)}`, ...follows]);
  return true;
}

function addPriority(draft: Draft, { finding }: ClarifyQuestion, answer: string): boolean {
  const story = draft.spec.stories.find((one) => one.id === finding.owner);
  const own = draft.spec.statements.find((one) => one.line === story?.line);
  if (!own) return false;
  draft.append(own.block, ` (Priority: ${asPhrase(answer)})`);
  return true;
}
