import type { SpecDocument } from "../spec-document.ts";
import { type Finding, nameOf, placeAt, weightOf } from "./finding.ts";
import { withoutQuoted } from "./words.ts";

/** Weak words among firm ones, and two names for the same people. Slight things: they are told, not asked. */
export function findWording(spec: SpecDocument): Finding[] {
  return [...weakModals(spec), ...drift(spec)];
}

/** "should" in lower case among requirements that say MUST: it may be dropped or not, nobody knows. */
function weakModals(spec: SpecDocument): Finding[] {
  const firm = spec.requirements.filter((one) => /\b(?:MUST|SHALL|must|shall)\b/.test(one.text)).length;
  if (firm < 2 || firm * 2 < spec.requirements.length) return [];
  const weak = spec.requirements.filter(
    (one) => /\b(?:should|ought to)\b/.test(withoutQuoted(one.text)) && !/\b(?:must|shall)\b/i.test(one.text),
  );
  return weak.map((one) => ({
    kind: "vague",
    message: `${nameOf(one.given ? one.id : undefined, one.line)} says "should" where the others say MUST: is it required?`,
    place: placeAt(one.line, one.text),
    weight: weightOf("technique", "likely"),
    topic: "should",
    words: "should",
    owner: one.id,
  }));
}

const PEOPLE = ["users", "customers", "clients", "buyers", "shoppers"] as const;

/** "Customers MUST be able to …" and "Clients MUST be able to …": the same people, unless the spec says otherwise. */
function drift(spec: SpecDocument): Finding[] {
  const first = new Map<string, number>();
  for (const { text, line } of spec.requirements) {
    const who = PEOPLE.find((one) => new RegExp(`^(?:\\W*(?:the|all|registered)\\s)?\\W*${one}\\b`, "i").test(text));
    if (who && !first.has(who)) first.set(who, line);
  }
  const [one, other] = [...first];
  const rest = [...spec.entities, ...spec.assumptions, ...spec.stories];
  if (!one || !other || rest.some(({ text }) => new RegExp(`\\b${other[0].slice(0, -1)}`, "i").test(text))) return [];
  return [
    {
      kind: "vague",
      message: `"${one[0]}" (line ${one[1]}) and "${other[0]}" (line ${other[1]}) seem to be the same people under two names.`,
      place: placeAt(other[1], spec.lines[other[1] - 1] ?? ""),
      weight: weightOf("wording", "open"),
      topic: "names",
      words: other[0],
    },
  ];
}
