import type { Action, ApiDescriptor, Field, FieldOption, Resource, Summary } from "../kit/descriptor.ts";
import { type Near, nearest, stems } from "./nearness.ts";

/** An interface as a person sees it. */
export interface SeenInterface {
  api: ApiDescriptor;
  resources: Resource[];
}

export interface FoundField {
  resource: Resource;
  /** Its path is a nested one's name. */
  field: Field;
  /** Of a nested one, with what it is in: "Category › Name". */
  label: string;
}

export interface FoundOption extends FoundField {
  option: FieldOption;
}

export interface FoundAction {
  /** None: it is the API's. */
  resource?: Resource;
  action: Action;
}

/** What the parts of an interface are called. */
export class Vocabulary {
  readonly resources: Resource[];
  readonly #api: ApiDescriptor;

  constructor({ api, resources }: SeenInterface) {
    this.#api = api;
    this.resources = resources;
  }

  get lists(): Resource[] {
    return this.resources.filter(({ lists }) => lists.length > 0);
  }

  /** What of it is in lists. */
  ofLists(): Vocabulary {
    return new Vocabulary({ api: this.#api, resources: this.lists });
  }

  get summaries(): Summary[] {
    return this.#api.summaries;
  }

  resourcesNamed(text: string): Near<Resource>[] {
    const said = stems(text);
    const byName = nearest(said, this.resources, ({ name, plural }) => [name, plural].map(stems));
    const byId = nearest(said, this.resources, ({ id }) => [stems(id)]);
    const isBetter =
      (byId[0]?.nearness ?? Number.POSITIVE_INFINITY) < (byName[0]?.nearness ?? Number.POSITIVE_INFINITY);
    return isBetter ? byId : byName;
  }

  fieldsNamed(text: string, within: Resource[] = this.resources): Near<FoundField>[] {
    const said = stems(text);
    const all = within.flatMap((resource) => fieldsOf(resource));
    return nearest(said, all, ({ field, label }) => [field.name, label].map(stems));
  }

  optionsNamed(text: string, within: Resource[] = this.resources): Near<FoundOption>[] {
    const said = stems(text);
    const all = within.flatMap((resource) =>
      fieldsOf(resource).flatMap((found) =>
        (found.field.options ?? found.field.item?.options ?? []).map((option) => ({ ...found, option })),
      ),
    );
    return nearest(said, all, ({ option }) => [stems(option.label), stems(String(option.value))]);
  }

  actionsNamed(text: string): Near<FoundAction>[] {
    const said = stems(text);
    const all: FoundAction[] = [
      ...this.#api.actions.map((action) => ({ action })),
      ...this.resources.flatMap((resource) => resource.actions.map((action) => ({ resource, action }))),
    ];
    return nearest(said, all, ({ action }) => [stems(action.label), stems(action.id)]);
  }

  summariesNamed(text: string): Near<Summary>[] {
    return nearest(stems(text), this.#api.summaries, ({ id, label }) => [stems(label), stems(id)]);
  }
}

/** Its fields, and the parts of those that are objects. */
export function fieldsOf(resource: Resource): FoundField[] {
  return resource.fields.flatMap((field) => [
    { resource, field, label: field.label },
    ...(field.kind === "object" ? (field.fields ?? []) : []).map((part) => ({
      resource,
      field: { ...part, name: `${field.name}.${part.name}` },
      label: `${field.label} › ${part.label}`,
    })),
  ]);
}
