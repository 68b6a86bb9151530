import type { Field, Operation } from "../../kit/descriptor.ts";
import type { Model } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import type { Draft } from "./drafts.ts";
import type { Nouns } from "./nouns.ts";
import { fieldOf, type TypeTable } from "./type-table.ts";

/** Which resource a field leads to. */
export interface Relations {
  /** Of the fields of a record. */
  ofRecord(model: Model, fields: Field[], self: string | undefined): Field[];
  /** Of what is filled in. */
  ofOperation<Kind extends Operation>(operation: Kind, self: string | undefined): Kind;
}

export function relationsOf(types: TypeTable, homes: Draft[], nouns: Nouns): Relations {
  const byType = new Map(homes.map((draft) => [draft.model.name, draft]));
  /** A field that holds the id of something: `ownerId`, `repositoryIds`. */
  const byId = (field: Field, self: string | undefined): Field => {
    const words = wordsOf(field.name);
    const last = words.at(-1);
    if (words.length < 2 || (last !== "id" && last !== "ids") || field.name === self) return field;
    const draft = byType.get(nouns.typeOf(words.slice(0, -1))?.name ?? "");
    if (draft === undefined || !/^(id|_id|nodeId|uuid)$/.test(draft.key?.field ?? "")) return field;
    const relation = { resource: draft.id };
    if (field.kind === "list")
      return field.item === undefined ? field : { ...field, item: { ...field.item, relation } };
    return field.kind === "text" || field.kind === "integer" ? { ...field, relation } : field;
  };
  const embedded = (model: Model, field: Field, self: string | undefined): Field => {
    const type = types.compositeOf(fieldOf(model, field.name));
    const draft = type === undefined ? undefined : byType.get(type.name);
    if (draft === undefined || (field.kind !== "object" && field.kind !== "list")) return byId(field, self);
    const relation = { resource: draft.id, embedded: true };
    if (field.kind === "object") return { ...field, relation };
    return field.item === undefined ? field : { ...field, item: { ...field.item, relation } };
  };
  const ofOperation = <Kind extends Operation>(operation: Kind, self: string | undefined): Kind => {
    const params = operation.params.map((param) =>
      param.field.relation === undefined ? { ...param, field: byId(param.field, self) } : param,
    );
    const fields = operation.body?.fields?.map((field) => byId(field, self));
    return { ...operation, params, ...(operation.body !== undefined && { body: { ...operation.body, fields } }) };
  };
  return { ofRecord: (model, fields, self) => fields.map((field) => embedded(model, field, self)), ofOperation };
}
