export interface Estimate {
  /** As it is written. */
  text: string;
  hours: number;
}

const SIZES: Record<string, number> = { xs: 1, s: 2, m: 4, l: 8, xl: 16, xxl: 32 };
const WORDS: Record<string, string> = { tiny: "xs", small: "s", medium: "m", large: "l", huge: "xl" };
const HOURS: readonly (readonly [RegExp, number])[] = [
  [/^(?:minutes?|mins?|m)$/, 1 / 60],
  [/^(?:hours?|hrs?|h)$/, 1],
  [/^(?:(?:person|man|working|work)?[- ]?days?|d|pd)$/, 8],
  [/^(?:(?:person|man|working|work)?[- ]?weeks?|wks?|w)$/, 40],
  [/^(?:(?:story[- ]?)?points?|pts?|sp)$/, 2],
];

const AMOUNT =
  /^(?:~|≈|about |approx\.? |circa |ca\.? |est\.? )?(\d{1,5}(?:[.,]\d{1,2})?|½|half an?|an?|one)(?:\s?(?:-|–|—|to)\s?(\d{1,5}(?:[.,]\d{1,2})?))?\s?((?:(?:person|man|work(?:ing)?|story)[- ]?)?[a-z]{1,7})\b/i;

/** Reads `4h`, `2d`, `1-2 days`, `M`, `large`, `3 points`, `30 min`. Of a range it takes the middle. A bare number needs `unit`. */
export function estimateOf(value: string, unit?: string): Estimate | undefined {
  const text = value.replace(/[*_`[\]]/g, "").trim();
  return sized(text) ?? measured(text) ?? (unit ? measured(`${text} ${unit}`, text) : undefined);
}

function sized(text: string): Estimate | undefined {
  const word = /^(?:size\s+)?(XXL|XL|XS|[SML]|tiny|small|medium|large|huge)(?![\w'+])/i.exec(text)?.[1];
  if (!word || (word.length === 1 && /^[SML]\s?\d/i.test(text))) return undefined;
  const size = WORDS[word.toLowerCase()] ?? word.toLowerCase();
  const exact = measuredInside(text.slice(word.length));
  return { text: word, hours: exact?.hours ?? SIZES[size] ?? 4 };
}

/** `M (3-4h)` says both: the hours are the more exact. */
function measuredInside(rest: string): Estimate | undefined {
  const inner = /^\s*[(,/:–—-]\s*([^()]{1,30})\)?/.exec(rest)?.[1];
  return inner ? measured(inner.trim()) : undefined;
}

function measured(text: string, shown?: string): Estimate | undefined {
  const found = AMOUNT.exec(text);
  if (!found) return undefined;
  const [whole, first = "", second, unit = ""] = found;
  const factor = HOURS.find(([pattern]) => pattern.test(unit.toLowerCase()))?.[1];
  if (factor === undefined) return undefined;
  const low = numberOf(first);
  const amount = second === undefined ? low : (low + numberOf(second)) / 2;
  const more = measured(text.slice(whole.length).trim());
  const hours = rounded(amount * factor + (more && /^\s?\d/.test(text.slice(whole.length)) ? more.hours : 0));
  return { text: shown ?? whole.trim(), hours };
}

function numberOf(word: string): number {
  const digits = Number(word.replace(",", "."));
  if (!Number.isNaN(digits)) return digits;
  return /½|half/.test(word) ? 0.5 : 1;
}

const rounded = (hours: number) => Math.round(hours * 100) / 100;

const BRACKETED = /[([]([^()[\]]{1,200})[)\]]/g;
const TRAILING =
  /(?:—|–|--|\||·|,|;|@|~)\s*(~?\d{1,4}(?:[.,]\d)?\s?(?:h|hrs?|hours?|d|days?|w|weeks?|pts?|points?|sp))\s*[.)]?$/i;
const SAID = /\b(?:estimate[ds]?|effort|est\.?)\s*(?:[:=]|is|of|at)?\s*([^()[\],;]{1,25})/i;

/** An estimate that stands in the words of a task: `(2h)`, `[2d]`, `(est. 3h)`, `— 4h`; `24 h` within a sentence is none. */
export function inlineEstimate(title: string): Estimate | undefined {
  let found: Estimate | undefined;
  for (const [, inner = ""] of title.matchAll(BRACKETED)) {
    // "(3h; depends on T001)" says two things; "(1,5h)" is one.
    for (const part of [inner, ...(inner.length > 4 ? inner.split(/[;|·]|,\s/) : [])]) {
      const bare = part.replace(/^\s*(?:(?:estimate[ds]?|effort|est|size)\b\.?\s*[:=]?\s*|[~⏱⌛])/iu, "").trim();
      const estimate = bare.length > 30 ? undefined : estimateOf(bare);
      if (estimate && isWhole(bare, estimate)) found = estimate;
    }
  }
  const trailing = TRAILING.exec(title)?.[1];
  if (!found && trailing) found = estimateOf(trailing);
  const said = found ? undefined : SAID.exec(title)?.[1];
  return found ?? (said ? estimateOf(said) : undefined);
}

const isWhole = (text: string, { text: read }: Estimate) =>
  text.length - read.length <= 12 && !/\p{L}{3,}/u.test(text.replace(read, ""));
