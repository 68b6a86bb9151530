import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";

const newWorld = httpWorlds();

const auth = ({ admin }: HttpWorld) => ({ Authorization: `Bearer ${admin}` });
const hostOf = ({ port }: HttpWorld) => `127.0.0.1:${port}`;
const said = ({ status, body }: { status: number; body: string }) => [status, JSON.parse(body)];
const refused = (status: number, code: string, message = expect.any(String)) => [status, { error: { code, message } }];

test("takes a whole URL for a target if its host is our own, which then has to fit the Host header no more", async () => {
  const world = await newWorld();
  const ask = async (target: string, host = hostOf(world)) =>
    (await world.ask({ path: target, headers: { Host: host } })).status;
  expect(await ask(`http://${hostOf(world)}/health`)).toBe(200);
  expect(await ask(`HTTP://LOCALHOST:${world.port}/health?x=1`)).toBe(200);
  expect(await ask(`http://${hostOf(world)}/nothing`)).toBe(401);
  expect(await ask(`http://${hostOf(world)}`)).toBe(401);
  expect(await ask("http://evil.test/health")).toBe(403);
  expect(await ask(`http://user@${hostOf(world)}/health`)).toBe(403);
  expect(await ask(`http://${hostOf(world)}/health`, "evil.test")).toBe(403);
});

test.each(["*", "ftp://127.0.0.1/health"])("refuses the target %s", async (target) => {
  const world = await newWorld();
  const answered = await world.ask({ method: "OPTIONS", path: target });
  expect(said(answered)).toEqual(
    refused(400, "invalid_request", "The target of a request is a path that begins with /."),
  );
});

test.each(["", "Host: $\r\nHost: $\r\n", "Host: $\r\nhOST: evil.test\r\n"])(
  "refuses a request with the Host lines %j",
  async (lines) => {
    const world = await newWorld();
    const text = `GET /health HTTP/1.1\r\n${lines.replaceAll("$", hostOf(world))}\r\n`;
    expect(said(await world.ask(text))).toEqual(refused(400, "invalid_request", "A request has one Host header."));
    const upgrade = `${text.slice(0, -2)}Connection: Upgrade\r\nUpgrade: websocket\r\n\r\n`;
    expect((await world.ask(upgrade.replace("/health", "/ui"))).status).toBe(400);
  },
);

test.each([
  ["/sessions/a%20b", "a b"],
  ["/sessions/%C3%A9", "é"],
  ["/sessions/...", "..."],
  ["/sessions/a%3Fb", "a?b"],
  ["/sessions/a+b", "a+b"],
])("a part of the path is decoded: %s", async (path, id) => {
  const world = await newWorld();
  const answered = await world.askAs(world.admin, { path });
  expect(Buffer.from(answered.body, "latin1").toString()).toBe(
    JSON.stringify({ params: { id }, query: [], caller: "admin" }),
  );
});

test.each([
  "/sessions/%",
  "/sessions/%zz",
  "/sessions/%c3%28",
  "/sessions/..",
  "/sessions/.",
  "/sessions/%2e%2e",
  "/sessions/.%2E",
  "/sessions/a%2fb",
  "/sessions/..%2f..%2fetc%2fpasswd",
  "/sessions/a%5cb",
  "/sessions/a%00b",
  "/sessions/a%0d%0ab",
])("a part of the path that is none is refused: %s", async (path) => {
  const world = await newWorld();
  expect(said(await world.askAs(world.admin, { path }))).toEqual(refused(400, "invalid_request"));
  expect(world.reached).toEqual([]);
});

test.each(["/sessions/", "/sessions", "/sessions/a/b", "//rpc", "/rpc/", "/RPC", "/%72pc", "/x/../rpc", "/", "/rpc#"])(
  "no path is made into another one: %s leads nowhere",
  async (path) => {
    const world = await newWorld();
    for (const method of ["GET", "POST"]) {
      expect(said(await world.askAs(world.admin, { method, path }))).toEqual(
        refused(404, "method_not_found", "There is nothing at this path."),
      );
    }
    expect(world.reached).toEqual([]);
  },
);

test("another method than a path has is refused with those that it has", async () => {
  const world = await newWorld();
  const answered = await world.askAs(world.admin, { method: "PATCH", path: "/sessions/x" });
  expect(answered.headers.allow).toBe("GET, HEAD, DELETE");
  expect(said(answered)).toEqual(refused(405, "method_not_found", "This path takes GET, HEAD, DELETE only."));
});

test("CONNECT and TRACE get nowhere", async () => {
  const world = await newWorld();
  const tunnel = world.connect().send({ method: "CONNECT", path: "127.0.0.1:22", headers: auth(world) });
  await tunnel.closed;
  expect(tunnel.unread).not.toContain("200");
  expect((await world.askAs(world.admin, { method: "TRACE", path: "/rpc" })).status).toBe(405);
});

test("who would rather speak HTTP/2 is answered in HTTP/1.1, body and all, as Java's client needs it", async () => {
  const world = await newWorld();
  const h2c = { Connection: "Upgrade, HTTP2-Settings", Upgrade: "h2c", "HTTP2-Settings": "AAMAAABk" };
  const client = world.connect();
  const first = client.send({ method: "POST", path: "/rpc", headers: { ...auth(world), ...h2c }, body: "[1]" });
  expect(said(await first.answer())).toEqual([200, { got: [1] }]);
  const second = client.send({ path: "/health", headers: h2c }).send({ path: "/sessions/x", headers: auth(world) });
  expect([(await second.answer()).status, (await second.answer()).status]).toEqual([200, 200]);
});

test("a WebSocket begins with GET, at a path that has one", async () => {
  const world = await newWorld();
  const headers = { ...auth(world), Connection: "Upgrade", Upgrade: "WebSocket", "Sec-WebSocket-Version": "13" };
  expect((await world.ask({ method: "POST", path: "/ui", headers })).status).toBe(400);
  expect((await world.ask({ path: "/rpc", headers })).status).toBe(404);
});
