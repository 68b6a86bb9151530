import type { Json } from "../kit/descriptor.ts";
import type { Endpoint, Response, Schema } from "../normalized-spec.ts";

/** What an operation says when it works. */
export interface Answer {
  schema?: Schema;
  mediaType?: string;
  /** In small letters. */
  headers: string[];
  /** It only says that it worked. */
  isEmpty: boolean;
  isFile: boolean;
}

export function answerOf(endpoint: Endpoint): Answer {
  const responses = Object.values(endpoint.responses);
  const good = responses.filter((response) => /^2/.test(response.statusCode));
  good.sort((one, other) => one.statusCode.localeCompare(other.statusCode));
  const fallback = good.length === 0 ? responses.find((response) => response.statusCode === "default") : undefined;
  const response = good.find(hasContent) ?? good[0] ?? fallback;
  if (response === undefined) return { headers: [], isEmpty: false, isFile: false };
  const schema = response.schema ?? schemaOfExample(response.example);
  return {
    schema,
    mediaType: response.mediaType,
    headers: (response.headers ?? []).map((header) => header.toLowerCase()),
    isEmpty: schema === undefined && isWithoutContent(endpoint.method, response),
    isFile: isFile(schema, response.mediaType),
  };
}

/** A 204 says nothing. A 200 to a GET says something, though the description may not say what. */
function isWithoutContent(method: string, { statusCode, mediaType }: Response): boolean {
  if (mediaType !== undefined || statusCode === "default") return false;
  return method !== "GET" || statusCode === "204" || statusCode === "205";
}

function hasContent(response: Response): boolean {
  return response.schema !== undefined || response.example !== undefined;
}

function isFile(schema: Schema | undefined, mediaType: string | undefined): boolean {
  if (schema?.type === "string" && (schema.format === "binary" || schema.contentEncoding === "binary")) return true;
  return (
    mediaType !== undefined && /^(image|audio|video|font)\/|octet-stream|\/(pdf|zip|gzip|x-tar|csv)$/.test(mediaType)
  );
}

const deepestExample = 4;

/** What an example shows, where there is nothing else to go by. */
function schemaOfExample(example: Json | undefined, depth = 0): Schema | undefined {
  if (example === undefined || depth > deepestExample) return undefined;
  if (example === null) return { nullable: true };
  if (Array.isArray(example)) return { type: "array", items: schemaOfExample(example[0], depth + 1) ?? {} };
  if (typeof example === "object") {
    const entries = Object.entries(example).slice(0, 100);
    return {
      type: "object",
      properties: ownProperties(entries.map(([name, value]) => [name, schemaOfExample(value, depth + 1) ?? {}])),
    };
  }
  if (typeof example === "number") return { type: Number.isInteger(example) ? "integer" : "number", example };
  return { type: typeof example === "boolean" ? "boolean" : "string", example };
}

function ownProperties(entries: [string, Schema][]): Record<string, Schema> {
  const properties: Record<string, Schema> = Object.create(null);
  for (const [name, schema] of entries) properties[name] = schema;
  return properties;
}
