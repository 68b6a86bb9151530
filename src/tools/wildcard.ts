// Patterns as git's ignore files have them, matched without regular expressions: a hostile repository chooses both the pattern and
// the names, and `*a*a*a*a*b` would keep a backtracking matcher busy for hours. Here a text of n and a pattern of m take n * m steps.

type Matches<T> = (item: T) => boolean;

/** `many` stands for any number of items, none included. */
type Pattern<T> = (Matches<T> | "many")[];

export type PathPattern = Pattern<string>;

/** A pattern for paths whose names are given one by one. `undefined` if it can match nothing. */
export function pathPattern(text: string): PathPattern | undefined {
  const names = text.split("/");
  const pattern = names.map((name) => (/^\*{2,}$/.test(name) ? "many" : namePattern(name)));
  if (pattern.includes(undefined)) return undefined;
  // `a/**` is what lies in a, not a itself.
  if (pattern.at(-1) === "many") pattern.push(() => true);
  return pattern.filter((item) => item !== undefined);
}

/** Only the last `many` ever has to be tried again: whatever follows it may start no earlier than where it was first found. */
export function matchesPattern<T>(pattern: Pattern<T>, items: readonly T[]): boolean {
  let at = 0;
  let item = 0;
  let many = -1;
  let retry = 0;
  while (item < items.length) {
    const part = pattern[at];
    if (part === "many") {
      many = at++;
      retry = item;
    } else if (part?.(items[item] as T)) {
      at++;
      item++;
    } else if (many >= 0) {
      at = many + 1;
      item = ++retry;
    } else {
      return false;
    }
  }
  return pattern.slice(at).every((part) => part === "many");
}

function namePattern(text: string): Matches<string> | undefined {
  if (!/[*?[\\]/.test(text)) return (name) => name === text;
  const pattern: Pattern<string> = [];
  for (let rest = text; rest !== ""; ) {
    const token = tokenAt(rest);
    if (!token) return undefined;
    if (token.item !== "many" || pattern.at(-1) !== "many") pattern.push(token.item);
    rest = rest.slice(token.length);
  }
  return (name) => matchesPattern(pattern, [...name]);
}

interface Token {
  item: Matches<string> | "many";
  length: number;
}

function tokenAt(text: string): Token | undefined {
  const [first = "", second] = text;
  if (first === "*") return { item: "many", length: 1 };
  if (first === "?") return { item: () => true, length: 1 };
  if (first === "[") return classAt(text);
  if (first !== "\\") return { item: (char) => char === first, length: first.length };
  return second === undefined ? undefined : { item: (char) => char === second, length: 1 + second.length };
}

const named: Record<string, RegExp> = {
  alnum: /^[A-Za-z0-9]$/,
  alpha: /^[A-Za-z]$/,
  blank: /^[ \t]$/,
  cntrl: /^\p{Cc}$/u,
  digit: /^[0-9]$/,
  graph: /^[!-~]$/,
  lower: /^[a-z]$/,
  print: /^[ -~]$/,
  punct: /^[!-/:-@[-`{-~]$/,
  space: /^\s$/,
  upper: /^[A-Z]$/,
  xdigit: /^[0-9A-Fa-f]$/,
};

const classStart = /^\[([!^]?)/;
// A named class, or one character (escaped or not), or a range of two.
const classItem = /^(?:\[:(\w*):\]|(\\?.)(?:-(?!\])(\\?.))?)/su;

/** `[a-z]`, `[!a]`, `[]x]`, `[[:digit:]_]`. `undefined` for one that is not closed, or names a class that is none. */
function classAt(text: string): Token | undefined {
  const [start = "", negation] = classStart.exec(text) ?? [];
  const items: Matches<string>[] = [];
  let at = start.length;
  for (let first = true; first || text[at] !== "]"; first = false) {
    const [item, name, from, to] = classItem.exec(text.slice(at)) ?? [];
    if (item === undefined) return undefined;
    at += item.length;
    const matches = name === undefined ? range(from, to) : byName(named[name]);
    if (!matches) return undefined;
    items.push(matches);
  }
  return { item: (char) => items.some((matches) => matches(char)) === (negation === ""), length: at + 1 };
}

const byName = (expression: RegExp | undefined) => expression && ((char: string) => expression.test(char));

function range(from = "", to = from): Matches<string> {
  const code = (text: string) => [...text].at(-1)?.codePointAt(0) ?? 0;
  const [low, high] = [code(from), code(to)];
  return (char) => low <= code(char) && code(char) <= high;
}
