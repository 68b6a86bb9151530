import { type Block, plain } from "../markdown.ts";
import { sentencesIn } from "../markdown-sentences.ts";
import type { Statement } from "../spec-document.ts";
import { leadingId } from "../spec-document-ids.ts";
import { asPhrase, asSentence } from "./clean-answer.ts";
import type { Draft } from "./draft.ts";
import type { ClarifyQuestion } from "./questions.ts";
import { withoutId } from "./quoting.ts";

export function appendTo(draft: Draft, statement: Statement | undefined, words: string): boolean {
  if (statement) draft.append(statement.block, words);
  return statement !== undefined;
}

/** Says it in brackets behind the statement; a heading stays a name, and it is said under it. */
export function noteAt(draft: Draft, { block }: Statement, answer: string): boolean {
  if (block.kind !== "heading") draft.append(block, ` (${asPhrase(answer)})`);
  else draft.insert(block.end, ["", `**Scope**: ${asSentence(answer)}`]);
  return true;
}

/** The statement with these words, the one of the given owner first. */
export function byPlain(draft: Draft, words: string | undefined, owner?: string): Statement | undefined {
  if (!words) return undefined;
  const fits = draft.spec.statements.filter((one) => one.role !== "clarifications" && one.text.includes(words));
  return fits.find((one) => one.owner === owner) ?? fits[0];
}

export function byText(draft: Draft, words: string | undefined): Statement | undefined {
  return draft.spec.statements.find(
    (one) => words !== undefined && one.role !== "clarifications" && one.block.text === words,
  );
}

export interface Found {
  statement: Statement;
  at: number;
  words: string;
}

/** Says in brackets behind the words what is meant by them; within brackets, behind a dash. */
export function remark(draft: Draft, { statement: { block }, at, words }: Found, said: string): void {
  const before = block.text.slice(Math.max(0, at - 300), at);
  const within = before.lastIndexOf("(") > before.lastIndexOf(")");
  draft.replace(block, at + words.length, 0, within ? ` – ${said}` : ` (${said})`);
}

/** Where the words stand now in the statement that they were found in; nowhere once they are gone from it, whoever else has them. */
export function wordsIn(
  draft: Draft,
  { finding, place }: ClarifyQuestion,
  words = finding.words ?? "",
  near = place,
): Found | undefined {
  if (!words) return undefined;
  const owner = near === place ? finding.owner : undefined;
  const found = draft.spec.statements
    .filter(({ role, block }) => role !== "clarifications" && block.text.includes(words))
    .filter((one) => hasSameId(one, near.quote, owner))
    .map((statement) => ({ statement, at: whereIn(statement.block, near.quote, words), words }))
    .filter((one) => one.at >= 0);
  const far = ({ statement }: Found): number => Math.abs(statement.line - near.line);
  return found.sort((a, b) => far(a) - far(b))[0];
}

/** Ids that the document gives. Those of stories and those made up tell a place in the order, which moves. */
function hasSameId({ block, owner }: Statement, quote: string, before: string | undefined): boolean {
  const id = leadingId(quote)?.id;
  if (id !== undefined) return (block.cells ? owner : leadingId(block.text)?.id) === id;
  return before === undefined || /^(?:US|R|C)\d+$/.test(before) || owner === before;
}

/** In the sentence that was quoted; in a statement with an id, which may be worded anew, behind the same word. */
function whereIn({ text }: Block, quote: string, words: string): number {
  const named = leadingId(quote) !== undefined;
  const asked = sentencesIn(quote).find((one) => one.text.includes(plain(words)))?.text ?? quote;
  for (const one of sentencesIn(text)) {
    const at = saysStill(one.text, asked, named) ? firstFree(text, words, one.at) : -1;
    if (at >= 0 && at < one.at + one.text.length) return at;
  }
  if (saysStill(text, quote, named)) return firstFree(text, words);
  const at = firstFree(text, words);
  const before = (whole: string, end: number): string | undefined => wordsOf(whole.slice(0, Math.max(0, end))).at(-1);
  return named && before(text, at) === before(quote, quote.indexOf(plain(words))) ? at : -1;
}

/** What is shorter was quoted from its first word on, for only of a long sentence a part is quoted. */
const SHORTEST_PART = 80;
/** Fewer words, such as a lone "TBD", begin many a statement. */
const FEWEST = 3;

/** Whether the text still says all that was quoted, in its order. What an answer fills is left out, what it adds may stand between. */
export function saysStill(text: string, quote: string, named = false): boolean {
  const [now, then] = [wordsOf(text), wordsOf(withoutBrackets(quote))];
  const few = then.length < FEWEST;
  const asked = few ? wordsOf(quote) : then;
  if (quote.endsWith("…")) asked.pop(); // it may be cut
  const isWhole = !named && quote.length < SHORTEST_PART;
  const begins = asked[0] === now[0] || asked[0] === wordsOf(withoutBrackets(text))[0]; // a mark may come first
  if (isWhole && (!begins || (few && asked.length !== now.length))) return false;
  let next = 0;
  for (const word of now) if (word === asked[next]) next++;
  return next === asked.length;
}

const withoutBrackets = (text: string): string => text.replace(/\[[^\]]{0,2000}\]?/g, " ");

const wordsOf = (text: string): string[] => plain(withoutId(text)).match(/[\p{L}\p{N}]+/gu) ?? [];

/** The first time from there on that the words stand there as words and without a remark behind them. */
function firstFree(text: string, words: string, from = 0): number {
  for (let at = text.indexOf(words, from); at >= 0; at = text.indexOf(words, at + 1)) {
    const whole = !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && !/[\p{L}\p{N}]/u.test(text[at + words.length] ?? "");
    if ((whole || !/^[\p{L}\p{N}]/u.test(words)) && !/^\s?\(/.test(text.slice(at + words.length))) return at;
  }
  return -1;
}
