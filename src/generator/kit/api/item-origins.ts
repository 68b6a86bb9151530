import type { FormValue } from "./form-values.ts";
import { sameJson } from "./json.ts";

/**
 * Which of the items that were shown each one is. Those that were not touched are found wherever
 * they are now. Of the others the place tells only if none came or went: an item that is taken for
 * another would get its id.
 */
export function originsOf(items: FormValue[], shown: FormValue[]): (number | undefined)[] {
  const taken = new Set<number>();
  const take = (index: number) => {
    if (index < 0 || index >= shown.length || taken.has(index)) return undefined;
    taken.add(index);
    return index;
  };
  const inPlace = items.map((one, index) =>
    sameJson(one, shown[index]) ? take(index) : undefined,
  );
  const moved = items.map(
    (one, index) =>
      inPlace[index] ?? take(shown.findIndex((was, at) => !taken.has(at) && sameJson(one, was))),
  );
  return moved.map((origin, index) =>
    origin === undefined && items.length === shown.length ? take(index) : origin,
  );
}
