import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import type { RawHttp } from "../../testing/raw-http.ts";

const newWorld = httpWorlds();

const MIB = 1024 * 1024;
const prompt = (world: HttpWorld, body: string) => world.askAs(world.admin, { method: "POST", path: "/rpc", body });
const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);

test("JSON up to 64 levels deep is taken, deeper is refused", async () => {
  const world = await newWorld();
  expect((await prompt(world, nested(64))).status).toBe(200);
  const answer = await prompt(world, nested(65));
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    400,
    { error: { code: "invalid_request", message: "JSON is nested deeper than 64 levels. Send it flatter." } },
  ]);
});

test.each([5_000, 1_000_000])(
  "a bomb of %d levels is refused within 100 ms, and costs others nothing",
  async (depth) => {
    const world = await newWorld();
    const took: number[] = [];
    for (let round = 0; round < 5; round++) {
      const from = performance.now();
      expect((await prompt(world, nested(depth))).status).toBe(400);
      took.push(performance.now() - from);
    }
    expect(Math.min(...took)).toBeLessThan(100); // the slower ones had to wait for other programs
    expect((await world.ask({ path: "/health" })).status).toBe(200);
  },
);

test.each(['{"__proto__":{"admin":true},"a":1}', '{"\\u005f_proto__":{"admin":true},"a":1}'])(
  "%s leaves prototypes untouched",
  async (body) => {
    const world = await newWorld();
    expect(JSON.parse((await prompt(world, body)).body)).toEqual({ got: { a: 1 } });
    expect(Reflect.get({}, "admin")).toBeUndefined();
  },
);

test("names that every object has are parameters like others", async () => {
  const world = await newWorld();
  const answer = await world.askAs(world.admin, { path: "/sessions/__proto__?constructor=1&__proto__=2" });
  expect(JSON.parse(answer.body)).toEqual({
    params: { id: "__proto__" },
    query: [
      ["constructor", "1"],
      ["__proto__", "2"],
    ],
    caller: "admin",
  });
});

/** Sends for as long as the server takes it. */
async function sendEndlessly(client: RawHttp): Promise<number> {
  const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(0x10000, "x"), Buffer.from("\r\n")]);
  let sent = 0;
  while (!client.socket.destroyed && sent < 1024 * MIB) {
    sent += chunk.length;
    if (!client.socket.write(chunk)) {
      await Promise.race([client.closed, new Promise((resolve) => client.socket.once("drain", resolve))]);
    }
  }
  return sent;
}

test("an endless body is refused and its connection ends, with less than 64 MB more in use", async () => {
  const world = await newWorld({ limits: { lingerMs: 500 } });
  const headers = { Authorization: `Bearer ${world.admin}`, "Transfer-Encoding": "chunked" };
  await prompt(world, "{}");
  const before = process.memoryUsage.rss();
  let most = before;
  const watch = setInterval(() => {
    most = Math.max(most, process.memoryUsage.rss());
  }, 5);
  const client = world.connect().send({ method: "POST", path: "/rpc", headers });
  const [answer, sent] = await Promise.all([client.answer(), sendEndlessly(client)]);
  clearInterval(watch);
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([413, "too_large"]);
  expect(answer.headers.connection).toBe("close");
  expect(sent).toBeLessThan(1024 * MIB);
  expect(most - before).toBeLessThan(64 * MIB);
  expect(world.metrics.text()).toContain("dragoman_http_body_bytes 0\n");
});

test("a body that is said to be too large is refused before any of it is read", async () => {
  const world = await newWorld();
  const headers = { Authorization: `Bearer ${world.admin}`, "Content-Length": String(16 * MIB + 1) };
  const answer = await world.ask({ method: "POST", path: "/rpc", headers });
  expect([answer.status, JSON.parse(answer.body)]).toEqual([
    413,
    { error: { code: "too_large", message: `A body here has at most ${16 * MIB} bytes. Send less at once.` } },
  ]);
});

test("whoever sends too much gets to read why, though it goes on sending", async () => {
  const world = await newWorld({ limits: { bodyBytes: 1000 } });
  const response = await fetch(`${world.url}/rpc`, {
    method: "POST",
    headers: { Authorization: `Bearer ${world.admin}` },
    body: new Uint8Array(8 * MIB),
  });
  expect([response.status, ((await response.json()) as { error: unknown }).error]).toEqual([
    413,
    expect.objectContaining({ code: "too_large" }),
  ]);
});

test("a body of exactly the most there may be is taken", async () => {
  const world = await newWorld({ limits: { bodyBytes: 1000 } });
  const body = JSON.stringify("x".repeat(998));
  expect((await prompt(world, body)).status).toBe(200);
  expect((await prompt(world, `${body} `)).status).toBe(413);
});

test("all bodies under way together are bounded; who comes too late is told when to try again", async () => {
  const world = await newWorld({ limits: { bodyBytes: 1000, bodyBytesInAll: 1500 } });
  const headers = { Authorization: `Bearer ${world.admin}`, "Content-Length": "1000" };
  const first = world
    .connect()
    .send({ method: "POST", path: "/rpc", headers })
    .write(`"${"x".repeat(900)}`);
  await expect.poll(() => world.metrics.text()).toContain("dragoman_http_body_bytes 901\n");
  const second = await prompt(world, JSON.stringify("y".repeat(900)));
  expect([second.status, second.headers["retry-after"], JSON.parse(second.body).error.code]).toEqual([
    503,
    "1",
    "queue_full",
  ]);
  expect((await first.write(`${"x".repeat(98)}"`).answer()).status).toBe(200);
  expect((await prompt(world, JSON.stringify("y".repeat(900)))).status).toBe(200);
});

test("who is not known has no body read at all", async () => {
  const world = await newWorld();
  const client = world.connect().send({ method: "POST", path: "/rpc", headers: { "Transfer-Encoding": "chunked" } });
  expect((await client.answer()).status).toBe(401);
  expect(world.metrics.text()).toContain("dragoman_http_body_bytes 0\n");
});

test("headers beyond 16 KB are refused", async () => {
  const world = await newWorld();
  const answer = await world.ask({ path: "/health", headers: { "X-Long": "x".repeat(17_000) } });
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([431, "too_large"]);
});

test.each([
  "Content-Length: 5\r\nTransfer-Encoding: chunked\r\n",
  "Content-Length: 5\r\nContent-Length: 6\r\n",
  "Content-Length: -1\r\n",
  "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n",
  "Transfer-Encoding : chunked\r\n",
  "X: a\nTransfer-Encoding: chunked\r\n",
])("a request of which %j could be read in two ways is not read at all", async (lines) => {
  const world = await newWorld();
  const head = `POST /rpc HTTP/1.1\r\nHost: 127.0.0.1:${world.port}\r\nAuthorization: Bearer ${world.admin}\r\n`;
  const smuggled = `0\r\n\r\nGET /sessions/x HTTP/1.1\r\nHost: 127.0.0.1:${world.port}\r\n\r\n`;
  const client = world.connect().write(`${head}${lines}\r\n${smuggled}`);
  expect((await client.answer()).status).toBe(400);
  await client.closed;
  expect([client.unread, world.reached]).toEqual(["", []]);
});
