import type { Field, Json } from "../descriptor.ts";
import type { Row } from "./backend.ts";
import { nameWords } from "./format.ts";
import { propertyOf, setProperty } from "./json.ts";
import { conforms } from "./mock-conforming.ts";

/** Of two fields that differ in these words only, the value of the first is not the greater one. */
const orderedWords = new Map(
  [
    "start end",
    "starts ends",
    "started ended finished completed",
    "begin end",
    "from to until",
    "since until",
    "min max",
    "minimum maximum",
    "lower upper",
    "low high",
    "open close",
    "opens closes",
    "opening closing",
    "earliest latest",
    "first last",
    "created updated modified edited",
    "create update modify",
  ].map((line) => {
    const [low = "", ...high] = line.split(" ");
    return [low, high];
  }),
);

type FieldPair = [low: Field, high: Field];

const knownPairs = new WeakMap<Field[], FieldPair[]>();

/** Nothing ends before it starts: swaps values that stand the wrong way round, if the API allows. */
export function putInOrder(fields: Field[], row: Row) {
  for (const [low, high] of pairsIn(fields)) {
    const first = propertyOf(row, low.name) ?? null;
    const last = propertyOf(row, high.name) ?? null;
    if (!isAfter(first, last) || !conforms(low, last) || !conforms(high, first)) continue;
    setProperty<Json>(row, low.name, last);
    setProperty<Json>(row, high.name, first);
  }
}

function isAfter(first: Json, last: Json): boolean {
  if (typeof first === "number" && typeof last === "number") return first > last;
  return isTimeText(first) && isTimeText(last) && first > last;
}

function isTimeText(value: Json): value is string {
  return typeof value === "string" && /^(\d{4}-\d\d-\d\d|\d\d:\d\d)/.test(value);
}

const orderedKinds = new Set(["integer", "number", "date", "dateTime", "time", "text"]);

function pairsIn(fields: Field[]): FieldPair[] {
  const known = knownPairs.get(fields);
  if (known) return known;
  const byName = new Map<string, Field>();
  for (const field of fields) {
    const isOrdered = orderedKinds.has(field.kind) && !field.relation && !field.writeOnly;
    if (isOrdered) byName.set(nameWords(field.name).join(" "), field);
  }
  const pairs = [...byName.values()].flatMap((low) => pairsFrom(low, byName));
  knownPairs.set(fields, pairs);
  return pairs;
}

function pairsFrom(low: Field, byName: Map<string, Field>): FieldPair[] {
  const words = nameWords(low.name);
  return words.flatMap((word, index) =>
    (orderedWords.get(word) ?? [])
      .map((other) => byName.get(words.with(index, other).join(" ")))
      .filter((high) => high?.kind === low.kind)
      .map((high): FieldPair => [low, high ?? low]),
  );
}
