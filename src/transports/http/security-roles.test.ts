import { expect, test } from "vitest";
import { httpWorlds } from "../../testing/http-world.ts";
import { openSocket, refusedUpgrade } from "../../testing/socket-server.ts";

const newWorld = httpWorlds();

test("a token reaches what its roles are for, and nothing else", async () => {
  const world = await newWorld();
  const tokens = {
    viewer: await world.token("viewer", "observe"),
    writer: await world.token("writer", "prompt"),
    approver: await world.token("approver", "approve"),
    admin: world.admin,
  };
  const asked = [
    { method: "GET", path: "/sessions/x" },
    { method: "POST", path: "/rpc", body: "{}" },
    { method: "POST", path: "/answers" },
    { method: "DELETE", path: "/sessions/x" },
    { method: "POST", path: "/auth/links" },
    { method: "GET", path: "/metrics" },
  ];
  const statuses: Record<string, number[]> = {};
  for (const [name, token] of Object.entries(tokens)) {
    statuses[name] = await Promise.all(asked.map(async (request) => (await world.askAs(token, request)).status));
  }
  expect(statuses).toEqual({
    viewer: [200, 403, 403, 403, 403, 200],
    writer: [200, 200, 403, 403, 403, 200],
    approver: [200, 403, 200, 403, 403, 200],
    admin: [200, 200, 200, 200, 200, 200],
  });
});

test("what a caller says of its own roles counts for nothing", async () => {
  const world = await newWorld();
  const token = await world.token("viewer", "observe");
  const headers = { "X-Roles": "admin", Role: "admin", Scope: "admin", Cookie: "roles=admin" };
  const body = JSON.stringify({ roles: ["admin"], scope: "admin" });
  const answer = await world.askAs(token, { method: "POST", path: "/rpc?roles=admin&scope=admin", headers, body });
  expect({ status: answer.status, said: JSON.parse(answer.body), reached: world.reached }).toEqual({
    status: 403,
    said: {
      error: {
        code: "forbidden",
        message:
          'The token "viewer" may not use POST /rpc: that takes the role prompt. Use another token, or make one.',
      },
    },
    reached: [],
  });
});

test("a cookie and a ticket are worth what the token is that they stand for", async () => {
  const world = await newWorld();
  const token = await world.token("viewer", "observe");
  const Cookie = world.cookie(token);
  const byCookie = await world.ask({
    method: "POST",
    path: "/rpc",
    headers: { Cookie, Origin: world.url },
    body: "{}",
  });
  expect(byCookie.status).toBe(403);
  const { body } = await world.ask({ method: "POST", path: "/auth/tickets", headers: { Cookie, Origin: world.url } });
  const { ticket } = JSON.parse(body);
  expect((await world.ask({ method: "POST", path: `/rpc?ticket=${ticket}`, body: "{}" })).status).toBe(401);
  expect((await world.ask({ path: `/sessions/x?ticket=${ticket}` })).status).toBe(401); // for streams and sockets only
  const stream = world.connect().send({ path: `/stream/x?ticket=${ticket}` });
  await expect.poll(() => stream.unread).toContain("data: hello");
  expect(world.reached).toEqual(["GET /stream/:id"]);
});

test("a socket takes the role of its route", async () => {
  const world = await newWorld({
    sockets: [{ path: "/control", access: "admin", accept: (socket) => socket.send("hello") }],
  });
  const url = `${world.url.replace("http", "ws")}/control`;
  const viewer = { Authorization: `Bearer ${await world.token("viewer", "observe", "prompt", "approve")}` };
  expect(await refusedUpgrade(url, viewer)).toMatchObject({ status: 403 });
  const { opened, socket } = openSocket(url, { headers: { Authorization: `Bearer ${world.admin}` } });
  await opened;
  socket.terminate();
});

test("everyone may ask who they are", async () => {
  const world = await newWorld();
  const token = await world.token("Ada.editor", "prompt", "approve");
  const answer = await world.askAs(token, { path: "/auth/me" });
  expect(JSON.parse(answer.body)).toEqual({ name: "Ada.editor", roles: ["prompt", "approve"] });
});
