import type { Parameter, Schema } from "../normalized-spec.ts";
import { wordsOf } from "./names.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

/** "queryOptions.page" is a page; "page[size]" is a page size. */
function keyOf(name: string): string {
  const last = name.slice(name.lastIndexOf(".") + 1);
  return wordsOf(last === "" ? name : last).join("-");
}

/** A parameter with what is needed to tell what it is for. */
export interface KnownParameter {
  parameter: Parameter;
  /** Its name in small words: "page[size]" and "pageSize" are "page-size". */
  key: string;
  schema: Schema;
  description: string;
}

export function known(view: SchemaView, parameter: Parameter): KnownParameter {
  return {
    parameter,
    key: keyOf(parameter.name),
    schema: simplified(view, parameter.schema),
    description: `${parameter.description ?? parameter.schema?.description ?? ""}`.slice(0, 600).toLowerCase(),
  };
}

/** Also where only its description says so. */
export function isOutdated({ parameter, description }: KnownParameter): boolean {
  return parameter.deprecated === true || /^\W*deprecated\b/.test(description);
}

const words = (text: string): Set<string> => new Set(text.split(" "));

const page = words(
  "page page-number page-no page-num pagenumber pageno pagenum p pg page-index pageindex current-page page-nr paged page-id pagina seite",
);
const offset = words(
  "offset skip start start-index startindex start-at startat from first-result page-offset begin start-row start-position start-record " +
    "record-offset startposition startrow from-index row-offset offset-index start-offset results-offset first-row starting-index",
);
const cursor = words(
  "cursor page-token pagetoken next-token nexttoken next-page-token continuation-token continuationtoken continuation continue marker " +
    "starting-after after page-after page-cursor next-cursor after-cursor scroll-id since-id last-id after-id next next-page next-key last-key " +
    "bookmark start-cursor exclusive-start-key last-evaluated-key search-after pagination-token paging-token resume-token start-after " +
    "pagination-cursor cursor-mark next-id lastkey token last-item last-seen last-seen-id next-offset page-key page-start page-state",
);
/** The surest first. */
const sizes = (
  "limit per-page perpage page-size pagesize page-limit max-page-size results-per-page items-per-page hits-per-page page-length " +
  "pagelen max-results maxresults num-results nb-results number-of-results number-of-items result-limit max-items maxitems " +
  "max-records maxrecords max-keys limit-to"
).split(" ");
/** These also name what a record has, or a bound of that. */
const possibleSizes =
  "size count top take rows first max num n per results max-count page-count item-count number amount".split(" ");

export function isNumeric(schema: Schema): boolean {
  return schema.type === "integer" || schema.type === "number";
}

const isPlain = (schema: Schema): boolean => isNumeric(schema) || schema.type === "string" || schema.type === undefined;
const isDate = (schema: Schema): boolean => schema.format === "date" || schema.format === "date-time";
const saysToken = /\b(token|cursor|opaque|bookmark)\b/;
const saysId = /\bids?\b/;
const saysTime = /\b(date|datetime|time|timestamp|iso[ -]?8601|unix|epoch)\b/;
const saysHowMany =
  /\b(how many|number of|amount of|per page|pages?|limits?|results?|items|records|entries|rows|elements|returned|to (return|fetch|retrieve|show|display|get))\b/;

export function isPage({ key, schema, description }: KnownParameter): boolean {
  if (!page.has(key) || !isPlain(schema)) return false;
  if (key === "page-id" || key === "paged") return isNumeric(schema);
  return isNumeric(schema) || !saysToken.test(description);
}

/** A name such as "start" or "from" is also that of a date, so only numbers count there. */
export function isOffset({ key, schema, description }: KnownParameter): boolean {
  if (cursor.has(key) && isNumeric(schema)) return /\boffset\b/.test(description);
  if (!offset.has(key) || !isPlain(schema) || isDate(schema)) return false;
  if (isNumeric(schema)) return !/timestamp|unix|epoch|date\b|time\b/.test(description);
  return (
    (key.includes("offset") || key === "skip") &&
    !saysToken.test(description) &&
    !saysId.test(description) &&
    schema.format !== "uuid"
  );
}

export function isCursor({ key, schema, description }: KnownParameter): boolean {
  if (isNumeric(schema) && /\boffset\b/.test(description)) return false;
  if (isDate(schema) || schema.type === "enum" || schema.type === "boolean" || schema.type === "array") return false;
  if (key === "since")
    return isNumeric(schema) && /\bids?\b/.test(description) && !/timestamp|unix|epoch/.test(description);
  if (key === "token") return /next page|pagina|previous (response|request|page)|subsequent/.test(description);
  // Things also come from a place or a person; unless it says so, it is for the answer to tell.
  if (key === "from") return saysToken.test(description) || /\bnext page\b/.test(description);
  if (key === "after" || key === "next") return !saysTime.test(description);
  if (page.has(key) || offset.has(key))
    return saysToken.test(description) || (!isNumeric(schema) && saysId.test(description)) || schema.format === "uuid";
  return cursor.has(key);
}

/** Whether it may say how many rows a page has. A word for many things counts only for a number that is not said to be another. */
export function isSize({ key, schema, description }: KnownParameter): boolean {
  if (sizes.includes(key)) return isPlain(schema) && !isDate(schema);
  if (!possibleSizes.includes(key) || !(isNumeric(schema) || isNumeral(schema.default))) return false;
  return description === "" ? key !== "number" && key !== "amount" : saysHowMany.test(description);
}

const isNumeral = (value: unknown): boolean => typeof value === "string" && /^\d{1,9}$/.test(value);

/** What says how many rows a page has. A word for many things means that only where pages can be asked for. */
export function sizeIn(parameters: KnownParameter[], isPaged: boolean): KnownParameter | undefined {
  const ranked = isPaged ? [...sizes, ...possibleSizes] : sizes;
  const found = parameters.filter((one) => ranked.includes(one.key) && isSize(one) && !isPage(one) && !isOffset(one));
  return found.toSorted((one, other) => ranked.indexOf(one.key) - ranked.indexOf(other.key))[0];
}

/** It goes the other way: what asks for the page before. */
export function isBackwards({ key, schema, description }: KnownParameter): boolean {
  if (isDate(schema) || (saysTime.test(description) && !saysToken.test(description))) return false;
  return /^(before|ending-before|page-before|prev|previous|prev-page|previous-page|until-id|max-id|before-id|last)$/.test(
    key,
  );
}

const alsoNarrowing = words("from start begin after before since next last continue marker");

/** Whether it can be for nothing but paging, unlike a date that is called "after" or a place that is called "from". */
export function isOnlyForPaging(one: KnownParameter): boolean {
  if (isPage(one)) return true;
  if (!isOffset(one) && !isCursor(one) && !isBackwards(one)) return false;
  const isById = /^(after|before|since)$/.test(one.key) && /\b(uu)?ids?\b/.test(one.description);
  return !alsoNarrowing.has(one.key) || isById || saysToken.test(one.description);
}

const search = [
  "q",
  "query",
  "search",
  "search-query",
  "search-term",
  "searchterm",
  "keyword",
  "keywords",
  "search-text",
  "term",
  "filter-search",
  "text",
  "s",
  "search-string",
  "full-text",
  "search-phrase",
  "free-text",
];

export function searchRank({ key, schema }: KnownParameter): number {
  if (schema.type !== "string" && schema.type !== undefined) return -1;
  return search.indexOf(key);
}

const shaping = words(
  "fields field expand include includes embed format pretty callback select view populate envelope output alt prettyprint " +
    "with relations exclude excludes projection jsonp accept with-count with-total include-count count-only fieldset",
);

/** It shapes the answer rather than choosing rows. */
export function isShaping({ key, parameter }: KnownParameter): boolean {
  return shaping.has(key) || /^(fields|include|expand)\[/.test(parameter.name);
}
