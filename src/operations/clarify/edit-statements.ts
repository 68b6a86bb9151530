import { type Block, plain } from "../markdown.ts";
import { sentencesIn } from "../markdown-sentences.ts";
import type { Statement } from "../spec-document.ts";
import { nextId } from "./additions.ts";
import { asPhrase } from "./clean-answer.ts";
import { type Draft, saidIn } from "./draft.ts";
import { annotate } from "./edit-words.ts";
import type { ClarifyQuestion } from "./questions.ts";
import { appendTo, byPlain, noteAt, remark, wordsIn } from "./words-in-draft.ts";

/** The number that was chosen stands in all the places that gave another one. */
export function settleNumbers(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const { values = [], sides = [] } = question.finding;
  const chosen =
    values.find((value) => answer.toLowerCase() === value.toLowerCase()) ??
    (/^\W*\d[\w\s.,%]{0,20}$/.test(answer) ? answer : undefined);
  if (chosen === undefined) return annotate(draft, question, answer);
  let changed = false;
  for (const { value, place } of sides.filter((side) => side.value !== chosen)) {
    const found = wordsIn(draft, question, value, place);
    if (!found) continue;
    draft.replace(found.statement.block, found.at, value.length, chosen);
    changed = true;
  }
  return changed;
}

/** Of two statements the one that lost is struck out and says why. */
export function settleStatements(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const [first, second] = question.options.map((option) => option.label);
  const [earlier, later] = question.finding.values ?? [];
  if (answer === first) return strike(draft, byPlain(draft, later), answer, later);
  if (answer === second) return strike(draft, byPlain(draft, earlier), answer, earlier);
  return appendTo(draft, byPlain(draft, later), ` (${asPhrase(answer)})`);
}

/** Strikes out the statement, or only the sentence of it that lost. */
export function strike(draft: Draft, statement: Statement | undefined, why: string, lost = ""): boolean {
  if (!statement || statement.block.kind === "heading") return false;
  const { block } = statement;
  const at = sentencesIn(block.text).find(({ text }) => plain(text) === lost && text.length < block.text.length);
  if (at) {
    draft.replace(block, at.at + at.text.length, 0, "~~");
    draft.replace(block, at.at, 0, "~~");
    return true;
  }
  const said = saidIn(block);
  const from = block.text.indexOf(said);
  const id = /^(?:\*\*[^*]{1,60}\*\*:?\s*|[A-Z][\w-]*-\d+:\s*)/.exec(said)?.[0] ?? "";
  const reason = asPhrase(why).slice(0, 300).replace(/[()]/g, "");
  draft.replace(block, from + said.length, 0, `~~ (superseded: ${reason})`);
  draft.replace(block, from + id.length, 0, "~~");
  return true;
}

export function settleScope(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const [stays, comes] = question.options.map((option) => option.label);
  const both = (question.finding.values ?? []).map((words) => byPlain(draft, words));
  const out = both.find((one) => one?.role === "outOfScope");
  if (answer === stays) {
    const demands = (question.finding.values ?? []).filter((words) => byPlain(draft, words)?.role !== "outOfScope");
    const struck = demands.map((words) => strike(draft, byPlain(draft, words), "out of scope"));
    return struck.some(Boolean) || appendTo(draft, out, ` (${asPhrase(answer)})`);
  }
  if (answer === comes) return strike(draft, out, "part of this version");
  return appendTo(draft, out, ` (${asPhrase(answer)})`);
}

export function settleOrder(draft: Draft, { finding }: ClarifyQuestion, answer: string): boolean {
  const [, number, priority] = /story\s+(\d+)\s+becomes\s+(P\d)/i.exec(answer) ?? [];
  const story = draft.spec.stories.find((one) => one.id === (priority ? `US${number}` : finding.owner));
  const heading = draft.spec.statements.find((one) => one.line === story?.line);
  if (heading && !priority) return noteAt(draft, heading, answer);
  const at = heading?.block.text.search(/\bP\d\b/) ?? -1;
  if (!heading || !priority || at < 0) return false;
  draft.replace(heading.block, at, 2, priority);
  return true;
}

export function settleDoubled(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const id = question.finding.words ?? "";
  const { requirements, criteria, stories, statements } = draft.spec;
  const [, holder] = [...requirements, ...criteria, ...stories].filter((one) => one.id === id);
  const second = statements.find((one) => one.line === holder?.line);
  if (!second) return false;
  const { block } = second;
  if (answer === question.options[1]?.label && block.kind !== "heading") return strike(draft, second, answer);
  if (answer !== question.options[0]?.label) return noteAt(draft, second, answer);
  const [from, to] = /^US\d+$/.test(id) ? renumbered(draft, block, id) : [id, nextId(draft.spec, "", id)];
  const at = from ? block.text.indexOf(from) : -1;
  if (at >= 0) draft.replace(block, at, from.length, to);
  return at >= 0;
}

/** A story that is read as US1 is called "User Story 1" or "US-001" in the text. */
function renumbered({ spec }: Draft, { text }: Block, id: string): [from: string, to: string] {
  const name = `(?:story|journey|use case|us|uc)[\\s#-]*(?:\\d{1,4}[-.])*(0*${id.slice("US".length)})(?!\\d)`;
  const [from = "", digits = ""] = new RegExp(name, "i").exec(text) ?? [];
  const next = Math.max(...spec.stories.map((story) => Number(story.id.slice("US".length)))) + 1;
  return [from, from.slice(0, from.length - digits.length) + String(next).padStart(digits.length, "0")];
}

export function settleDangling(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const id = /\b[A-Z]{2,8}(?:-[A-Z0-9]+)*-\d+\b/.exec(answer)?.[0];
  const known = draft.spec.requirements.concat(draft.spec.criteria).some((one) => one.id === id);
  const found = wordsIn(draft, question);
  if (!found) return false;
  if (id && known) draft.replace(found.statement.block, found.at, found.words.length, id);
  else remark(draft, found, asPhrase(answer));
  return true;
}
