import type { Resource } from "../kit/descriptor.ts";

/** With no more than this, all of them are main. */
const FEW = 12;

/** The ids of those that a person starts with: they can be listed at once, much can be done with them, and others belong to them. */
export function mainResources(resources: Resource[]): Set<string> {
  if (resources.length <= FEW) return new Set();
  const references = referencesTo(resources);
  const weight = (one: Resource): number => {
    const { lists, detail, create, update, remove, actions, children = [], scopes = [] } = one;
    const roles = [detail, create, update, remove].filter(Boolean).length;
    const isAtHand = lists.length > 0 && scopes.length === 0;
    const around = (references.get(one.id) ?? 0) + children.length;
    return (isAtHand ? 1 : 0.2) * (1 + roles * 2 + Math.min(actions.length, 10) + Math.min(around, 30));
  };
  const ranked = resources.map((one) => ({ id: one.id, weight: weight(one) })).sort((a, b) => b.weight - a.weight);
  return new Set(ranked.slice(0, FEW).map(({ id }) => id));
}

/** How many resources lie below each, or name a record of it. */
function referencesTo(resources: Resource[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { id, scopes = [], fields } of resources) {
    const named = [...scopes.map(({ resource }) => resource), ...fields.map(({ relation }) => relation?.resource)];
    for (const other of new Set(named)) {
      if (other !== undefined && other !== id) counts.set(other, (counts.get(other) ?? 0) + 1);
    }
  }
  return counts;
}
