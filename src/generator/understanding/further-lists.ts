import { mayNarrow, searchOf } from "./filtering.ts";
import { listParameters } from "./list-parameters.ts";
import { isBackwards, isCursor, isOffset, isPage, isSize, type KnownParameter } from "./parameter-roles.ts";
import { lastWordAt, looseKeyOf } from "./path-shape.ts";
import type { SchemaView } from "./schema-view.ts";
import type { Call } from "./seats.ts";
import { sortingOf } from "./sorting.ts";

/** What another list of the same things can be asked for that the usual one cannot, each a filter that leads to it. */
export interface Beyond {
  inPath: string[];
  /** In its query or its body. */
  asked: string[];
}

export function isFurtherList(view: SchemaView, usual: Call, other: Call): boolean {
  const { inPath, asked } = beyondUsual(view, usual, other);
  // A parameter amid its path is none that people are asked for.
  const isOpen = inPath.length > 0 && other.trailing === 0;
  return !isOpen && inPath.length + asked.length > 0;
}

export function beyondUsual(view: SchemaView, usual: Call, other: Call): Beyond {
  return { inPath: inPathBeyond(usual, other), asked: askedBeyond(view, usual, other) };
}

/** "/pets/by-owner/{owner}"; but of "/backups/{place}", where "/backups/{place}/{id}" is one, the resource itself tells it. */
function inPathBeyond(usual: Call, other: Call): string[] {
  return placeOf(usual) === placeOf(other) ? [] : paramsIn(other).slice(paramsIn(usual).length);
}

function placeOf({ shape }: Call): string {
  return looseKeyOf(shape.steps.slice(0, lastWordAt(shape.steps) + 1));
}

function paramsIn({ shape }: Call): string[] {
  return shape.steps.flatMap((step) => step.param ?? []);
}

/** Only what surely becomes a filter. Where both can search, the same words do for both. */
function askedBeyond(view: SchemaView, usual: Call, other: Call): string[] {
  const known = listParameters(view, usual.endpoint);
  const parameters = listParameters(view, other.endpoint);
  const search = searchOf(known, []) === undefined ? undefined : searchOf(parameters, []);
  const taken = [...known.map(({ parameter }) => parameter.name), ...sortingOf(view, parameters, []).taken, search];
  const isForPaging = (one: KnownParameter): boolean =>
    isPage(one) || isOffset(one) || isCursor(one) || isBackwards(one) || isSize(one);
  return parameters
    .filter((one) => !taken.includes(one.parameter.name) && mayNarrow(one) && !isForPaging(one))
    .map(({ parameter }) => parameter.name);
}
