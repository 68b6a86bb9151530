import { expect, test } from "vitest";
import type { AuthScheme } from "../generator/kit/descriptor.ts";
import { previewApis } from "../testing/preview-api.ts";
import { type PreviewWorld, previewWorlds } from "../testing/preview-world.ts";
import type { RawRequest } from "../testing/raw-http.ts";

const newWorld = previewWorlds();
const newApi = previewApis();
const CANARY = "c4nary-Secret-77";
const auth: AuthScheme[] = [{ id: "key", label: "Key", kind: "apiKey", in: "header", name: "X-Key" }];
const fine = "export default function Fine() { return <h1>Fine</h1>; }";

const json = { "Content-Type": "application/json" };
const bytes = { "Content-Type": "application/octet-stream" };

async function asked(world: PreviewWorld, request: RawRequest, token = world.http.admin) {
  const { status, headers, body } = await world.http.askAs(token, request);
  return { status, headers, body, json: () => JSON.parse(body) };
}

/** A session that is connected to an API, as far as that is wanted. */
async function connected(world: PreviewWorld, url: string, token?: string) {
  const sessionId = world.sessions.add(fine, { servers: [url], auth });
  const path = `/preview/connections/${sessionId}`;
  const body = JSON.stringify({ server: url, credentials: { key: { token: CANARY } } });
  const answer = await asked(world, { method: "PUT", path, headers: json, body }, token);
  const request = (head: object, content = "", as = token) => {
    const sent = `${JSON.stringify({ sessionId, method: "GET", ...head })}\n${content}`;
    return asked(world, { method: "POST", path: "/preview/request", headers: bytes, body: sent }, as);
  };
  return { sessionId, path, answer, request };
}

test("every route but the page's files takes a token, and the right role", async () => {
  const world = await newWorld();
  const [observer, prompter] = [await world.http.token("o", "observe"), await world.http.token("p", "prompt")];
  const routes = world.http.server.routes.filter(({ path }) => path.startsWith("/preview/"));
  const statuses = async (token?: string) => {
    const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
    const answers = routes.map(async ({ method, path }) => {
      const { status } = await world.http.ask({ method, path: path.replace(":sessionId", "x"), headers });
      return [`${method} ${path}`, status];
    });
    return Object.fromEntries(await Promise.all(answers));
  };
  const names = routes.map(({ method, path }) => `${method} ${path}`);
  expect(names).toEqual([
    "GET /preview/frame",
    "POST /preview/request",
    "GET /preview/connections",
    "DELETE /preview/connections",
    "GET /preview/connections/:sessionId",
    "PUT /preview/connections/:sessionId",
    "DELETE /preview/connections/:sessionId",
    "GET /preview/requests/:sessionId",
    "DELETE /preview/requests/:sessionId",
    "POST /preview/generate",
  ]);
  expect(await statuses()).toEqual(Object.fromEntries(names.map((name) => [name, 401])));
  const forObserver = await statuses(observer);
  expect(forObserver).toEqual(Object.fromEntries(names.map((name) => [name, name.endsWith("/frame") ? 404 : 403])));
  expect(Object.values(await statuses(prompter))).not.toContain(403);
});

test("the page may frame interfaces and nothing else, and nobody may frame it", async () => {
  const world = await newWorld();
  const { status, headers } = await world.http.ask({ path: "/preview" });
  expect([status, headers["content-security-policy"]]).toEqual([
    200,
    expect.stringContaining(`frame-ancestors 'none'; frame-src ${world.http.url}/preview/frame`),
  ]);
});

test("a frame is a document without any rights, whose script has a nonce of its own each time", async () => {
  const world = await newWorld();
  const path = `/preview/frame?session=${world.sessions.add(fine)}&version=1`;
  const answers = [await asked(world, { path }), await asked(world, { path })];
  const nonces = answers.map(({ body }) => /<script nonce="([^"]+)">/.exec(body)?.[1]);
  expect(new Set(nonces).size).toBe(2);
  for (const [at, { status, headers }] of answers.entries()) {
    expect(status).toBe(200);
    expect(headers["content-security-policy"]).toBe(
      `default-src 'none'; script-src 'nonce-${nonces[at]}'; style-src 'unsafe-inline'; img-src data: blob:; font-src data:; ` +
        "connect-src 'none'; worker-src 'none'; frame-src 'none'; base-uri 'none'; form-action 'none'; " +
        "frame-ancestors 'self'; sandbox allow-scripts, script-src 'unsafe-inline'",
    );
    expect(headers).toMatchObject({
      "connection-allowlist": "()",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "referrer-policy": "no-referrer",
      "cross-origin-resource-policy": "same-origin",
    });
  }
});

test("a frame is shown in a frame only", async () => {
  const world = await newWorld();
  const path = `/preview/frame?session=${world.sessions.add(fine)}`;
  const to = async (destination: string) =>
    (await asked(world, { path, headers: { "Sec-Fetch-Dest": destination } })).status;
  expect([await to("iframe"), await to("document"), await to("script"), await to("empty")]).toEqual([
    200, 403, 403, 403,
  ]);
});

test("what is not there, cannot be built or is refused is told in the frame", async () => {
  const world = await newWorld();
  const told = async (path: string) => {
    const { status, body } = await asked(world, { path });
    return [status, /<p>([^<]*)<\/p>/.exec(body)?.[1]];
  };
  const [broken, bad] = [world.sessions.add("export default () => <x.y.z"), world.sessions.add(`${fine} eval("1");`)];
  expect(await told("/preview/frame?session=none")).toEqual([404, "There is no such version of an interface."]);
  expect(await told(`/preview/frame?session=${bad}&version=2`)).toEqual([404, expect.any(String)]);
  expect(await told(`/preview/frame?session=${broken}`)).toEqual([200, expect.stringContaining("a syntax error")]);
  expect(await told(`/preview/frame?session=${bad}`)).toEqual([
    200,
    expect.stringContaining("eval (line 1, column 58)"),
  ]);
  expect((await asked(world, { path: `/preview/frame?session=${bad}&version=x` })).status).toBe(400);
});

test("a title or a text of code cannot end the script that it stands in", async () => {
  const world = await newWorld();
  const code = `export default () => <p>{"</script><script>alert(1)</script><!--"}</p>;`;
  const { body } = await asked(world, { path: `/preview/frame?session=${world.sessions.add(code)}` });
  expect(body.match(/<\/script/gi)?.length).toBe(1);
  expect(body).not.toContain("<!--");
});

test("credentials go in and never out, and a request has them", async () => {
  const world = await newWorld();
  const api = await newApi((_, response) => response.writeHead(201, { "x-page": "2" }).end("made"));
  const { path, answer, request, sessionId } = await connected(world, api.url);
  expect([answer.status, answer.json()]).toEqual([200, { server: api.url }]);
  const told = await asked(world, { path });
  const schemes = [{ id: "key", setAt: expect.any(String) }];
  expect(told.json()).toEqual({
    title: "Made",
    server: api.url,
    servers: [api.url],
    auth,
    kept: [{ origin: api.url, schemes }],
  });
  const all = await asked(world, { path: "/preview/connections" });
  expect(all.json()).toEqual({ connections: [{ origin: api.url, schemes, sessions: [sessionId] }] });
  const sent = await request(
    { method: "POST", url: `${api.url}/x`, headers: { "Content-Type": "a/b" }, auth: [["key"]] },
    "\u0001b",
  );
  const [head, body] = sent.body.split("\n");
  expect([sent.status, JSON.parse(head ?? ""), body]).toEqual([
    200,
    { status: 201, headers: expect.objectContaining({ "x-page": "2" }) },
    "made",
  ]);
  expect(api.arrived[0]).toMatchObject({
    method: "POST",
    body: "\u0001b",
    headers: { "x-key": CANARY, "content-type": "a/b" },
  });
  const logged = await asked(world, { path: `/preview/requests/${sessionId}` });
  expect(logged.json().requests).toMatchObject([{ method: "POST", url: `${api.url}/x`, status: 201 }]);
  for (const { body: said } of [answer, told, all, sent, logged]) expect(said).not.toContain(CANARY);
  expect(JSON.stringify(world.http.logged)).not.toContain(CANARY);
});

test("a connection is its maker's alone", async () => {
  const world = await newWorld();
  const other = await world.http.token("other", "prompt");
  const api = await newApi();
  const { request, path, sessionId } = await connected(world, api.url);
  const refused = await request({ url: `${api.url}/x`, auth: [["key"]] }, "", other);
  expect([refused.status, refused.json().error.code]).toEqual([403, "denied"]);
  expect((await asked(world, { path }, other)).json()).toMatchObject({ server: null, kept: [] });
  expect((await asked(world, { path: "/preview/connections" }, other)).json()).toEqual({ connections: [] });
  expect((await asked(world, { path: `/preview/requests/${sessionId}` }, other)).json()).toEqual({ requests: [] });
  expect(api.arrived).toEqual([]);
});

test("disconnecting keeps the credentials, forgetting does not", async () => {
  const world = await newWorld();
  const api = await newApi();
  const { path, request } = await connected(world, api.url);
  expect((await asked(world, { method: "DELETE", path })).status).toBe(204);
  expect((await asked(world, { path })).json()).toMatchObject({ server: null, kept: [{ origin: api.url }] });
  expect((await request({ url: `${api.url}/x` })).status).toBe(403);
  const body = JSON.stringify({ server: api.url });
  await asked(world, { method: "PUT", path, headers: json, body });
  await asked(world, { method: "DELETE", path: `${path}?forget=1` });
  expect((await asked(world, { path })).json()).toMatchObject({ server: null, kept: [] });
});

test("what is kept for an API is forgotten by its origin, also where no session is connected to it, and by nobody else", async () => {
  const world = await newWorld();
  const other = await world.http.token("other", "prompt");
  const api = await newApi();
  const forget = async (query: string, token?: string) =>
    (await asked(world, { method: "DELETE", path: `/preview/connections${query}` }, token)).status;
  const [one, two] = [await connected(world, api.url), await connected(world, api.url)];
  await asked(world, { method: "DELETE", path: one.path });
  const query = `?origin=${encodeURIComponent(api.url)}`;
  expect(await forget(query, other)).toBe(204);
  expect((await asked(world, { path: one.path })).json()).toMatchObject({ server: null, kept: [{ origin: api.url }] });
  expect(await forget(query)).toBe(204);
  for (const { path } of [one, two])
    expect((await asked(world, { path })).json()).toMatchObject({ server: null, kept: [] });
  expect((await two.request({ url: `${api.url}/x`, auth: [["key"]] })).status).toBe(403);
  expect([await forget(query), await forget(""), await forget("?origin=x")]).toEqual([204, 400, 400]);
});

test("null takes away what is kept for one scheme, also for one that the description no longer has", async () => {
  const world = await newWorld();
  const both = [...auth, { ...auth[0], id: "old", name: "X-Old" } as AuthScheme];
  const sessionId = world.sessions.add(fine, { auth: both });
  const path = `/preview/connections/${sessionId}`;
  const put = async (credentials: object) => {
    const body = JSON.stringify({ server: "http://127.0.0.1:1", credentials });
    return (await asked(world, { method: "PUT", path, headers: json, body })).status;
  };
  const schemes = async () => {
    const { kept } = (await asked(world, { path })).json();
    return kept[0].schemes.map(({ id }: { id: string }) => id);
  };
  expect(await put({ key: { token: CANARY }, old: { token: CANARY } })).toBe(200);
  expect(await put({ key: null })).toBe(200);
  expect(await schemes()).toEqual(["old"]);
  world.sessions.all.set(sessionId, { title: "Made anew", servers: [], versions: [], auth });
  expect([await put({ old: { token: CANARY } }), await put({ old: null })]).toEqual([400, 200]);
  expect(await schemes()).toEqual([]);
});

const wrongConnections: [string, string, number][] = [
  ["no JSON", `{"server": "https://a.example", "credentials": {"key": {"token": "${CANARY}"`, 400],
  ["another shape", JSON.stringify({ server: "https://a.example", credentials: { key: CANARY } }), 400],
  [
    "an unknown scheme",
    JSON.stringify({ server: "https://a.example", credentials: { [CANARY]: { token: "x" } } }),
    400,
  ],
  ["no address", JSON.stringify({ server: CANARY }), 400],
  ["a password in the address", JSON.stringify({ server: `https://me:${CANARY}@a.example` }), 400],
];

test.each(wrongConnections)("%s is refused without being told again", async (_, body, status) => {
  const world = await newWorld();
  const path = `/preview/connections/${world.sessions.add(fine, { auth })}`;
  const answer = await asked(world, { method: "PUT", path, headers: json, body });
  expect([answer.status, answer.body.includes(CANARY)]).toEqual([status, false]);
  expect((await asked(world, { path: "/preview/connections" })).json()).toEqual({ connections: [] });
});

test("what a form of another website could send is not looked at", async () => {
  const world = await newWorld();
  const paths = ["/preview/request", "/preview/generate?name=x"];
  for (const path of paths) {
    for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const request = { method: "POST", path, headers: { "Content-Type": type }, body: "{}" };
      expect((await asked(world, request)).status).toBe(415);
    }
  }
});

test("a request without sense is refused", async () => {
  const world = await newWorld();
  const send = async (body: string) =>
    (await asked(world, { method: "POST", path: "/preview/request", headers: bytes, body })).status;
  expect(await send("")).toBe(400);
  expect(await send("[]\n")).toBe(400);
  expect(await send('{"sessionId":"x","method":"GET","url":"/","credentials":{}}\n')).toBe(400);
  expect(await send(`${"[".repeat(100)}\n`)).toBe(400);
  expect(await send(`{"sessionId":"x","method":"PUT","url":"/"}\n${"x".repeat(10 * 1024 * 1024 + 1)}`)).toBe(413);
});

test("a description begins a session, or goes on with one; what is none is told", async () => {
  const world = await newWorld();
  const text = '{"openapi":"3.1.0","info":{"title":"Notes","version":"1"},"paths":{"/notes":{"get":{"responses":{}}}}}';
  const generate = (query: string, body: string) =>
    asked(world, { method: "POST", path: `/preview/generate?${query}`, headers: bytes, body });
  const { status, json: begun } = await generate("name=notes.json", text);
  const { sessionId } = begun();
  expect([status, begun()]).toEqual([202, { sessionId, runId: "run-1" }]);
  expect((await generate(`name=notes.json&session=${sessionId}`, text)).json()).toEqual({ sessionId, runId: "run-2" });
  const wrong = await generate("name=x", "hello");
  expect([wrong.status, wrong.json().error.code]).toEqual([422, "spec_invalid"]);
  const binary = await generate("name=x", "\u00ff\u00fe");
  expect([binary.status, binary.json().error.message]).toEqual([422, expect.stringContaining("UTF-8")]);
});

test("a description is read from its address; one inside of a network only where an admin says so", async () => {
  const world = await newWorld();
  const text = '{"openapi":"3.1.0","info":{"title":"Notes","version":"1"},"paths":{"/notes":{"get":{"responses":{}}}}}';
  const api = await newApi((_, response) => response.end(text));
  const prompter = await world.http.token("p", "prompt");
  const generate = async (query: Record<string, string>, token?: string) => {
    const path = `/preview/generate?${new URLSearchParams(query)}`;
    const { status, json: answer } = await asked(world, { method: "POST", path, headers: bytes }, token);
    return [status, answer().error?.message ?? answer()];
  };
  const address = `${api.url}/notes.json`;
  const why = "127.0.0.1 is on this machine or in a private network, so it is not read.";
  expect(await generate({ address })).toEqual([403, `${why} If you mean it, read it all the same.`]);
  const askAdmin = `${why} Download it, and give it as a file, or ask an admin.`;
  expect(await generate({ address, inside: "1" }, prompter)).toEqual([403, askAdmin]);
  expect(api.arrived).toEqual([]);
  const sessionId = expect.any(String);
  expect(await generate({ address, inside: "1" })).toEqual([202, { sessionId, runId: "run-1" }]);
  const notes = "Only http and https addresses can be read: notes";
  expect(await generate({ address: "notes" })).toEqual([400, notes]);
});
