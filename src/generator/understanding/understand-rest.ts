import type { Corrections, InterfaceModel } from "../interface-model.ts";
import type { Action, ApiDescriptor, Summary } from "../kit/descriptor.ts";
import type { NormalizedSpec } from "../normalized-spec.ts";
import { actionOf, labelOfCall } from "./actions.ts";
import { authOf, credentialPlaces } from "./auth.ts";
import { brief } from "./brief.ts";
import { type Draft, type Drafts, draftsOf, keepReachableLists, modelOf } from "./drafts.ts";
import { hideResources, moveEndpoints } from "./endpoint-corrections.ts";
import { fieldMaker } from "./fields.ts";
import { withImpliedSecurity } from "./implied-security.ts";
import { kebabOf } from "./names.ts";
import { groupLabel, type Nameable, type Named, namesFor } from "./naming.ts";
import { Notes } from "./notes.ts";
import { operationId, operationOf, type RestContext } from "./operations.ts";
import { proseOf } from "./prose.ts";
import { relate } from "./relations.ts";
import { resourceOf } from "./resources.ts";
import { schemaView } from "./schema-view.ts";
import type { Call } from "./seats.ts";
import { summaryKind } from "./summaries.ts";
import { figureLabel } from "./wording.ts";

const largeApi = 300;
const fewGroups = 0.6;

export function understandRest(described: NormalizedSpec, corrections: Corrections): InterfaceModel {
  const spec = withImpliedSecurity(described);
  const notes = new Notes(corrections);
  const view = schemaView(spec);
  const isLarge = (spec.endpoints ?? []).length > largeApi;
  const context: RestContext = {
    spec,
    view,
    maker: fieldMaker(spec, view),
    prose: proseOf(spec),
    credentials: credentialPlaces(spec),
    isLarge,
  };
  const drafts = draftsOf(spec, view);
  const names = namesOfDrafts(context, drafts.resources);
  moveEndpoints(context, notes, drafts, names);
  for (const draft of drafts.resources) keepReachableLists(view, draft);
  hideResources(notes, drafts, names);
  const groups = groupsOf(drafts.resources);
  const related = drafts.resources.map((draft) => {
    const named = names.get(draft) ?? { id: "", name: "", plural: "" };
    const resource = resourceOf(context, notes, { draft, named, tag: groups.get(draft) });
    return { draft, resource, short: named.short };
  });
  relate(context, notes, related);
  const api = apiOf(context, notes, drafts);
  notes.warnOfUnused();
  return {
    api,
    resources: related.map(({ resource }) => resource),
    inferences: notes.inferences,
    warnings: notes.warnings,
  };
}

function namesOfDrafts({ spec, view }: RestContext, drafts: Draft[]): Map<Draft, Named> {
  const nameables = new Map(
    drafts.map((draft): [Draft, Nameable] => {
      const roles = [draft.lists[0], draft.detail, draft.create, draft.update, draft.remove].filter(
        (role) => role !== undefined,
      );
      const { steps, level, calls } = draft.seat;
      const isOnly = level === 0 && draft.lists.length === 0;
      const told = (draft.lists[0] ?? draft.detail)?.call.endpoint.summary;
      const known = {
        steps,
        model: modelOf(view, draft),
        tag: tagOf(draft),
        summary: brief(told, 80)?.replace(/\.$/, ""),
      };
      return [
        draft,
        {
          ...known,
          isOnly,
          isFull: roles.length >= 3 || (draft.lists.length > 0 && draft.detail !== undefined),
          weight: calls.length - (isOnly ? 100 : 0),
        },
      ];
    }),
  );
  const names = namesFor([...nameables.values()], spec.metadata.title);
  const nobody: Named = { id: "", name: "", plural: "" };
  return new Map([...nameables].map(([draft, nameable]) => [draft, names.get(nameable) ?? nobody]));
}

/** Headings for the navigation, if they gather anything: one for each resource would only repeat it. */
function groupsOf(drafts: Draft[]): Map<Draft, string> {
  const tags = new Map(drafts.flatMap((draft): [Draft, string][] => entryOf(draft)));
  if (new Set(tags.values()).size > drafts.length * fewGroups) return new Map();
  const members = new Map<string, number>();
  for (const tag of tags.values()) members.set(groupLabel(tag), (members.get(groupLabel(tag)) ?? 0) + 1);
  return new Map([...tags].filter(([, tag]) => (members.get(groupLabel(tag)) ?? 0) > 1));
}

function entryOf(draft: Draft): [Draft, string][] {
  const tag = tagOf(draft);
  return tag === undefined ? [] : [[draft, tag]];
}

/** The tag of most of its operations. */
function tagOf(draft: Draft): string | undefined {
  const counts = new Map<string, number>();
  for (const { endpoint } of draft.seat.calls) {
    if (endpoint.tag !== undefined) counts.set(endpoint.tag, (counts.get(endpoint.tag) ?? 0) + 1);
  }
  return [...counts].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function apiOf(context: RestContext, notes: Notes, drafts: Drafts): ApiDescriptor {
  const { metadata } = context.spec;
  const description = brief(metadata.description, 400);
  const taken = new Set<string>();
  const actions = (calls: Call[]) => calls.map((call) => actionOf(context, call, "api", taken));
  const signIn = namedBySign(actions(drafts.signIn));
  for (const action of signIn) notes.note(`api.signIn.${action.id}`, action.operation.id, 0.85, "its path says so");
  const summaries = drafts.summaries.map((call) => summaryOf(context, call));
  for (const summary of summaries)
    notes.note(`api.summaries.${summary.id}`, summary.kind, 0.8, "it answers with figures, and asks for nothing");
  return {
    title: metadata.title,
    version: metadata.version,
    ...(description !== undefined && { description }),
    protocol: "rest",
    servers: metadata.servers ?? (metadata.baseUrl === undefined ? [] : [metadata.baseUrl]),
    auth: authOf(context.spec, notes),
    ...(signIn.length > 0 && { signIn }),
    summaries,
    actions: actions(drafts.actions),
  };
}

const signs: Partial<Record<Action["kind"], string>> = { signIn: "Sign in", signOut: "Sign out" };

/** The only one of its kind needs no other name. */
function namedBySign(actions: Action[]): Action[] {
  return actions.map((action) => {
    const isOnly = actions.filter(({ kind }) => kind === action.kind).length === 1;
    return { ...action, label: (isOnly ? signs[action.kind] : undefined) ?? action.label };
  });
}

function summaryOf(context: RestContext, call: Call): Summary {
  const { endpoint, answer } = call;
  const description = brief(endpoint.description);
  return {
    id: kebabOf(operationId(endpoint)),
    label: figureLabel(labelOfCall(context, call)),
    ...(description !== undefined && { description }),
    operation: operationOf(context, endpoint),
    kind: summaryKind(context.view, answer.schema) ?? "stats",
    result: context.maker.fieldOf("result", answer.schema ?? {}, "result"),
  };
}
