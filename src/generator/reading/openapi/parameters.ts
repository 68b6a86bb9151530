import type { Parameter, ParameterPlace, Schema } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import type { RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";
import { exampleValue } from "./contents.ts";
import { contentSchema, descriptionOf, readOnce } from "./shared-parts.ts";

const places = new Set<string | undefined>(["path", "query", "header", "cookie"]);

/** The parameters of an operation, named and resolved: those of its path and its own, which win. */
export function parameterNodes(reading: Reading, around: RawNode[]): RawNode[] {
  const byKey = new Map<string, RawNode>();
  for (const list of around.flatMap((one) => one.child("parameters") ?? [])) {
    if (!Array.isArray(list.value)) {
      reading.warnings.add(list.place, "Parameters have to be a list; they are left out");
    }
    for (const raw of list.items()) {
      const node = reading.references.resolved(raw);
      const name = node?.text("name");
      if (node && name !== undefined && name !== "__proto__") byKey.set(`${node.text("in")} ${name}`, node);
      else if (node) reading.warnings.add(raw.place, "A parameter without a name is left out");
    }
  }
  return [...byKey.values()];
}

/** The place of a parameter in a request's head. A warning and undefined if it has none. */
export function placeOf(reading: Reading, node: RawNode): ParameterPlace | undefined {
  const place = node.text("in");
  if (places.has(place)) return place as ParameterPlace;
  reading.warnings.add(node.place, `A parameter can't be in "${(place ?? "").slice(0, 40)}"; it is left out`);
  return undefined;
}

export const readParameter = readOnce((reading: Reading, node: RawNode): Parameter[] => {
  if (node.text("in") === "querystring") return queryString(reading, node);
  const place = placeOf(reading, node);
  if (!place) return [];
  const [mediaType, media] = node.child("content")?.entries(1)[0] ?? [];
  const schemaNode = node.child("schema") ?? media?.child("schema");
  const example = boundedJson(exampleValue(reading, node) ?? (media && exampleValue(reading, media)));
  const style = mediaType !== undefined && /json/i.test(mediaType) ? "json" : node.text("style");
  const parameter: Parameter = {
    ...parameterHead(node, place, schemaNode && contentSchema(reading, schemaNode)),
    ...(example !== undefined && { example }),
    ...(style !== undefined && { style }),
    ...(node.child("explode") && { explode: node.flag("explode") }),
  };
  return [parameter];
});

/** 3.2: the whole query as one object. Its properties are what any other description would call parameters. */
function queryString(reading: Reading, node: RawNode): Parameter[] {
  const schemaNode = node.child("content")?.entries(1)[0]?.[1].child("schema");
  const target = schemaNode && reading.references.resolved(schemaNode);
  const schema = target ? reading.schemas.read(target) : {};
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    in: "query",
    type: property.type ?? "any",
    required: schema.required?.includes(name) ?? false,
    schema: property,
  }));
}

export function parameterHead(node: RawNode, place: ParameterPlace, schema: Schema | undefined): Parameter {
  return {
    name: node.text("name") ?? "",
    in: place,
    type: schema?.type ?? "any",
    required: place === "path" || node.flag("required"),
    ...descriptionOf(node),
    ...(schema && { schema }),
    ...(node.flag("deprecated") && { deprecated: true }),
  };
}
