import type { SpecDocument } from "../spec-document.ts";
import { type Finding, nameOf, placeIn, weightOf } from "./finding.ts";
import { type Measure, measuresIn } from "./measures.ts";
import { shared, stem } from "./words.ts";

/** So many measures of one kind are compared with each other; a longer list is no spec that one reads. */
const MOST_COMPARED = 150;

/** Two statements that set different numbers for the same thing. */
export function findNumbers(spec: SpecDocument): Finding[] {
  const findings: Finding[] = [];
  for (const group of grouped(measuresIn(spec))) {
    const told = new Set<Measure>();
    for (const [index, later] of group.entries()) {
      const earlier = group.slice(0, index).find((one) => !told.has(one) && disagree(one, later));
      if (!earlier) continue;
      told.add(later);
      findings.push(findingOf(earlier, later));
    }
  }
  return findings;
}

function grouped(measures: Measure[]): Measure[][] {
  const groups = new Map<string, Measure[]>();
  for (const measure of measures) {
    const key = `${measure.dimension} ${measure.concept}`;
    const group = groups.get(key) ?? [];
    if (group.length < MOST_COMPARED) group.push(measure);
    groups.set(key, group);
  }
  return [...groups.values()];
}

function disagree(one: Measure, other: Measure): boolean {
  if (one.statement === other.statement || one.value === other.value || one.line === other.line) return false;
  return (
    sameCase(one.qualifiers, other.qualifiers) &&
    comparable(one, other) &&
    boundsClash(one, other) &&
    sameThing(one, other)
  );
}

/** The same words single out the case; a share of cases ("95%") only does where both have one. */
function sameCase(one: string, other: string): boolean {
  const [words, shares] = [
    (text: string) => text.replace(/\S+%/g, "").trim(),
    (text: string) => text.match(/\S+%/g)?.join(" "),
  ];
  const [first, second] = [shares(one), shares(other)];
  return words(one) === words(other) && (first === undefined || second === undefined || first === second);
}

/** Seconds and months are never meant for the same thing. */
function comparable(one: Measure, other: Measure): boolean {
  return one.dimension !== "time" || Math.max(one.value, other.value) / Math.min(one.value, other.value) <= 400;
}

/** "At least 30 days" agrees with "90 days"; "at most 10 MB" agrees with "5 MB". */
function boundsClash(one: Measure, other: Measure): boolean {
  if (one.bound === other.bound) return true;
  const [limit, exact] = one.bound === "exact" ? [other, one] : [one, other];
  if (exact.bound !== "exact") return false;
  return limit.bound === "most" ? exact.value > limit.value : exact.value < limit.value;
}

/** Words that say nothing of which thing it is. */
const LOOSE = new Set(
  [
    "result",
    "show",
    "respond",
    "load",
    "appear",
    "return",
    "complet",
    "time",
    "file",
    "data",
    "maximum",
    "limit",
    "size",
    "retain",
    "store",
    "remove",
    "expire",
    "second",
    "minut",
    "receiv",
    "send",
    "update",
    "change",
    "automatical",
  ].map(stem),
);

function sameThing(one: Measure, other: Measure): boolean {
  const common = shared(one.stems, other.stems);
  const telling = common.filter((word) => !LOOSE.has(word));
  const alike = common.length / Math.max(1, one.stems.size + other.stems.size - common.length);
  if (one.concept === "session" || one.concept === "lockout" || one.concept === "uptime") return true;
  if (one.concept === "size") return telling.length > 0 || common.includes("file") || bare(one) || bare(other);
  if (one.dimension === "count") return sameCount(one, other, telling, alike);
  if (one.concept === "retention") return telling.length > 0 || (common.includes("data") && bare(one) && bare(other));
  if (one.concept === "rhythm") return telling.length >= 2 && alike >= 0.4;
  if (one.concept === "interval") return telling.length >= 2 && alike >= 0.4;
  if (one.concept === "duration") return sameSubject(one, other) && !LOOSE.has(common[0] ?? "");
  if (one.concept === "response") return telling.length > 0 && alike >= 0.5;
  if (one.concept !== "") return telling.length > 0 && common.length >= 2 && alike >= 0.4;
  if (
    one.bound === "most" &&
    other.bound === "most" &&
    sameSubject(one, other) &&
    one.stems.size + other.stems.size <= 6
  )
    return true;
  if (one.bound !== other.bound || Math.abs(one.line - other.line) <= 1) return false; // neighbours in a list tell cases apart
  return telling.length >= 2 && alike >= 0.6;
}

/** Both speak of the same thing first. */
function sameSubject(one: Measure, other: Measure): boolean {
  const [[first], [second]] = [[...one.stems], [...other.stems]];
  return first !== undefined && first === second;
}

const bare = (measure: Measure): boolean => [...measure.stems].every((word) => LOOSE.has(word) || word === "upload");

/** The counted noun must be the same, and what is counted for. */
function sameCount(one: Measure, other: Measure, telling: string[], alike: number): boolean {
  const [first, second] = [one, other].map(({ text }) => stem(text.split(/\s+/).at(-1) ?? ""));
  if (first !== second) return false;
  const always = /^(?:attempt|retr|character)/.test(first ?? "");
  if (!always && one.bound === "exact" && other.bound === "exact") return false;
  return always
    ? telling.length > 0 || one.stems.size === 0
    : telling.length >= 1 && shared(one.stems, other.stems).length >= 2 && alike >= 0.5;
}

function findingOf(earlier: Measure, later: Measure): Finding {
  const [first, second] = [earlier, later].map(({ statement, line }) => nameOf(statement.owner, line));
  const other = first === second || !first?.startsWith("line") ? `${first} (line ${earlier.line})` : first;
  const guarded = /session|lockout|link|retention/.test(later.concept);
  const [there, here] = [sideOf(earlier), sideOf(later)];
  return {
    kind: "contradictory",
    message: `${second} says "${later.text}", ${other} says "${earlier.text}" for the same thing.`,
    place: here.place,
    weight: weightOf(guarded ? "security" : "use", "torn"),
    topic: `number-${later.dimension}-${later.concept || [...later.stems].slice(0, 2).join("-")}`,
    words: later.text,
    owner: later.statement.owner,
    other: there.place,
    values: [earlier.text, later.text],
    sides: [there, here],
  };
}

const sideOf = ({ statement, at, text }: Measure) => ({
  value: text,
  place: placeIn(statement.block, at, text.length),
});
