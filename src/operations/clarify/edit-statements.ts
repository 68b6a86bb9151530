import { plain } from "../markdown.ts";
import { sentencesIn } from "../markdown-sentences.ts";
import type { Statement } from "../spec-document.ts";
import { nextId } from "./additions.ts";
import { asPhrase } from "./clean-answer.ts";
import type { Draft } from "./draft.ts";
import { annotate } from "./edit-words.ts";
import type { ClarifyQuestion } from "./questions.ts";
import { appendTo, byPlain, remark, wordsIn } from "./words-in-draft.ts";

/** The number that was chosen stands in all the places. */
export function settleNumbers(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const { values = [], other } = question.finding;
  const chosen =
    values.find((value) => answer.toLowerCase() === value.toLowerCase()) ??
    (/^\W*\d[\w\s.,%]{0,20}$/.test(answer) ? answer : undefined);
  if (chosen === undefined) return annotate(draft, question, answer);
  const places = [question.place, ...(other ? [other] : [])];
  const losers = values.filter((value) => value !== chosen);
  const found = losers.flatMap((value) => places.map((place) => ({ value, place })));
  let changed = false;
  for (const { value, place } of found) {
    const at = wordsIn(draft, question, value, place);
    if (!at?.statement.text.includes(plain(place.quote).replace(/…$/, "").slice(0, 20))) continue;
    draft.replace(at.statement.block, at.at, value.length, chosen);
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
  if (!statement || statement.block.kind === "heading" || statement.block.kind === "row") return false;
  const { block } = statement;
  const at = sentencesIn(block.text).find(({ text }) => plain(text) === lost && text.length < block.text.length);
  if (at) {
    draft.replace(block, at.at + at.text.length, 0, "~~");
    draft.replace(block, at.at, 0, "~~");
    return true;
  }
  const id = /^(?:\*\*[^*]{1,60}\*\*:?\s*|[A-Z][\w-]*-\d+:\s*)/.exec(block.text)?.[0] ?? "";
  draft.replace(block, block.text.length, 0, `~~ (superseded: ${asPhrase(why).slice(0, 300).replace(/[()]/g, "")})`);
  draft.replace(block, id.length, 0, "~~");
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

export function settleOrder(draft: Draft, _question: ClarifyQuestion, answer: string): boolean {
  const [, number, priority] = /story\s+(\d+)\s+becomes\s+(P\d)/i.exec(answer) ?? [];
  const story = draft.spec.stories.find((one) => one.id === `US${number}`);
  const heading = draft.spec.statements.find((one) => one.line === story?.line);
  const at = heading?.block.text.search(/\bP\d\b/) ?? -1;
  if (!heading || !priority || at < 0) return false;
  draft.replace(heading.block, at, 2, priority);
  return true;
}

export function settleDoubled(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const id = question.finding.words ?? "";
  const holders = draft.spec.requirements.concat(draft.spec.criteria).filter((one) => one.id === id);
  const second = draft.spec.statements.find((one) => one.line === holders[1]?.line);
  if (!second || holders.length < 2) return false;
  if (answer === question.options[1]?.label) return strike(draft, second, answer);
  if (answer !== question.options[0]?.label) return appendTo(draft, second, ` (${asPhrase(answer)})`);
  draft.replace(second.block, second.block.text.indexOf(id), id.length, nextId(draft.spec, "", id));
  return true;
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
