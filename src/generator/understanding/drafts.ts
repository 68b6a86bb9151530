import type { NormalizedSpec } from "../normalized-spec.ts";
import { isFurtherList } from "./further-lists.ts";
import { heldApart } from "./join-apart.ts";
import { keyOf, looseKeyOf, type Step } from "./path-shape.ts";
import { type DetailCall, type ListCall, nounOf, type Roles, rolesOf } from "./roles.ts";
import type { SchemaView } from "./schema-view.ts";
import { type Call, type Seat, seatsOf } from "./seats.ts";
import { signKind } from "./signing.ts";
import { isSummary } from "./summaries.ts";

/** A resource before it has a name: which call is for what. */
export interface Draft {
  seat: Seat;
  noun: string;
  lists: ListCall[];
  detail?: DetailCall;
  create?: Call;
  update?: Call;
  remove?: Call;
  actions: { call: Call; on: "record" | "collection" }[];
}

/** Where every operation of a description ends up, each exactly once. */
export interface Drafts {
  resources: Draft[];
  signIn: Call[];
  summaries: Call[];
  actions: Call[];
}

interface Placed {
  seat: Seat;
  roles: Roles;
}

export function draftsOf(spec: NormalizedSpec, view: SchemaView): Drafts {
  const drafts: Drafts = { resources: [], signIn: [], summaries: [], actions: [] };
  const placed = seatsOf(spec.endpoints ?? []).map((seat): Placed => ({ seat, roles: rolesOf(view, seat) }));
  const open: Placed[] = [];
  const index = new DraftIndex();
  for (const one of placed) {
    if (isFirm(one) && !one.seat.calls.every((call) => signKind(view, call) !== undefined)) index.add(draftOf(one));
    else open.push(one);
  }
  const picks = picksBelow(placed);
  for (const draft of index.all) pickedBelow(draft, picks);
  const single = open.filter((one) =>
    one.seat.calls.some((call) => signKind(view, call) === undefined && isSingleton(view, index, one, call)),
  );
  for (const one of single) index.add(draftOf(one));
  drafts.resources = index.all;
  joinListsOfSameModel(view, index);
  for (const { list, records } of heldApart(view, index.all)) {
    index.replace(list, records);
    records.lists = list.lists;
    records.actions.push(...list.actions);
  }
  for (const { seat } of open)
    if (!index.has(seat)) for (const call of seat.calls) placeAlone(view, drafts, index, seat, call);
  return drafts;
}

function draftOf({ seat, roles }: Placed): Draft {
  const { rest, ...kept } = roles;
  // What is done with a thing that there is one of is done with that record.
  const onAll = seat.level === 0 && roles.lists.length === 0 ? "record" : "collection";
  const isOnRecord = (call: Call): boolean =>
    seat.level > 0 && call.trailing >= seat.level && call.shape.verb !== "list";
  return {
    seat,
    noun: nounOf(seat),
    ...kept,
    actions: rest.map((call) => ({ call, on: isOnRecord(call) ? "record" : onAll })),
  };
}

/** It has a list, or records that can be seen, or made and changed. */
function isFirm({ seat, roles }: Placed): boolean {
  const { lists, detail, create, update, remove } = roles;
  if (lists.length > 0) return true;
  if (seat.level === 0) return detail !== undefined && update !== undefined;
  return (
    detail !== undefined ||
    (create !== undefined && (update !== undefined || remove !== undefined)) ||
    (update !== undefined && remove !== undefined)
  );
}

/** "/invitations/{id}/revoke" says what picks an invitation, though nothing else does. */
function pickedBelow({ seat, lists }: Draft, picks: Map<string, number>): void {
  if (seat.level > 0 || lists.length === 0 || lists.some(({ call }) => call.trailing > 0)) return;
  seat.level = picks.get(keyOf(seat.steps)) ?? seat.level;
}

/** By the key of what stands before them, how many parameters first follow a word. */
function picksBelow(all: Placed[]): Map<string, number> {
  const picks = new Map<string, number>();
  for (const { seat } of all) {
    const { steps } = seat;
    for (const [at, step] of steps.entries()) {
      if (step.param === undefined || steps[at - 1]?.param !== undefined) continue;
      const key = keyOf(steps.slice(0, at));
      if (!picks.has(key))
        picks.set(
          key,
          steps.slice(at).findIndex(({ param }) => param === undefined),
        );
    }
  }
  return picks;
}

const oneself = new Set(["me", "self", "current", "myself", "profile"]);

/** The one record of its kind that can only be seen. Below a record it is part of that; figures go to the dashboard. */
function isSingleton(view: SchemaView, index: DraftIndex, { seat, roles }: Placed, call: Call): boolean {
  if (roles.detail?.call !== call || seat.level > 0 || isSummary(view, call)) return false;
  if (call.endpoint.parameters.some((parameter) => parameter.required && parameter.in === "query")) return false;
  const above = index.above(seat.steps);
  return above === undefined || (above.on === "collection" && oneself.has(nounOf(seat)));
}

class DraftIndex {
  readonly all: Draft[] = [];
  private readonly exact = new Map<string, Draft>();
  private readonly loose = new Map<string, Draft>();

  add(draft: Draft): void {
    this.all.push(draft);
    this.exact.set(keyOf(draft.seat.steps), draft);
    if (!this.loose.has(looseKeyOf(draft.seat.steps))) this.loose.set(looseKeyOf(draft.seat.steps), draft);
  }

  /** What lies below the one is from now on below the other. */
  replace(draft: Draft, by: Draft): void {
    this.all.splice(this.all.indexOf(draft), 1);
    this.exact.set(keyOf(draft.seat.steps), by);
    const loose = looseKeyOf(draft.seat.steps);
    if (this.loose.get(loose) === draft) this.loose.set(loose, by);
  }

  has(seat: Seat): boolean {
    return this.exact.get(keyOf(seat.steps))?.seat === seat;
  }

  at(steps: Step[]): Draft | undefined {
    return this.exact.get(keyOf(steps)) ?? this.loose.get(looseKeyOf(steps));
  }

  /** The nearest resource that a path lies below, and whether below one record of it. */
  above(steps: Step[]): { draft: Draft; on: "record" | "collection" } | undefined {
    for (let end = steps.length - 1; end > 0; end -= 1) {
      const words = steps.slice(0, end).findLastIndex((step) => step.word !== undefined) + 1;
      const draft = this.at(steps.slice(0, words));
      if (draft === undefined) continue;
      const { level } = draft.seat;
      const isBelowRecord = level > 0 ? end - words >= level : draft.lists.length === 0;
      return { draft, on: isBelowRecord ? "record" : "collection" };
    }
    return undefined;
  }
}

/** "/pets/recent" is another list of pets if it has what pets are and nothing of its own. */
function joinListsOfSameModel(view: SchemaView, index: DraftIndex): void {
  for (const draft of [...index.all]) {
    const [list, ...others] = draft.lists;
    const above = index.above(draft.seat.steps);
    if (list === undefined || others.length > 0 || above?.on !== "collection" || draft.seat.calls.length > 1) continue;
    const model = view.modelOf(list.rows.item);
    if (model === undefined || model !== modelOf(view, above.draft)) continue;
    index.replace(draft, above.draft);
    above.draft.lists.push(list);
  }
}

/** Every operation of it. */
export function callsOf(draft: Draft): Call[] {
  const one = [draft.detail?.call, draft.create, draft.update, draft.remove].filter((call) => call !== undefined);
  return [...draft.lists.map((list) => list.call), ...one, ...draft.actions.map((action) => action.call)];
}

/** The model of a record of this resource. */
export function modelOf(view: SchemaView, draft: Draft): string | undefined {
  const schema = draft.detail?.record.schema ?? draft.lists[0]?.rows.item;
  return view.modelOf(schema);
}

function placeAlone(view: SchemaView, drafts: Drafts, index: DraftIndex, seat: Seat, call: Call): void {
  if (signKind(view, call) !== undefined) drafts.signIn.push(call);
  else if (isSummary(view, call)) drafts.summaries.push(call);
  else {
    const above = index.above([...call.shape.steps, { word: "" }]) ?? index.above(seat.steps);
    if (above === undefined) drafts.actions.push(call);
    else above.draft.actions.push({ call, on: above.on });
  }
}

/** A further list is only ever used for a filter that it alone has; without one it is something to do. */
export function keepReachableLists(view: SchemaView, draft: Draft): void {
  const [first, ...others] = draft.lists;
  if (first === undefined) return;
  const kept = others.filter((list) => isFurtherList(view, first.call, list.call));
  for (const { call } of others.filter((list) => !kept.includes(list))) draft.actions.push({ call, on: "collection" });
  draft.lists = [first, ...kept];
}
