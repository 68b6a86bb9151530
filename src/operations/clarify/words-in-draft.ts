import { plain } from "../markdown.ts";
import type { Statement } from "../spec-document.ts";
import type { Draft } from "./draft.ts";
import type { ClarifyQuestion } from "./questions.ts";

export function appendTo(draft: Draft, statement: Statement | undefined, words: string): boolean {
  if (statement) draft.append(statement.block, words);
  return statement !== undefined;
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

/** Where the words stand now: in their own statement, else in the one on the nearest line. */
export function wordsIn(
  draft: Draft,
  { finding, place }: ClarifyQuestion,
  words = finding.words ?? "",
  near = place,
): Found | undefined {
  if (!words) return undefined;
  const lead = plain(near.quote).replace(/…$/, "").slice(0, 30);
  const found = draft.spec.statements
    .filter((one) => one.role !== "clarifications" && one.block.text.includes(words))
    .map((statement) => ({ statement, at: firstFree(statement.block.text, words), words }))
    .filter((one) => one.at >= 0);
  const far = ({ statement }: Found): number =>
    (statement.text.includes(lead) || statement.block.text.includes(lead) ? 0 : 1e6) +
    (statement.owner === finding.owner ? 0 : 1e5) +
    Math.abs(statement.line - near.line);
  return found.sort((a, b) => far(a) - far(b))[0];
}

/** The first time the words stand there as words and without a remark behind them. */
function firstFree(text: string, words: string): number {
  for (let at = text.indexOf(words); at >= 0; at = text.indexOf(words, at + 1)) {
    const whole = !/[\p{L}\p{N}]/u.test(text[at - 1] ?? "") && !/[\p{L}\p{N}]/u.test(text[at + words.length] ?? "");
    if ((whole || !/^[\p{L}\p{N}]/u.test(words)) && !/^\s?\(/.test(text.slice(at + words.length))) return at;
  }
  return -1;
}
