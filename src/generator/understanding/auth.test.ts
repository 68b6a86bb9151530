import { expect, test } from "vitest";
import type { SecurityScheme } from "../normalized-spec.ts";
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

const taking = (name: string, place: "header" | "query", required = true) => ({
  parameters: [{ name, in: place, type: "string", required, schema: text }],
});
const authFor = (told: object, schemes: SecurityScheme[] = []) => {
  const { auth, actions } = understand(api({ "POST /send": { ...told } }, {}, schemes)).api;
  const { operation } = actions[0] ?? {};
  return {
    schemes: auth.map(({ id, kind, in: place, name }) => [id, kind, place, name]),
    auth: operation?.auth,
    params: operation?.params,
  };
};

test("a credential that operations take as a parameter goes with them, though nothing says that they need it", () => {
  const key: SecurityScheme = { name: "key", type: "apiKey", in: "header", parameterName: "X-Auth" };
  const bearer: SecurityScheme = { name: "jwt", type: "http", scheme: "bearer" };
  expect(authFor(taking("x-auth", "header"), [key])).toEqual({
    schemes: [["key", "apiKey", "header", "X-Auth"]],
    auth: [["key"]],
    params: [],
  });
  expect(authFor(taking("Authorization", "header"), [bearer])).toMatchObject({ auth: [["jwt"]], params: [] });
  expect(authFor(taking("Authorization", "header"))).toEqual({
    schemes: [["Authorization", "apiKey", "header", "Authorization"]],
    auth: [["Authorization"]],
    params: [],
  });
  expect(authFor(taking("api_key", "query", false))).toEqual({
    schemes: [["api_key", "apiKey", "query", "api_key"]],
    auth: [["api_key"], []],
    params: [],
  });
});

test("a credential that is required goes with every alternative, and one that is among them is left as it is", () => {
  const schemes: SecurityScheme[] = [
    { name: "key", type: "apiKey", in: "header", parameterName: "X-Auth" },
    { name: "jwt", type: "http", scheme: "bearer" },
  ];
  const both = { ...taking("x-auth", "header"), securityRequirements: [{ jwt: [] }] };
  expect(authFor(both, schemes).auth).toEqual([["jwt", "key"]]);
  const either = { ...taking("x-auth", "header"), securityRequirements: [{ jwt: [] }, { key: [] }] };
  expect(authFor(either, schemes).auth).toEqual([["jwt"], ["key"]]);
  const optional = { ...taking("x-auth", "header", false), securityRequirements: [{ jwt: [] }] };
  expect(authFor(optional, schemes).auth).toEqual([["jwt"]]);
});
