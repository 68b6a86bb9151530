import type { InterfaceDescriptor, ResourceEntry, Settings } from "../descriptor.ts";
import type { SomeChanges } from "./changes.ts";
import { movedTo } from "./moved-to.ts";

function withSettings(now: InterfaceDescriptor, more: Partial<Settings>): InterfaceDescriptor {
  return { ...now, settings: { ...now.settings, ...more } };
}

export const interfaceChanges = {
  theme: (now, { theme }) => withSettings(now, { theme }),
  layout: (now, { layout }) => withSettings(now, { layout }),
  accent: (now, { color }) => withSettings(now, { accent: color }),
  density: (now, { density }) => withSettings(now, { density }),
  textSize: (now, { size }) => withSettings(now, { textSize: size }),
  corners: (now, { corners }) => withSettings(now, { corners }),
  pagination: (now, { on }) => withSettings(now, { pagination: on }),
  home: (now, { resource }) => {
    const isThere = resource === undefined || now.resources.some(({ id }) => id === resource);
    return isThere ? withSettings(now, { home: resource }) : now;
  },
  apiTitle: (now, { title }) => ({ ...now, api: { ...now.api, title } }),
  resourcePlace: (now, { resource, place }) => ({
    ...now,
    resources: movedTo(now.resources, resource, place, ({ id }) => id),
  }),
} satisfies SomeChanges<InterfaceDescriptor>;

/** What the navigation says of a resource. */
export const entryChanges = {
  resourceName: (now, { name, plural }) => ({ ...now, name, plural }),
  resourceGroup: (now, { group }) => ({ ...now, group: group || undefined }),
  resourceShown: (now, { shown }) => ({ ...now, hidden: !shown }),
} satisfies SomeChanges<ResourceEntry>;
