import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { expect, onTestFinished, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { AuthScheme } from "../generator/kit/descriptor.ts";
import { type PreviewApi, previewApis } from "../testing/preview-api.ts";
import { selfSigned } from "../testing/self-signed.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { ApiProxy, type ProxyRequest } from "./api-proxy.ts";
import { RequestLog } from "./request-log.ts";
import { type Credential, Vault } from "./vault.ts";

const folder = temporaryFolder();
const newApi = previewApis();
const CANARY = "c4nary-Secret-77";

const schemes: AuthScheme[] = [
  { id: "header", label: "Key", kind: "apiKey", in: "header", name: "X-Key" },
  { id: "query", label: "Key", kind: "apiKey", in: "query", name: "key" },
  { id: "cookie", label: "Session", kind: "apiKey", in: "cookie", name: "sid" },
  { id: "bearer", label: "Token", kind: "bearer" },
  { id: "basic", label: "Name and password", kind: "basic" },
  { id: "oauth", label: "OAuth", kind: "oauth2" },
  { id: "openid", label: "OpenID", kind: "openIdConnect" },
  { id: "other", label: "Other", kind: "other", scheme: "Token" },
];
const token = { token: CANARY };
const everything: Record<string, Credential> = {
  ...Object.fromEntries(schemes.map(({ id }) => [id, token])),
  basic: { username: "ada", password: CANARY },
};

/** Every name leads to this machine. */
const resolve = async () => [{ address: "127.0.0.1", family: 4 }];

/** As before anybody looked where names lead. */
async function connected(api: Pick<PreviewApi, "url">, credentials = everything) {
  const vault = new Vault(folder.newPath());
  const log = new RequestLog();
  const clock = new ManualClock();
  const proxy = new ApiProxy({ vault, log, clock, resolve });
  await vault.connect({ owner: "me", sessionId: "s1", server: `${api.url}/v1`, credentials });
  const leaving = new AbortController();
  const asker = { owner: "me", sessionId: "s1", schemes, signal: leaving.signal };
  const send = (wanted: Partial<ProxyRequest> & { path?: string }) => {
    const { path = "/v1/pets", ...request } = wanted;
    return proxy.send(asker, {
      method: "GET",
      url: `${api.url}${path}`,
      headers: {},
      body: Buffer.alloc(0),
      auth: [],
      ...request,
    });
  };
  return { vault, log, clock, proxy, asker, leaving, send, logged: () => log.list("me", "s1") };
}

const placements: [scheme: string, name: string, value: string][] = [
  ["header", "x-key", CANARY],
  ["cookie", "cookie", `sid=${CANARY}`],
  ["bearer", "authorization", `Bearer ${CANARY}`],
  ["basic", "authorization", `Basic ${Buffer.from(`ada:${CANARY}`).toString("base64")}`],
  ["oauth", "authorization", `Bearer ${CANARY}`],
  ["openid", "authorization", `Bearer ${CANARY}`],
  ["other", "authorization", `Token ${CANARY}`],
];

test.each(placements)("a credential of the scheme %s goes into %s, and into no log", async (id, name, value) => {
  const api = await newApi();
  const { send, logged } = await connected(api);
  expect(await send({ auth: [[id]] })).toMatchObject({ status: 200 });
  expect([api.arrived[0]?.url, api.arrived[0]?.headers[name]]).toEqual(["/v1/pets", value]);
  expect(logged()[0]).toMatchObject({ method: "GET", url: `${api.url}/v1/pets`, status: 200 });
  expect(logged()[0]?.request.headers[name]).toBe("[redacted]");
  expect(JSON.stringify(logged())).not.toContain(CANARY);
});

test("one that travels in the address is put there, and shown nowhere", async () => {
  const api = await newApi();
  const { send, logged } = await connected(api);
  await send({ path: "/v1/pets?page=2&key=mine", auth: [["query"]] });
  expect(api.arrived[0]?.url).toBe(`/v1/pets?page=2&key=${CANARY}`);
  expect(logged()[0]?.url).toBe(`${api.url}/v1/pets?page=2&key=[redacted]`);
});

test("several that are needed together are all placed, and of alternatives the first that is known", async () => {
  const api = await newApi();
  const { send } = await connected(api, { header: token, cookie: token });
  await send({ auth: [["basic"], ["header", "cookie"]], headers: { Cookie: "view=1" } });
  await send({ auth: [["basic", "header"]] });
  await send({ auth: [] });
  const seen = api.arrived.map(({ headers }) => [headers["x-key"], headers.cookie, headers.authorization]);
  expect(seen).toEqual([
    [CANARY, `view=1; sid=${CANARY}`, undefined],
    [undefined, undefined, undefined],
    [undefined, undefined, undefined],
  ]);
});

test("what the interface says under the name of a credential does not count", async () => {
  const api = await newApi();
  const { send } = await connected(api);
  await send({ auth: [["header"]], headers: { "x-KEY": "of somebody else" } });
  expect(api.arrived[0]?.headers["x-key"]).toBe(CANARY);
});

const elsewhere = (api: PreviewApi, other: PreviewApi) => {
  const { port } = new URL(api.url);
  return [
    `${other.url}/v1/pets`,
    `https://127.0.0.1:${port}/v1/pets`,
    `http://localhost:${port}/v1/pets`,
    `http://127.0.0.1:${port}@${new URL(other.url).host}/`,
    `http://me:pass@127.0.0.1:${port}/`,
    "http://169.254.169.254/latest/meta-data/",
    "http://[::1]/",
    "http://2130706433/",
    "file:///etc/passwd",
    "data:text/plain,hi",
    "//evil.test/",
    "/v1/pets",
    "",
  ];
};

test("nothing but the scheme, host and port of the connection is asked", async () => {
  const [api, other] = [await newApi(), await newApi()];
  const { send, logged } = await connected(api);
  for (const url of elsewhere(api, other)) {
    await expect(send({ url, auth: [["header"]] })).rejects.toMatchObject({ code: "denied" });
  }
  await expect(send({ url: `${other.url}/x` })).rejects.toThrow(
    `This interface is connected to ${api.url}, and may not ask ${other.url}. If you trust that, connect to it.`,
  );
  expect([api.arrived, other.arrived]).toEqual([[], []]);
  expect(JSON.stringify(logged())).not.toContain(CANARY);
  expect(logged().at(-1)?.error).toContain("may not ask");
});

test("the address of a cloud's metadata is asked only by whoever connected to exactly that", async () => {
  const { send } = await connected({ url: "http://169.254.169.254" });
  await expect(send({ url: "http://169.254.169.254:80@127.0.0.1/" })).rejects.toMatchObject({ code: "denied" });
});

test("whoever is not connected, or has another token, asks nobody", async () => {
  const api = await newApi();
  const { proxy, vault, asker, send } = await connected(api);
  const request = { method: "GET", url: `${api.url}/v1/pets`, headers: {}, body: Buffer.alloc(0), auth: [["header"]] };
  await expect(proxy.send({ ...asker, owner: "you" }, request)).rejects.toMatchObject({ code: "denied" });
  await expect(proxy.send({ ...asker, sessionId: "s2" }, request)).rejects.toMatchObject({ code: "denied" });
  await vault.disconnect("me", "s1");
  await expect(send({})).rejects.toThrow("This interface is not connected to an API. Connect it first.");
  expect(api.arrived).toEqual([]);
});

const badHeaders: Record<string, string>[] = [
  { "X-A": "a\r\nX-B: b" },
  { "X-A": "a\nb" },
  { "X-A": "a\u0000b" },
  { "X A": "a" },
  { "": "a" },
  { Host: "evil.test" },
  { Authorization: "Bearer mine" },
  { "Proxy-Authorization": "Basic x" },
  { Connection: "upgrade" },
  { "Transfer-Encoding": "chunked" },
  { "Content-Length": "0" },
  { Upgrade: "websocket" },
  { "X-Forwarded-For": "127.0.0.1" },
  { Origin: "https://evil.test" },
  { "Sec-Fetch-Site": "none" },
];

test.each(badHeaders)("the headers %j are refused", async (headers) => {
  const api = await newApi();
  const { send } = await connected(api);
  await expect(send({ headers })).rejects.toMatchObject({ code: "denied" });
  expect(api.arrived).toEqual([]);
});

test.each(["TRACE", "CONNECT", "get", "GET /x HTTP/1.1\r\nHost: y", ""])("the method %j is refused", async (method) => {
  const api = await newApi();
  const { send } = await connected(api);
  await expect(send({ method })).rejects.toMatchObject({ code: "denied" });
  expect(api.arrived).toEqual([]);
});

test("a credential that would break out of its place is refused, and not told", async () => {
  const api = await newApi();
  const bad = { header: { token: `${CANARY}\r\nX: y` }, cookie: { token: `${CANARY}; admin=1` } };
  const { send, logged } = await connected(api, bad);
  for (const auth of [[["header"]], [["cookie"]]]) {
    const error = await send({ auth }).catch((thrown: Error) => thrown);
    expect(error).toMatchObject({ code: "denied", message: expect.not.stringContaining(CANARY) });
  }
  expect(api.arrived).toEqual([]);
  expect(JSON.stringify(logged())).not.toContain(CANARY);
});

test("a body goes as it is, and so does the answer", async () => {
  const bytes = Buffer.from(Array.from({ length: 256 }, (_, at) => at));
  const api = await newApi((_, response) => {
    response.writeHead(201, { "content-type": "application/octet-stream", "x-total-count": "7", etag: '"a"' });
    response.end(bytes);
  });
  const { send } = await connected(api);
  const headers = { "Content-Type": "application/octet-stream" };
  const answer = await send({ method: "POST", body: bytes, headers });
  expect(api.arrived[0]).toMatchObject({ method: "POST", body: bytes.toString("latin1") });
  expect(answer.body.equals(bytes)).toBe(true);
  expect(answer).toMatchObject({ status: 201, headers: { "x-total-count": "7", etag: '"a"' } });
});

test("cookies that an API sets are handed to nobody, and kept by nobody", async () => {
  const api = await newApi((_, response) => {
    response.setHeader("set-cookie", ["sid=1; HttpOnly", "other=2"]);
    response.end("{}");
  });
  const { send } = await connected(api, {});
  expect(Object.keys((await send({})).headers)).not.toContain("set-cookie");
  await send({});
  expect(api.arrived[1]?.headers.cookie).toBe(undefined);
});

test("an API that gives back what it was sent does not tell the interface its secret", async () => {
  const api = await newApi(({ headers, url }, response) => {
    const echo = { headers, url, base64: Buffer.from(`x${headers.authorization}`).toString("base64") };
    response.writeHead(200, { "content-type": "application/json", "x-echo": headers["x-key"] ?? "" });
    response.end(JSON.stringify(echo));
  });
  const { send, logged } = await connected(api);
  const answer = await send({ auth: [["header", "bearer", "query", "cookie"]] });
  const told = answer.body.toString() + JSON.stringify(answer.headers) + JSON.stringify(logged());
  expect(api.arrived[0]?.headers["x-key"]).toBe(CANARY);
  expect(told).not.toContain(CANARY);
  expect(told).not.toContain(Buffer.from(CANARY).toString("base64").slice(0, 12));
  expect(JSON.parse(answer.body.toString()).headers.authorization).toBe("Bearer [redacted]");
});

test("redirects within the API are followed, with credentials, as a browser would", async () => {
  const api = await newApi(({ url }, response) => {
    if (url.startsWith("/v1/pets")) response.writeHead(302, { location: "/v2/pets?page=1" }).end();
    else if (url.startsWith("/v2/pets?")) response.writeHead(307, { location: "pets3" }).end();
    else response.end('"here"');
  });
  const { send } = await connected(api);
  const body = Buffer.from("{}");
  const answer = await send({
    method: "POST",
    body,
    headers: { "Content-Type": "text/x" },
    auth: [["query", "header"]],
  });
  expect([answer.status, answer.body.toString()]).toEqual([200, '"here"']);
  const seen = api.arrived.map(({ method, url, headers, body: sent }) => [
    method,
    url,
    headers["x-key"],
    headers["content-type"],
    sent,
  ]);
  expect(seen).toEqual([
    ["POST", `/v1/pets?key=${CANARY}`, CANARY, "text/x", "{}"],
    ["GET", `/v2/pets?page=1&key=${CANARY}`, CANARY, undefined, ""],
    ["GET", `/v2/pets3?key=${CANARY}`, CANARY, undefined, ""],
  ]);
});

test("a redirect to anywhere else is not followed, and told", async () => {
  const other = await newApi();
  const targets = [
    `${other.url}/x`,
    "//evil.test/",
    "file:///etc/passwd",
    "http://169.254.169.254/",
    "https://me:x@y/",
  ];
  for (const location of targets) {
    const api = await newApi((_, response) => response.writeHead(302, { location }).end());
    const { send } = await connected(api);
    await expect(send({ auth: [["header"]] })).rejects.toMatchObject({
      code: "denied",
      message: expect.stringMatching(/redirects to .*, and credentials are not sent there\.$/),
    });
  }
  expect(other.arrived).toEqual([]);
});

test("an API that redirects for ever is left", async () => {
  const api = await newApi((_, response) => response.writeHead(302, { location: "/again" }).end());
  const { send } = await connected(api);
  await expect(send({})).rejects.toThrow(/redirects more than 5 times/);
  expect(api.arrived.length).toBe(6);
});

const compressed: [coding: string, body: Buffer][] = [
  ["gzip", gzipSync("hello")],
  ["deflate", deflateSync("hello")],
  ["br", brotliCompressSync("hello")],
  ["gzip, br", brotliCompressSync(gzipSync("hello"))],
  ["gzip", gzipSync("hello").subarray(0, -8)],
  ["unheard-of", Buffer.from("hello")],
];

test.each(compressed)("what is compressed by %s is handed on as it was before", async (coding, body) => {
  const api = await newApi((_, response) => response.writeHead(200, { "content-encoding": coding }).end(body));
  const { send } = await connected(api);
  const answer = await send({});
  expect([answer.body.toString(), answer.headers]).toEqual([
    "hello",
    expect.not.objectContaining({ "content-encoding": expect.anything() }),
  ]);
  expect((await send({ method: "HEAD" })).body.length).toBe(0);
});

test.each(["localhost", "app.localhost", "box", "printer.local", "api.internal"])(
  "%s says itself that it is inside, so whoever connected to it meant that",
  async (host) => {
    const api = await newApi();
    const server = { url: api.url.replace("127.0.0.1", host) };
    const { send } = await connected(server);
    expect((await send({})).status).toBe(200);
    expect(api.arrived[0]?.headers.host).toBe(new URL(server.url).host);
  },
);

test("any other name must not lead inside, if nobody knows that it did when it was connected to", async () => {
  const api = await newApi();
  const server = { url: api.url.replace("127.0.0.1", "api.example.com") };
  const { send, logged } = await connected(server);
  await expect(send({ auth: [["header"]] })).rejects.toMatchObject({
    code: "denied",
    message: expect.stringMatching(/^api\.example\.com leads to this machine .* connect again\.$/),
  });
  expect([api.arrived, logged()[0]?.error]).toEqual([[], expect.stringContaining("leads to this machine")]);
});

test("an answer that is too large is not read to its end, also when it was compressed", async () => {
  const large = gzipSync(Buffer.alloc(30 * 1024 * 1024));
  const api = await newApi(({ url }, response) => {
    if (url === "/v1/zip") response.writeHead(200, { "content-encoding": "gzip" }).end(large);
    else for (let at = 0; at < 400; at++) response.write(Buffer.alloc(65_536));
  });
  const { send } = await connected(api);
  for (const path of ["/v1/zip", "/v1/endless"]) {
    await expect(send({ path })).rejects.toMatchObject({
      code: "too_large",
      message: "The answer is larger than 20 MB.",
    });
  }
  await expect(send({ path: "/v1/zip", method: "POST" })).rejects.toMatchObject({
    code: "too_large",
    message:
      "The API has done it, but its answer could not be handed on: look before you do it again. The answer is larger than 20 MB.",
  });
});

test("an API that does not answer is left after 30 seconds", async () => {
  const api = await newApi(() => {});
  const { send, clock, logged } = await connected(api);
  const answer = send({});
  const told = expect(answer).rejects.toMatchObject({
    code: "timeout",
    message: `${new URL(api.url).host} did not answer in 30 s.`,
  });
  await expect.poll(() => api.arrived.length).toBe(1);
  clock.advance(30_000);
  await told;
  expect(logged()[0]).toMatchObject({ ms: 30_000, error: expect.stringContaining("30 s") });
});

test("what changes something may have been done when no answer comes, and that is told", async () => {
  const api = await newApi(({ url }, response) => {
    if (url === "/v1/broken") response.destroy();
    if (url === "/v1/away") response.writeHead(302, { location: "https://elsewhere.example/" }).end();
  });
  const { send, clock } = await connected(api);
  const told = /It may have been done all the same: look before you do it again\.$/;
  const post = (path: string) => send({ path, method: "POST" });
  await expect(post("/v1/broken")).rejects.toThrow(told);
  await expect(post("/v1/away")).rejects.toThrow(told);
  await expect(send({ path: "/v1/broken" })).rejects.toThrow(/^No answer from [\d.:]+: [\w ]+\.$/);
  const late = expect(post("/v1/silent")).rejects.toThrow(told);
  await expect.poll(() => api.arrived.length).toBe(4);
  clock.advance(30_000);
  await late;
});

test("who goes away ends the request", async () => {
  const api = await newApi(() => {});
  const { send, leaving } = await connected(api);
  const told = expect(send({})).rejects.toMatchObject({ code: "cancelled" });
  await expect.poll(() => api.arrived.length).toBe(1);
  leaving.abort();
  await told;
});

test("where nobody listens it is told so, without a secret and with what to look at", async () => {
  const { send } = await connected({ url: "http://127.0.0.1:1" });
  await expect(send({ auth: [["query"]], method: "POST" })).rejects.toMatchObject({
    code: "tool_failed",
    message: "No answer from 127.0.0.1:1: connect ECONNREFUSED 127.0.0.1:1. Is it running at that address?",
  });
});

test("of a certificate that nobody knows it is told how to trust it, and of a server without TLS that it may have none", async () => {
  const server = createServer(selfSigned(), (_, response) => response.end());
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const secure = await connected({ url: `https://127.0.0.1:${(server.address() as AddressInfo).port}` });
  await expect(secure.send({})).rejects.toThrow(
    /: self-signed certificate\. If you trust it, start dragoman again with NODE_EXTRA_CA_CERTS=<file>/,
  );
  const plain = await newApi();
  const { send } = await connected({ url: plain.url.replace("http:", "https:") });
  await expect(send({})).rejects.toThrow(/Does it speak http:\/\/ there, and not https:\/\/\?$/);
});

test("of one owner 16 requests are under way at most", async () => {
  const api = await newApi(() => {});
  const { send, leaving } = await connected(api);
  const many = Array.from({ length: 16 }, () => send({}).catch((error: { code: string }) => error.code));
  await expect.poll(() => api.arrived.length).toBe(16);
  await expect(send({})).rejects.toMatchObject({ code: "rate_limited" });
  leaving.abort();
  expect(new Set(await Promise.all(many))).toEqual(new Set(["cancelled"]));
});
