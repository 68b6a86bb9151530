import { expect, test } from "vitest";
import { httpWorlds } from "../../testing/http-world.ts";
import type { RawHttp } from "../../testing/raw-http.ts";
import { answer } from "./answer.ts";

const newWorld = httpWorlds();

const quick = { headersMs: 150, requestMs: 300, keepAliveMs: 150, stallMs: 300, checkEveryMs: 20 };

/** Sends a letter now and then until the server has had enough. */
async function dribble(client: RawHttp): Promise<void> {
  const timer = setInterval(() => client.write("x"), 10);
  await client.closed;
  clearInterval(timer);
}

test("whose headers take too long is told so and cut", async () => {
  const world = await newWorld({ limits: quick });
  const client = world.connect().write("GET /health HTTP/1.1\r\nX-Slow: ");
  const [refusal] = await Promise.all([client.answer(), dribble(client)]);
  expect([refusal.status, JSON.parse(refusal.body).error.code]).toEqual([408, "timeout"]);
});

test("who connects and says nothing is cut", async () => {
  const world = await newWorld({ limits: quick });
  const client = world.connect();
  await client.closed;
  expect(client.unread).toMatch(/^HTTP\/1\.1 408 /);
});

test("whose body takes too long is told so and cut, and what was held of it is given back", async () => {
  const world = await newWorld({ limits: quick });
  const headers = { Authorization: `Bearer ${world.admin}`, "Content-Length": "100000" };
  const client = world.connect().send({ method: "POST", path: "/rpc", headers });
  const [refusal] = await Promise.all([client.answer(), dribble(client)]);
  expect([refusal.status, JSON.parse(refusal.body).error.code]).toEqual([408, "timeout"]);
  await expect.poll(() => world.metrics.text()).toContain("dragoman_http_body_bytes 0\n");
});

test("who is refused and goes on sending its body slowly is cut", async () => {
  const world = await newWorld({ limits: { ...quick, lingerMs: 100 } });
  const client = world.connect().send({ method: "POST", path: "/rpc", headers: { "Content-Length": "100000" } });
  const [refusal] = await Promise.all([client.answer(), dribble(client)]);
  expect(refusal.status).toBe(401);
});

test("a connection that is kept and not used is closed", async () => {
  const world = await newWorld({ limits: { ...quick, stallMs: 60_000 } });
  const client = world.connect().send({ path: "/health" });
  expect((await client.answer()).status).toBe(200);
  const from = performance.now();
  await client.closed;
  expect(performance.now() - from).toBeLessThan(4_000); // Node gives a second more than it says
  expect(client.unread).toBe("");
});

test("who does not read its answer is cut", async () => {
  let isOver = false;
  const world = await newWorld({
    limits: quick,
    routes: [
      {
        method: "GET",
        path: "/large",
        access: "open",
        handle: ({ response }) => {
          response.once("close", () => {
            isOver = true;
          });
          answer(response, 200, "text/plain", Buffer.alloc(64 * 1024 * 1024));
        },
      },
    ],
  });
  const client = world.connect().send({ path: "/large" });
  await client.answerBegun();
  client.socket.pause();
  await expect.poll(() => isOver, { timeout: 5000 }).toBe(true);
});

test("a stream that says something now and then is not cut", async () => {
  const world = await newWorld({
    limits: quick,
    routes: [
      {
        method: "GET",
        path: "/beats",
        access: "open",
        stream: true,
        handle: ({ response }) => {
          let beats = 0;
          const timer = setInterval(() => {
            response.write(": alive\n\n");
            if (++beats === 20) response.end("data: done\n\n");
          }, 50);
          response.once("close", () => clearInterval(timer));
        },
      },
    ],
  });
  const client = world.connect().send({ path: "/beats", version: "1.0" });
  expect((await client.answer()).body).toContain("data: done");
});

test("connections beyond the most there may be are closed at once, and there is room again when one has left", async () => {
  const world = await newWorld({ limits: { connections: 3 } });
  const inside = [world.connect(), world.connect(), world.connect()];
  for (const client of inside) expect((await client.send({ path: "/health" }).answer()).status).toBe(200);
  const late = world.connect();
  await late.closed;
  expect(late.unread).toBe("");
  expect(world.metrics.text()).toContain("dragoman_http_turned_away_total 1\n");
  inside[0]?.socket.destroy();
  await expect.poll(async () => (await world.ask({ path: "/health" }).catch(() => undefined))?.status).toBe(200);
  expect((await inside[1]?.send({ path: "/health" }).answer())?.status).toBe(200);
});

test("sockets count among the connections", async () => {
  const world = await newWorld({ limits: { connections: 1 } });
  const headers = {
    Authorization: `Bearer ${world.admin}`,
    Connection: "Upgrade",
    Upgrade: "websocket",
    "Sec-WebSocket-Version": "13",
    "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
  };
  const socket = world.connect().send({ path: "/ui", headers });
  expect((await socket.answer()).status).toBe(101);
  const late = world.connect();
  await late.closed;
  expect(socket.socket.destroyed).toBe(false);
});
