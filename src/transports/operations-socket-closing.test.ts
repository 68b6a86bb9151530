import { getEventListeners } from "node:events";
import { describe, expect, test } from "vitest";
import { connectionMessage } from "../dialects/operations/connection.ts";
import type { Message } from "../dialects/operations/messages.ts";
import { operationsNodes, stepwise } from "../testing/operations-node.ts";
import { settle, until } from "../testing/scripted.ts";

const node = operationsNodes();
const UNKNOWN = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const GRACE_MS = 30_000;

const whyClosed = (messages: Message[]) => {
  const { type, sequence, content, metadata } = connectionMessage.parse(messages.at(-1));
  return { type, sequence, content, code: metadata?.code };
};

test("a client that has not read the last message is not closed before it has", async () => {
  const { script, speak, end } = stepwise();
  const { start, watch, streams, clock } = await node(script);
  const client = await watch(`operation_id=${await start()}`);
  await speak("hm");
  await client.hears(({ sequence }) => sequence === 0);
  const [stream] = streams;
  stream?.cork(); // as one is whose other side does not read
  await end();
  await until(() => Number(stream?.writableLength) > 0, "the last message");
  const unsent = stream?.writableLength;
  clock.advance(60_000);
  expect(stream?.writableLength).toBe(unsent);
  stream?.uncork();
  await client.hears(({ type }) => type === "complete");
  await until(() => stream?.writableLength === 0, "that all has left");
  clock.advance(1000);
  expect(await client.closed).toMatchObject({ code: 1000 });
});

// Without its part in the close the client would give up by itself after 30 s.
test("who is refused before it is listened to is done with the close at once", { timeout: 10_000 }, async () => {
  const { watch } = await node(async () => "", { http: { socketLimits: { closeMs: 600_000 } } });
  const client = await watch(`operation_id=${UNKNOWN}`);
  expect(await client.closed).toMatchObject({ code: 4404 });
});

test("an operation that is removed from the log while someone is brought it ends with 4404", async () => {
  const { script, speak } = stepwise();
  const { start, watch, runtime } = await node(script);
  const operationId = await start();
  await speak("one", "two");
  const { store } = runtime;
  const read = store.read.bind(store);
  store.read = async (...wanted) => (await read(...wanted)).slice(-1);
  const client = await watch(`operation_id=${operationId}`);
  expect(await client.closed).toMatchObject({ code: 4404 });
  expect(whyClosed(client.messages())).toEqual({
    type: "error",
    sequence: -2,
    content: "The operation was removed from the log meanwhile.",
    code: "OPERATION_NOT_FOUND",
  });
});

test("a session that is closed ends its sockets, also where its log has no end of the operation", async () => {
  const { script, speak } = stepwise();
  const { start, watch, runtime, sessionId } = await node(script);
  const { store } = runtime;
  const read = store.read.bind(store);
  store.read = async (...wanted) =>
    (await read(...wanted)).map((event) =>
      event.type === "run.cancelled" ? { ...event, type: "note", level: "info", source: "test", text: "" } : event,
    );
  const client = await watch(`operation_id=${await start()}`);
  await speak("hm");
  await (await runtime.open(sessionId)).close();
  expect(await client.closed).toEqual({ code: 1000, reason: "The session was closed." });
  expect(client.own().map(({ type }) => type)).not.toContain("complete");
});

describe("someone who has gone is not there to be asked, half a minute later", () => {
  /** A run that nobody started from here, and whether a question of it is put to anyone. */
  async function asking() {
    const { script, running } = stepwise();
    const made = await node(script);
    const { clock, runtime, workspace, world, store } = made;
    const session = await runtime.create({ workspace, engine: "scripted" });
    const by = { dialect: "ui" };
    const { runId } = await session.prompt({ kind: "prompt", input: { text: "" }, by, whenBusy: "refuse" });
    const gone = () => until(() => world.logged.some(({ event }) => event === "socket.closed"), "its end");
    const isAsked = async () => {
      clock.advance(GRACE_MS);
      let isDenied = false;
      const put = (await running).ask({ kind: "prompt", title: "Who?", message: "" });
      void put.then(({ outcome }) => {
        isDenied = outcome === "denied";
      });
      const isOpen = async () => (await store.session(session.id))?.asks.length === 1;
      await until(async () => isDenied || (await isOpen()), "what becomes of the question");
      return isOpen();
    };
    return { ...made, runId, gone, isAsked };
  }

  test("whereas who stays is asked", async () => {
    const { watch, runId, isAsked } = await asking();
    const client = await watch(`operation_id=${runId}`);
    await client.hears(({ sequence }) => sequence === -1);
    expect(await isAsked()).toBe(true);
  });

  test("when it had watched", async () => {
    const { watch, runId, gone, isAsked } = await asking();
    const client = await watch(`operation_id=${runId}`);
    await client.hears(({ sequence }) => sequence === -1);
    client.socket.terminate();
    await gone();
    expect(await isAsked()).toBe(false);
  });

  test("when it left before it was known what it came for", async () => {
    const { watch, runId, gone, isAsked, server } = await asking();
    let letGo = () => {};
    const held = new Promise<void>((resolve) => {
      letGo = resolve;
    });
    const begin = server.watch.bind(server);
    let isWatching = false;
    server.watch = async (...wanted) => {
      const watched = await begin(...wanted);
      isWatching = true;
      await held;
      return watched;
    };
    const client = await watch(`operation_id=${runId}`);
    await until(() => isWatching, "the server");
    client.socket.terminate();
    await gone();
    letGo();
    await settle();
    expect(await isAsked()).toBe(false);
  });
});

test("nothing of a client that has gone listens to its token any more", async () => {
  const { start, watch, world } = await node(stepwise().script);
  const token = await world.token("guest", "observe");
  const client = await watch(`operation_id=${await start()}`, token);
  const listeners = () => getEventListeners(world.tokens.verify(token)?.revoked as AbortSignal, "abort");
  expect(listeners()).toHaveLength(2);
  client.socket.terminate();
  await until(() => listeners().length === 0, "that nothing listens");
});

describe("whose sign-in or token ends is told so before the socket closes with 4401", () => {
  test("by the end of its token", async () => {
    const { script } = stepwise();
    const { start, watch, world } = await node(script);
    const operationId = await start();
    const { token, info } = await world.tokens.create({ name: "guest", roles: ["observe"] });
    const client = await watch(`operation_id=${operationId}`, token);
    await client.hears(({ sequence }) => sequence === -1);
    await world.tokens.revoke(info.id);
    const content = 'The token "guest" is not valid any more. Sign in with another one.';
    expect(await client.closed).toEqual({ code: 4401, reason: content });
    expect(client.messages()).toHaveLength(2);
    expect(whyClosed(client.messages())).toEqual({ type: "error", sequence: -2, content, code: "UNAUTHORIZED" });
  });

  test("by the end of its sign-in", async () => {
    const { script } = stepwise();
    const { start, watch, world } = await node(script);
    const signIn = await world.sessionId();
    const client = await watch(`operation_id=${await start()}`, signIn);
    await client.hears(({ sequence }) => sequence === -1);
    await world.askAs(signIn, { method: "POST", path: "/auth/logout" });
    const content = "This sign-in has ended. Sign in anew.";
    expect(await client.closed).toEqual({ code: 4401, reason: content });
    expect(whyClosed(client.messages())).toEqual({ type: "error", sequence: -2, content, code: "UNAUTHORIZED" });
  });
});
