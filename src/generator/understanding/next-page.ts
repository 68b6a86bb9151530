import type { Path } from "../kit/descriptor.ts";
import type { Schema } from "../normalized-spec.ts";
import type { Answer } from "./answers.ts";
import { wordsOf } from "./names.ts";
import { isNumeric, type KnownParameter } from "./parameter-roles.ts";
import type { SchemaView } from "./schema-view.ts";
import { aroundRows } from "./totals.ts";

// Where an answer says how to go on.

const nextNames = (
  "next-cursor next-page-token next-token next-page-cursor nextpagetoken nexttoken continuation-token " +
  "continuationtoken next-marker next-page-key next-key next-starting-after next-page-offset next-offset " +
  "next-scroll-id pagination-token last-evaluated-key last-key end-cursor after continue cursor bookmark " +
  "scroll-id marker next-id next next-page next-page-url next-url next-link nextlink odata-next-link " +
  "odata-nextlink next-page-uri next-uri next-href"
).split(" ");
const moreNames = new Set(
  (
    "has-more has-next has-next-page hasmore more is-truncated truncated has-more-items more-results " +
    "has-more-results more-available"
  ).split(" "),
);

/** Where an answer says what to ask for next: a value, or an address that holds it. */
export function nextIn(view: SchemaView, answer: Answer, rows: Path, param: string): Path | undefined {
  const wanted = [`next-${param}`, param, ...nextNames];
  const places = placesIn(view, answer, rows);
  for (const name of wanted) {
    const found = places.find((place) => place.key === name && !rows.includes(place.path.at(-1) ?? ""));
    const path = found === undefined ? undefined : textAt(view, found.schema, found.path);
    if (path !== undefined) return path;
  }
  return undefined;
}

/** Whether an answer gives the next value of this very parameter: "next_from". */
export function givesNext(view: SchemaView, answer: Answer, rows: Path, param: string): boolean {
  return placesIn(view, answer, rows).some(({ key }) => key === `next-${param}`);
}

function placesIn(view: SchemaView, answer: Answer, rows: Path): { path: Path; key: string; schema: Schema }[] {
  return aroundRows(view, answer.schema, rows).flatMap(({ path, properties }) =>
    properties.map(([name, schema]) => ({ path: [...path, name], key: wordsOf(name).join("-"), schema })),
  );
}

/** The place itself if a text or number stands there; of a link object, its address. */
function textAt(view: SchemaView, schema: Schema, path: Path): Path | undefined {
  const whole = view.resolve(schema);
  if (whole.type === "string" || isNumeric(whole) || whole.type === undefined || whole.type === "union") {
    if (whole.properties === undefined) return path;
  }
  const inner = Object.keys(whole.properties ?? {}).find((name) => /^(href|url|uri|cursor|token|after)$/.test(name));
  return inner === undefined ? undefined : [...path, inner];
}

export function moreIn(view: SchemaView, answer: Answer, rows: Path): Path | undefined {
  for (const { path, properties } of aroundRows(view, answer.schema, rows)) {
    const found = properties.find(
      ([name, schema]) => moreNames.has(wordsOf(name).join("-")) && view.resolve(schema).type === "boolean",
    );
    if (found !== undefined) return [...path, found[0]];
  }
  return undefined;
}

/** A header that gives the next cursor, declared or named in the parameter's description: "X-Next-Cursor", "elements-next-page-token". */
export function nextHeader(answer: Answer, { description }: KnownParameter): string | undefined {
  const isNext = (name: string): boolean =>
    /next/.test(name) && /cursor|token|page|marker|key|id|offset/.test(name) && name !== "link";
  const declared = answer.headers.find(
    (name) => isNext(name) || /^x-?(cursor|marker|continuation(-token)?)$/.test(name),
  );
  if (declared !== undefined) return declared;
  const named = [/header[^a-z0-9]{1,5}([a-z0-9-]{4,60})/, /([a-z0-9-]{4,60})[^a-z0-9-]{1,5}header/].map(
    (pattern) => pattern.exec(description)?.[1],
  );
  return named.find((name) => name?.includes("-") && isNext(name));
}
