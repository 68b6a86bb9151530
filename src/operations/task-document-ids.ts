/** A word of a text that names a task, a phase or a story; where two are joined as a range, `through` is the second. */
export interface Reference {
  text: string;
  prefix: string;
  number: string;
  at: number;
  end: number;
  through?: Reference;
}

/** Prefixes that name something other than a task, in every document. */
const NOT_TASKS = new Set(
  "fr nfr sc us req ac ec uc br p phase story stories user group milestone sprint stage step week day version v es utf sha aes iso rfc http tls rsa cve pep md chk adr ts h wcag".split(
    " ",
  ),
);

const REFERENCE =
  /(?<![\w#])(?<![A-Za-z]-)(?<!\w\.)(?:(tasks?|phases?|stages?|milestones?|sprints?|story|stories)\s{0,2}#?|([A-Za-z]{1,12})[-_]?|#)?(\d{1,5}(?:\.\d{1,4}){0,3}[A-Za-z]?)(?![\w%]|\.\d)/gi;
const NEXT_IN_LIST = /^\s{0,2}(?:,|,?\s?and|&|\/)\s{0,2}$/i;
const RANGE = /^\s{0,2}(?:-|–|—|\.{2,3}|…|to|through|thru|until)\s{0,2}$/i;

/** `task`, `tasks` and `tsk` are long for `t`. */
export function prefixOf(letters: string): string {
  const prefix = letters.toLowerCase();
  return prefix === "task" || prefix === "tasks" || prefix === "tsk"
    ? "t"
    : prefix.replace(/^(phase|stage|milestone|sprint|storie)s$/, "$1").replace("storie", "story");
}

/** What two spellings of one id have in common: T001, T1 and Task 1 are the same. */
export function keyOf(id: string): string {
  const [, letters = "", number = id] = /^\s*#?([A-Za-z]*(?:-[A-Za-z]+)*)[-_ #]*(\d.*)$/.exec(id) ?? [];
  return prefixOf(letters) + bareNumber(number);
}

const bareNumber = (number: string) =>
  number
    .toLowerCase()
    .split(".")
    .map((part) => part.replace(/^0+(?=\d)/, ""))
    .join(".");

export function isTaskPrefix(prefix: string, own: ReadonlySet<string>): boolean {
  return prefix === "t" || own.has(prefix) || (prefix === "" && own.has(""));
}

export const namesNoTask = (prefix: string): boolean => NOT_TASKS.has(prefix);

/** All references in a text, in their order; the two ends of a range are one. */
export function referencesIn(text: string): Reference[] {
  const found: Reference[] = [];
  for (const match of text.matchAll(REFERENCE)) {
    const [whole, word, letters = "", number = ""] = match;
    const prefix = prefixOf(word ?? letters);
    const next = { text: whole, prefix, number, at: match.index, end: match.index + whole.length };
    const last = found.at(-1);
    if (last && sharesPrefix(last, next, text)) inherit(next, last);
    if (last && !last.through && joins(last, next, text)) {
      last.through = { ...next, prefix: next.prefix || last.prefix };
      last.end = next.end;
    } else found.push(next);
  }
  return found;
}

function joins(last: Reference, next: Reference, text: string): boolean {
  if (next.prefix !== last.prefix && next.prefix !== "") return false;
  const between = text.slice(last.end, next.at);
  return RANGE.test(between);
}

/** "Tasks 3 and 7", "FR-001, 002": the second is of the kind of the first. "T001, 2 days" is not meant. */
function sharesPrefix(last: Reference, next: Reference, text: string): boolean {
  if (next.prefix !== "" || last.prefix === "" || !NEXT_IN_LIST.test(text.slice(last.end, next.at))) return false;
  return /\s/.test(last.text) || (next.number.startsWith("0") && next.number.length === last.number.length);
}

function inherit(next: Reference, last: Reference): void {
  const { text, number } = last.through ?? last;
  next.text = text.slice(0, text.length - number.length) + next.number;
  next.prefix = last.prefix;
}

/** The ids a reference stands for; of a range at most `most`. Numbers keep the width that they are written with. */
export function idsOf(reference: Reference, most = 500): string[] {
  const { through } = reference;
  if (!through) return [reference.text];
  const head = reference.text.slice(0, reference.text.length - reference.number.length);
  const [before, first] = lastPart(reference.number);
  const [beforeEnd, last] = lastPart(through.number);
  if (before !== beforeEnd || Number.isNaN(first.value) || Number.isNaN(last.value) || last.value < first.value) {
    return [reference.text, head + through.number];
  }
  const ids: string[] = [];
  for (let value = first.value; value <= last.value && ids.length < most; value++) {
    ids.push(`${head}${before}${String(value).padStart(first.width, "0")}`);
  }
  return ids;
}

function lastPart(number: string): [string, { value: number; width: number }] {
  const dot = number.lastIndexOf(".") + 1;
  const part = number.slice(dot);
  return [number.slice(0, dot), { value: /^\d+$/.test(part) ? Number(part) : Number.NaN, width: part.length }];
}

/** Orders ids as a person would: T2 before T10. */
export function compareIds(left: string, right: string): number {
  const [a, b] = [keyOf(left), keyOf(right)];
  const [first, second] = [a.match(/\d+|\D+/g) ?? [], b.match(/\d+|\D+/g) ?? []];
  for (let at = 0; at < Math.min(first.length, second.length); at++) {
    const [x = "", y = ""] = [first[at], second[at]];
    if (x === y) continue;
    if (/^\d/.test(x) && /^\d/.test(y) && Number(x) !== Number(y)) return Number(x) - Number(y);
    return x < y ? -1 : 1;
  }
  return first.length - second.length || (left < right ? -1 : left > right ? 1 : 0);
}
