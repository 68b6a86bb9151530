import type { Model, Schema } from "../../normalized-spec.ts";
import { wordsOf } from "../names.ts";
import { asksNothing, fieldOf, fieldsOf, isList, openFieldOf, type TypeTable, typeText } from "./type-table.ts";

/** A field that is asked for, or (with `on`) what is asked of one type only. */
export interface Asked {
  name: string;
  alias?: string;
  on?: string;
  below?: Asked[];
}

/** What is asked of a type, and the shape of the answer. */
export interface Selection {
  asked: Asked[];
  schema: Schema;
}

/** All that a record has, what a row of a table needs, or only what tells one record from another. */
export type Extent = "record" | "row" | "identity";

const usualRoom = { record: 36, row: 24, objects: 8, counts: 5, identity: 4 };
const narrowRoom = { record: 24, row: 14, objects: 4, counts: 2, identity: 3 };
const roomIn = ({ isLarge }: TypeTable) => (isLarge ? narrowRoom : usualRoom);
const mostMembers = 8;
const partsOfMember = 6;

const telling =
  "id _id title name login slug key code label number url uuid displayName fullName email username state status".split(
    " ",
  );
const often = /^(description|(created|updated|published|started|closed)(At|On)?|\w*(Count|Date|Amount|Price|Total))$/;
const counts = ["totalCount", "total", "count"];
/** What is there for programs, or says again what another field says. */
const hardlyTelling =
  /^(clientMutationId|viewer(Can|Did|Has|Is|Does)\w*|\w*[rR]esourcePath|\w*(HTML|Html)|\w*[dD]atabaseId|__\w+)$/;

/** What to ask of a type: bounded, without recursion, and never what needs arguments. */
export function select(types: TypeTable, model: Model, extent: Extent, wanted: string[] = []): Selection {
  const properties =
    extent === "identity"
      ? tellingParts(types, model, roomIn(types).identity, wanted)
      : partsOf(types, model, extent, wanted);
  const selection = selectionOf(types, properties);
  const whole = needsMembers(types, model, properties) ? withMembers(types, model, selection, extent) : selection;
  return whole.asked.length > 0 ? whole : { asked: [{ name: "__typename" }], schema: whole.schema };
}

/** Interfaces and unions whose own fields say little: their types are asked one by one. */
function needsMembers(types: TypeTable, model: Model, own: [string, Schema][]): boolean {
  if (model.graphqlKind === "union") return true;
  return model.graphqlKind === "interface" && own.length < 2 && types.implementorsOf(model.name).length > 0;
}

function partsOf(types: TypeTable, model: Model, extent: "record" | "row", wanted: string[]): [string, Schema][] {
  const usable = fieldsOf(model).filter(
    ([name, schema]) =>
      wanted.includes(name) || (isUsable(name, schema) && !(extent === "row" && hardlyTelling.test(name))),
  );
  const leaves = usable.filter(([, schema]) => types.isLeaf(schema));
  const room = roomIn(types);
  const embedded = usable.filter(([, schema]) => isEmbedded(types, schema));
  const objects = byRank(types, embedded, wanted).slice(0, room.objects);
  const counted = usable
    .filter(([, schema]) => countOf(types, schema) !== undefined)
    .slice(0, extent === "record" ? room.counts : 0);
  const chosen = new Set(
    byRank(types, leaves, wanted)
      .slice(0, room[extent] - objects.length - counted.length)
      .map(([name]) => name),
  );
  return [...leaves.filter(([name]) => chosen.has(name)), ...objects, ...counted];
}

const isUsable = (name: string, schema: Schema) =>
  asksNothing(schema) && schema.deprecated !== true && name !== "clientMutationId";

/** Names, then states, times and numbers, then other values; flags and lists last. */
function rank(types: TypeTable, [name, schema]: [string, Schema], wanted: string[]): number {
  if (wanted.includes(name)) return 0;
  if (telling.includes(name)) return telling.indexOf(name) + 1;
  const type = types.leafType(schema);
  if (hardlyTelling.test(name)) return telling.length + 4;
  if (type === "boolean" || isList(schema)) return telling.length + 3;
  return telling.length + (type === "enum" || often.test(name) ? 1 : 2);
}

/** The most telling first, otherwise as they were. */
function byRank(types: TypeTable, parts: [string, Schema][], wanted: string[]): [string, Schema][] {
  return parts
    .map((part, index) => ({ part, place: rank(types, part, wanted) * 10_000 + index }))
    .sort((one, other) => one.place - other.place)
    .map(({ part }) => part);
}

function tellingParts(types: TypeTable, model: Model, limit: number, wanted: string[] = []): [string, Schema][] {
  const leaves = fieldsOf(model).filter(
    ([name, schema]) => types.isLeaf(schema) && !isList(schema) && isUsable(name, schema),
  );
  const known = leaves.filter(([name]) => telling.includes(name) || wanted.includes(name));
  const named =
    known.length > 1
      ? known
      : leaves.filter(
          ([name]) => known.some(([one]) => one === name) || /^(name|title)$/.test(wordsOf(name).at(-1) ?? ""),
        );
  return byRank(types, named.length === 0 ? leaves : named, wanted).slice(0, limit);
}

/** An object that belongs to a record: a list that is asked for page by page does not. */
function isEmbedded(types: TypeTable, schema: Schema): boolean {
  const model = types.compositeOf(schema);
  if (model === undefined) return false;
  if (isList(schema))
    return !(schema.args ?? []).some(({ name }) => /^(first|take|limit|skip|offset|page|after)$/.test(name));
  return (
    fieldOf(model, "edges") === undefined &&
    fieldOf(model, "pageInfo") === undefined &&
    fieldOf(model, "nodes") === undefined
  );
}

/** How many there are of what a record has many of. */
function countOf(types: TypeTable, schema: Schema): string | undefined {
  const model = isList(schema) ? undefined : types.compositeOf(schema);
  if (model === undefined || (fieldOf(model, "edges") ?? fieldOf(model, "nodes")) === undefined) return undefined;
  return counts.find((name) => types.leafType(openFieldOf(model, name)) === "integer");
}

function selectionOf(types: TypeTable, properties: [string, Schema][]): Selection {
  const asked: Asked[] = [];
  const shape: Record<string, Schema> = Object.create(null);
  for (const [name, schema] of properties) {
    const below = types.isLeaf(schema) ? undefined : belowOf(types, schema);
    if (below?.asked.length === 0) continue;
    asked.push(below === undefined ? { name } : { name, below: below.asked });
    shape[name] = below === undefined ? plain(schema) : inPlace(schema, below.schema);
  }
  return { asked, schema: { type: "object", properties: shape } };
}

function belowOf(types: TypeTable, schema: Schema): Selection {
  const count = countOf(types, schema);
  const model = types.compositeOf(schema);
  if (model === undefined) return { asked: [], schema: {} };
  if (count !== undefined)
    return { asked: [{ name: count }], schema: { type: "object", properties: { [count]: { type: "integer" } } } };
  const own = tellingParts(types, model, roomIn(types).identity);
  const selection = selectionOf(types, own);
  return needsMembers(types, model, own) ? withMembers(types, model, selection, "identity") : selection;
}

/** The same schema without what only says how it is asked for. */
function plain(schema: Schema): Schema {
  const { args: _, ...rest } = schema;
  return rest;
}

/** A list of what is asked, or just that. */
function inPlace(schema: Schema, inner: Schema): Schema {
  const { description, nullable } = schema;
  if (!isList(schema)) return { ...inner, description, nullable };
  return { type: "array", items: inPlace(schema.items ?? {}, inner), description, nullable };
}

function withMembers(types: TypeTable, model: Model, common: Selection, extent: Extent): Selection {
  const asked: Asked[] = [{ name: "__typename" }, ...common.asked];
  const shape: Record<string, Schema> = Object.create(null);
  shape.__typename = { type: "string" };
  Object.assign(shape, common.schema.properties);
  const taken = new Map(fieldsOf(model).map(([name, schema]) => [name, typeText(schema)]));
  for (const member of membersOf(types, model, extent === "identity" ? 4 : mostMembers)) {
    const below: Asked[] = [];
    for (const [name, schema] of tellingParts(types, member, partsOfMember)) {
      if (common.asked.some((one) => one.name === name)) continue;
      const response = freeName(taken, name, member.name, typeText(schema));
      taken.set(response, typeText(schema));
      below.push(response === name ? { name } : { name, alias: response });
      shape[response] ??= plain(schema);
    }
    if (below.length > 0) asked.push({ name: "", on: member.name, below });
  }
  return { asked, schema: { type: "object", properties: shape } };
}

/** The first few: a union may have thousands, and be asked for a thousand times. */
function membersOf(types: TypeTable, model: Model, most: number): Model[] {
  if (model.graphqlKind === "interface") return types.implementorsOf(model.name).slice(0, most);
  const members: Model[] = [];
  for (const member of model.unionOf ?? []) {
    const composite = types.compositeOf(member);
    if (composite !== undefined) members.push(composite);
    if (members.length === most) break;
  }
  return members;
}

/** GraphQL refuses one name for values of two types in one answer. */
function freeName(taken: Map<string, string>, name: string, member: string, type: string): string {
  if (taken.get(name) === undefined || taken.get(name) === type) return name;
  return `${name}Of${member}`;
}
