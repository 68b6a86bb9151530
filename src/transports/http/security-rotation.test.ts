import { dirname } from "node:path";
import { expect, test } from "vitest";
import { TokenBook } from "../../access/token-book.ts";
import { httpWorlds } from "../../testing/http-world.ts";
import { openSocket } from "../../testing/socket-server.ts";

const newWorld = httpWorlds();

test("a rotated token fails at once, on new connections and on those that used it a moment ago", async () => {
  const world = await newWorld();
  const token = await world.token("editor", "observe");
  const headers = { Authorization: `Bearer ${token}` };
  const used = world.connect();
  expect((await used.send({ path: "/sessions/x", headers }).answer()).status).toBe(200);
  const { token: next } = await world.tokens.rotate("editor");
  expect((await used.send({ path: "/sessions/x", headers }).answer()).status).toBe(401);
  expect((await world.askAs(token, { path: "/sessions/x" })).status).toBe(401);
  expect((await world.askAs(next, { path: "/sessions/x" })).status).toBe(200);
});

test.each(["rotate", "revoke"] as const)(
  "what is open with a token closes within 5 s when another process does `token %s`, other tokens' stays",
  async (change) => {
    const world = await newWorld();
    const token = await world.token("editor", "observe");
    const { book: elsewhere } = await TokenBook.open(dirname(world.tokens.tokenFile));
    const headers = { Authorization: `Bearer ${token}` };
    const stream = world.connect().send({ path: "/stream/x", headers });
    const byCookie = world.connect().send({ path: "/stream/x", headers: { Cookie: world.cookie(token) } });
    const stays = world.connect().send({ path: "/stream/x", headers: { Authorization: `Bearer ${world.admin}` } });
    const socket = openSocket(`${world.url.replace("http", "ws")}/ui`, { headers });
    await Promise.all([socket.opened, ...[stream, byCookie, stays].map((one) => one.answerBegun())]);
    const from = performance.now();
    await elsewhere[change]("editor");
    elsewhere.close();
    await Promise.all([socket.closed, stream.closed, byCookie.closed]);
    expect(performance.now() - from).toBeLessThan(5000);
    expect(stays.socket.destroyed).toBe(false);
    expect((await world.askAs(token, { path: "/sessions/x" })).status).toBe(401);
    expect((await world.ask({ path: "/sessions/x", headers: { Cookie: world.cookie() } })).status).toBe(200);
  },
);

test("a body that was still coming when its token was revoked is not acted on", async () => {
  const world = await newWorld();
  const token = await world.token("editor", "prompt");
  const headers = { Authorization: `Bearer ${token}`, "Content-Length": "10" };
  const client = world.connect().send({ method: "POST", path: "/rpc", headers }).write('{"a":');
  await expect.poll(() => world.reached).toEqual(["POST /rpc"]); // it waits for its body now
  await world.tokens.revoke("editor");
  const answer = await client.write("1234}").answer();
  expect([answer.status, JSON.parse(answer.body).error.code]).toEqual([401, "unauthorized"]);
});

test("signing out ends what was open with that sign-in, and the cookie", async () => {
  const world = await newWorld();
  const [Cookie, other] = [world.cookie(), world.cookie()];
  const stream = world.connect().send({ path: "/stream/x", headers: { Cookie } });
  const stays = world.connect().send({ path: "/stream/x", headers: { Cookie: other } });
  await Promise.all([stream.answerBegun(), stays.answerBegun()]);
  const signOut = { method: "POST", path: "/auth/sign-out", headers: { Cookie, Origin: world.url } };
  expect(await world.ask(signOut)).toMatchObject({ status: 204 });
  await stream.closed;
  expect(stays.socket.destroyed).toBe(false);
  expect((await world.ask({ path: "/auth/me", headers: { Cookie } })).status).toBe(401);
  expect((await world.ask({ path: "/auth/me", headers: { Cookie: other } })).status).toBe(200);
});
