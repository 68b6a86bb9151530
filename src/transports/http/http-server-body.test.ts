import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";

const newWorld = httpWorlds();

const auth = ({ admin }: HttpWorld) => ({ Authorization: `Bearer ${admin}` });
const said = ({ status, body }: { status: number; body: string }) => [status, JSON.parse(body)];

test("who asks before it sends its body is told to go on, when all the checks are behind it", async () => {
  const world = await newWorld();
  const asking = {
    method: "POST",
    path: "/rpc",
    headers: { ...auth(world), Expect: "100-continue", "Content-Length": "2" },
  };
  const client = world.connect().send(asking);
  expect((await client.answer()).status).toBe(100);
  expect(said(await client.write("{}").answer())).toEqual([200, { got: {} }]);
  expect((await client.send({ path: "/health" }).answer()).status).toBe(200);
});

test.each([
  ["without a token", 401, { Authorization: "", "Content-Length": "2" }],
  ["with too large a body", 413, { "Content-Length": "100000000" }],
  ["under another name", 403, { Host: "evil.test", "Content-Length": "2" }],
])("who asks before it sends its body, %s, is refused instead, and the connection ends", async (_, status, wrong) => {
  const world = await newWorld();
  const headers = { ...auth(world), Expect: "100-continue", ...wrong };
  const client = world.connect().send({ method: "POST", path: "/rpc", headers });
  expect((await client.answer()).status).toBe(status);
  await client.closed;
  expect(client.unread).toBe("");
});

test("who goes away in the middle of its body leaves nothing behind", async () => {
  const world = await newWorld();
  const headers = { ...auth(world), "Content-Length": "1000" };
  const client = world.connect().send({ method: "POST", path: "/rpc", headers }).write("x".repeat(500));
  await expect.poll(() => world.metrics.text()).toContain("dragoman_http_body_bytes 500\n");
  client.socket.resetAndDestroy();
  await expect.poll(() => world.metrics.text()).toContain("dragoman_http_body_bytes 0\n");
  await expect.poll(() => world.logged.map(({ level, event }) => `${level} ${event}`)).toContain("info http.answered");
  expect(world.logged.at(-1)).toMatchObject({ event: "http.answered", status: 499 });
  expect(world.logged.filter(({ level }) => level === "error")).toEqual([]);
  expect((await world.ask({ path: "/health" })).status).toBe(200);
});

test("who closes its side after the request still gets its answer", async () => {
  const world = await newWorld();
  const client = world.connect().send({ method: "POST", path: "/rpc", headers: auth(world), body: "[1]" });
  client.socket.end();
  expect(said(await client.answer())).toEqual([200, { got: [1] }]);
});

test("a body is read once", async () => {
  const world = await newWorld({
    routes: [
      {
        method: "POST",
        path: "/twice",
        access: "open",
        handle: async (exchange) => {
          await exchange.body();
          await exchange.body();
        },
      },
    ],
  });
  expect((await world.ask({ method: "POST", path: "/twice", body: "x" })).status).toBe(500);
});

test("a large body comes whole and in order", async () => {
  const world = await newWorld();
  const text = Array.from({ length: 200_000 }, (_, at) => at).join(",");
  const answered = await world.askAs(world.admin, { method: "POST", path: "/rpc", body: JSON.stringify(text) });
  expect(JSON.parse(answered.body)).toEqual({ got: text });
});
