import { expect, test } from "vitest";
import { type HttpWorld, httpWorlds } from "../../testing/http-world.ts";
import { answer, answerJson } from "./answer.ts";

const newWorld = httpWorlds();

const auth = ({ admin }: HttpWorld) => ({ Authorization: `Bearer ${admin}` });
const hostOf = ({ port }: HttpWorld) => `127.0.0.1:${port}`;
const said = ({ status, body }: { status: number; body: string }) => [status, JSON.parse(body)];

test("answers requests that were sent all at once in their order, refused ones among them", async () => {
  const world = await newWorld();
  const client = world.connect();
  client.write(
    [
      `GET /sessions/1 HTTP/1.1\r\nHost: ${hostOf(world)}\r\nAuthorization: Bearer ${world.admin}\r\n\r\n`,
      `POST /rpc HTTP/1.1\r\nHost: ${hostOf(world)}\r\nContent-Length: 2\r\n\r\n{}`,
      `POST /rpc HTTP/1.1\r\nHost: ${hostOf(world)}\r\nAuthorization: Bearer ${world.admin}\r\nContent-Length: 3\r\n\r\n[1]`,
      `GET /nothing HTTP/1.1\r\nHost: ${hostOf(world)}\r\nAuthorization: Bearer ${world.admin}\r\n\r\n`,
      `GET /health HTTP/1.1\r\nHost: ${hostOf(world)}\r\nConnection: close\r\n\r\n`,
    ].join(""),
  );
  const answers = [];
  for (let at = 0; at < 5; at++) answers.push(await client.answer());
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 200, 404, 200]);
  expect(JSON.parse(answers[2]?.body ?? "")).toEqual({ got: [1] });
  await client.closed;
});

test("bytes that are no request end a stream, and put nothing into it", async () => {
  const world = await newWorld();
  const client = world.connect().send({ path: "/stream/x", headers: auth(world) });
  await client.answerBegun();
  client.write("and now for something else\r\n\r\n");
  await client.closed;
  expect(client.unread.match(/HTTP\/1\.1/g)).toHaveLength(1);
  expect(client.unread).toContain("data: hello");
});

test("HEAD is answered like GET, without the body", async () => {
  const world = await newWorld();
  const [get, head] = [await world.ask({ path: "/health" }), await world.ask({ method: "HEAD", path: "/health" })];
  const own = { date: expect.any(String), "x-request-id": expect.any(String) };
  expect(head).toEqual({ ...get, headers: { ...get.headers, ...own }, body: "" });
});

test("HEAD of a stream ends at once and asks the route nothing, HEAD of a sign-in link does not use it up", async () => {
  const world = await newWorld();
  expect((await world.ask({ method: "HEAD", path: "/stream/x", headers: auth(world) })).status).toBe(200);
  expect((await world.ask({ method: "HEAD", path: "/stream/x" })).status).toBe(401);
  expect(world.reached).toEqual([]);
  const { url } = JSON.parse((await world.askAs(world.admin, { method: "POST", path: "/auth/links" })).body);
  const { pathname, search } = new URL(url);
  await world.ask({ method: "HEAD", path: pathname + search });
  expect((await world.ask({ path: pathname + search })).status).toBe(303);
});

test("speaks HTTP/1.0: the connection ends with the answer, unless it was asked to stay", async () => {
  const world = await newWorld();
  const client = world.connect().send({ path: "/health", version: "1.0" });
  expect((await client.answer()).status).toBe(200);
  await client.closed;
  const kept = world.connect().send({ path: "/health", version: "1.0", headers: { Connection: "keep-alive" } });
  expect((await kept.answer()).headers.connection).toBe("keep-alive");
  expect((await kept.send({ path: "/health" }).answer()).status).toBe(200);
});

test("a route that fails after it began to answer ends the connection: half an answer is not a whole one", async () => {
  const world = await newWorld({
    routes: [
      {
        method: "GET",
        path: "/half",
        access: "open",
        handle: ({ response }) => {
          response.writeHead(200, ["Content-Length", "100"]);
          response.write("half");
          throw new Error("and no more");
        },
      },
    ],
  });
  const client = world.connect().send({ path: "/half" });
  await client.closed;
  expect(client.unread).not.toMatch(/HTTP.*HTTP/s);
  expect(world.logged.filter(({ level }) => level === "error")).toHaveLength(1);
});

test("a route that writes after the end costs its own connection nothing, and no other one", async () => {
  const world = await newWorld({
    routes: [
      {
        method: "GET",
        path: "/chatty",
        access: "open",
        handle: ({ response }) => {
          answerJson(response, 200, {});
          response.write("and another thing");
        },
      },
    ],
  });
  expect((await world.ask({ path: "/chatty" })).status).toBe(200);
  await expect
    .poll(() => world.logged.filter(({ level }) => level === "error"))
    .toEqual([{ level: "error", event: "http.failed", error: "write after end" }]);
  expect((await world.ask({ path: "/health" })).status).toBe(200);
});

test("counts what it answered, by route", async () => {
  const world = await newWorld();
  for (const path of ["/sessions/1", "/sessions/2", "/nothing", "/else"]) await world.askAs(world.admin, { path });
  const { body, headers } = await world.askAs(world.admin, { path: "/metrics" });
  expect(headers["content-type"]).toBe("text/plain; version=0.0.4; charset=utf-8");
  expect(body.split("\n").filter((line) => line.startsWith("dragoman_http_requests"))).toEqual([
    'dragoman_http_requests_total{method="GET",route="/sessions/:id",status="200"} 2',
    'dragoman_http_requests_total{method="GET",route="",status="404"} 2',
  ]);
});

test("says that it is there, to everyone, and which version it is", async () => {
  const world = await newWorld();
  expect(said(await world.ask({ path: "/health" }))).toEqual([
    200,
    { status: "ok", name: "dragoman", version: "1.2.3" },
  ]);
});

test("a port that is taken is told with what to do", async () => {
  const world = await newWorld();
  const other = await newWorld();
  await other.server.close(0);
  const { HttpServer } = await import("./http-server.ts");
  const { tokens, signIns, metrics } = other;
  const second = new HttpServer({ routes: [], access: { tokens, signIns }, version: "1", log: () => {}, metrics });
  await expect(second.listen({ port: world.port })).rejects.toMatchObject({
    code: "conflict",
    message: `Port ${world.port} of 127.0.0.1 is taken by another program. Give another --port, or 0 for any free one.`,
  });
});

test("a page may have a policy of its own, headers set one by one are kept, and the rest is added", async () => {
  const world = await newWorld({
    routes: [
      {
        method: "GET",
        path: "/",
        access: "open",
        handle: ({ response }) =>
          answer(response, 200, "text/html", "hi", { "Content-Security-Policy": "default-src 'self'" }),
      },
      {
        method: "GET",
        path: "/set",
        access: "open",
        handle: ({ response }) => {
          response.setHeader("Cache-Control", "no-cache");
          response.setHeader("X-Own", "1");
          answerJson(response, 200, {});
        },
      },
    ],
  });
  expect((await world.ask({ path: "/" })).headers).toMatchObject({
    "content-security-policy": "default-src 'self'",
    "x-content-type-options": "nosniff",
  });
  expect((await world.ask({ path: "/set" })).headers).toMatchObject({
    "cache-control": "no-cache",
    "x-own": "1",
    "content-type": "application/json",
    "referrer-policy": "no-referrer",
  });
});
