import { expect, test } from "vitest";
import type { AuthScheme } from "../generator/kit/descriptor.ts";
import { httpWorlds } from "../testing/http-world.ts";
import { previewApis } from "../testing/preview-api.ts";
import { MadeSessions } from "../testing/preview-sessions.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { FrameBundles } from "./frame-bundles.ts";
import { previewRoutes } from "./preview-routes.ts";
import { Vault } from "./vault.ts";

const folder = temporaryFolder();
const newApi = previewApis();
const newWorld = httpWorlds();
const auth: AuthScheme[] = [{ id: "key", label: "Key", kind: "apiKey", in: "header", name: "X-Key" }];

/** A session of the preview on a server where names lead to where the test says. */
async function connectable({ answerBytesInAll }: { answerBytesInAll?: number } = {}) {
  const sessions = new MadeSessions();
  const sessionId = sessions.add("", { auth });
  const names = new Map<string, string[]>();
  const lookups: string[] = [];
  const resolve = async (host: string) => {
    lookups.push(host);
    return (names.get(host) ?? []).map((address) => ({ address, family: address.includes(":") ? 6 : 4 }));
  };
  const vault = new Vault(folder.newPath());
  const bundles = new FrameBundles({ packageFolder: "", frameFolder: "" });
  const http = await newWorld({
    moreRoutes: previewRoutes({ sessions, vault, bundles, resolve }),
    limits: { answerBytesInAll },
  });
  const ask = async (method: string, path: string, type: string, body: string) => {
    const headers = { "Content-Type": type };
    const { status, body: said, headers: told } = await http.askAs(http.admin, { method, path, headers, body });
    const { code, message } = status === 200 ? {} : JSON.parse(said).error;
    return { status, code, message, retryAfter: told["retry-after"] };
  };
  const connect = (server: string) => {
    const body = JSON.stringify({ server, credentials: { key: { token: "c4nary-Secret-77" } } });
    return ask("PUT", `/preview/connections/${sessionId}`, "application/json", body);
  };
  const request = (url: string, method = "GET") => {
    const head = JSON.stringify({ sessionId, method, url, auth: [["key"]] });
    return ask("POST", "/preview/request", "application/octet-stream", `${head}\n`);
  };
  return { names, lookups, connect, request };
}

const why =
  "api.example.com leads to this machine or a private network now, and is not known to have done so when you connected to it. If you mean it, connect again.";

test.each([
  ["this machine", ["127.0.0.1"]],
  ["this machine, beside the internet", ["93.184.215.14", "127.0.0.1"]],
  ["this machine, by IPv6", ["::1"]],
  ["a private network", ["10.1.2.3"]],
  ["the metadata of a cloud", ["169.254.169.254"]],
])("a name that led to the internet is not followed when it later leads to %s", async (_, addresses) => {
  const api = await newApi();
  const server = `http://api.example.com:${new URL(api.url).port}`;
  const { names, connect, request } = await connectable();
  names.set("api.example.com", ["93.184.215.14"]);
  await connect(server);
  names.set("api.example.com", addresses);
  expect(await request(`${server}/pets`)).toMatchObject({ status: 403, code: "denied", message: why });
  expect(api.arrived).toEqual([]);
});

test("one that leads inside when a person connects to it is followed there, by the addresses that were looked at", async () => {
  const api = await newApi();
  const server = `http://api.example.com:${new URL(api.url).port}`;
  const { names, lookups, connect, request } = await connectable();
  names.set("api.example.com", ["93.184.215.14"]);
  await connect(server);
  names.set("api.example.com", ["127.0.0.1"]);
  expect((await request(`${server}/pets`)).status).toBe(403);
  await connect(server); // as the message says
  lookups.length = 0;
  expect((await request(`${server}/pets`)).status).toBe(200);
  expect(lookups).toEqual(["api.example.com"]);
  expect(api.arrived[0]?.headers).toMatchObject({ host: server.slice(7), "x-key": "c4nary-Secret-77" });
});

test("what cannot be looked up yet can be connected to", async () => {
  const { connect, request } = await connectable();
  expect((await connect("https://api.example.com")).status).toBe(200);
  expect(await request("https://api.example.com/")).toMatchObject({ status: 502, code: "tool_failed" });
});

test("where too much is held, what was read can be asked for again; what was done is told as done, without an invitation", async () => {
  const api = await newApi(({ url }, response) => {
    response.writeHead(url === "/wrong" ? 400 : 201);
    response.end("x".repeat(url === "/small" ? 1000 : 40_000));
  });
  const { connect, request } = await connectable({ answerBytesInAll: 500 });
  await connect(api.url);
  expect(await request(`${api.url}/`)).toEqual({
    status: 503,
    code: "queue_full",
    message: "Too much is being loaded at once. Try again in a moment.",
    retryAfter: "1",
  });
  expect(await request(`${api.url}/`, "POST")).toEqual({
    status: 502,
    code: "tool_failed",
    message:
      "The API has done it, but its answer could not be handed on: look before you do it again. Too much is being loaded at once.",
    retryAfter: undefined,
  });
  expect((await request(`${api.url}/wrong`, "POST")).message).toMatch(
    /^The API answered 400, but its answer could not/,
  );
  expect((await request(`${api.url}/small`, "POST")).status).toBe(200);
});
