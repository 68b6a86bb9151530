import type { Path } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import { wordsOf } from "./names.ts";
import type { SchemaView } from "./schema-view.ts";

const names = new Set(
  (
    "total,total-count,total-items,total-results,total-elements,total-records,total-entries,total-hits,total-rows,total-size,total-number," +
    "count,num-found,items-count,item-count,record-count,result-count,results-count,records-total,total-item-count,number-of-results," +
    "total-number-of-results,totalcount,total-objects,odata-count,nb-hits,x-total-count,full-count,total-matches,total-result-count"
  ).split(","),
);
const holders =
  /^_?(meta|metadata|page|paging|pagination|pageinfo|page_info|info|cursor|response_metadata|links?|_links|resultset|cursors|summary|_metadata|_meta|search_metadata|result_info)$/i;
const headers = [
  "x-total-count",
  "x-total",
  "total-count",
  "x-pagination-total-count",
  "x-total-items",
  "x-wp-total",
  "x-total-results",
];

/** The objects of an answer that say something about its rows, each with its path: around the rows, and "meta" or the like beside them. */
export function aroundRows(
  view: SchemaView,
  answer: Schema | undefined,
  rows: Path,
): { path: Path; properties: [string, Schema][] }[] {
  const found: { path: Path; properties: [string, Schema][] }[] = [];
  let current = view.resolve(answer);
  for (let depth = 0; depth < Math.max(1, rows.length); depth += 1) {
    const path = rows.slice(0, depth);
    collect(view, current, path, found, 0);
    const name = rows[depth] ?? "";
    const properties = current.properties ?? {};
    current = view.resolve(Object.hasOwn(properties, name) ? properties[name] : undefined);
  }
  return found;
}

function collect(
  view: SchemaView,
  object: Schema,
  path: Path,
  found: { path: Path; properties: [string, Schema][] }[],
  depth: number,
): void {
  const properties = Object.entries(object.properties ?? {});
  found.push({ path, properties });
  if (depth > 1) return;
  for (const [name, schema] of properties) {
    const inner = view.resolve(schema);
    if (holders.test(name) && inner.properties !== undefined) collect(view, inner, [...path, name], found, depth + 1);
  }
}

/** Where an answer says how many rows there are on all pages. */
export function totalOf(
  view: SchemaView,
  answer: Schema | undefined,
  rows: Path,
  headersOfAnswer: string[],
): Path | undefined {
  for (const { path, properties } of aroundRows(view, answer, rows)) {
    for (const wanted of ["total", ""]) {
      const found = properties.find(([name, schema]) => {
        const key = wordsOf(name).join("-");
        const type = view.resolve(schema).type;
        return names.has(key) && key.includes(wanted) && (type === "integer" || type === "number");
      });
      if (found !== undefined) return [...path, found[0]];
    }
  }
  const header = headers.find((name) => headersOfAnswer.includes(name));
  return header === undefined ? undefined : [`header:${header}`];
}
