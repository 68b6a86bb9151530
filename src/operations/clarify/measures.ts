import { lineAt } from "../markdown.ts";
import { sentencesIn } from "../markdown-sentences.ts";
import type { SpecDocument, Statement } from "../spec-document.ts";
import { isBinding } from "./finding.ts";
import { stem, stemsIn, withoutMarks, withoutQuoted } from "./words.ts";

export type Dimension = "time" | "size" | "share" | "money" | "count" | "rhythm";
export type Bound = "most" | "least" | "exact";

/** A number that a statement sets for something. */
export interface Measure {
  dimension: Dimension;
  /** In one unit for all of its dimension. */
  value: number;
  bound: Bound;
  /** As it stands: "30 days". */
  text: string;
  /** What it is set for, where that is one of the usual things: "session", "retention", "size". */
  concept: string;
  stems: ReadonlySet<string>;
  /** Words that make it another thing: for whom, for which kind, at which stage. */
  qualifiers: string;
  line: number;
  at: number;
  statement: Statement;
}

const UNITS: Record<string, [Dimension, number]> = {};
const unit = (dimension: Dimension, factor: number, ...names: string[]): void => {
  for (const name of names) UNITS[name] = [dimension, factor];
};
unit("time", 1, "ms", "millisecond");
unit("time", 1000, "s", "sec", "second");
unit("time", 60_000, "min", "minute");
unit("time", 3_600_000, "h", "hr", "hour");
unit("time", 86_400_000, "day");
unit("time", 604_800_000, "week");
unit("time", 2_592_000_000, "month");
unit("time", 31_536_000_000, "year");
unit("size", 1, "kb", "kib", "kilobyte");
unit("size", 1024, "mb", "mib", "megabyte");
unit("size", 1024 * 1024, "gb", "gib", "gigabyte");
unit("size", 1024 * 1024 * 1024, "tb", "terabyte");
unit("share", 1, "%", "percent");

const WORDS: Record<string, number> = {
  one: 1,
  two: 2,
  three: 3,
  four: 4,
  five: 5,
  six: 6,
  seven: 7,
  eight: 8,
  nine: 9,
  ten: 10,
  twelve: 12,
  twenty: 20,
};
const NUMBER = String.raw`(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|(?:${Object.keys(WORDS).join("|")})(?=[\s-])`;
const MEASURE = new RegExp(
  String.raw`(?<![\w.-])(?:([$€£])\s?)?(${NUMBER})(?:[\s-]?(%|(?:percent|ms|milliseconds?|s|secs?|seconds?|mins?|minutes?|h|hrs?|hours?|(?:working |business |calendar )?days?|weeks?|months?|years?|kb|mb|gb|tb|[kmg]ib|kilobytes?|megabytes?|gigabytes?|terabytes?)\b)|\s+((?:[a-z][a-z-]*\s+){0,2}[a-z][a-z-]{2,}))?`,
  "gi",
);
const RHYTHM =
  /\b(?:hourly|daily|weekly|monthly|nightly|every (?:hour|day|night|week|month)|once (?:a|per) (?:hour|day|week|month))\b/gi;

const MOST =
  /\b(?:up to|at most|max(?:imum)?(?: of| size| length)?|no more than|not more than|less than|fewer than|under|below|within|limit(?:ed)?(?: of| to| is)?|not exceed(?:ing)?|exceed(?:s|ing)?|over|larger than|bigger than|greater than|beyond|more than|longer than|until|cap(?:ped)? at)\W{0,3}(?:\w+\W){0,2}$/i;
const LEAST =
  /\b(?:at least|min(?:imum)?(?: of| length)?|no (?:less|fewer) than|not less than|or more)\W{0,3}(?:\w+\W)?$/i;

const CONCEPTS: readonly (readonly [string, Dimension, RegExp])[] = [
  ["session", "time", /\bsessions?\b|\b(?:sign|log)(?:s|ged|ned)?(?: \w+)? out\b|\binactiv\w+|\bidle\b/i],
  ["lockout", "time", /\block(?:ed|s|ing)?(?: out)?\b|\blockout\b/i],
  [
    "link",
    "time",
    /\b(?:links?|urls?|tokens?|codes?|invitations?)\b.{0,120}\b(?:expir\w*|valid\w*|work)|\b(?:expir\w*|valid\w*)\b.{0,120}\b(?:links?|urls?|tokens?|codes?|invitations?)\b/i,
  ],
  [
    "retention",
    "time",
    /\b(?:retain\w*|retention|kept|keeps?|stored? for|purged?|archived?|older than)\b|\bdeleted?\b.{0,80}\bafter\b|\bafter\b.{0,80}\bdeleted?\b/i,
  ],
  ["cancellation", "time", /\bcancel\w*/i],
  ["interval", "time", /\bevery (?:\d|two|three|five|ten)/i],
  ["duration", "time", /\b(?:lasts?|ends?|runs? for|is valid|are valid|expires?)\b/i],
  ["refund", "time", /\brefund\w*/i],
  [
    "response",
    "time",
    /\b(?:respon[ds]\w*|loads?|loading|appear\w*|returns?|render\w*|display\w*|shown?|complete\w*|results?|delivered|sent|receives?|reach(?:es)? (?:the|an?|their|users?|customers?)|sync\w*|update[sd]?|visible)\b/i,
  ],
  ["size", "size", /./],
  ["uptime", "share", /\buptime|\bavailab/i],
  ["rhythm", "rhythm", /./],
];

const QUALIFIER =
  /\b(?:admin\w*|premium|free (?:plan|tier|users?|accounts?)|pro|basic|trial|enterprise|anonymous|unverified|images?|photos?|videos?|audio|pdfs?|avatars?|thumbnails?|logos?|profile|mobile|desktop|api|offline|first|second|third|initial\w*|warn\w*|remind\w*|soft|hard|drafts?|final\w*|peak|average|median|p\d\d|burst|(?:deleted|archived) (?:files?|items?|messages?|accounts?|records?|documents?|data|notes?|photos?|events?|users?)|trash\w*|backups?|logs|audit|total|per \w+|batch|bulk|internal|external|inactive|cold|cached|remember|reset|shared?|invit\w*|verification|magic|download|temporary|partial|weekend\w*|holiday\w*|additional|extra|domestic|international|express)\b/gi;

export function measuresIn(spec: SpecDocument): Measure[] {
  return spec.statements
    .filter(
      (one) =>
        (isBinding(spec, one) || one.role === "overview" || one.role === "other") &&
        one.block.kind !== "heading" &&
        !STAGED.test(one.block.section.title),
    )
    .flatMap(measuresOf);
}

/** Where other numbers are meant: targets of stages, alarms, examples. */
const STAGED =
  /\b(?:phase|milestone|roll-?out|roadmap|timeline|stage|week|alerts?|alerting|monitoring|example|benchmarks?|history)\b/i;

function measuresOf(statement: Statement): Measure[] {
  const text = withoutMarks(withoutQuoted(statement.block.text));
  if (statement.role === "scenarios") return inScenario(statement, text);
  const parts = statement.block.cells ? cellsIn(text) : sentencesIn(text);
  return parts.flatMap((part) => inSentence(statement, text, part.at, part.text));
}

/** What comes out counts; what is supposed counts where it is more than is allowed, and so sets the limit. */
function inScenario(statement: Statement, text: string): Measure[] {
  const then = text.search(/\bthen\b/i);
  const outcome = then < 0 ? text : blank(text.slice(0, then)) + text.slice(then);
  const told = sentencesIn(outcome).flatMap((sentence) => inSentence(statement, outcome, sentence.at, sentence.text));
  if (then < 0 || !REFUSED.test(text.slice(then))) return told;
  const supposed = inSentence(statement, text, 0, text.slice(0, then)).filter(({ at }) =>
    BEYOND.test(text.slice(Math.max(0, at - 30), at)),
  );
  return [...told, ...supposed.map((measure) => ({ ...measure, bound: "most" as const }))];
}

const REFUSED =
  /\b(?:reject\w*|refus\w*|den(?:y|ied)|error|not (?:accepted|allowed|possible|uploaded|saved)|too (?:large|big|long|many)|fails?|cannot)\b/i;
const BEYOND = /\b(?:(?:larger|bigger|greater|longer|more) than|over|above|exceed(?:s|ing)?)\W{0,3}$/i;

/** Each cell of a row speaks for itself. */
function cellsIn(text: string): { text: string; at: number }[] {
  return [...text.matchAll(/[^|]+/g)].map((cell) => ({ text: cell[0], at: cell.index }));
}

const blank = (found: string): string => " ".repeat(found.length);

interface Raw {
  dimension: Dimension;
  value: number;
  text: string;
  at: number;
}

/** No more of a text without stops is looked at than one would read. */
const LONGEST_SENTENCE = 1500;

function inSentence(statement: Statement, whole: string, from: number, said: string): Measure[] {
  const sentence = said.slice(0, LONGEST_SENTENCE);
  const all = [...numbers(sentence), ...rhythms(sentence)];
  const raws = statement.role === "criteria" ? withoutConditions(all) : all;
  return raws.flatMap((raw) => {
    const alone = raws.filter((other) => other.dimension === raw.dimension).length === 1;
    const clause = alone ? sentence : clauseAt(sentence, raw.at);
    const offset = whole.indexOf(sentence, from) + raw.at;
    const words = clause.replace(raw.text, " ");
    const concept =
      CONCEPTS.find(([, dimension, pattern]) => dimension === raw.dimension && pattern.test(clause))?.[0] ?? "";
    const before = sentence.slice(Math.max(0, raw.at - 60), raw.at);
    const after = sentence.slice(raw.at + raw.text.length, raw.at + raw.text.length + 30);
    return [
      {
        ...raw,
        concept,
        bound: boundOf(before, after),
        stems: stemsIn(words),
        qualifiers: qualifiersOf(words, raw.dimension),
        line: lineAt(statement.block, offset),
        at: offset,
        statement,
      },
    ];
  });
}

/** "In under 30 seconds for files of 5 MB" limits the time; the size is what it was measured with. */
function withoutConditions(raws: Raw[]): Raw[] {
  const timed = raws.some(({ dimension }) => dimension === "time" || dimension === "share");
  return timed ? raws.filter(({ dimension }) => dimension !== "size" && dimension !== "count") : raws;
}

function boundOf(before: string, after: string): Bound {
  if (
    LEAST.test(before) ||
    /\b(?:min(?:imum)?|at least)\b[^.;,]{0,50}$/i.test(before) ||
    /^\s*(?:or (?:more|longer)|minimum)\b/i.test(after)
  )
    return "least";
  if (
    MOST.test(before) ||
    /\b(?:max(?:imum)?|limit(?:ed)?|at most)\b[^.;,]{0,50}$/i.test(before) ||
    /^\s*(?:or less|max(?:imum)?|limit|at most)\b/i.test(after)
  )
    return "most";
  return "exact";
}

/** Times, sizes, shares and money, and counts of things. */
function numbers(sentence: string): Raw[] {
  if (sentence.search(MEASURE) < 0) return [];
  return [...sentence.matchAll(MEASURE)].flatMap((found) => {
    const [text, currency, digits = "", unitName, noun] = found;
    const value = WORDS[digits.toLowerCase()] ?? Number(digits.replaceAll(",", ""));
    const [dimension, factor] =
      UNITS[
        unitName
          ?.toLowerCase()
          .replace(/^\w+ /, "")
          .replace(/(?<=[a-z]{2})s$/, "") ?? ""
      ] ?? [];
    const at = found.index;
    if (dimension && factor) return [{ dimension, value: value * factor, text: text.trim(), at }];
    if (currency) return [{ dimension: "money" as const, value, text: `${currency}${digits}`, at }];
    const named = noun ? countedNoun(noun) : undefined;
    if (!noun || !named) return [];
    return [
      { dimension: "count" as const, value, text: text.slice(0, text.length - noun.length + named.length).trim(), at },
    ];
  });
}

const NO_NOUN =
  /^(?:of|in|per|for|within|before|after|and|or|to|at|on|is|are|must|may|can|with|from|by|the|an?|if|when|then|that|which|it|out|as|than|minutes?|stars?)$/i;

/** Of "failed login attempts are" the words up to "attempts". */
function countedNoun(words: string): string | undefined {
  if (/^per [a-z]+/i.test(words)) return words.split(/\s+/).slice(0, 2).join(" ");
  const run: string[] = [];
  for (const word of words.split(/\s+/)) {
    if (NO_NOUN.test(word)) break;
    run.push(word);
    if (/s$/i.test(word)) break;
  }
  return run.length > 0 ? run.join(" ") : undefined;
}

const RHYTHMS: Record<string, number> = { hour: 1, dail: 24, day: 24, night: 24, week: 168, month: 720 };

function rhythms(sentence: string): Raw[] {
  if (sentence.search(RHYTHM) < 0) return [];
  return [...sentence.matchAll(RHYTHM)].map((found) => {
    const word = Object.keys(RHYTHMS).find((one) => found[0].toLowerCase().includes(one)) ?? "day";
    return { dimension: "rhythm" as const, value: RHYTHMS[word] ?? 0, text: found[0], at: found.index };
  });
}

function clauseAt(sentence: string, at: number): string {
  const stops = [...sentence.matchAll(/[,;()]|\s(?:and|or|then|while|but)\s/g)].map((stop) => stop.index);
  const from = stops.filter((stop) => stop < at).at(-1) ?? 0;
  return sentence.slice(from, stops.find((stop) => stop > at) ?? sentence.length);
}

function qualifiersOf(text: string, dimension: Dimension): string {
  const found = text.search(QUALIFIER) < 0 ? [] : [...text.matchAll(QUALIFIER)].map(([word]) => stem(word));
  const shares = dimension === "time" ? [...text.matchAll(/\d+(?:\.\d+)?\s?%/g)].map(([share]) => share) : [];
  return [...new Set([...found, ...shares])].sort().join(" ");
}
