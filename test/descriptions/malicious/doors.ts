// An API that wants credentials, has a server elsewhere and a pattern that takes forever, and what a server could answer to it.

const json = (schema: object) => ({ content: { "application/json": { schema } } });
const answers = (schema: object) => ({ 200: { description: "", ...json(schema) } });

export const doors = {
  openapi: "3.1.0",
  info: { title: "Doors", version: "1" },
  servers: [{ url: "https://api.invalid" }],
  security: [{ token: [] }],
  paths: {
    "/doors": { get: { responses: answers({ type: "array", items: { $ref: "#/components/schemas/Door" } }) } },
    "/doors/{id}": {
      get: { responses: answers({ $ref: "#/components/schemas/Door" }) },
      put: { requestBody: json({ $ref: "#/components/schemas/Door" }), responses: {} },
    },
    "/inventory": {
      servers: [{ url: "https://elsewhere.invalid" }],
      get: { responses: answers({ type: "object", additionalProperties: { type: "integer" } }) },
    },
  },
  components: {
    securitySchemes: { token: { type: "http", scheme: "bearer" } },
    schemas: {
      Door: {
        type: "object",
        properties: {
          id: { type: "string" },
          name: { type: "string" },
          homepage: { type: "string", format: "uri" },
          code: { type: "string", pattern: "^((a+)+)+$" },
          tags: { type: "array", items: { type: "string" } },
          size: { type: "object", properties: { height: { type: "number" } } },
        },
      },
    },
  },
};

export const answersOfEveryShape = [
  ...'null|5|true|"text"|""|{}|[]|[null]|[1, "a", true]|[[[]]]|[{}]|{ "items": 5 }|<p>no JSON'.split("|"),
  '[{ "id": {}, "name": [], "homepage": 5, "tags": "a", "size": [1] }, { "id": null, "tags": {}, "size": null }]',
  '[{ "id": 1, "name": {} }, { "id": 1, "tags": [null, {}, [[]]] }, { "id": "../../x", "size": { "height": "tall" } }]',
  '[{ "__proto__": { "pwned": 1 }, "constructor": { "prototype": { "pwned": 1 } }, "id": "__proto__", "then": 1 }]',
  '[{ "id": "1", "homepage": "javascript:globalThis.pwned=1", "name": "<img src=x onerror=globalThis.pwned=1>" }]',
  `[${"[".repeat(50_000)}${"]".repeat(50_000)}]`,
  `[{ "id": "1", "name": ${'{ "a": '.repeat(20_000)}1${"}".repeat(20_000)} }]`,
  `{ "id": "1", "name": ${'{ "a": '.repeat(20_000)}1${"}".repeat(20_000)} }`,
  `{ "id": "1", "tags": ${"[".repeat(150)}${"]".repeat(150)} }`,
  `{ "error": ${'{ "error": '.repeat(20_000)}1${"}".repeat(20_000)} }`,
  JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: "x".repeat(100) }))),
];
