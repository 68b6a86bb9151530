import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { SignIns } from "../../access/sign-ins.ts";
import { TokenBook } from "../../access/token-book.ts";
import { brokenRoute, type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import { openSocket, refusedUpgrade } from "../../testing/socket-server.ts";
import { HttpServer } from "./http-server.ts";
import { Metrics } from "./metrics.ts";

const newWorld = httpWorlds();

const socketAt = ({ url }: HttpWorld, path: string) => url.replace("http", "ws") + path;
const statusOf = (answer: Promise<{ status: number }>) => answer.then(({ status }) => status);

test("a session_id opens the socket that takes it by itself, without an origin or with our own, and no other", async () => {
  const world = await newWorld();
  const sessionId = await world.sessionId();
  for (const headers of [{}, { Origin: world.url }] as Record<string, string>[]) {
    const { socket, opened } = openSocket(socketAt(world, `/ws?session_id=${sessionId}`), { headers });
    await opened;
    socket.terminate();
  }
  expect(world.reached).toEqual(["/ws", "/ws"]);
  const wrong = [
    "/ws?session_id=",
    `/ws?session_id=${sessionId}x`,
    `/ws?session=${sessionId}`,
    `/ui?session_id=${sessionId}`,
    `/ui?ticket=${sessionId}`,
    `/nothing?session_id=${sessionId}`,
  ];
  for (const path of wrong) expect(await statusOf(refusedUpgrade(socketAt(world, path)))).toBe(401);
  const inQuery = ["/sessions/x", "/stream/x", "/auth/me"].map((path) => `${path}?session_id=${sessionId}`);
  for (const path of inQuery) expect(await statusOf(world.ask({ path }))).toBe(401);
  expect(world.reached).toHaveLength(2);
});

test.each(["https://evil.test", "null", "http://localhost.evil.test:$", "http://127.0.0.1:1"])(
  "a socket from the origin %s gets 403, whatever session_id it brings",
  async (origin) => {
    const world = await newWorld();
    const headers = { Origin: origin.replace("$", String(world.port)) };
    const path = `/ws?session_id=${await world.sessionId()}`;
    expect(await statusOf(refusedUpgrade(socketAt(world, path), headers))).toBe(403);
    expect(world.reached).toEqual([]);
  },
);

test("a header beside the session_id must be right, and of the same token", async () => {
  const world = await newWorld();
  const other = await world.token("other", "admin");
  const path = `/ws?session_id=${await world.sessionId()}`;
  const refused = (Authorization: string) => statusOf(refusedUpgrade(socketAt(world, path), { Authorization }));
  expect([await refused(`Bearer ${other}`), await refused("Bearer ghp_xxxx"), await refused("Basic x")]).toEqual([
    401, 401, 401,
  ]);
});

test("a session_id is worth what its token is, and makes no links", async () => {
  const world = await newWorld();
  const viewer = await world.sessionId(await world.token("viewer", "observe"));
  const admin = await world.sessionId();
  const prompt = { method: "POST", path: "/rpc", body: "{}" };
  expect(await statusOf(world.askAs(viewer, { path: "/sessions/x" }))).toBe(200);
  expect(await statusOf(world.askAs(viewer, prompt))).toBe(403);
  expect(await statusOf(world.askAs(admin, prompt))).toBe(200);
  expect(await statusOf(world.askAs(admin, { method: "POST", path: "/auth/links" }))).toBe(403);
  const again = { method: "POST", path: "/auth/verify", headers: { "Content-Type": "application/json" } };
  expect(await statusOf(world.ask({ ...again, body: JSON.stringify({ token: admin }) }))).toBe(401);
  expect(await statusOf(world.ask({ path: "/auth/me", headers: { Cookie: `dragoman_${world.port}=${admin}` } }))).toBe(
    401,
  );
});

test.each(["rotate", "revoke"] as const)(
  "sockets that came by a session_id close within 5 s when another process does `token %s`, and it opens none",
  async (change) => {
    const world = await newWorld();
    const token = await world.token("editor", "observe");
    const { book: elsewhere } = await TokenBook.open(dirname(world.tokens.tokenFile));
    const sessionId = await world.sessionId(token);
    const path = `/ws?session_id=${sessionId}`;
    const socket = openSocket(socketAt(world, path));
    const stays = openSocket(socketAt(world, `/ws?session_id=${await world.sessionId()}`));
    const stream = world.connect().send({ path: "/stream/x", headers: { Authorization: `Bearer ${sessionId}` } });
    await Promise.all([socket.opened, stays.opened, stream.answerBegun()]);
    const from = performance.now();
    await elsewhere[change]("editor");
    elsewhere.close();
    expect(await socket.closed).toMatchObject({ code: 4401 });
    await stream.closed;
    expect(performance.now() - from).toBeLessThan(5000);
    expect(await statusOf(refusedUpgrade(socketAt(world, path)))).toBe(401);
    expect(await statusOf(world.askAs(sessionId, { path: "/auth/me" }))).toBe(401);
    expect(stays.socket.readyState).toBe(stays.socket.OPEN);
    stays.socket.terminate();
  },
);

test("the socket beyond those that a sign-in may have is refused before it is one; another sign-in has its own", async () => {
  const world = await newWorld({ socketLimits: { perCaller: 2 } });
  const [one, other] = [await world.sessionId(), await world.sessionId()];
  const open = async (path: string) => {
    const client = openSocket(socketAt(world, path));
    await client.opened;
    return client;
  };
  const clients = [await open(`/ws?session_id=${one}`), await open(`/ws?session_id=${one}`)];
  const { ticket } = JSON.parse((await world.askAs(one, { method: "POST", path: "/auth/tickets" })).body);
  for (const path of [`/ws?session_id=${one}`, `/ui?ticket=${ticket}`]) {
    expect(await refusedUpgrade(socketAt(world, path))).toMatchObject({
      status: 429,
      body: { error: { code: "rate_limited" } },
    });
  }
  clients.push(await open(`/ws?session_id=${other}`));
  for (const { socket } of clients) socket.terminate();
});

test("compression is off unless it is asked for", async () => {
  const world = await newWorld();
  const sessionId = await world.sessionId();
  const extensions = [];
  for (const more of ["", "&compress=1"]) {
    const { socket, opened } = openSocket(socketAt(world, `/ws?session_id=${sessionId}${more}`), {
      perMessageDeflate: true,
    });
    await opened;
    extensions.push(socket.extensions);
    socket.terminate();
  }
  expect(extensions).toEqual(["", "permessage-deflate"]);
});

test("a session_id and a cookie are good after a restart", async () => {
  const world = await newWorld();
  const [sessionId, Cookie] = [await world.sessionId(), world.cookie()];
  await world.signIns.saved();
  await world.server.close(0);
  const home = dirname(world.tokens.tokenFile);
  const { book: tokens } = await TokenBook.open(home);
  const signIns = new SignIns({ keptIn: { home, tokens } });
  const about = { access: { tokens, signIns }, version: "1.2.3", log: () => {}, metrics: new Metrics() };
  const server = new HttpServer({ ...about, routes: [] });
  const { port, url } = await server.listen({ port: world.port });
  expect(port).toBe(world.port);
  const ask = async (headers: Record<string, string>) => (await fetch(`${url}/auth/me`, { headers })).json();
  const admin = { name: "admin", roles: ["admin"] };
  expect([await ask({ Authorization: `Bearer ${sessionId}` }), await ask({ Cookie })]).toEqual([admin, admin]);
  await server.close(0);
  await signIns.close();
  tokens.close();
});

/** Everything that one can do with it, rightly and wrongly, and what is answered. */
async function useEverywhere(world: HttpWorld, sessionId: string): Promise<object[]> {
  const json = { "Content-Type": "application/json" };
  const logOut = { method: "POST", path: "/auth/logout", headers: { ...json, Authorization: `Bearer ${world.admin}` } };
  const { socket, opened, closed } = openSocket(socketAt(world, `/ws?session_id=${sessionId}&compress=1`));
  await opened;
  socket.send("x".repeat(2 * 1024 * 1024)); // too much: it is closed
  await closed;
  return Promise.all([
    world.askAs(sessionId, { path: "/sessions/x" }),
    world.askAs(`${sessionId}x`, { path: "/sessions/x" }),
    world.askAs(sessionId, { path: "/broken" }),
    world.askAs(sessionId, { path: "/nothing", headers: { Origin: sessionId } }),
    world.ask({ path: "/health", headers: { Host: sessionId } }),
    world.ask({ path: `/sign-in?code=${sessionId}` }),
    world.ask({ path: `/sessions/${sessionId}x?session_id=${sessionId}` }),
    world.ask({ ...logOut, body: sessionId }),
    world.ask({ ...logOut, body: JSON.stringify([sessionId]) }),
    world.ask({ ...logOut, body: JSON.stringify({ session_id: `${sessionId}x` }) }),
    world.ask({ ...logOut, path: "/auth/verify", body: JSON.stringify({ token: sessionId, scopes: [] }) }),
    world.ask({ ...logOut, path: "/auth/verify", body: JSON.stringify({ token: "x", scopes: [sessionId] }) }),
    world.ask(`${sessionId}\r\n\r\n`),
    refusedUpgrade(socketAt(world, `/ui?session_id=${sessionId}`)),
    refusedUpgrade(socketAt(world, `/ws?session_id=${sessionId}x`)),
    refusedUpgrade(socketAt(world, `/ws?session_id=${sessionId}`), { Origin: "https://evil.test" }),
    refusedUpgrade(socketAt(world, `/ws?session_id=${sessionId}`), { "Sec-WebSocket-Version": "1" }),
    world.ask({ ...logOut, body: JSON.stringify({ session_id: sessionId }) }),
  ]);
}

test("a session_id is in no log line, number, answer or file, whatever is done with it", async () => {
  const world = await newWorld({ moreRoutes: [brokenRoute] });
  const sessionId = await world.sessionId();
  const answers = (await useEverywhere(world, sessionId)).map((answer) => JSON.stringify(answer));
  const lines = world.logged.map((entry) => JSON.stringify(entry));
  expect(lines.length).toBeGreaterThan(15);
  expect(world.reached).toContain("/ws");
  const file = readFileSync(join(dirname(world.tokens.tokenFile), "sign-ins.json"), "utf8");
  const secret = sessionId.slice("sess_".length, 13);
  const everything = [...lines, ...answers, world.metrics.text(), file];
  expect(everything.filter((text) => text.includes(secret))).toEqual([]);
});
