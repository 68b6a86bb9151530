import type { InterfaceModel } from "../interface-model.ts";
import type { Action, Operation, Resource, Summary } from "../kit/descriptor.ts";

/** An interface that asks nobody for credentials, so its operations do not say that they need any. */
export function withoutAuth(model: InterfaceModel): InterfaceModel {
  const { summaries, actions, ...api } = model.api;
  return {
    ...model,
    api: { ...api, auth: [], signIn: undefined, summaries: summaries.map(openly), actions: actions.map(openly) },
    resources: model.resources.map(openResource),
  };
}

const openResource = (resource: Resource): Resource => ({
  ...resource,
  lists: resource.lists.map(open),
  detail: resource.detail && open(resource.detail),
  create: resource.create && open(resource.create),
  update: resource.update && open(resource.update),
  remove: resource.remove && open(resource.remove),
  actions: resource.actions.map(openly),
});

const open = <O extends Operation>(operation: O): O => ({ ...operation, auth: undefined });

const openly = <A extends Action | Summary>(action: A): A => ({ ...action, operation: open(action.operation) });
