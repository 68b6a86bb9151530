import type { Response, Schema } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import { readEachResponse } from "../openapi/contents.ts";
import { bestMediaType } from "../openapi/media-types.ts";
import { contentSchema, descriptionOf } from "../openapi/shared-parts.ts";
import type { RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";
import { schemaOfExample } from "../schema-of-example.ts";

export function readResponses(
  reading: Reading,
  node: RawNode | undefined,
  produces: string[],
): Record<string, Response> {
  return readEachResponse(reading, node, (statusCode, response) => {
    const examples = response.child("examples")?.entries() ?? [];
    const mediaType = bestMediaType(produces) ?? bestMediaType(examples.map(([type]) => type)) ?? "application/json";
    const shown = (examples.find(([type]) => type === mediaType) ?? examples[0])?.[1].value;
    const example = boundedJson(shown);
    const schema = schemaOf(reading, response, shown);
    const headers = response.child("headers")?.keys() ?? [];
    return {
      statusCode,
      description: descriptionOf(response).description ?? "",
      ...(schema && { schema, mediaType }),
      ...(example !== undefined && { example }),
      ...(headers.length > 0 && { headers }),
    };
  });
}

function schemaOf(reading: Reading, response: RawNode, example: unknown): Schema | undefined {
  const node = response.child("schema");
  if (node) return contentSchema(reading, node);
  return example === undefined ? undefined : schemaOfExample(example);
}
