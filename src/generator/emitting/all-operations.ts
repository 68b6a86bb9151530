import type { ApiDescriptor, Operation, Resource } from "../kit/descriptor.ts";

/** Wherever in an interface they stand. */
export function allOperations({ api, resources }: { api: ApiDescriptor; resources: Resource[] }): Operation[] {
  return [...resources.flatMap(operationsOf), ...operationsOfApi(api)];
}

export function operationsOfApi({ actions, summaries, signIn = [] }: ApiDescriptor): Operation[] {
  return [...actions, ...summaries, ...signIn].map(({ operation }) => operation);
}

export function operationsOf({ lists, detail, create, update, remove, actions }: Resource): Operation[] {
  const all = [...lists, detail, create, update, remove, ...actions.map(({ operation }) => operation)];
  return all.filter((operation) => operation !== undefined);
}
