import { expect, test } from "vitest";
import type { Action, ApiDescriptor, AuthScheme } from "../descriptor.ts";
import type { ApiError } from "./backend.ts";
import { httpBackend } from "./http-backend.ts";
import { api, operation } from "./petstore.test.data.ts";
import type { TransportRequest } from "./transport.ts";

const auth: AuthScheme[] = [
  { id: "bearer", label: "Token", kind: "bearer" },
  { id: "header", label: "Key", kind: "apiKey", in: "header", name: "X-Key" },
  { id: "query", label: "Key", kind: "apiKey", in: "query", name: "key" },
  { id: "cookie", label: "Session", kind: "apiKey", in: "cookie", name: "sid" },
];
const secured: ApiDescriptor = { ...api, auth };
const credentials = Object.fromEntries(auth.map(({ id }) => [id, { token: "s3cret" }]));
const every = [auth.map(({ id }) => id)];

/** What is sent by an operation of this server when the API at `connected` is. */
async function sentTo(
  server: string,
  connected: string,
  status = 200,
  kind: Action["kind"] = "action",
) {
  const sent: TransportRequest[] = [];
  const transport = async (request: TransportRequest) => {
    sent.push(request);
    const headers = { "content-type": "application/json" };
    return { status, headers, body: new Blob(["{}"]) };
  };
  const backend = httpBackend(secured, () => ({ server: connected, credentials }), transport);
  const own = operation("poke", "POST", "/poke", { server, auth: every });
  const action: Action = { id: "poke", label: "Poke", kind, on: "api", operation: own };
  const error = await backend.run(action, undefined, {}, undefined, {}).then(
    () => undefined,
    (thrown: ApiError) => `${thrown.kind}: ${thrown.message}`,
  );
  return {
    url: sent[0]?.url.split("?")[0],
    secret: JSON.stringify(sent).includes("s3cret"),
    error,
  };
}

const connected = "https://api.example.com/v1";

test.each([
  ["https://api.example.com/v2", "https://api.example.com/v2/poke"],
  ["https://API.example.com:443", "https://api.example.com/poke"],
  ["/v3", "https://api.example.com/v3/poke"],
])("an operation of the connected origin at %s gets the credentials", async (server, url) => {
  expect(await sentTo(server, connected)).toEqual({ url, secret: true, error: undefined });
});

test.each([
  ["https://elsewhere.invalid", "https://elsewhere.invalid/poke"],
  ["http://api.example.com/v1", "http://api.example.com/v1/poke"],
  ["https://api.example.com:8443", "https://api.example.com:8443/poke"],
  ["//elsewhere.invalid/v1", "https://elsewhere.invalid/v1/poke"],
  ["\\\\elsewhere.invalid", "https://elsewhere.invalid/poke"],
  ["https://api.example.com@elsewhere.invalid", "https://api.example.com@elsewhere.invalid/poke"],
])("an operation at %s, another origin, does not", async (server, url) => {
  expect(await sentTo(server, connected)).toEqual({ url, secret: false, error: undefined });
});

test("where that is refused, it is said why and what to do", async () => {
  expect((await sentTo("https://elsewhere.invalid/x", connected, 401)).error).toBe(
    "unauthorized: This operation is at https://elsewhere.invalid, not at the server that you connected to, so your credentials were not sent. If you trust https://elsewhere.invalid, connect to it.",
  );
});

test("what is entered to sign in is not sent to another origin", async () => {
  const there = await sentTo("https://elsewhere.invalid", connected, 200, "signIn");
  expect(there).toEqual({
    url: undefined,
    secret: false,
    error:
      "invalid: This would send what you enter to https://elsewhere.invalid, which is not the server that you connected to. If you trust https://elsewhere.invalid, connect to it first.",
  });
  expect(
    (await sentTo("https://elsewhere.invalid", "https://elsewhere.invalid", 200, "signIn")).error,
  ).toBe(undefined);
});

test.each(["javascript:globalThis.pwned=1", "data:text/html,x", "file:///etc/passwd", "blob:x"])(
  "nothing is sent to %s",
  async (server) => {
    expect((await sentTo(server, connected)).url).toBe(undefined);
  },
);
