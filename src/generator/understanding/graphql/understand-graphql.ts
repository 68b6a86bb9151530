import type { Corrections, InterfaceModel } from "../../interface-model.ts";
import type { Action, ApiDescriptor, AuthScheme, Resource, Summary } from "../../kit/descriptor.ts";
import type { Json, Model, NormalizedSpec } from "../../normalized-spec.ts";
import { brief } from "../brief.ts";
import { fieldMaker } from "../fields.ts";
import { Notes } from "../notes.ts";
import { mutationAction, queryAction, summaryOf } from "./actions.ts";
import { assemble } from "./assemble.ts";
import type { Context } from "./context.ts";
import { type Draft, type Drafts, draftsOf } from "./drafts.ts";
import { numbered } from "./free-ids.ts";
import { asActions, hiddenIn } from "./hide-resources.ts";
import { memberLists } from "./member-lists.ts";
import { mutationRoles } from "./mutation-roles.ts";
import { placeNested } from "./nested-lists.ts";
import { namedById, nounsOf } from "./nouns.ts";
import { type QueryRoles, queryRoles } from "./query-roles.ts";
import { relationsOf } from "./relations.ts";
import { signKind } from "./sign-kind.ts";
import { typeTable } from "./type-table.ts";

/** What a GraphQL schema means: its types as resources, its queries and mutations as what can be done with them. */
export function understandGraphql(spec: NormalizedSpec, corrections: Corrections): InterfaceModel {
  const notes = new Notes(corrections);
  const auth = tokenFor(notes);
  const context = contextOf(spec, auth);
  const roles = rolesOf(context);
  const objects = spec.models.filter(({ graphqlKind }) => graphqlKind === "object" || graphqlKind === "interface");
  const drafts = draftedFrom(context, roles, objects);
  const hidden = hiddenIn(drafts, notes);
  const { all, others } = resourcesOf(context, notes, drafts, objects, hidden);
  const unseen = all.filter(({ id }) => hidden.has(id)).flatMap(asActions);
  const actions = numbered([...roles.others.map((query) => queryAction(context, query)), ...others, ...unseen]);
  const api = { ...apiOf(spec, notes, actions), auth, summaries: summariesOf(context, notes, roles) };
  warnOfSubscriptions(spec, notes);
  notes.warnOfUnused();
  const { inferences, warnings } = notes;
  return { api, resources: all.filter(({ id }) => !hidden.has(id)), inferences, warnings };
}

/** All resources, and the actions that belong to none. */
function resourcesOf(
  context: Context,
  notes: Notes,
  drafts: Drafts,
  objects: Model[],
  hidden: ReadonlySet<string>,
): { all: Resource[]; others: Action[] } {
  const homes = [...drafts.homes.values()];
  const seen = homes.filter(({ id }) => !hidden.has(id));
  const models = homes.map(({ model }) => model);
  const nouns = nounsOf(objects, models);
  const relations = relationsOf(context.types, seen, nouns);
  const roles = mutationRoles(context, drafts, nouns);
  const rolesFor = (draft: Draft | undefined) => roles.filter((role) => role.draft === draft);
  return {
    all: drafts.all.map((draft) => assemble(context, notes, draft, rolesFor(draft), relations)),
    others: rolesFor(undefined).map((role) => mutationAction(context, role)),
  };
}

function summariesOf(context: Context, notes: Notes, { figures }: QueryRoles): Summary[] {
  const summaries = numbered(figures.map((query) => summaryOf(context, query)));
  for (const { id, kind } of summaries) notes.note(`api.summaries.${id}`, kind, 0.8, "it answers with figures");
  return summaries;
}

/** A schema cannot say how its server is told who one is. Most take a token, and those that need none do not mind. */
function tokenFor(notes: Notes): AuthScheme[] {
  const guess = {
    value: "bearer",
    confidence: 0.6,
    because: "a schema does not say it, and most servers take a token",
  };
  const asBearer = (value: Json) => (value === "bearer" ? value : undefined);
  const kind = notes.decide<string | undefined>("api.auth", guess, asBearer, true);
  return kind === undefined ? [] : [{ id: "token", label: "Access token", kind: "bearer" }];
}

function contextOf(spec: NormalizedSpec, auth: AuthScheme[]): Context {
  const node = (spec.queries ?? []).find(({ name, args }) => name === "node" && args.length === 1 && args[0]?.required);
  const optional = auth.length === 0 ? undefined : [auth.map(({ id }) => id), []];
  return { spec, types: typeTable(spec), maker: fieldMaker(spec), node, auth: optional };
}

function rolesOf(context: Context): QueryRoles {
  const roles = queryRoles(context, context.spec.queries ?? []);
  const isAskedFor = (model: Model) => roles.details.some((place) => place.model === model);
  return { ...roles, lists: roles.lists.flatMap((list) => memberLists(context, list, isAskedFor) ?? [list]) };
}

function draftedFrom(context: Context, roles: QueryRoles, objects: Model[]): Drafts {
  const byId = namedById(context.spec, nounsOf(objects));
  const drafts = draftsOf(context, roles, byId);
  placeNested(context, drafts, roles.details, ({ name }) => byId.has(name));
  return drafts;
}

function apiOf(spec: NormalizedSpec, notes: Notes, actions: Action[]): Omit<ApiDescriptor, "auth" | "summaries"> {
  const { title, version, servers, baseUrl } = spec.metadata;
  const description = brief(spec.metadata.description, 400);
  const signIn = actions.flatMap((action) => {
    const kind = signKind(action.operation.path);
    return kind === undefined ? [] : [{ ...action, kind }];
  });
  for (const { id, operation } of signIn) notes.note(`api.signIn.${id}`, operation.path, 0.85, "its name says so");
  return {
    title,
    version,
    ...(description !== undefined && { description }),
    protocol: "graphql",
    servers: servers ?? (baseUrl === undefined ? [] : [baseUrl]),
    ...(signIn.length > 0 && { signIn }),
    actions: actions.filter((action) => signKind(action.operation.path) === undefined),
  };
}

function warnOfSubscriptions({ subscriptions = [] }: NormalizedSpec, notes: Notes): void {
  const count = subscriptions.length;
  if (count > 0)
    notes.warn(
      "/subscription",
      `${count} ${count === 1 ? "subscription is" : "subscriptions are"} left out: an interface asks, it does not listen`,
    );
}
