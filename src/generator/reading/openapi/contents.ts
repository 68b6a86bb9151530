import type { MediaContent, RequestBody, Response, Schema } from "../../normalized-spec.ts";
import { boundedJson } from "../bounded-json.ts";
import { ownValue, type RawNode } from "../raw-node.ts";
import type { Reading } from "../reading.ts";
import { isBinary } from "../schema-draft.ts";
import { schemaOfExample } from "../schema-of-example.ts";
import { bestMediaType } from "./media-types.ts";
import { contentSchema, descriptionOf, readOnce } from "./shared-parts.ts";

export function readRequestBody(reading: Reading, raw: RawNode): RequestBody | undefined {
  const node = reading.references.resolved(raw);
  return node?.isObject ? readBody(reading, node) : undefined;
}

const readBody = readOnce((reading: Reading, node: RawNode): RequestBody => {
  const content: Record<string, MediaContent> = {};
  for (const [type, media] of node.child("content")?.entries() ?? []) content[type] = readMedia(reading, type, media);
  if (Object.keys(content).length === 0) reading.warnings.add(node.place, "This body has no content");
  return { required: node.flag("required"), ...descriptionOf(node), content };
});

function readMedia(reading: Reading, type: string, raw: RawNode): MediaContent {
  const node = reading.references.resolved(raw); // since 3.2 a media type may be a reference
  if (!node) return {};
  const shown = exampleValue(reading, node);
  const schema = mediaSchema(reading, type, node, shown);
  if (type.startsWith("multipart/")) markFiles(schema, node);
  const example = boundedJson(shown);
  return { ...(schema && { schema }), ...(example !== undefined && { example }) };
}

function mediaSchema(reading: Reading, type: string, media: RawNode, example: unknown): Schema | undefined {
  const node = media.child("schema");
  const schema = node && contentSchema(reading, node);
  if (schema && Object.keys(schema).length > 0) return schema;
  const item = media.child("itemSchema"); // 3.2: a stream of these
  if (item) return { type: "array", items: contentSchema(reading, item) };
  if (isBinary(type)) return bytes();
  return example === undefined ? schema : schemaOfExample(example);
}

function bytes(): Schema {
  return { type: "string", format: "binary", contentEncoding: "binary" };
}

/** 3.1 says which parts of a form are files by their encoding alone. */
function markFiles(schema: Schema | undefined, media: RawNode): void {
  for (const [name, encoding] of media.child("encoding")?.entries() ?? []) {
    const part = schema?.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
    const untyped = part && part.ref === undefined && (part.type === undefined || part.type === "string");
    if (untyped && isBinary(encoding.text("contentType"))) Object.assign(part, bytes());
  }
}

/** The example of a parameter or of a media type, however it is written. */
export function exampleValue(reading: Reading, node: RawNode): unknown {
  const own = ownValue(node.value, "example");
  if (own !== undefined) return own;
  const [first] = node.child("examples")?.entries() ?? [];
  const example = first && reading.references.resolved(first[1]);
  return ownValue(example?.value, "value") ?? ownValue(example?.value, "dataValue");
}

export function readResponses(reading: Reading, node: RawNode | undefined): Record<string, Response> {
  return readEachResponse(reading, node, (statusCode, response) => ({
    statusCode,
    ...readResponse(reading, response),
  }));
}

/** The responses by status code, whichever way a version of OpenAPI writes one. */
export function readEachResponse(
  reading: Reading,
  node: RawNode | undefined,
  read: (statusCode: string, response: RawNode) => Response,
): Record<string, Response> {
  const responses: Record<string, Response> = {};
  for (const [key, raw] of node?.entries() ?? []) {
    if (key.startsWith("x-")) continue;
    const statusCode = statusOf(key);
    const response = statusCode === undefined ? undefined : reading.references.resolved(raw);
    if (statusCode === undefined) reading.warnings.add(raw.place, "This is no status code; it is left out");
    else if (response?.isObject) responses[statusCode] = read(statusCode, response);
    else if (response) reading.warnings.add(raw.place, "A response has to be an object; it is left out");
  }
  return responses;
}

/** "200", "2XX" or "default", in whichever case. */
function statusOf(key: string): string | undefined {
  return /^[1-5](?:\d\d|XX)$|^default$/i.test(key) ? key.toUpperCase().replace("DEFAULT", "default") : undefined;
}

const mostHeaders = 100;

export const headersOf = readOnce((_: Reading, response: RawNode): Pick<Response, "headers"> => {
  const headers = response.child("headers")?.keys().slice(0, mostHeaders) ?? [];
  return headers.length > 0 ? { headers } : {};
});

const readResponse = readOnce((reading: Reading, node: RawNode): Omit<Response, "statusCode"> => {
  const content = node.child("content");
  const mediaType = bestMediaType(content?.keys() ?? []);
  const media = mediaType === undefined ? undefined : content?.child(mediaType);
  return {
    description: descriptionOf(node).description ?? "",
    ...(media && mediaType !== undefined && { ...readMedia(reading, mediaType, media), mediaType }),
    ...headersOf(reading, node),
  };
});
