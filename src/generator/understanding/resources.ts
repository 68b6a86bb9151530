import type { Body, Field, Operation, Resource } from "../kit/descriptor.ts";
import type { Json } from "../normalized-spec.ts";
import { actionOf, labelOfCall } from "./actions.ts";
import { brief } from "./brief.ts";
import { callsOf, type Draft } from "./drafts.ts";
import { listAbout, listOperation, settledLists } from "./list-operations.ts";
import { wordsOf } from "./names.ts";
import { groupLabel, type Named } from "./naming.ts";
import type { Notes } from "./notes.ts";
import { operationOf, parameterField, type RestContext } from "./operations.ts";
import { aligned, chosenInPath, type PathParams, pathParamsOf } from "./path-params.ts";
import { pluralOf } from "./plurals.ts";
import { type RecordShape, recordShape, textField } from "./record-descriptor.ts";
import { recordParam } from "./record-param.ts";
import { recordOf } from "./records.ts";
import { saysMore } from "./says-more.ts";
import type { Call } from "./seats.ts";

export interface NamedDraft {
  draft: Draft;
  named: Named;
  tag?: string;
}

/** The descriptor of one resource, but for what it has to do with others. */
export function resourceOf(context: RestContext, notes: Notes, { draft, named, tag }: NamedDraft): Resource {
  const { id } = named;
  const text = (value: Json): string | undefined => (typeof value === "string" && value !== "" ? value : undefined);
  const name = notes.decide(`${id}.name`, { value: named.name, confidence: 0.8, because: "the path says so" }, text);
  const many = notes.decide(
    `${id}.plural`,
    { value: name === named.name ? named.plural : pluralOf(name), confidence: 0.8, because: "many of its name" },
    text,
  );
  const group = notes.decide(
    `${id}.group`,
    { value: tag && groupLabel(tag), confidence: 0.9, because: "most of its operations have this tag" },
    text,
    true,
  );
  draft.lists = settledLists(context, notes, id, draft.lists);
  const pathParams = withQueryKey(context, draft, pathParamsOf(draft));
  const shape = recordShape(context, notes, draft, id, pathParams.key);
  const about = { context, notes, draft, id, pathParams };
  const description = descriptionOf(context, draft, `${name} ${many}`);
  return {
    id,
    name,
    plural: many,
    ...(description !== undefined && { description }),
    ...(group !== undefined && { group }),
    ...(shape.key !== undefined && { key: shape.key }),
    ...(shape.title !== undefined && { title: shape.title }),
    fields: shape.fields,
    columns: shape.columns,
    ...scopesOf(context, draft, pathParams),
    lists: listsOf(about, shape),
    ...usualOperations(about, shape),
    actions: actionsOf(about),
  };
}

interface About {
  context: RestContext;
  notes: Notes;
  draft: Draft;
  id: string;
  pathParams: PathParams;
}

/** Where paths have no parameter for a record, some operations are told which one in another way. */
function withQueryKey(context: RestContext, draft: Draft, params: PathParams): PathParams {
  if (params.key !== undefined || draft.lists.length === 0) return params;
  const calls = [draft.detail?.call, draft.update, draft.remove].filter((call) => call !== undefined);
  const key = calls.flatMap((call) => recordParam(context.view, call, draft.noun) ?? [])[0];
  return key === undefined ? params : { ...params, key };
}

/** Many descriptions of a model only repeat what it is called. */
function descriptionOf(context: RestContext, draft: Draft, names: string): string | undefined {
  const schema = draft.detail?.record.schema ?? draft.lists[0]?.rows.item;
  const description = brief(context.view.resolve(schema).description);
  return description !== undefined && saysMore(description, names) ? description : undefined;
}

function scopesOf(context: RestContext, draft: Draft, { scopes }: PathParams): Pick<Resource, "scopes"> {
  if (scopes.length === 0) return {};
  const described = callsOf(draft).flatMap(({ endpoint }) =>
    endpoint.parameters.filter((parameter) => parameter.in === "path"),
  );
  return {
    scopes: scopes.map((param) => {
      const found = described.find((parameter) => parameter.name === param);
      return { param, field: found === undefined ? textField(param) : parameterField(context, found) };
    }),
  };
}

function listsOf({ context, notes, draft, id, pathParams }: About, shape: RecordShape): Resource["lists"] {
  return draft.lists.map((list, at) => {
    const about = listAbout(id, at);
    const chosen = chosenInPath(draft, list.call);
    const parts = {
      about,
      noun: draft.noun,
      fields: shape.fields,
      keyField: shape.key?.field,
      keyed: shape.keyed,
      chosen,
    };
    return aligned(
      listOperation(context, notes, list, parts),
      list.call,
      chosen.length > 0 ? { scopes: pathParams.scopes } : pathParams,
    );
  });
}

function usualOperations(about: About, shape: RecordShape): Pick<Resource, "detail" | "create" | "update" | "remove"> {
  const { draft } = about;
  const detail =
    draft.detail === undefined
      ? undefined
      : roleOperation(about, "detail", draft.detail.call, draft.detail.record.path);
  const create =
    draft.create === undefined
      ? undefined
      : withoutServerSet(roleOperation(about, "create", draft.create), shape, true);
  const update =
    draft.update === undefined
      ? undefined
      : withoutServerSet(roleOperation(about, "update", draft.update), shape, false);
  const remove = draft.remove === undefined ? undefined : roleOperation(about, "remove", draft.remove);
  return { ...(detail && { detail }), ...(create && { create }), ...(update && { update }), ...(remove && { remove }) };
}

function roleOperation(
  { context, notes, draft, id, pathParams }: About,
  role: string,
  call: Call,
  known?: string[],
): Operation {
  const { method, path } = call.endpoint;
  const because = call.shape.verb === undefined ? `${method} at this path` : `its path says ${call.shape.verb}`;
  notes.note(`${id}.${role}`, `${method} ${path}`, call.shape.verb === undefined ? 0.95 : 0.85, because);
  const operation = aligned(operationOf(context, call.endpoint, draft.noun), call, pathParams);
  if (context.isLarge) delete operation.summary; // its role says as much
  const result = known ?? recordOf(context.view, call.answer.schema, draft.noun)?.path ?? [];
  return result.length === 0 ? operation : { ...operation, result };
}

const serverSet =
  /^(created|updated|modified|inserted|deleted)(-(at|on|date|time|by))?$|^(date|time)-(created|updated|modified)$|^last-(updated|modified)(-at|-date)?$/;

/** Bodies that are the record itself also hold what only the server sets; nobody is asked for that. */
function withoutServerSet(operation: Operation, shape: RecordShape, isNew: boolean): Operation {
  const { body } = operation;
  if (body?.fields === undefined) return operation;
  const shown = new Set(shape.fields.map((field) => field.name));
  const kept = body.fields.filter((field) => {
    if (field.required || !shown.has(field.name)) return true;
    const isKey = field.name === shape.key?.field && isGiven(field);
    return !serverSet.test(wordsOf(field.name).join("-")) && !(isNew && isKey);
  });
  const changed: Body = { ...body, fields: kept };
  return kept.length === body.fields.length || kept.length === 0 ? operation : { ...operation, body: changed };
}

/** A key that servers number or make up, unlike a name that people choose. */
function isGiven(field: Field): boolean {
  return field.kind === "integer" || /^_?(id|uuid|guid|uid)$/i.test(field.name);
}

function actionsOf({ context, notes, draft, id, pathParams }: About): Resource["actions"] {
  const taken = new Set<string>();
  const actions = draft.actions.map(({ call, on }) => {
    const action = actionOf(context, call, on, taken);
    const { method, path } = call.endpoint;
    notes.note(
      `${id}.actions.${action.id}`,
      `${method} ${path}`,
      0.8,
      on === "record" ? "its path lies below a record" : "its path lies below the collection",
    );
    const params = on === "record" ? pathParams : { scopes: pathParams.scopes };
    return { ...action, operation: aligned(action.operation, call, params) };
  });
  // Those that are the same in short are called in full.
  return actions.map((action, at) => {
    const call = draft.actions[at]?.call;
    const isAlone = actions.every((other) => other === action || other.label !== action.label);
    return isAlone || call === undefined ? action : { ...action, label: labelOfCall(context, call) };
  });
}
