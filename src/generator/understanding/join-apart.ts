import type { Draft } from "./drafts.ts";
import { isPrefix, looseKeyOf } from "./path-shape.ts";
import type { SchemaView } from "./schema-view.ts";
import { simplified } from "./unions.ts";

// A list and its records at paths that differ only in a version ("/v1/accounts", "/v3/accounts/{id}") or in how short they are
// ("/organizations", "/orgs/{org}") are about one thing, if the rows are made of what a record has.

const enoughInCommon = 0.6;

/** Pairs of a list without records and of records without a list. */
export function heldApart(view: SchemaView, drafts: Draft[]): { list: Draft; records: Draft }[] {
  const lists = drafts.filter(({ lists, seat, detail }) => lists.length === 1 && seat.level < 2 && !detail);
  const records = drafts.filter(({ lists, seat, detail }) => lists.length === 0 && seat.level === 1 && detail);
  const byPlace = new Map<string, Draft[]>();
  for (const one of records) byPlace.set(placeOf(one), [...(byPlace.get(placeOf(one)) ?? []), one]);
  const taken = new Set<Draft>();
  return lists.flatMap((list) => {
    if (list.lists[0]?.call.trailing !== 0 || list.create || list.update || list.remove) return [];
    const near = samePlaces(placeOf(list)).flatMap((place) => byPlace.get(place) ?? []);
    const [one, ...others] = near.filter((draft) => !taken.has(draft) && isSameKind(view, list, draft));
    if (one === undefined || others.length > 0) return [];
    taken.add(one);
    return [{ list, records: one }];
  });
}

const placeOf = ({ seat }: Draft) => looseKeyOf(seat.steps.filter(({ word }) => word === undefined || !isPrefix(word)));

const shortest = 3;

/** Where the records of a list can be: at its own place, or at that cut short within a word. */
function samePlaces(place: string): string[] {
  if (place.includes("/")) return [place];
  const cuts = Array.from({ length: Math.max(0, place.length - 2 - shortest) }, (_, at) => at + shortest);
  return [place, ...cuts.filter((at) => place[at] !== "-").map((at) => place.slice(0, at))];
}

function isSameKind(view: SchemaView, list: Draft, records: Draft): boolean {
  const of = (schema: Parameters<typeof simplified>[1]) => Object.keys(simplified(view, schema).properties ?? {});
  const row = of(list.lists[0]?.rows.item);
  const whole = new Set(of(records.detail?.record.schema));
  return row.length > 0 && row.filter((name) => whole.has(name)).length >= row.length * enoughInCommon;
}
