import type { Field, Resource } from "../descriptor.ts";
import {
  actionChanges,
  offeredActions,
  operationChanges,
  withOfferedOperations,
} from "./action-changes.ts";
import { type Changes, changedBy } from "./changes.ts";
import type { Wish } from "./customization.ts";
import { fieldAt } from "./field-at.ts";
import { fieldChanges } from "./field-changes.ts";
import type { interfaceChanges } from "./interface-changes.ts";
import { listChanges } from "./list-changes.ts";

type Withdrawal = "summaryShown" | "resourceShown" | "operationOffered" | "actionOffered";
type Elsewhere = keyof typeof interfaceChanges | Withdrawal;

/** Every wish is here, or about the whole interface, or that something be gone. */
const resourceChanges: Changes<Exclude<Wish["change"], Elsewhere>, Resource> = {
  ...fieldChanges,
  ...listChanges,
  ...operationChanges,
  ...actionChanges<Resource>(),
  resourceName: (now, { name, plural }) => ({ ...now, name, plural }),
  resourceGroup: (now, { group }) => ({ ...now, group: group || undefined }),
  resourceText: (now, { text }) => ({ ...now, description: text || undefined }),
  recordTitle: (now, { field }) => (fieldAt(now.fields, field) ? { ...now, title: field } : now),
};

/** A resource as it is wished for. What names something that it does not have changes nothing. */
export function customizedResource(
  resource: Resource,
  customizations: Wish[],
  /** What other resources are called where nobody wished for anything. */
  pluralOf: (id: string) => string | undefined = () => undefined,
): Resource {
  const wishes = customizations.filter((wish) => isFor(wish, resource.id));
  const children = resource.children?.map((child) => {
    const isNamedAfter = child.label === pluralOf(child.resource);
    const name = customizations.findLast(
      (wish) => wish.change === "resourceName" && wish.resource === child.resource,
    );
    return isNamedAfter && name && "plural" in name ? { ...child, label: name.plural } : child;
  });
  const named = children ? { ...resource, children } : resource;
  if (wishes.length === 0) return named;
  const changed = changedBy(resourceChanges, withParts(named, wishes), wishes);
  const actions = offeredActions(changed.actions, wishes);
  return withOfferedOperations({ ...changed, actions }, wishes);
}

/** About this resource, or any. */
export function isFor(wish: Wish, id: string): boolean {
  return !("resource" in wish) || wish.resource === undefined || wish.resource === id;
}

/** Parts that a wish names by their path are there for all wishes, in whichever order they come. */
function withParts(resource: Resource, wishes: Wish[]): Resource {
  const paths = new Set(wishes.flatMap(pathsIn));
  const parts = [...paths].flatMap((path) => partAt(resource.fields, path));
  return parts.length > 0 ? { ...resource, parts } : resource;
}

function pathsIn(wish: Wish): string[] {
  const { field, by, fields } = wish as { field?: unknown; by?: unknown; fields?: unknown };
  const all = [field, by, ...(Array.isArray(fields) ? fields : [])];
  return all.filter((name) => typeof name === "string" && name.includes("."));
}

function partAt(fields: Field[], path: string): Field[] {
  const part = fieldAt(fields, path);
  const outer = fields.find(({ name }) => path.startsWith(`${name}.`));
  if (!part || !outer || fields.includes(part)) return [];
  // "Category name", but "Owner ID".
  const label = part.label.replace(/\b\p{Lu}(?=\p{Ll})/gu, (letter) => letter.toLowerCase());
  return [{ ...part, name: path, label: `${outer.label} ${label}` }];
}
