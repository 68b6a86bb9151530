import type { Field } from "../descriptor.ts";
import { nameWords } from "./format.ts";
import { singularWord } from "./mock-names.ts";
import type { Dice } from "./mock-random.ts";
import { plausibleTime } from "./mock-times.ts";

type Range = [least: number, most: number, decimals: number];
/** As whole numbers of steps. */
type Multiples = [first: number, last: number, step: number];

const years: Range = [1990, 2026, 0];

/** What numbers of this name usually are. */
const numberRules: [words: RegExp, range: Range][] = [
  [/ (tax|vat|discount|commission|interest|fee) (percent|percentage|rate) /, [2, 25, 1]],
  [/ (percent|percentage|pct|progress|humidity) |surface water/, [0, 100, 1]],
  [/ (number of page|page count) /, [80, 640, 0]],
  [/ (count|number of|num) /, [0, 40, 0]],
  [/ birth year | year of birth /, [1955, 2006, 0]],
  [/ (year) /, years],
  [/ (month) /, [1, 12, 0]],
  [/ (day) (of|in) |^ day $| (published|birth) day /, [1, 28, 0]],
  [/ (duration|runtime|run time|length) (ms|millis|milliseconds) | (ms|millis) $/, [40, 2400, 0]],
  [/ (price|amount|cost|fee|total|balance|revenue|tax|discount|budget|subtotal) /, [5, 480, 2]],
  [/ (salary|income|wage) /, [32_000, 98_000, 0]],
  [/ (lat|latitude) /, [-55, 65, 5]],
  [/ (lng|lon|long|longitude) /, [-120, 150, 5]],
  [/ (rating|star) $/, [1, 5, 1]],
  [/ (rate|ratio|probability|confidence) /, [0, 1, 2]],
  [/ (age) /, [18, 80, 0]],
  [/ (lifespan) /, [20, 120, 0]],
  [/ (hour) /, [0, 23, 0]],
  [/ (minute|second) /, [1, 59, 0]],
  [/ (day) /, [1, 30, 0]],
  [/ (ttl|timeout|interval) /, [30, 3600, 0]],
  [/ (duration|runtime|run time) /, [20, 180, 0]],
  [/ (port) /, [1024, 9999, 0]],
  [/ (page|pool|batch|team|group|party|max|window) size /, [5, 50, 0]],
  [/ (byte|filesize|size) /, [1200, 4_800_000, 0]],
  [/ (memory|ram|disk|storage) /, [256, 16_384, 0]],
  [/ (cpu|core|vcpu) /, [1, 16, 0]],
  [/ (exit code) /, [0, 1, 0]],
  [/ (status code|http status|response code) /, [200, 204, 0]],
  [/ (quantity|qty|stock|inventory) /, [1, 120, 0]],
  [/ (view|like|follower|download|star|stargazer|watcher|click|impression|play) /, [0, 940, 0]],
  [/ (page) /, [1, 24, 0]],
  [/ (population) /, [12_000, 9_400_000, 0]],
  [/ (diameter|circumference|distance|altitude|elevation|mileage) /, [400, 14_000, 0]],
  [/ (area|square foot|sqft) /, [40, 400, 0]],
  [/ (speed|velocity) /, [40, 950, 0]],
  [/ (capacity|power) /, [50, 5000, 0]],
  [/ (person height) /, [152, 198, 0]],
  [/ (person (mass|weight)) /, [48, 98, 1]],
  [/ (mass|weight|height|width|length|depth|radius|thickness) /, [10, 220, 1]],
  [/ (gravity) /, [0.3, 2, 2]],
  [/ (temperature|temp) /, [-5, 32, 1]],
  [/ (bedroom|bathroom|floor|seat|crew|passenger) /, [1, 6, 0]],
  [/ (priority|level|rank|position|order|index) $| (episode|season|chapter) /, [1, 10, 0]],
  [/ (version|revision|attempt|retry) /, [1, 12, 0]],
  [/ (score|point) /, [10, 100, 0]],
];

const rangesByName = new Map<string, Range | undefined>();

/** Names that say too little without what surrounds them. */
const unclearName =
  /^(value|amount|rate|percent|percentage|min|max|minimum|maximum|average|avg|mean|current)$/i;

function rangeFor(name: string, subject: string[]): Range | undefined {
  const around = unclearName.test(name) ? subject.at(-1) : subject.some(isPersonal) ? "person" : "";
  const key = `${around} ${name}`;
  if (!rangesByName.has(key)) {
    const words = ` ${nameWords(key).map(singularWord).join(" ")} `;
    rangesByName.set(key, numberRules.find(([pattern]) => pattern.test(words))?.[1]);
  }
  return rangesByName.get(key);
}

const personal = new Set(["person", "people", "user", "patient", "player"]);

function isPersonal(word: string): boolean {
  return personal.has(word);
}

/** Whether a text of this name is a number: `ttl` is, `view_type` is not. */
export function isNumeric(name: string, subject: string[]): boolean {
  return rangeFor(nameWords(name).at(-1) ?? "", subject) !== undefined;
}

/** A number within all that the field asks for, as its name would have it if that is possible. */
export function plausibleNumber(field: Field, dice: Dice, subject: string[] = []): number {
  const [first, last, step] = multiplesIn(field, usualRange(field, dice, subject));
  const value = withoutNoise(dice.between(first, Math.max(first, last)) * step);
  return field.kind === "integer" ? Math.round(value) : value;
}

/** One of the numbers that a field allows, in their order from 1 on if that is possible. */
export function countedNumber(field: Field, index: number): number | undefined {
  const [first, last, step] = multiplesIn(field, [1, 1000 * (field.step || 1), 0]);
  return first + index > last ? undefined : withoutNoise((first + index) * step);
}

/** In steps from zero, because that is what "multiple of" means. */
function multiplesIn(field: Field, [least, most, decimals]: Range): Multiples {
  const { kind, step: declared } = field;
  const step = kind === "integer" ? Math.max(1, declared ?? 1) : declared || 10 ** -decimals;
  const [from, to] = boundsOf(field, [least, most, decimals], step);
  const first = Math.ceil(from / step - 1e-9);
  const last = Math.floor(to / step + 1e-9);
  // Between 0.25 and 0.27 there is no tenth, but there are hundredths.
  const canBeFiner = kind === "number" && !declared && decimals < 12;
  return first > last && canBeFiner
    ? multiplesIn(field, [least, most, decimals + 1])
    : [first, last, step];
}

function usualRange(field: Field, dice: Dice, subject: string[]): Range {
  const { name, kind, example } = field;
  const words = ` ${nameWords(name).join(" ")} `;
  if (kind === "integer" && isInstant(words, example)) return instant(field, dice);
  const isId = / ids? $/.test(words) && !/ (episode|season|chapter) /.test(words);
  const range = isId ? undefined : rangeFor(name, subject);
  const isTelling = typeof example === "number" && example > (isId ? 5000 : 0);
  if (isTelling) return aroundExample(field, range);
  // What is counted has its plural for a name: `comments`, `forks`.
  const isCount = kind === "integer" && /[a-rt-z]s $/.test(words);
  return range ?? (isId ? [1, 5000, 0] : isCount ? [0, 40, 0] : [1, 100, 1]);
}

/** Near the example, but no percentage above 100 and no thirteenth month. */
function aroundExample({ kind, example }: Field, range: Range | undefined): Range {
  const value = Number(example);
  const decimals = kind === "integer" ? 0 : (String(value).split(".")[1]?.length ?? 0);
  if (range === years) return [value - 12, value + 6, 0];
  const fits = range && value >= range[0] && value <= range[1];
  const [lowest, highest] = fits ? range : [0, Number.POSITIVE_INFINITY];
  const [least, most] = [value * 0.4, value * 1.6];
  return [Math.max(lowest, least), Math.min(highest, most), Math.min(decimals, 6)];
}

/** Whole numbers for times are the seconds since 1970. */
function isInstant(words: string, example: unknown): boolean {
  const isLikeOne = typeof example === "number" && example > 1e9 && example < 1e13;
  return (
    (isLikeOne && / (date|time|at|on) /.test(words)) ||
    / at $| (created|updated|modified|timestamp|epoch|expires) $/.test(words) ||
    /^ (created|updated|expires) (on|date|time) $/.test(words)
  );
}

/** Or the milliseconds, which an example or a description tells. */
function instant({ name, example, description = "" }: Field, dice: Dice): Range {
  const isFine = Number(example) > 1e11 || /millisecond/i.test(description);
  const unit = isFine ? 1000 : 1;
  const time = (plausibleTime(name, dice) / 1000) * unit;
  return [time, time + 59 * unit, 0];
}

function boundsOf(field: Field, [usualLeast, usualMost]: Range, step: number): [number, number] {
  const { min, max } = field;
  const lowest = min === undefined ? undefined : field.exclusiveMin ? nextAbove(min, step) : min;
  const highest = max === undefined ? undefined : field.exclusiveMax ? nextBelow(max, step) : max;
  const least = Math.max(usualLeast, lowest ?? usualLeast);
  const most = Math.min(usualMost, highest ?? usualMost);
  if (nextAbove(most, step) - step >= least) return [least, most];
  const width = Math.max((usualMost - usualLeast) / 2, step);
  if (lowest !== undefined) return [lowest, Math.min(highest ?? lowest + width, lowest + width)];
  return highest === undefined ? [usualLeast, usualMost] : [highest - width, highest];
}

function nextAbove(value: number, step: number): number {
  return (Math.floor(value / step + 1e-9) + 1) * step;
}

function nextBelow(value: number, step: number): number {
  return (Math.ceil(value / step - 1e-9) - 1) * step;
}

/** 0.1 * 3 is to be 0.3. */
function withoutNoise(value: number): number {
  return Number(value.toPrecision(15));
}
