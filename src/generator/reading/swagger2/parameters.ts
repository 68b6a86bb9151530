import type { Parameter } from "../../normalized-spec.ts";
import { parameterHead, placeOf } from "../openapi/parameters.ts";
import { contentSchema } from "../openapi/shared-parts.ts";
import type { RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";

const styles = new Map<string | undefined, string>([
  ["ssv", "spaceDelimited"],
  ["tsv", "spaceDelimited"],
  ["pipes", "pipeDelimited"],
]);

/** In Swagger 2 a parameter is its own schema. */
export function readParameter(reading: Reading, node: RawNode): Parameter[] {
  const place = placeOf(reading, node);
  if (!place) return [];
  const schemaNode = node.child("type") ? node : (node.child("schema") ?? node);
  const { description: _, ...schema } = contentSchema(reading, schemaNode);
  return [{ ...parameterHead(node, place, schema), ...howSeveralAreWritten(node, place, schema.type) }];
}

/** A list is comma-separated unless it says otherwise, which is not what OpenAPI 3 takes for granted. */
function howSeveralAreWritten(
  node: RawNode,
  place: string,
  type: string | undefined,
): Pick<Parameter, "style" | "explode"> {
  const format = node.text("collectionFormat");
  if (type !== "array" && format === undefined) return {};
  if (place === "path" || place === "header") return { style: "simple", explode: false };
  return { style: styles.get(format) ?? "form", explode: format === "multi" };
}
