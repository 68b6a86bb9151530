import { describe, expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import {
  type Answers,
  complete,
  connected,
  leftOut,
  message,
  operation,
  watchedOperation,
} from "../../testing/watched-operation.ts";

// What a connection does not bring.

describe("a message that is missing", () => {
  test("is waited for, and asked for again from the last that came in order", async () => {
    const { socket, pass, listen, sequences } = await watchedOperation();
    listen();
    socket().open().say(message(0), message(2), message(3));
    await pass(4999);
    expect([sequences(), socket().closed]).toEqual([[0], undefined]);
    await pass(1);
    expect(socket().closed).toEqual({ code: 1000, reason: "Timeout waiting for messages" });
    await pass(1000);
    expect(socket().query.last_received_sequence).toBe("0");
    socket().open().say(message(1), message(2), complete(3));
    expect(sequences()).toEqual([0, 1, 2, 3]);
  });

  test("is not waited for a second time, but it is known to be lost", async () => {
    const { stream, socket, pass, listen, sequences, dropped } = await watchedOperation();
    listen();
    for (let turn = 0; turn < 2; turn++) {
      socket().open().say(message(2), complete(3));
      await pass(5000);
      await pass(1000);
    }
    expect([sequences(), stream.lost, dropped]).toEqual([[2, 3], [0, 1], [[0, 1]]]);
  });

  test.each(["before", "after"])("was left out if the server says so, %s what follows it", async (when) => {
    const { stream, socket, listen, sequences, dropped } = await watchedOperation();
    listen();
    const said = [message(0), message(3), leftOut(1, 2), complete(4)];
    socket()
      .open()
      .say(...(when === "before" ? [leftOut(1, 2), message(0), message(3), complete(4)] : said));
    expect([sequences(), stream.lost, dropped]).toEqual([[0, 3, 4], [1, 2], [[1, 2]]]);
  });

  const history: Answers = (call) => {
    const after = Number(/after=(-?\d+)/.exec(call)?.[1] ?? -1);
    const messages = [0, 1, 2, 3, 4].filter((sequence) => sequence > after).map((sequence) => message(sequence));
    return { body: { operation_id: operation, messages: messages.slice(0, 2), more: messages.length > 2 } };
  };

  test("can be read from history afterwards", async () => {
    const { stream, socket, listen, called } = await watchedOperation({ answers: history });
    listen();
    socket().open().say(message(0), leftOut(1, 3), message(2), complete(4));
    expect(stream.lost).toEqual([1, 3]);
    expect((await stream.recover()).map(({ sequence }) => sequence)).toEqual([1, 3]);
    expect(stream.lost).toEqual([]);
    expect(await stream.recover()).toEqual([]);
    expect(called.map(({ call }) => call)).toEqual(
      [0, 2].map((after) => `GET operations/${operation}/messages?after=${after}&limit=1000`),
    );
  });

  test("is read from history before what follows it, if that is wanted", async () => {
    const { stream, socket, listen, sequences } = await watchedOperation({ answers: history, recover: true });
    listen();
    socket().open().say(message(0), message(2), leftOut(1, 3), message(4, "complete"));
    await settle();
    expect([sequences(), stream.lost, stream.state]).toEqual([[0, 1, 2, 3, 4], [], "closed"]);
  });

  test("is not lost when there is no room for what history has: it comes on the next connection", async () => {
    const limits = { messages: 3 };
    const { stream, socket, dropped } = await watchedOperation({ answers: history, recover: true, limits });
    socket()
      .open()
      .say(message(0), leftOut(1, 2, 3));
    await settle();
    expect([stream.state, socket().closed?.reason]).toEqual(["paused", "Reading on later"]);
    const taken = [await stream.next(), await stream.next(), await stream.next()];
    await settle();
    const from = Number(socket().query.last_received_sequence);
    socket()
      .open()
      .say(...[1, 2, 3].filter((sequence) => sequence > from).map((sequence) => message(sequence)), complete(4));
    for await (const value of stream) taken.push({ done: false, value });
    expect(taken.map(({ value }) => value?.sequence).filter((sequence) => sequence !== -2)).toEqual([0, 1, 2, 3, 4]);
    expect([stream.lost, dropped]).toEqual([[], []]);
  });

  test("may be one of more than a function takes arguments", async () => {
    const many = Array.from({ length: 200_000 }, (_, at) => at);
    const notice = message(-2, "system", { metadata: { dropped: many } });
    const { stream, socket, listen, sequences } = await watchedOperation({ recover: true });
    listen();
    socket().open().say(notice, complete(200_000));
    await settle();
    expect([sequences(), stream.lost.length]).toEqual([[200_000], 200_000]);
    expect(await stream.recover()).toEqual([]);
  });

  test("is asked for once where history says that there is more, and has it not", async () => {
    const page = { body: { operation_id: operation, messages: [message(2)], more: true } };
    let asked = 0;
    const answers: Answers = () => (asked++ < 5 ? page : new Error("it would go on for ever"));
    const { stream, socket, listen, called } = await watchedOperation({ answers, recover: true });
    listen();
    socket().open().say(message(0), leftOut(1));
    await settle();
    expect([called.length, stream.lost, stream.lastSequence]).toEqual([1, [1], 2]);
  });

  test("is lost where history cannot be had", async () => {
    const answers = () => new TypeError("fetch failed");
    const { stream, socket, listen, sequences } = await watchedOperation({ answers, recover: true });
    listen();
    socket().open().say(message(0), leftOut(1), complete(2));
    await settle();
    expect([sequences(), stream.lost]).toEqual([[0, 2], [1]]);
  });
});

test("what is another operation's has no place here", async () => {
  const { socket, listen, told } = await watchedOperation();
  listen();
  socket()
    .open()
    .say({ ...message(0), operation_id: "another", content: "not ours" }, message(0), complete(1));
  expect(told).toEqual([message(0), complete(1)]);
});

test("what is held after a gap is bounded by its weight", async () => {
  const { socket, listen } = await watchedOperation({ limits: { bytes: 5000 } });
  listen();
  const heavy = message(2, "execution", { content: "x".repeat(5000) });
  socket().open().say(message(0), heavy, message(3));
  expect(socket().closed?.reason).toBe("Timeout waiting for messages");
});

describe("silence", () => {
  test("of 30 s is asked about; where nothing is missing, the connection stays", async () => {
    const { socket, pass, called, made } = await watchedOperation();
    socket().open().say(connected, message(0));
    await pass(29_000);
    socket().say(message(1));
    await pass(29_999);
    expect(called).toEqual([]);
    await pass(1);
    expect(called).toEqual([{ call: `GET operations/${operation}/messages?after=1&limit=1`, by: "Bearer s1" }]);
    await pass(30_000);
    expect([called.length, made.length, socket().closed]).toEqual([2, 1, undefined]);
  });

  test("is asked about as soon as it is told to be", async () => {
    const { socket, pass, called } = await watchedOperation({ silenceMs: 5000 });
    socket().open();
    await pass(4999);
    expect(called.length).toBe(0);
    await pass(1);
    expect(called.length).toBe(1);
  });

  test("while there is more to be had ends the connection, and another one is made", async () => {
    const answers = () => ({ body: { operation_id: operation, messages: [message(1)], more: false } });
    const { socket, pass, made } = await watchedOperation({ answers });
    socket().open().say(message(0));
    await pass(30_000);
    expect(socket().closed).toEqual({ code: 1000, reason: "Timeout waiting for messages" });
    await pass(1000);
    expect([made.length, socket().query.last_received_sequence]).toEqual([2, "0"]);
  });

  test("while nobody answers ends the connection as well", async () => {
    const { socket, pass, made } = await watchedOperation({ answers: () => new TypeError("fetch failed") });
    socket().open();
    await pass(30_000);
    await pass(1000);
    expect(made.length).toBe(2);
  });
});
