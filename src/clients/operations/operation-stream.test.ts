import { describe, expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import { complete, connected, message, operation, watchedOperation, words } from "../../testing/watched-operation.ts";
import type { OperationMessage } from "./protocol.ts";

// Time is held still, and the network is what the test says: what happens when.

describe("a stream", () => {
  test("says who it is and what it wants, tells all, and ends after the last", async () => {
    const { stream, states, socket } = await watchedOperation();
    expect([socket().url.origin, socket().url.pathname, socket().query]).toEqual([
      "ws://server.test",
      "/ws",
      { operation_id: operation, session_id: "s1" },
    ]);
    socket().open().say(connected, message(0), complete(1));
    const all: OperationMessage[] = [];
    for await (const one of stream) all.push(one);
    expect(all).toEqual([connected, message(0), complete(1)]);
    expect([words(states), stream.state, stream.lastSequence]).toEqual([["connecting", "open", "closed"], "closed", 1]);
    expect(socket().closed).toEqual({ code: 1000, reason: "" });
    expect(await stream.ended).toBeUndefined();
  });

  test("goes on after the message it is told, and refuses what is none", async () => {
    const { socket, client } = await watchedOperation({ after: 7 });
    expect(socket().query.last_received_sequence).toBe("7");
    expect(() => client.watch(operation, { after: -2 })).toThrow("-2 is no sequence number");
  });

  test("comes back between one and two seconds after a cut, and goes on after the last message", async () => {
    const { stream, made, socket, pass, listen, sequences, states } = await watchedOperation();
    listen();
    socket().open().say(connected, message(0), message(1));
    socket().end();
    await pass(999);
    expect(made.length).toBe(1);
    await pass(1);
    expect(socket().query.last_received_sequence).toBe("1");
    socket().open().say(message(-2, "system"), message(1), message(2), complete(3));
    await stream.ended;
    expect(sequences()).toEqual([0, 1, 2, 3]);
    expect(states).toEqual([
      { state: "connecting" },
      { state: "open" },
      { state: "reconnecting", attempt: 1, inMs: 1000, error: expect.objectContaining({ code: "unreachable" }) },
      { state: "open" },
      { state: "closed" },
    ]);
  });

  test("lets what has a negative number through, however often it comes", async () => {
    const { stream, socket } = await watchedOperation();
    const heard: OperationMessage[] = [];
    stream.on("system", (one) => heard.push(one));
    const ofNobody = { ...message(-2, "system"), operation_id: "another" };
    socket().open().say(connected, connected, message(0), connected, ofNobody, complete(1));
    expect(heard).toEqual([connected, connected, connected, ofNobody]);
  });

  test("waits longer with every failure in a row, and anew after a connection that brought something", async () => {
    const { socket, pass, states, listen } = await watchedOperation({ reconnect: { random: () => 1 } });
    listen();
    for (const wait of [2000, 4000, 8000, 16_000, 30_000, 30_000]) {
      socket().end();
      await settle();
      expect(states.at(-1)).toMatchObject({ state: "reconnecting", inMs: wait });
      await pass(wait);
    }
    socket().open().say(connected, message(0));
    socket().end();
    await settle();
    expect(states.at(-1)).toMatchObject({ attempt: 1, inMs: 2000 });
    await pass(2000);
    socket().open().end(1001);
    await settle();
    expect(states.at(-1)).toMatchObject({ attempt: 2, inMs: 4000 });
    await pass(4000);
    socket().open();
    await pass(10_000); // it lasted
    socket().end(1001);
    await settle();
    expect(states.at(-1)).toMatchObject({ attempt: 1, inMs: 2000 });
  });

  test("gives up after the time it is given, with what went wrong last", async () => {
    const { stream, pass, socket } = await watchedOperation({ reconnect: { random: () => 0, giveUpAfterMs: 2500 } });
    for (const ms of [1000, 1000, 1000, 1000]) {
      socket().end();
      await pass(ms);
    }
    expect(await stream.ended).toMatchObject({ code: "unreachable", closeCode: 1006 });
    await expect(stream.next()).rejects.toThrow("closed the socket with 1006");
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("leaves no timer and no socket behind when it is left in the middle", async () => {
    const { stream, made, socket, pass, states } = await watchedOperation();
    socket().open().say(connected, message(0));
    expect(await stream.next()).toEqual({ done: false, value: connected });
    expect(stream.lastSequence).toBe(-1); // it came, and nobody has it
    await stream.return();
    socket().say(message(1));
    await pass(3_600_000);
    expect([made.length, socket().closed?.code, words(states)]).toEqual([1, 1000, ["connecting", "open", "closed"]]);
    expect(await stream.next()).toEqual({ done: true, value: undefined });
  });

  test("ends by a signal, also while it waits for the next attempt", async () => {
    const left = new AbortController();
    const { stream, made, socket, pass } = await watchedOperation({ signal: left.signal });
    socket().end();
    await settle();
    left.abort();
    expect(await stream.ended).toBeUndefined();
    await pass(60_000);
    expect(made.length).toBe(1);
  });

  test("does not begin with a signal that has ended it before", async () => {
    const { stream, made } = await watchedOperation({ signal: AbortSignal.abort() });
    expect([await stream.ended, stream.state, made]).toEqual([undefined, "closed", []]);
  });

  test("a listener that throws costs nobody else the news", async () => {
    const { stream, socket, listen, sequences } = await watchedOperation();
    const faults: unknown[] = [];
    stream.on("fault", (error) => faults.push(error));
    stream.on("message", () => {
      throw new Error("no");
    });
    listen();
    socket().open().say(message(0), complete(1));
    expect([sequences(), faults.length]).toEqual([[0, 1], 2]);
  });
});

describe("someone who takes the messages slowly", () => {
  test("has no connection while too many wait for him, and misses nothing", async () => {
    const { stream, socket, made, states, pass } = await watchedOperation({ limits: { messages: 4 } });
    socket().open().say(message(0), message(1), message(2), message(3), message(4));
    await settle();
    expect([stream.state, socket().closed]).toEqual(["paused", { code: 1000, reason: "Reading on later" }]);
    const taken = [await stream.next()];
    await pass(60_000);
    expect(made.length).toBe(1);
    taken.push(await stream.next());
    await settle();
    expect([made.length, socket().query.last_received_sequence]).toEqual([2, "3"]);
    socket().open().say(message(4), complete(5));
    for await (const value of stream) taken.push({ done: false, value });
    expect(taken.map(({ value }) => value?.sequence)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(words(states)).toEqual(["connecting", "open", "paused", "reconnecting", "open", "closed"]);
  });

  test("is bounded by what the messages weigh, too", async () => {
    const { stream, socket } = await watchedOperation();
    const heavy = (sequence: number) => message(sequence, "execution", { content: "x".repeat(10_000) });
    socket().open();
    for (let sequence = 0; sequence < 300; sequence++) socket().say(heavy(sequence));
    await settle();
    expect(stream.state).toBe("paused");
    socket().say(heavy(300));
    expect((await stream.next()).value?.sequence).toBe(0);
  });

  test("bounds what follows a gap as well", async () => {
    const { stream, socket, pass, listen, sequences } = await watchedOperation({ limits: { messages: 4 } });
    listen();
    socket().open().say(message(0), message(2), message(3), message(4), message(5), message(6));
    await settle();
    expect(socket().closed?.reason).toBe("Timeout waiting for messages");
    await pass(1000);
    socket().open().say(message(1), message(2), complete(3));
    expect([sequences(), await stream.ended]).toEqual([[0, 1, 2, 3], undefined]);
  });

  test("gets what came after the last one who listened went away", async () => {
    const { stream, socket, listen, sequences } = await watchedOperation();
    const off = listen();
    socket().open().say(message(0), message(1));
    off();
    socket().say(message(2), complete(3));
    const rest: number[] = [];
    for await (const { sequence } of stream) rest.push(sequence);
    expect([sequences(), rest]).toEqual([
      [0, 1],
      [2, 3],
    ]);
  });

  test("does not keep those from it who listen", async () => {
    const { stream, socket, listen, sequences } = await watchedOperation({ limits: { messages: 2 } });
    socket().open().say(message(0));
    listen();
    socket().say(message(1), message(2), message(3), complete(4));
    expect([sequences(), stream.lastSequence]).toEqual([[0, 1, 2, 3, 4], 4]);
  });
});

describe("an answer", () => {
  const reply = (type: OperationMessage["type"], metadata: object) => message(-2, type, { metadata });

  test("goes over the socket, and is taken when the server says so", async () => {
    const { stream, socket, called } = await watchedOperation();
    socket().open();
    const answered = stream.answer("ask-1", "A");
    expect(socket().sent).toEqual([{ type: "answer", request_id: "a1", ask_id: "ask-1", answer: "A" }]);
    socket().say(message(0), reply("system", { request_id: "a1" }));
    await answered;
    expect(called).toEqual([]);
  });

  test("that is refused fails with the server's word", async () => {
    const { stream, socket } = await watchedOperation();
    socket().open();
    const answered = stream.answer("ask-1", true);
    socket().say(reply("error", { request_id: "a1", code: "QUESTION_CLOSED" }));
    await expect(answered).rejects.toMatchObject({ code: "QUESTION_CLOSED", message: "message -2" });
  });

  test.each(["is not there", "breaks", "says nothing"])("goes by a call when the socket %s", async (how) => {
    const { stream, socket, called, pass } = await watchedOperation();
    if (how !== "is not there") socket().open();
    const answered = stream.answer("ask-1", "A");
    if (how === "breaks") socket().end();
    if (how === "says nothing") await pass(10_000);
    await answered;
    expect(called.map(({ call }) => call)).toEqual([`POST operations/${operation}/answer`]);
  });
});
