import type { ResourceEntry } from "../descriptor.ts";

export interface NavigationGroup {
  /** Undefined if there is no other group. */
  label?: string;
  entries: ResourceEntry[];
}

/** With more resources than this, the navigation has a search box. */
export const searchableFrom = 13;

export function shownEntries(entries: ResourceEntry[]): ResourceEntry[] {
  return entries.filter((entry) => !entry.hidden);
}

/** Groups in the order in which they first occur; what belongs to none comes last. */
export function navigationGroups(entries: ResourceEntry[]): NavigationGroup[] {
  const groups = new Map<string, ResourceEntry[]>();
  const others: ResourceEntry[] = [];
  for (const entry of entries) {
    const members = entry.group ? (groups.get(entry.group) ?? []) : others;
    members.push(entry);
    if (entry.group) groups.set(entry.group, members);
  }
  const found = [...groups].map(([label, members]) => ({ label, entries: members }));
  if (others.length > 0) found.push({ label: "Other", entries: others });
  // One group says nothing that the title of the API does not.
  return found.length === 1 ? found.map(({ entries: members }) => ({ entries: members })) : found;
}

/** Those that hold every word, in their name or group; names that begin with it come first. */
export function filterEntries(entries: ResourceEntry[], search: string): ResourceEntry[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return entries;
  const first = words.join(" ");
  return entries
    .filter((entry) => {
      const text = `${entry.name} ${entry.plural} ${entry.group ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map((entry) => ({ entry, begins: entry.plural.toLowerCase().startsWith(first) }))
    .sort((one, other) => Number(other.begins) - Number(one.begins))
    .map(({ entry }) => entry);
}
