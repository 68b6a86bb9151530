import { type Block, plain } from "../markdown.ts";
import { sentencesIn } from "../markdown-sentences.ts";
import type { Mark } from "../spec-document.ts";
import { leadingId } from "../spec-document-ids.ts";
import { isYesNo } from "./alternatives.ts";
import { asPhrase, asSentence, withIdQuoted } from "./clean-answer.ts";
import type { Draft } from "./draft.ts";
import { strike } from "./edit-statements.ts";
import type { ClarifyQuestion } from "./questions.ts";
import { appendTo, byPlain, noteAt, remark, saysStill, wordsIn } from "./words-in-draft.ts";

/**
 * All marks of the same words in the statement, from the last to the first, for an edit moves what stands behind it. Others
 * may ask the same of something else.
 */
export function fillMarks(draft: Draft, { finding, place }: ClarifyQuestion, answer: string): boolean {
  const id = leadingId(place.quote)?.id;
  const isOwn = ({ text }: Block): boolean =>
    (id !== undefined && leadingId(text)?.id === id) ||
    saysStill(text, place.quote) ||
    sentencesIn(text).some((one) => one.text.includes(finding.words ?? "") && saysStill(one.text, place.quote));
  const marks = draft.spec.marks.filter(
    (mark) => mark.text === finding.words && mark.owner === finding.owner && isOwn(mark.block),
  );
  for (const mark of marks.reverse())
    draft.replace(mark.block, mark.at, mark.text.length, cellSafe(mark.block, filled(mark, answer)));
  return marks.length > 0;
}

const SLOT =
  /(?:^|[\s(])(?:via|by|for|of|to|is|are|be|within|than|the|an?|after|every|as|from|at|on|in|with|using|until|per|under|over|least|most|between|through|into|about|including|and|or|MUST|must|shall|:)$|[:=–—]$/;

/** In a gap of the sentence stands the answer; behind a whole clause it stands in brackets. */
function filled(mark: Mark, answer: string): string {
  const before = mark.block.text.slice(0, mark.at).trimEnd();
  const after = mark.block.text.slice(mark.at + mark.text.length);
  const lone = /^(?:\*\*[^*]{1,60}\*\*:?)?$/.test(before) && after.trim() === "";
  const question = mark.question.replace(/[\s:]+$/, "");
  const short = answer.split(/\s+/).length < 4 && question !== "";
  if (lone) return short || isYesNo(question) ? `${asked(question)} ${asSentence(answer)}` : asSentence(answer);
  if (isYesNo(question) && /^(?:yes|no)\b/i.test(answer)) return `(${asked(question)} ${asSentence(answer)})`;
  if (/[.!?]$/.test(before)) return asSentence(answer);
  return SLOT.test(before) ? inSlot(before, answer) : `(${withSubject(question, asPhrase(answer))})`;
}

/** A few words go on with the sentence; what is a sentence itself stands in brackets, or behind a colon. */
function inSlot(before: string, answer: string): string {
  const phrase = asPhrase(answer);
  if (/(?:^|[:=–—])$/.test(before)) return phrase;
  if (!isClause(phrase)) return withoutEcho(before, phrase);
  return /\b(?:is|are|be)$/i.test(before) ? `as follows: ${phrase}` : `(${phrase})`;
}

function isClause(phrase: string): boolean {
  const begun =
    /^(?:we|they|it|you|i|there|keep|do|use|show|let|leave|left|as|please|yes|no|none|never|nothing|not|nobody|ask|that|this)\b/i;
  const verb = /\b(?:must|should|shall|is|are|will|can|has|have|does)\b/i;
  return begun.test(phrase) || verb.test(phrase) || /[.!?;]\s/.test(phrase) || phrase.split(/\s+/).length > 12;
}

/** "limited to" and "up to 100" are "limited to 100"; "after" and "after 5 days" are "after 5 days". */
function withoutEcho(before: string, phrase: string): string {
  const last = /(\w+)$/.exec(before)?.[1]?.toLowerCase() ?? "";
  const echoed = last === "to" ? phrase.replace(/^up to /i, "") : phrase;
  return last && echoed.toLowerCase().startsWith(`${last} `) ? echoed.slice(last.length + 1) : echoed;
}

/** "Retention period not specified - 30 or 90 days?" and "90 days" are "retention period: 90 days". */
function withSubject(question: string, answer: string): string {
  const cut = question.split(/\s[–—-]\s|[(:?]/)[0] ?? "";
  const subject = cut
    .replace(
      /\b(?:is |are )?(?:not (?:yet )?(?:specified|defined|decided|clear)|unspecified|unclear|undefined|unknown)\b/gi,
      "",
    )
    .trim();
  const offered = /\bor\b|,|\bvs\b/i.test(subject); // the answers, not what they answer
  const brief = !offered && subject !== "" && subject.length <= 60 && answer.split(/\s+/).length <= 6;
  return brief ? `${subject}: ${answer}` : answer;
}

function asked(question: string): string {
  const flat = question.replace(/[[\]]/g, "").replace(/[?.]\s*$/, "");
  return `${flat.charAt(0).toUpperCase()}${flat.slice(1)}${isYesNo(flat) || /^(?:wh|how)/i.test(flat) ? "?" : ":"}`;
}

/** TBD, a placeholder: the words themselves give way. */
export function fillWords(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const found = wordsIn(draft, question);
  if (!found) return false;
  const before = found.statement.block.text.slice(0, found.at).trimEnd();
  const alone = /^(?:\*\*[^*]{1,60}\*\*:?|[A-Z][\w-]*-\d+:)?$/.test(before);
  const words = alone ? asSentence(answer) : inSlot(before, answer);
  draft.replace(found.statement.block, found.at, found.words.length, cellSafe(found.statement.block, words));
  return true;
}

/** The words may be all that a cell says, and a row takes its id from any cell. */
function cellSafe(block: Block, words: string): string {
  return block.cells ? withIdQuoted(words) : words;
}

/** A part that is left out is struck out; any other answer takes the placeholder's place. */
export function fillPlaceholder(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const found = wordsIn(draft, question);
  const out = /^nothing: leave this part out$/i.test(answer);
  if (!out || !found) return fillWords(draft, question, answer);
  return strike(draft, found.statement, answer) || noteAt(draft, found.statement, answer);
}

export function annotate(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  const found = wordsIn(draft, question);
  if (!found) return false;
  remark(draft, found, asPhrase(answer));
  return true;
}

/** What no rule made says only where it was found. */
export function annotatePlace(draft: Draft, question: ClarifyQuestion, answer: string): boolean {
  if (question.finding.words) return annotate(draft, question, answer);
  const lead = plain(question.place.quote).replace(/…$/, "");
  const statement = lead ? byPlain(draft, lead) : undefined;
  return statement?.block.kind === "heading" ? false : appendTo(draft, statement, ` (${asPhrase(answer)})`);
}
