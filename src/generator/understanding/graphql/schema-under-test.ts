import { buildSchema, parse, validate } from "graphql";
import type { Corrections, InterfaceModel } from "../../interface-model.ts";
import type { Operation } from "../../kit/descriptor.ts";
import { readDescription } from "../../reading/read-description.ts";
import { understandGraphql } from "./understand-graphql.ts";

/** What is understood of a schema, as it would be from a file. */
export function understood(sdl: string, corrections: Corrections = {}): InterfaceModel {
  return understandGraphql(readDescription([{ name: "schema.graphql", text: sdl }]).spec, corrections);
}

export function operationsOf({ api, resources }: InterfaceModel): Operation[] {
  const usual = resources.flatMap(({ lists, detail, create, update, remove }) => [
    ...lists,
    detail,
    create,
    update,
    remove,
  ]);
  const actions = [
    ...resources.flatMap((resource) => resource.actions),
    ...(api.signIn ?? []),
    ...api.actions,
    ...api.summaries,
  ];
  return [...usual.filter((operation) => operation !== undefined), ...actions.map(({ operation }) => operation)];
}

/** What a server with this schema would say against the documents. */
export function objections(sdl: string, model: InterfaceModel): string[] {
  const schema = buildSchema(sdl, { assumeValidSDL: true, assumeValid: true });
  return operationsOf(model).flatMap(({ id, document = "" }) =>
    validate(schema, parse(document)).map(({ message }) => `${id}: ${message}`),
  );
}

/** Queries and mutations that are nowhere in the interface. */
export function unplaced(sdl: string, model: InterfaceModel): string[] {
  const { queries = [], mutations = [] } = readDescription([{ name: "schema.graphql", text: sdl }]).spec;
  const totals = model.resources.flatMap(({ lists }) => lists.flatMap(({ total = [] }) => total.slice(0, 1)));
  const placed = new Set([...operationsOf(model).map(({ path }) => path), ...totals]);
  return [...queries, ...mutations].map(({ name }) => name).filter((name) => !placed.has(name));
}

/** Operations with a variable that nothing fills, or with something to fill in that is no variable. */
export function ineffective(model: InterfaceModel): string[] {
  const wrong = operationsOf(model).filter((operation) => {
    const variables = [...(operation.document ?? "").matchAll(/\$(\w+):/g)].map(([, name]) => name);
    return variables.toSorted().join() !== told(operation).toSorted().join();
  });
  return wrong.map(({ id }) => id);
}

function told({ params, body }: Operation): string[] {
  const fields = body?.wrap === undefined ? (body?.fields ?? []).map(({ name }) => name) : [body.wrap];
  return [...params.map(({ name }) => name), ...fields];
}
