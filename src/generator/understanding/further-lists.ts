import { listParameters } from "./list-parameters.ts";
import { isCursor, isOffset, isPage, isShaping, isSize } from "./parameter-roles.ts";
import type { SchemaView } from "./schema-view.ts";
import type { Call } from "./seats.ts";

/** Whether another list of the same things can be asked for something that the usual one cannot. */
export function isFurtherList(view: SchemaView, usual: Call, other: Call): boolean {
  if (other.trailing > usual.trailing) return true;
  const known = new Set(listParameters(view, usual.endpoint).map(({ parameter }) => parameter.name));
  return listParameters(view, other.endpoint).some(
    (one) =>
      !known.has(one.parameter.name) &&
      !isPage(one) &&
      !isOffset(one) &&
      !isCursor(one) &&
      !isSize(one) &&
      !isShaping(one),
  );
}
