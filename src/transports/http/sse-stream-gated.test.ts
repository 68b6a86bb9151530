import { expect, test } from "vitest";
import type { NewEvent } from "../../core/events.ts";
import { httpWorlds } from "../../testing/http-world.ts";
import { settle, until } from "../../testing/scripted.ts";
import { selfSigned } from "../../testing/self-signed.ts";
import { specimenEndpoint } from "../../testing/specimen-endpoint.ts";
import { StreamClient } from "../../testing/stream-client.ts";
import { farewell, streamedSession } from "../../testing/streamed-session.ts";
import type { HttpLimits } from "./limits.ts";
import { answerRpc } from "./rpc-endpoint-http.ts";

// Streams and calls behind the checks and limits of the real server.

const sessionId = "5a0e01fd-0977-4410-856b-ac3792238b15";
const runId = "827867f5-60e7-43a7-9611-47bdebeb968c";
const created: NewEvent = { type: "session.created", workspace: "/w", engine: "replay" };
const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } };
const note = (text: string): NewEvent => ({ type: "note", runId, level: "warning", text, source: "test" });

const open = httpWorlds();

async function served(limits: Partial<HttpLimits> = {}, tls?: ReturnType<typeof selfSigned>) {
  const session = await streamedSession(sessionId, [created, started]);
  const { answer } = specimenEndpoint();
  const world = await open({
    limits,
    ...(tls && { tls }),
    routes: [
      { method: "GET", path: "/stream/:sessionId", access: "observe", stream: true, handle: session.handle },
      { method: "POST", path: "/rpc", access: "observe", handle: (x) => answerRpc(x, (body) => answer(body, "me")) },
    ],
  });
  const path = `/stream/${sessionId}`;
  const listen = (token = world.admin, deaf = false) =>
    StreamClient.open(world.port, { path, headers: { Authorization: `Bearer ${token}` }, deaf, ca: tls?.cert });
  return { ...session, world, path, listen };
}

test("a listener that takes nothing is cut at last, while one that reads stays", async () => {
  const { append, listen, streams, expected } = await served({ stallMs: 1000 });
  await listen(undefined, true);
  await until(() => streams.length === 1, "the deaf one");
  const hearing = await listen();
  let notes = 0;
  await until(async () => {
    if (notes++ < 1000) await append(...Array.from({ length: 10 }, () => note("x".repeat(1000))));
    else if (notes % 10 === 0) await append(note("still here"));
    return streams[0]?.done ?? false;
  }, "the cut");
  expect([streams[1]?.done, hearing.ended]).toEqual([false, false]);
  const whole = await expected();
  expect(await hearing.hears(whole.length)).toEqual(whole);
});

test("a listener whose token is revoked is cut, and nobody else", async () => {
  const { world, listen, append } = await served();
  const [stays, goes] = [await listen(), await listen(await world.token("guest", "observe"))];
  await goes.hears(1);
  await world.tokens.revoke("guest");
  expect(await goes.untilEnd()).toHaveLength(1);
  await append(note("on"));
  expect(await stays.hears(2)).toHaveLength(2);
});

test("a token has so many streams at once and no more, others have theirs, and one that left makes room", async () => {
  const { world, listen } = await served({ streamsPerCaller: 2 });
  const [first, second] = [await listen(), await listen()];
  const refused = await listen();
  expect([refused.status, JSON.parse(refused.body)]).toEqual([
    429,
    {
      error: {
        code: "rate_limited",
        message: 'The token "admin" has 2 streams and sockets open already. Close one, or use another token.',
      },
    },
  ]);
  expect((await listen(await world.token("guest", "observe"))).status).toBe(200);
  first.cut();
  await until(async () => (await listen()).status === 200, "room");
  expect([second.status, second.ended]).toEqual([200, false]);
});

test("a server that stops tells its listeners, and does not wait for those who do not read", async () => {
  const { world, listen, streams, append } = await served();
  const hearing = await listen();
  await listen(undefined, true);
  await until(() => streams.length === 2, "the deaf one");
  for (let n = 0; n < 500; n++) {
    await append(...Array.from({ length: 10 }, () => note("x".repeat(1000))));
    await settle(1);
  }
  await hearing.hears(5001);
  await world.server.close(50);
  const said = await hearing.untilEnd();
  expect(said.at(-1)).toMatchObject({ event: farewell.event, data: farewell.text });
});

test("over TLS, too, everything comes, and the end is the end", async () => {
  const { listen, append, expected } = await served({}, selfSigned());
  const client = await listen();
  for (let n = 0; n < 20; n++) {
    await append(...Array.from({ length: 50 }, (_, i) => note(`${n} ${i} ${"x".repeat(500)}`)));
    await settle(1);
  }
  await append({ type: "session.closed" });
  expect(await client.untilEnd()).toEqual(await expected());
});

test("a stream is asked for with a token or a ticket, and a body beyond the bound is refused", async () => {
  const { world, path } = await served({ bodyBytes: 1000 });
  expect((await world.ask({ path })).status).toBe(401);
  const grant = world.tokens.verify(world.admin);
  const ticket = grant && world.signIns.newTicket(grant);
  const client = await StreamClient.open(world.port, { path: `${path}?ticket=${ticket}` });
  expect(await client.hears(1)).toHaveLength(1);
  const headers = { "Content-Type": "application/json" };
  const { status, body } = await world.askAs(world.admin, {
    method: "POST",
    path: "/rpc",
    headers,
    body: " ".repeat(1001),
  });
  expect([status, JSON.parse(body)]).toEqual([
    413,
    { error: { code: "too_large", message: "A body here has at most 1000 bytes. Send less at once." } },
  ]);
});
