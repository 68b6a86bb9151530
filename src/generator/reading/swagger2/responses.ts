import type { Response } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import { headersOf, readEachResponse } from "../openapi/contents.ts";
import { bestMediaType } from "../openapi/media-types.ts";
import { contentSchema, descriptionOf, readOnce } from "../openapi/shared-parts.ts";
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
    const shown = (examples.find(([type]) => type === mediaType) ?? examples[0])?.[1];
    const { example, schema: schemaShown } = shown ? readExample(reading, shown) : {};
    const said = response.child("schema");
    const schema = said ? contentSchema(reading, said) : schemaShown;
    return {
      statusCode,
      description: descriptionOf(response).description ?? "",
      ...(schema && { schema, mediaType }),
      ...(example !== undefined && { example }),
      ...headersOf(reading, response),
    };
  });
}

const readExample = readOnce((_: Reading, { value }: RawNode) => ({
  example: boundedJson(value),
  schema: schemaOfExample(value),
}));
