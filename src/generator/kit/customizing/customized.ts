import type {
  Action,
  ApiDescriptor,
  InterfaceDescriptor,
  Resource,
  ResourceEntry,
} from "../descriptor.ts";
import { actionChanges, isWithdrawn, offeredActions } from "./action-changes.ts";
import { changedBy } from "./changes.ts";
import type { Customization, Wish } from "./customization.ts";
import { customizedResource } from "./customized-resource.ts";
import { entryChanges, interfaceChanges } from "./interface-changes.ts";

/** An interface as it is wished for; later wishes win. What one names that is not there is left. */
export function customized(
  descriptor: InterfaceDescriptor,
  customizations: Customization[],
): InterfaceDescriptor {
  if (customizations.length === 0) return descriptor;
  const plurals = new Map(descriptor.resources.map(({ id, plural }) => [id, plural]));
  const made = (resource: Resource) =>
    customizedResource(resource, customizations, (id) => plurals.get(id));
  const changed = changedBy(interfaceChanges, descriptor, customizations);
  return {
    ...changed,
    api: customizedApi(changed.api, customizations),
    resources: changed.resources.map((entry) => customizedEntry(entry, customizations, made)),
  };
}

/** What its actions are called, and which of them and of its figures there are. */
function customizedApi(api: ApiDescriptor, customizations: Customization[]): ApiDescriptor {
  const wishes = customizations.filter((wish) => !("resource" in wish && wish.resource));
  const offered = (actions: Action[]) =>
    offeredActions(changedBy(actionChanges(), { actions }, wishes).actions, wishes);
  const summaries = api.summaries.filter(({ id }) => {
    const isAbout = (wish: Wish) => wish.change === "summaryShown" && wish.summary === id;
    return !isWithdrawn(wishes, isAbout);
  });
  const signIn = api.signIn && { signIn: offered(api.signIn) };
  return { ...api, summaries, actions: offered(api.actions), ...signIn };
}

function customizedEntry(
  entry: ResourceEntry,
  customizations: Customization[],
  made: (resource: Resource) => Resource,
): ResourceEntry {
  const own = customizations.filter((wish) => "resource" in wish && wish.resource === entry.id);
  return {
    ...changedBy(entryChanges, entry, own),
    load: () => {
      const resource = entry.load();
      return resource instanceof Promise ? resource.then(made) : made(resource);
    },
  };
}
