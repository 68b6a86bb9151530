import type { Json } from "../normalized-spec.ts";
import { callsOf, type Draft, type Drafts } from "./drafts.ts";
import type { Named } from "./naming.ts";
import type { Notes } from "./notes.ts";
import type { RestContext } from "./operations.ts";
import { recordOf } from "./records.ts";
import { rowsOf } from "./rows.ts";
import type { Call } from "./seats.ts";

const roles = new Set(["list", "detail", "create", "update", "remove", "action"]);

/** Puts operations where people say that they belong: "list:pet", "action:pet", "summary", "ignore" ... */
export function moveEndpoints(context: RestContext, notes: Notes, drafts: Drafts, names: Map<Draft, Named>): void {
  for (const { about, operation, role } of notes.endpointCorrections()) {
    notes.correction(about);
    const [kind = "", id = ""] = typeof role === "string" ? role.split(":") : [];
    const target = drafts.resources.find((draft) => names.get(draft)?.id === id);
    const isKnown = roles.has(kind)
      ? target !== undefined || (kind === "action" && id === "")
      : kind === "summary" || kind === "ignore";
    const call = isKnown ? takeOut(drafts, operation) : undefined;
    if (call === undefined) notes.warn(about, `the correction ${shown(role)} fits no operation and resource`);
    else put(context, drafts, call, kind, target);
  }
  drafts.resources = drafts.resources.filter((draft) => !isEmpty(draft));
}

function shown(role: Json): string {
  return JSON.stringify(role).slice(0, 100);
}

/** Moves all operations of resources that nobody wants to see to those of the API. */
export function hideResources(notes: Notes, drafts: Drafts, names: Map<Draft, Named>): void {
  drafts.resources = drafts.resources.filter((draft) => {
    if (!notes.isHidden(names.get(draft)?.id ?? "")) return true;
    drafts.actions.push(...callsOf(draft));
    return false;
  });
}

function isEmpty(draft: Draft): boolean {
  return callsOf(draft).length === 0;
}

function takeOut(drafts: Drafts, operation: string): Call | undefined {
  const isIt = ({ endpoint }: Call): boolean => `${endpoint.method} ${endpoint.path}` === operation;
  for (const calls of [drafts.actions, drafts.signIn, drafts.summaries]) {
    const at = calls.findIndex(isIt);
    if (at >= 0) return calls.splice(at, 1)[0];
  }
  for (const draft of drafts.resources) {
    const call = callsOf(draft).find(isIt);
    if (call === undefined) continue;
    release(draft, call);
    return call;
  }
  return undefined;
}

function release(draft: Draft, call: Call): void {
  draft.lists = draft.lists.filter((list) => list.call !== call);
  draft.actions = draft.actions.filter((action) => action.call !== call);
  if (draft.detail?.call === call) draft.detail = undefined;
  for (const role of ["create", "update", "remove"] as const) if (draft[role] === call) draft[role] = undefined;
}

function put(context: RestContext, drafts: Drafts, call: Call, kind: string, draft: Draft | undefined): void {
  if (kind === "ignore") return;
  if (kind === "summary") drafts.summaries.push(call);
  else if (draft === undefined) drafts.actions.push(call);
  else if (kind === "list") putList(context, draft, call);
  else if (kind === "action") draft.actions.push({ call, on: onOf(draft, call) });
  else putOne(context, draft, call, kind);
}

function putList({ view }: RestContext, draft: Draft, call: Call): void {
  const found = rowsOf(view, call.answer.schema, { noun: draft.noun, expects: "list" });
  const rows = found ?? {
    path: [],
    item: {},
    isMap: false,
    confidence: 0.3,
    because: "nothing says where its rows are",
  };
  draft.lists.unshift({ call, rows });
}

/** What had the role before becomes an action. */
function putOne({ view }: RestContext, draft: Draft, call: Call, kind: string): void {
  const before = kind === "detail" ? draft.detail?.call : draft[kind as "create" | "update" | "remove"];
  if (before !== undefined) draft.actions.push({ call: before, on: onOf(draft, before) });
  if (kind === "detail")
    draft.detail = { call, record: recordOf(view, call.answer.schema ?? {}, draft.noun) ?? { path: [], schema: {} } };
  else draft[kind as "create" | "update" | "remove"] = call;
}

function onOf(draft: Draft, call: Call): "record" | "collection" {
  const params = call.shape.steps.filter((step) => step.param !== undefined).length;
  const own = draft.seat.steps.filter((step) => step.param !== undefined).length + draft.seat.level;
  return params >= own && own > 0 ? "record" : "collection";
}
