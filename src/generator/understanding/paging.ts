import type { Paging, Path } from "../kit/descriptor.ts";
import type { Answer } from "./answers.ts";
import { givesNext, moreIn, nextHeader, nextIn } from "./next-page.ts";
import {
  isBackwards,
  isCursor,
  isNumeric,
  isOffset,
  isOnlyForPaging,
  isOutdated,
  isPage,
  type KnownParameter,
  sizeIn,
} from "./parameter-roles.ts";
import type { SchemaView } from "./schema-view.ts";

export interface InferredPaging {
  paging?: Paging;
  confidence: number;
  because: string;
  /** The parameters that it takes up, so that they are no filters. */
  taken: string[];
}

const usualSize = 20;
const largestUsualSize = 100;
/** Beyond it, a maximum is that of its type, and no bound of the API. */
const largestMaximum = 100_000;

/** How the next page is asked for; nothing unless the operation has a parameter, or a header, by which that works. */
export function pagingOf(
  view: SchemaView,
  parameters: KnownParameter[],
  answer: Answer,
  rows: Path,
  keyField: string | undefined,
): InferredPaging {
  const isPaging = (one: KnownParameter): boolean => isPage(one) || isOffset(one) || isCursor(one);
  const current = parameters.filter((one) => !isOutdated(one));
  const usable = current.some(isPaging) ? current : parameters;
  const sizing = sizeIn(usable, usable.some(isPaging) || answer.headers.includes("link"));
  const found =
    byCursorBesidePage(view, usable, sizing, answer, rows) ??
    byPage(usable, sizing) ??
    byOffset(usable, sizing) ??
    byCursor(view, usable, sizing, answer, rows, keyField) ??
    byLink(usable, sizing, answer);
  if (found?.paging !== undefined) return { ...found, taken: takenBy(found.paging, parameters) };
  const because =
    sizing === undefined ? "no parameter asks for another page" : `${nameOf(sizing)} only limits what comes`;
  return { confidence: 0.9, because, taken: [] };
}

/** Where pages have numbers, what may be a cursor elsewhere is most likely a date, or a place. */
function takenBy(paging: Paging, parameters: KnownParameter[]): string[] {
  const isByNumber = paging.kind === "page" || paging.kind === "offset";
  const isForPaging = (one: KnownParameter): boolean =>
    isByNumber ? isOnlyForPaging(one) : isPage(one) || isOffset(one) || isCursor(one) || isBackwards(one);
  const used = [paging.param, paging.sizeParam].filter((name) => name !== undefined);
  return [...new Set([...used, ...parameters.filter(isForPaging).map(nameOf)])];
}

type Found = Omit<InferredPaging, "taken"> | undefined;

const nameOf = ({ parameter }: KnownParameter): string => parameter.name;

function sizes(sizing: KnownParameter | undefined): { sizeParam?: string; size: number; maxSize?: number } {
  if (sizing === undefined) return { size: usualSize };
  const { schema } = sizing;
  const max = schema.maximum ?? (schema.exclusiveMaximum === undefined ? undefined : schema.exclusiveMaximum - 1);
  const usual = Number(schema.default ?? Number.NaN);
  const size =
    usual >= 1 && usual <= largestUsualSize
      ? usual
      : Math.min(usualSize, max !== undefined && max >= 1 ? max : usualSize);
  return {
    sizeParam: nameOf(sizing),
    size,
    ...(max !== undefined && max >= size && max <= largestMaximum && { maxSize: max }),
  };
}

function byPage(parameters: KnownParameter[], sizing: KnownParameter | undefined): Found {
  const found = parameters.find(isPage);
  if (found === undefined) return undefined;
  const first = firstPage(found);
  const paging: Paging = { kind: "page", param: nameOf(found), first, ...sizes(sizing) };
  return {
    paging,
    confidence: isNumeric(found.schema) ? 0.95 : 0.8,
    because: `${nameOf(found)} is the number of a page`,
  };
}

function firstPage({ schema, description }: KnownParameter): number {
  const said = schema.default ?? schema.minimum;
  if (said === 0 || said === "0") return 0;
  if (
    /zero.?based|0.?based|0.?indexed|zero.?indexed|starts? (at|from|with) (0|zero)|first page is (0|zero)|\(0\.\./.test(
      description,
    )
  )
    return 0;
  return 1;
}

function byOffset(parameters: KnownParameter[], sizing: KnownParameter | undefined): Found {
  const found = parameters.find(isOffset);
  if (found === undefined) return undefined;
  const isSure =
    found.key.includes("offset") ||
    /\boffset\b/.test(found.description) ||
    found.key === "skip" ||
    sizing !== undefined;
  if (!isSure) return undefined;
  const paging: Paging = { kind: "offset", param: nameOf(found), ...sizes(sizing) };
  return { paging, confidence: 0.93, because: `${nameOf(found)} is how many rows to pass over` };
}

/** A page number beside a token is only for show if the answer gives the token. */
function byCursorBesidePage(
  view: SchemaView,
  parameters: KnownParameter[],
  sizing: KnownParameter | undefined,
  answer: Answer,
  rows: Path,
): Found {
  const token = parameters.find((one) => isCursor(one) && one.key.includes("token"));
  const next = token && parameters.some(isPage) ? nextIn(view, answer, rows, token.key) : undefined;
  if (token === undefined || next === undefined) return undefined;
  const paging: Paging = { kind: "cursor", param: nameOf(token), ...sizes(sizing), next };
  return { paging, confidence: 0.8, because: `${nameOf(token)} is what the answer gives at ${next.join(".")}` };
}

function byCursor(
  view: SchemaView,
  parameters: KnownParameter[],
  sizing: KnownParameter | undefined,
  answer: Answer,
  rows: Path,
  keyField: string | undefined,
): Found {
  const candidates = parameters.filter(
    (one) => (isCursor(one) && !isBackwards(one)) || (one.key === "from" && givesNext(view, answer, rows, one.key)),
  );
  for (const found of candidates) {
    const next = nextIn(view, answer, rows, found.key);
    const hasMore = moreIn(view, answer, rows);
    const base = { kind: "cursor" as const, param: nameOf(found), ...sizes(sizing), ...(hasMore && { hasMore }) };
    const header = next === undefined ? nextHeader(answer, found) : undefined;
    if (header !== undefined) {
      const because = `${nameOf(found)} takes what the header ${header} gives`;
      return { paging: { ...base, next: [`header:${header}`] }, confidence: 0.85, because };
    }
    if (next !== undefined) {
      return {
        paging: { ...base, next },
        confidence: 0.93,
        because: `${nameOf(found)} takes what the answer gives at ${next.join(".")}`,
      };
    }
    if (answer.headers.includes("link") || found.description.includes("link header")) continue;
    if (keyField !== undefined && takesId(found)) {
      return {
        paging: { ...base, nextFromRow: keyField },
        confidence: 0.75,
        because: `${nameOf(found)} takes the ${keyField} of the last row`,
      };
    }
  }
  return undefined;
}

function takesId({ key, description }: KnownParameter): boolean {
  return (
    /^(starting-after|after-id|since-id|last-id|last-seen-id|start-after|after|since|marker|cursor|last-item)$/.test(
      key,
    ) || /\bids?\b/.test(description)
  );
}

function byLink(parameters: KnownParameter[], sizing: KnownParameter | undefined, answer: Answer): Found {
  const found = parameters.find((one) => isCursor(one) && !isBackwards(one));
  const saidInText = found?.description.includes("link header") ?? false;
  if (!answer.headers.includes("link") && !saidInText) return undefined;
  const paging: Paging = { kind: "link", ...(found && { param: nameOf(found) }), ...sizes(sizing) };
  return { paging, confidence: 0.9, because: "the Link header says where the next page is" };
}
