import type { Path } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { nounKey } from "./path-shape.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

/** Where the records of a list stand in its answer. */
export interface Rows {
  path: Path;
  item: Schema;
  /** Where the record stands in a row that holds it beside its links or its rank. */
  row?: Path;
  /** They are the values of a map. */
  isMap: boolean;
  confidence: number;
  because: string;
}

export interface RowHints {
  /** What the path is about, as `nounKey` writes it. */
  noun: string;
  /** The model of one record, if another operation gives one. */
  model?: string;
  /** Everything that the path names, from the outside in. */
  nouns?: string[];
  /** It can be asked for another page. */
  isPaged?: boolean;
  /** Plain values will do, as where "/templates" lists the names that "/templates/{name}" takes. */
  isOfKeys?: boolean;
  /** What usually stands beside rows may be the rows. */
  isAside?: boolean;
  /** How much must speak for a list: little for "/pets" beside "/pets/{id}", much for "/pets/{id}". */
  expects: "list" | "either" | "record";
}

interface Candidate extends Rows {
  score: number;
}

const envelopes = new Set(
  "data item result row record list content entry value element object hit doc edge node resource collection payload member match".split(
    " ",
  ),
);
const wrappers = new Set(
  "data result response payload body embedded content page list collection value output hit envelope item record".split(
    " ",
  ),
);
const besideRows = new Set(
  "error link warning included message meta facet aggregation notice debug filter sort column header relationship schema info".split(
    " ",
  ),
);
const neverRows = new Set("error link warning message notice debug info meta".split(" "));
const aboutRows =
  /^(@|_)|^(total|count|page|per|limit|offset|next|prev|first|last|has|cursor|paging|pagination|meta|links?|size|start|number|more|status|success|message|code|object|url|href|kind|api|etag|self|took|time|request|result|errors?|warnings?|is|num|max|items|incomplete|query|sort|version|summary)/i;
const deepest = 3;
const enough = { list: 1, either: 4, record: 9 };

export function rowsOf(view: SchemaView, schema: Schema | undefined, hints: RowHints): Rows | undefined {
  const rows = rowsWithin(view, schema, hints, 0);
  return rows === undefined ? undefined : unwrapped(view, rows, hints.noun);
}

const holders = /^(node|value|document|doc|_?source|item|record|resource|entity|object)$/;
const besideRecord =
  /^_?(links?|meta|metadata|cursor|etag|score|rank|highlights?|index|explanation|distance|matches)$/i;

/** `{ value: { ... }, links: [...] }` holds a record; it is none. */
function unwrapped(view: SchemaView, rows: Rows, noun: string): Rows {
  const parts = Object.entries(simplified(view, rows.item).properties ?? {});
  const [holder, ...others] = parts.filter(([name]) => !besideRecord.test(name));
  if (holder === undefined || others.length > 0 || rows.isMap) return rows;
  const [name, item] = holder;
  const whole = simplified(view, item);
  const isRecord = whole.type === "object" && Object.keys(whole.properties ?? {}).length > 1;
  return isRecord && (holders.test(name) || nounKey(name) === noun) ? { ...rows, item, row: [name] } : rows;
}

function rowsWithin(view: SchemaView, schema: Schema | undefined, hints: RowHints, depth: number): Rows | undefined {
  const whole = simplified(view, schema);
  if (whole.type === "union") return depth < deepest ? rowsOfUnion(view, whole, hints, depth + 1) : undefined;
  if (whole.type === "array") return bareRows(view, whole);
  const usual = candidatesIn(view, whole, hints, [], new Set());
  // "aggregations" stands beside rows, unless there are no others, and pages to ask for.
  const isAside = usual.length === 0 && hints.isPaged === true && hints.expects !== "record";
  const candidates = isAside ? candidatesIn(view, whole, { ...hints, isAside }, [], new Set()) : usual;
  const best = candidates.reduce<Candidate | undefined>(
    (best, next) => (!best || next.score > best.score ? next : best),
    undefined,
  );
  const score = (best?.score ?? 0) + (candidates.length === 1 ? 2 : 0) + (hints.isPaged ? 4 : 0);
  if (best !== undefined && score >= enough[hints.expects]) {
    const { path, item, isMap, because } = best;
    return { path, item, isMap, because, confidence: Math.min(0.98, 0.55 + score * 0.04) };
  }
  return hints.expects === "list" ? mapOfRecords(view, whole, []) : undefined;
}

function rowsOfUnion(view: SchemaView, union: Schema, hints: RowHints, depth: number): Rows | undefined {
  for (const member of union.unionOf ?? []) {
    const rows = rowsWithin(view, member, hints, depth);
    if (rows !== undefined) return { ...rows, confidence: rows.confidence * 0.8 };
  }
  return undefined;
}

function bareRows(view: SchemaView, array: Schema): Rows | undefined {
  const item = array.items ?? {};
  if (!canBeRecord(view, item)) return undefined;
  return { path: [], item, isMap: false, confidence: 1, because: "the answer is an array" };
}

/** Whether rows can be made of it; what is not described may be anything, so records, too. */
function canBeRecord(view: SchemaView, schema: Schema, depth = 0): boolean {
  const whole = simplified(view, schema);
  if (whole.type === "union") {
    return depth < deepest && (whole.unionOf ?? []).some((member) => canBeRecord(view, member, depth + 1));
  }
  return whole.type === undefined || whole.type === "object";
}

function mapOfRecords(view: SchemaView, whole: Schema, path: Path): Rows | undefined {
  const values = whole.additionalProperties;
  if (typeof values !== "object" || Object.keys(whole.properties ?? {}).length > 0) return undefined;
  const item = simplified(view, values);
  if (item.type !== "object" && item.type !== "union") return undefined;
  return { path, item: values, isMap: true, confidence: 0.7, because: "the answer maps keys to records" };
}

function candidatesIn(view: SchemaView, object: Schema, hints: RowHints, path: Path, seen: Set<Schema>): Candidate[] {
  const properties = Object.entries(object.properties ?? {});
  if (path.length >= deepest || seen.has(object)) return [];
  const within = new Set(seen).add(object);
  return properties.flatMap(([name, schema]): Candidate[] => {
    const whole = oneArray(view, simplified(view, schema));
    const place = [...path, name];
    const isAside = besideRows.has(nounKey(name)) && nounKey(name) !== hints.noun;
    if (isAside && (!hints.isAside || neverRows.has(nounKey(name)))) return [];
    if (whole.type === "array") {
      return hints.isOfKeys || canBeRecord(view, whole.items ?? {})
        ? [scored(view, object, hints, place, whole.items ?? {}, false)]
        : [];
    }
    if (whole.type !== "object") return [];
    const isWrapper = wrappers.has(nounKey(name)) || nounKey(name) === hints.noun || properties.length === 1;
    const inner = isWrapper ? candidatesIn(view, whole, hints, place, within) : [];
    const map = isWrapper && inner.length === 0 ? mapOfRecords(view, whole, place) : undefined;
    return map === undefined ? inner : [scored(view, object, hints, place, map.item, true)];
  });
}

/** A choice between arrays is an array of what is best described. */
function oneArray(view: SchemaView, schema: Schema): Schema {
  const members = schema.type === "union" ? (schema.unionOf ?? []).map((member) => view.resolve(member)) : [];
  if (members.length === 0 || !members.every(({ type }) => type === "array")) return schema;
  return members.find(({ items }) => view.modelOf(items) !== undefined) ?? members[0] ?? schema;
}

function scored(
  view: SchemaView,
  envelope: Schema,
  hints: RowHints,
  path: Path,
  item: Schema,
  isMap: boolean,
): Candidate {
  const name = path.at(-1) ?? "";
  const key = nounKey(name);
  const model = view.modelOf(item);
  const reasons: [boolean, number, string][] = [
    [model !== undefined && model === hints.model, 6, `${name} holds what one record is`],
    [isAbout(key, hints.noun), 5, `${name} is what the path names`],
    [envelopes.has(key), 4, `${name} is a usual name for rows`],
    [
      !isAbout(key, hints.noun) && (hints.nouns ?? []).some((noun) => isAbout(key, noun)),
      3,
      `${name} is named in the path`,
    ],
    [path.at(-2) === "_embedded", 3, `${name} is embedded`],
    [model !== undefined && isAbout(nounKey(model), hints.noun), 2, `${name} holds ${model}`],
  ];
  const holding = reasons.filter(([holds]) => holds);
  const others = Object.keys(envelope.properties ?? {}).filter((other) => other !== name);
  const about = others.filter((other) => aboutRows.test(other)).length;
  const own = others.length - about;
  const score =
    holding.reduce((sum, [, points]) => sum + points, 0) +
    (others.length === 0 ? 3 : about > 0 ? 2 : 0) -
    Math.min(5, own) -
    (others.includes("id") ? 3 : 0) -
    (isMap ? 2 : 0) -
    (path.length - 1);
  const because = holding[0]?.[2] ?? `${name} is the only array of records`;
  return { path, item, isMap, score, because, confidence: 0 };
}

function isAbout(key: string, noun: string): boolean {
  const isShort = noun.length > 3 && key.startsWith(noun);
  return noun !== "" && (key === noun || isShort || key.endsWith(`-${noun}`) || noun.endsWith(`-${key}`));
}
