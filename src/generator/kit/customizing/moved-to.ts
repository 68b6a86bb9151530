import type { Place } from "./customization.ts";

/** The same list with one of it elsewhere; as it was, if one of the two is not in it. */
export function movedTo<Item>(
  all: Item[],
  name: string,
  place: Place,
  nameOf: (item: Item) => string,
): Item[] {
  const item = all.find((one) => nameOf(one) === name);
  const others = all.filter((one) => one !== item);
  const at = positionIn(others.map(nameOf), place);
  return item === undefined || at < 0 ? all : others.toSpliced(at, 0, item);
}

function positionIn(names: string[], place: Place): number {
  if (place === "first") return 0;
  if (place === "last") return names.length;
  if ("before" in place) return names.indexOf(place.before);
  const at = names.indexOf(place.after);
  return at < 0 ? at : at + 1;
}
