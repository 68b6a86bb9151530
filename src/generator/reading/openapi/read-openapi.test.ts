import { expect, test } from "vitest";
import type { Json } from "../../normalized-spec.ts";
import { readDescription } from "../read-description.ts";

type Part = { [key: string]: Json };

function read(parts: Part) {
  return readDescription(JSON.stringify({ openapi: "3.1.0", info: { title: "T", version: "1" }, ...parts }));
}

/** The only endpoint of a path, and the warnings. */
function readPath(path: string, pathItem: Json, parts: Part = {}) {
  const { spec, warnings } = read({ paths: { [path]: pathItem }, ...parts });
  expect(spec.endpoints).toHaveLength(1);
  return { endpoint: spec.endpoints?.[0], warnings, models: spec.models };
}

const ok = { responses: { 200: { description: "" } } };

test("an operation has the parameters of its path, and its own in their stead", () => {
  const { endpoint, warnings } = readPath(
    "/pets/{id}",
    {
      parameters: [
        { name: "id", in: "path", required: true, schema: { type: "string" } },
        { name: "lang", in: "query", schema: { type: "string" } },
      ],
      get: { ...ok, parameters: [{ $ref: "#/components/parameters/Lang" }, { name: "X-Trace", in: "header" }] },
    },
    {
      components: {
        parameters: {
          Lang: {
            name: "lang",
            in: "query",
            required: true,
            style: "form",
            explode: false,
            schema: { $ref: "#/components/schemas/Lang" },
          },
        },
        schemas: { Lang: { enum: ["de", "en"] } },
      },
    },
  );
  expect(endpoint?.parameters).toEqual([
    { name: "id", in: "path", type: "string", required: true, schema: { type: "string" } },
    { name: "lang", in: "query", type: "enum", required: true, schema: { ref: "Lang" }, style: "form", explode: false },
    { name: "X-Trace", in: "header", type: "any", required: false },
  ]);
  expect(warnings).toEqual([]);
});

test("every name in a path gets a parameter, and what the path does not have is left out", () => {
  const { endpoint, warnings } = readPath("/a/{b}/{+c}", {
    get: {
      ...ok,
      parameters: [
        { name: "c", in: "path" },
        { name: "d", in: "path" },
      ],
    },
  });
  expect(endpoint?.path).toBe("/a/{b}/{c}");
  expect(endpoint?.parameters.map(({ name, type, required }) => [name, type, required])).toEqual([
    ["c", "any", true],
    ["b", "string", true],
  ]);
  expect(warnings).toHaveLength(2);
});

test("broken parts are left out with a warning, and cost nothing else", () => {
  const { spec, warnings } = read({
    paths: {
      "/text": "none",
      "/list": [],
      "/gone": { $ref: "#/nowhere" },
      "/mixed": { get: 7, post: { ...ok, parameters: [{ in: "query" }, { name: "b", in: "body" }, 3] }, "x-own": {} },
      "/responses": {
        get: { responses: { ok: {}, 200: "text", 404: { $ref: "#/nowhere" }, "5xx": { description: "Down" } } },
      },
    },
  });
  expect(spec.endpoints?.map(({ method, path }) => `${method} ${path}`)).toEqual(["POST /mixed", "GET /responses"]);
  expect(spec.endpoints?.[1]?.responses).toEqual({ "5XX": { statusCode: "5XX", description: "Down" } });
  expect(warnings.map((warning) => warning.place)).toEqual([
    "/paths/~1text",
    "/paths/~1list",
    "/paths/~1gone",
    "/paths/~1mixed/get",
    "/paths/~1mixed/post/parameters/0",
    "/paths/~1mixed/post/parameters/2",
    "/paths/~1mixed/post/parameters/1",
    "/paths/~1responses/get/responses/200",
    "/paths/~1responses/get/responses/404",
    "/paths/~1responses/get/responses/ok",
  ]);
});

test("JSON is preferred among the media types of a response, and all of a body's are kept", () => {
  const { endpoint } = readPath("/x", {
    post: {
      requestBody: {
        required: true,
        content: {
          "text/plain": { schema: { type: "string" } },
          "application/json": { schema: { type: "object" }, example: { a: 1 } },
        },
      },
      responses: {
        200: {
          description: "Done",
          headers: { Link: { schema: { type: "string" } } },
          content: {
            "application/xml": { schema: { type: "string" } },
            "application/vnd.x+json": { schema: { type: "array", items: {} }, examples: { one: { value: [1] } } },
          },
        },
      },
    },
  });
  expect(endpoint).toEqual({
    path: "/x",
    method: "POST",
    parameters: [],
    requestBody: {
      required: true,
      content: {
        "text/plain": { schema: { type: "string" } },
        "application/json": { schema: { type: "object" }, example: { a: 1 } },
      },
    },
    responses: {
      200: {
        statusCode: "200",
        description: "Done",
        schema: { type: "array", items: {} },
        example: [1],
        mediaType: "application/vnd.x+json",
        headers: ["Link"],
      },
    },
  });
});

test("bytes are bytes, whether a media type says it or the encoding of a form's part", () => {
  const bytes = { type: "string", format: "binary", contentEncoding: "binary" };
  const { endpoint } = readPath("/x", {
    post: {
      ...ok,
      requestBody: {
        content: {
          "application/octet-stream": {},
          "multipart/form-data": {
            schema: { properties: { photo: {} } },
            encoding: { photo: { contentType: "image/png" } },
          },
        },
      },
    },
  });
  expect(endpoint?.requestBody?.content).toEqual({
    "application/octet-stream": { schema: bytes },
    "multipart/form-data": { schema: { type: "object", properties: { photo: bytes } } },
  });
});

test("an answer that has only an example gets the schema that this shows", () => {
  const { endpoint } = readPath("/x", {
    get: {
      responses: {
        200: { description: "", content: { "application/json": { example: { items: [{ id: 1, name: "a" }] } } } },
      },
    },
  });
  expect(endpoint?.responses["200"]?.schema).toEqual({
    type: "object",
    properties: {
      items: {
        type: "array",
        items: { type: "object", properties: { id: { type: "integer" }, name: { type: "string" } } },
      },
    },
  });
});

test("a large schema in a shared response becomes a model, so that it is written once", () => {
  const shared = {
    description: "No",
    content: { "application/json": { schema: { properties: { code: { type: "integer" } } } } },
  };
  const { spec } = read({
    paths: { "/a": { get: { responses: { 404: { $ref: "#/components/responses/Missing" } } } } },
    components: { responses: { Missing: shared } },
  });
  expect(spec.endpoints?.[0]?.responses["404"]?.schema).toEqual({ ref: "MissingResponse" });
  expect(spec.models).toEqual([{ name: "MissingResponse", type: "object", properties: { code: { type: "integer" } } }]);
});

test("servers are filled in with the defaults of their variables, and an operation may have its own", () => {
  const { spec, warnings } = read({
    servers: [
      {
        url: "https://{region}.example.com/{stage}",
        variables: { region: { default: "eu" }, stage: { enum: ["v1"] } },
      },
      { url: "/relative" },
      { description: "none" },
    ],
    paths: {
      "/a": {
        servers: [{ url: "https://a.example.com" }],
        get: ok,
        put: { ...ok, servers: [{ url: "https://b.example.com" }] },
      },
    },
  });
  expect(spec.metadata).toEqual({
    title: "T",
    version: "1",
    baseUrl: "https://eu.example.com/v1",
    servers: ["https://eu.example.com/v1", "/relative"],
  });
  expect(spec.endpoints?.map((endpoint) => endpoint.servers)).toEqual([
    ["https://a.example.com"],
    ["https://b.example.com"],
  ]);
  expect(warnings.map((warning) => warning.place)).toEqual(["/servers/2"]);
});

test("an endpoint needs what it says itself, or else what holds for all; schemes of every kind are read", () => {
  const { spec, warnings } = read({
    security: [{ key: [] }, { oauth: ["read"], key: [] }],
    paths: { "/a": { get: ok, post: { ...ok, security: [] }, put: { ...ok, security: [{}, { bearer: [] }] } } },
    components: {
      securitySchemes: {
        key: { type: "apiKey", in: "query", name: "k" },
        bearer: { type: "http", scheme: "Bearer", bearerFormat: "JWT", description: "A token" },
        oauth: {
          type: "oauth2",
          flows: {
            clientCredentials: { tokenUrl: "/token", scopes: { read: "Read" } },
            deviceAuthorization: { tokenUrl: "/t" },
          },
        },
        openid: { type: "openIdConnect", openIdConnectUrl: "/.well-known" },
        tls: { type: "mutualTLS" },
        odd: { type: "handshake" },
      },
    },
  });
  expect(spec.endpoints?.map((endpoint) => endpoint.securityRequirements)).toEqual([
    [{ key: [] }, { oauth: ["read"], key: [] }],
    [],
    [{}, { bearer: [] }],
  ]);
  expect(spec.securitySchemes).toEqual([
    { name: "key", type: "apiKey", in: "query", parameterName: "k" },
    { name: "bearer", type: "http", scheme: "bearer", bearerFormat: "JWT", description: "A token" },
    {
      name: "oauth",
      type: "oauth2",
      flows: [
        { grant: "clientCredentials", tokenUrl: "/token", scopes: { read: "Read" } },
        { grant: "deviceAuthorization", tokenUrl: "/t", scopes: {} },
      ],
    },
    { name: "openid", type: "openIdConnect", openIdConnectUrl: "/.well-known" },
    { name: "tls", type: "mutualTLS" },
  ]);
  expect(warnings.map((warning) => warning.place)).toEqual(["/components/securitySchemes/odd"]);
});

test("what is new in OpenAPI 3.2 is read, too", () => {
  const { spec, warnings } = read({
    openapi: "3.2.0",
    $self: "https://example.com/api",
    tags: [{ name: "cats", parent: "pets", summary: "Cats" }, { name: "pets" }],
    paths: {
      "/cats": {
        query: {
          tags: ["cats"],
          parameters: [
            {
              name: "q",
              in: "querystring",
              content: {
                "application/x-www-form-urlencoded": {
                  schema: { properties: { age: { type: "integer" } }, required: ["age"] },
                },
              },
            },
          ],
          ...ok,
        },
        additionalOperations: {
          COPY: {
            responses: {
              200: {
                description: "",
                content: {
                  "application/jsonl": { itemSchema: { $ref: "https://example.com/api#/components/schemas/Cat" } },
                },
              },
            },
          },
        },
      },
    },
    components: { schemas: { Cat: { type: "object" } } },
  });
  expect(spec).toEqual({
    format: "openapi3",
    metadata: { title: "T", version: "1" },
    endpoints: [
      {
        path: "/cats",
        method: "QUERY",
        tag: "cats",
        parameters: [{ name: "age", in: "query", type: "integer", required: true, schema: { type: "integer" } }],
        responses: { 200: { statusCode: "200", description: "" } },
      },
      {
        path: "/cats",
        method: "COPY",
        parameters: [],
        responses: {
          200: {
            statusCode: "200",
            description: "",
            schema: { type: "array", items: { ref: "Cat" } },
            mediaType: "application/jsonl",
          },
        },
      },
    ],
    models: [{ name: "Cat", type: "object" }],
    tags: [{ name: "cats", description: "Cats", parent: "pets" }, { name: "pets" }],
  });
  expect(warnings).toEqual([]);
});

test("a parameter whose content is JSON is one text", () => {
  const schema: Json = { type: "object", properties: { x: { type: "integer" } } };
  const where = { name: "where", in: "query", content: { "application/json": { schema } } };
  const { endpoint } = readPath("/pets", { get: { ...ok, parameters: [where] } });
  expect(endpoint?.parameters).toMatchObject([{ name: "where", style: "json", schema: { type: "object" } }]);
});

test("the part of a path that is the query's is none of the path's", () => {
  const status = { name: "status", in: "query", schema: { type: "string" } };
  const { endpoint, warnings } = readPath("/pets{?status}", { get: { ...ok, parameters: [status] } });
  expect([endpoint?.path, endpoint?.parameters.map((one) => one.in), warnings]).toEqual(["/pets", ["query"], []]);
});
