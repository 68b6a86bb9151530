import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { Json } from "../../normalized-spec.ts";
import { readDescription } from "../read-description.ts";

const library = readFileSync(new URL("../../../../test/descriptions/library.swagger.yaml", import.meta.url), "utf8");
const { spec, warnings } = readDescription(library);
const endpoint = (operationId: string) => spec.endpoints?.find((one) => one.operationId === operationId);

function readOperation(operation: { [key: string]: Json }, parts: { [key: string]: Json } = {}) {
  const paths = { "/x": { post: { responses: { 200: { description: "" } }, ...operation } } };
  const text = JSON.stringify({ swagger: "2.0", info: { title: "T", version: "1" }, paths, ...parts });
  const result = readDescription(text);
  return { endpoint: result.spec.endpoints?.[0], models: result.spec.models, warnings: result.warnings };
}

test("says where the API is: https first, with the base path", () => {
  expect([spec.format, spec.metadata, warnings]).toEqual([
    "swagger2",
    {
      title: "Library",
      version: "2.1",
      baseUrl: "https://library.example.com/api",
      servers: ["https://library.example.com/api", "http://library.example.com/api"],
    },
    [],
  ]);
});

test("without a host an address is relative, and a scheme in the host counts for nothing", () => {
  const servers = (parts: { [key: string]: Json }) => {
    const head = { swagger: 2, info: {}, paths: { "/x": { get: {} } } };
    return readDescription(JSON.stringify({ ...head, ...parts })).spec.metadata.servers;
  };
  expect(servers({ basePath: "v1" })).toEqual(["/v1"]);
  expect(servers({ basePath: "/" })).toBeUndefined();
  expect(servers({ host: "http://x.example.com/", schemes: ["wss"] })).toEqual(["https://x.example.com"]);
});

test("writes several values the way that collectionFormat says", () => {
  expect(endpoint("listBooks")?.parameters).toEqual([
    {
      name: "limit",
      in: "query",
      type: "integer",
      required: false,
      schema: { type: "integer", maximum: 100, default: 20 },
    },
    {
      name: "genre",
      in: "query",
      type: "array",
      required: false,
      schema: { type: "array", items: { type: "enum", enumValues: ["novel", "poem"] } },
      style: "form",
      explode: true,
    },
    {
      name: "ids",
      in: "query",
      type: "array",
      required: false,
      schema: { type: "array", items: { type: "integer" } },
      style: "form",
      explode: false,
    },
  ]);
  const { endpoint: piped } = readOperation({
    parameters: [{ name: "a", in: "query", type: "array", items: {}, collectionFormat: "pipes" }],
  });
  expect(piped?.parameters[0]).toMatchObject({ style: "pipeDelimited", explode: false });
});

test("keeps the body of a parameter that is a reference, for each media type", () => {
  expect(endpoint("addBook")?.requestBody).toEqual({
    required: true,
    content: { "application/json": { schema: { ref: "Book" } }, "application/xml": { schema: { ref: "Book" } } },
  });
});

test("makes one body of form fields, and a file is bytes", () => {
  expect(endpoint("putCover")?.requestBody).toEqual({
    required: true,
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          properties: {
            picture: { type: "string", format: "binary", contentEncoding: "binary" },
            caption: { type: "string" },
          },
          required: ["picture"],
        },
      },
    },
  });
  expect(endpoint("getCover")?.responses).toEqual({
    200: {
      statusCode: "200",
      description: "The picture",
      schema: { type: "string", format: "binary", contentEncoding: "binary" },
      mediaType: "image/png",
    },
  });
  const { endpoint: form } = readOperation({ parameters: [{ name: "a", in: "formData", type: "string" }] });
  expect(form?.requestBody).toEqual({
    required: false,
    content: {
      "application/x-www-form-urlencoded": { schema: { type: "object", properties: { a: { type: "string" } } } },
    },
  });
});

test("writes a large body once, however many media types it may have", () => {
  const schema = { type: "object", properties: { a: { type: "string" } } };
  const { endpoint: one, models } = readOperation(
    { parameters: [{ name: "b", in: "body", schema }] },
    { consumes: ["application/json", "text/yaml"] },
  );
  const content = { schema: { ref: "XPost" } };
  expect(one?.requestBody).toEqual({ required: false, content: { "application/json": content, "text/yaml": content } });
  expect(models).toEqual([{ name: "XPost", ...schema }]);
});

test("keeps text discriminators, x-nullable and lists of types", () => {
  expect(spec.models).toEqual([
    {
      name: "Item",
      type: "object",
      discriminator: { propertyName: "kind" },
      required: ["kind"],
      properties: { kind: { type: "string" } },
    },
    {
      name: "Book",
      allOf: [
        { ref: "Item" },
        {
          type: "object",
          required: ["title"],
          properties: {
            isbn: { type: "string", readOnly: true },
            title: { type: "string", maxLength: 200 },
            subtitle: { type: "string", nullable: true },
            year: { type: "integer", nullable: true },
          },
        },
      ],
    },
    { name: "Problem", type: "object", properties: { message: { type: "string" } } },
  ]);
});

test("security is what an operation says, or else what holds for all", () => {
  expect(spec.endpoints?.map((one) => one.securityRequirements)).toEqual([
    [{ key: [] }],
    [{ key: [] }],
    [],
    [{ key: [] }],
    [{ members: ["borrow"] }],
  ]);
  expect(spec.securitySchemes).toEqual([
    { name: "staff", type: "http", scheme: "basic" },
    { name: "key", type: "apiKey", in: "header", parameterName: "X-Key" },
    {
      name: "members",
      type: "oauth2",
      flows: [
        {
          grant: "authorizationCode",
          authorizationUrl: "https://library.example.com/authorize",
          tokenUrl: "https://library.example.com/token",
          scopes: { borrow: "Borrow books" },
        },
      ],
    },
  ]);
});

test("reads shared responses, their headers and their examples", () => {
  expect(endpoint("getBook")?.responses["404"]).toEqual({
    statusCode: "404",
    description: "There is no such thing",
    schema: { ref: "Problem" },
    mediaType: "application/json",
  });
  expect(endpoint("listBooks")?.responses["200"]?.headers).toEqual(["X-Total-Count"]);
  const { endpoint: shown } = readOperation({
    responses: { 200: { description: "", examples: { "application/json": '{"a": [true]}' } } },
  });
  expect(shown?.responses["200"]).toEqual({
    statusCode: "200",
    description: "",
    schema: { type: "object", properties: { a: { type: "array", items: { type: "boolean" } } } },
    mediaType: "application/json",
    example: '{"a": [true]}',
  });
});
