import { expect, test } from "vitest";
import { api, listOf, object, text, whole } from "./api-under-test.ts";
import { understand } from "./understand.ts";

test("every scheme gets a form, each operation its alternatives, and nobody is asked twice", () => {
  const spec = api(
    {
      "GET /pets": {
        answer: listOf(object({ id: whole })),
        query: { api_key: text },
        securityRequirements: [{ key: [] }, { oauth: ["read"], missing: [] }, {}],
      },
    },
    {},
    [
      { name: "key", type: "apiKey", in: "query", parameterName: "api_key" },
      {
        name: "oauth",
        type: "oauth2",
        flows: [{ grant: "clientCredentials", tokenUrl: "/token", scopes: { read: "Read" } }],
      },
      { name: "digest", type: "http", scheme: "digest" },
      { name: "basic", type: "http", scheme: "basic" },
    ],
  );
  const model = understand(spec);
  expect(model.api.auth).toEqual([
    { id: "key", label: "Key", kind: "apiKey", in: "query", name: "api_key" },
    {
      id: "oauth",
      label: "OAuth",
      kind: "oauth2",
      flows: [{ grant: "clientCredentials", tokenUrl: "/token", scopes: ["read"] }],
    },
    { id: "digest", label: "Digest", kind: "other", scheme: "digest" },
    { id: "basic", label: "Basic", kind: "basic" },
  ]);
  const [list] = model.resources[0]?.lists ?? [];
  expect([list?.auth, list?.filters, list?.params]).toEqual([[["key"], ["oauth", "missing"], []], [], []]);
  expect(model.warnings.map(({ place }) => place)).toEqual(["securitySchemes/missing"]);
});

test("a key in the header Authorization that is called bearer is a bearer token, unless people are told to write the word", () => {
  const key = (name: string, description?: string) =>
    ({ name, type: "apiKey", in: "header", parameterName: "Authorization", description }) as const;
  const spec = api({}, {}, [
    key("BearerToken", "Bearer token authentication"),
    key("Bearer", 'Enter "Bearer <token>"'),
    key("token"),
  ]);
  expect(understand(spec).api.auth.map(({ id, kind }) => [id, kind])).toEqual([
    ["BearerToken", "bearer"],
    ["Bearer", "apiKey"],
    ["token", "apiKey"],
  ]);
});
