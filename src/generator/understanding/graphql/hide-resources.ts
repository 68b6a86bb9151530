import type { Action, ListOperation, Operation, Resource } from "../../kit/descriptor.ts";
import { kebabOf, labelOf } from "../names.ts";
import type { Notes } from "../notes.ts";
import type { Drafts } from "./drafts.ts";

/** The ids of the resources that nobody wants to see. Nothing leads to them any more. */
export function hiddenIn(drafts: Drafts, notes: Notes): ReadonlySet<string> {
  const hidden = new Set(drafts.all.map(({ id }) => id).filter((id) => notes.isHidden(id)));
  for (const draft of drafts.all) draft.children = draft.children.filter(({ resource }) => !hidden.has(resource));
  return hidden;
}

/** What could be done with a resource, as operations of the API. */
export function asActions(resource: Resource): Action[] {
  const { lists, detail, create, update, remove, actions } = resource;
  const usual = [...lists, detail, create, update, remove].filter((operation) => operation !== undefined);
  return [...usual.map(plainAction), ...actions.map((action): Action => ({ ...action, on: "api" }))];
}

/** Without what only a list has. */
function plainAction(usual: Operation & Partial<ListOperation>): Action {
  const { rows, row, keyed, total, paging, filters, search, sort, ...operation } = usual;
  const { id } = operation;
  return { id: kebabOf(id), label: labelOf(id), kind: "action", on: "api", operation };
}
