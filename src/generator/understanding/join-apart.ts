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
  const found: { list: Draft; records: Draft }[] = [];
  for (const list of lists) {
    if (list.lists[0]?.call.trailing !== 0 || list.create || list.update || list.remove) continue;
    const fitting = records.filter((one) => isSamePlace(list, one) && isSameKind(view, list, one));
    const [one, ...others] = fitting.filter((draft) => !found.some(({ records }) => records === draft));
    if (one !== undefined && others.length === 0) found.push({ list, records: one });
  }
  return found;
}

function isSamePlace(list: Draft, records: Draft): boolean {
  const own = (draft: Draft) => draft.seat.steps.filter(({ word }) => word === undefined || !isPrefix(word));
  const [long, short] = [looseKeyOf(own(list)), looseKeyOf(own(records))];
  const isShortened =
    !long.includes("/") && short.length > 2 && long.length > short.length + 2 && long.startsWith(short);
  return long === short || (isShortened && !long.startsWith(`${short}-`));
}

function isSameKind(view: SchemaView, list: Draft, records: Draft): boolean {
  const of = (schema: Parameters<typeof simplified>[1]) => Object.keys(simplified(view, schema).properties ?? {});
  const row = of(list.lists[0]?.rows.item);
  const whole = new Set(of(records.detail?.record.schema));
  return row.length > 0 && row.filter((name) => whole.has(name)).length >= row.length * enoughInCommon;
}
