import { expect, test } from "vitest";
import type { AuthScheme } from "../descriptor.ts";
import { type Credentials, credentialsFor } from "./credentials.ts";
import { api, operation } from "./petstore.test.data.ts";

const auth: AuthScheme[] = [
  { id: "header", label: "", kind: "apiKey", in: "header", name: "X-Key" },
  { id: "query", label: "", kind: "apiKey", in: "query", name: "key" },
  { id: "cookie", label: "", kind: "apiKey", in: "cookie", name: "sid" },
  { id: "bearer", label: "", kind: "bearer" },
  { id: "basic", label: "", kind: "basic" },
  { id: "oauth", label: "", kind: "oauth2" },
  { id: "openid", label: "", kind: "openIdConnect" },
  { id: "digest", label: "", kind: "other", scheme: "Digest" },
];

const token = { token: " t " };
const credentials: Credentials = {
  ...Object.fromEntries(auth.map(({ id }) => [id, token])),
  basic: { username: "u", password: "p" },
};

const placed = (alternatives: string[][] | undefined, known = credentials) =>
  credentialsFor({ ...api, auth }, operation("x", "GET", "/x", { auth: alternatives }), known);

test("every scheme has its place", () => {
  expect(auth.flatMap(({ id }) => placed([[id]]))).toEqual([
    { in: "header", name: "X-Key", value: "t" },
    { in: "query", name: "key", value: "t" },
    { in: "cookie", name: "sid", value: "t" },
    { in: "header", name: "Authorization", value: "Bearer t" },
    { in: "header", name: "Authorization", value: "Basic dTpw" },
    { in: "header", name: "Authorization", value: "Bearer t" },
    { in: "header", name: "Authorization", value: "Bearer t" },
    { in: "header", name: "Authorization", value: "Digest t" },
  ]);
});

test("the first alternative is used for which everything is known", () => {
  expect({
    together: placed([["header", "query"]]).length,
    partlyKnown: placed([["header", "query"], ["query"]], { query: token }).length,
    noneNeeded: placed([[], ["header"]], { header: token }).length,
    nothingKnown: placed([[], ["header"]], {}).length,
    notSaid: placed(undefined).length,
    inherited: placed([["constructor"]]).length,
  }).toEqual({
    together: 2,
    partlyKnown: 1,
    noneNeeded: 1,
    nothingKnown: 0,
    notSaid: 0,
    inherited: 0,
  });
});
