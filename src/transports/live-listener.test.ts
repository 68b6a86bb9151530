import { existsSync } from "node:fs";
import { afterEach, describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { type LiveEnd, liveListenings } from "../testing/live-listening.ts";
import { confirm, type Script } from "../testing/one-session.ts";
import { until } from "../testing/scripted.ts";
import type { WireMessage } from "../testing/ui-wire.ts";
import type { WireEnd } from "../testing/wire-end.ts";

// `live` over plain connections of this machine: who is let in, and who is not. Real sockets and real tokens.

const listening = liveListenings();
const asking: Script = async (_, io) => JSON.stringify(await io.ask(confirm));

const closed = (wire: WireEnd) => wire.until(() => wire.closed, "the end of the connection");
const list = { type: "session_list", correlation_id: "list", data: {} };
const listed = (wire: WireEnd) => wire.message((m) => m.correlation_id === "list", "the list of sessions");
const prompt = (content: string, more = {}) => ({ type: "user_input", data: { content }, ...more });
const isEnd = (m: WireMessage) => m.type === "status_update" && m.data.kind === "run" && m.data.status === "completed";

/** The one message of a connection that was refused. */
const refusal = (error_code: string, message: unknown, code = "unauthorized") => ({
  type: "error",
  timestamp: expect.stringMatching(/^\d{4}-.*Z$/),
  session_id: "",
  data: {
    error_code,
    message,
    details: expect.objectContaining({ code }),
    severity: "fatal",
    retriable: code === "rate_limited",
  },
});

describe("over TCP, the first line brings a token", () => {
  test("and then the protocol is spoken in the name of its owner, by the roles that it has", async () => {
    const at = await listening();
    const wire = at.known(await at.token("ada", "prompt"));
    wire.send(prompt("hello"));
    const { session_id } = await wire.message(isEnd, "the end of the run");
    expect(wire.messages[0]).toMatchObject({ type: "session_start", session_id, seq: 1 });
    const observer = at.known(await at.token("eve", "observe"));
    observer.send(prompt("mine", { session_id, correlation_id: "no" }));
    const refused = await observer.message((m) => m.correlation_id === "no", "the refusal");
    expect(refused.data).toMatchObject({ error_code: "PERMISSION_DENIED", severity: "error" });
    observer.send(list);
    expect((await listed(observer)).data.sessions).toMatchObject([{ session_id }]);
    expect(at.logged.filter(({ event }) => event === "live.opened")).toEqual([
      { level: "info", event: "live.opened", over: "port", id: expect.any(String), caller: "ada" },
      { level: "info", event: "live.opened", over: "port", id: expect.any(String), caller: "eve" },
    ]);
    expect(at.faults).toEqual([]);
  });

  test("in whatever pieces it comes, with what follows it, and acknowledged where that is wanted", async () => {
    const at = await listening();
    const auth = { type: "auth", correlation_id: "me", seq: 7, ack_required: true, token: at.admin };
    const text = Buffer.from(
      [auth, list, { ...list, correlation_id: "é" }].map((m) => `${JSON.stringify(m)}\n`).join(""),
    );
    const whole = at.stranger();
    whole.socket.write(text);
    const pieces = at.stranger();
    pieces.socket.setNoDelay(true);
    for (const byte of text) await new Promise((resolve) => pieces.socket.write(Buffer.of(byte), resolve));
    for (const { wire } of [whole, pieces]) {
      await wire.message((m) => m.correlation_id === "é", "the second answer");
      expect(wire.messages.map(({ type, correlation_id, data }) => [type, correlation_id, data])).toEqual([
        ["ack", "me", { seq: 7 }],
        ["session_list", "list", { sessions: [] }],
        ["session_list", "é", { sessions: [] }],
      ]);
    }
  });

  const auth = (token: string) => `${JSON.stringify({ type: "auth", data: { token } })}\n`;
  const form = 'as {"type":"auth","data":{"token":"drg_…"}}, but';
  test.each<[string, (token: string) => string, string]>([
    ["a token that is none", () => auth(`drg_${"x".repeat(43)}`), "This token is not valid"],
    ["no token", () => `${JSON.stringify({ type: "auth", data: {} })}\n`, `${form} it is none`],
    ["another message", (token) => `${JSON.stringify(list)}\n${auth(token)}`, `${form} it is another message`],
    ["what is no message", (token) => `hello\n${auth(token)}`, `${form} it is none`],
    ["an empty line", (token) => `\n${auth(token)}`, `${form} it is none`],
    ["a line that is too long", (token) => `${" ".repeat(4096)}${auth(token)}`, `${form} it is longer than 4096 bytes`],
    ["a line that never ends", () => "x".repeat(5000), `${form} it is longer than 4096 bytes`],
    [
      "a request of HTTP, as a page of a browser can send it",
      (token) => `POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 999\r\n\r\n${auth(token)}`,
      `${form} it is none`,
    ],
  ])("%s is refused, and nothing behind it is read", async (_, text, message) => {
    const at = await listening();
    const { socket, wire } = at.stranger();
    socket.write(text(at.admin));
    socket.write(`${JSON.stringify(prompt("do it"))}\n`);
    await closed(wire);
    expect(wire.messages).toEqual([refusal("PERMISSION_DENIED", expect.stringContaining(message))]);
    expect(await at.runtime.store.sessions({ limit: 10 })).toEqual([]);
    expect(JSON.stringify(at.logged)).not.toContain(at.admin);
    await until(() => at.listener.count.unknown === 0, "that nobody is waited for");
  });

  test("a line that was ended by the end of the connection is refused, too", async () => {
    const at = await listening();
    const { socket, wire } = at.stranger();
    socket.end(JSON.stringify({ type: "auth", data: { token: at.admin } }));
    await closed(wire);
    expect(wire.messages).toEqual([
      refusal("PERMISSION_DENIED", expect.stringContaining("the connection ended before it")),
    ]);
  });

  test("within five seconds", async () => {
    const clock = new ManualClock();
    const at = await listening(undefined, clock);
    const [slow, late] = [at.stranger(), at.stranger()];
    await until(() => at.listener.count.unknown === 2, "both");
    clock.advance(4999);
    late.wire.send({ type: "auth", data: { token: at.admin } });
    late.wire.send(list);
    await listed(late.wire);
    clock.advance(1);
    await slow.wire.message((m) => m.type === "error", "the refusal");
    clock.advance(1000);
    await closed(slow.wire);
    expect(slow.wire.messages).toEqual([
      refusal("PERMISSION_DENIED", expect.stringContaining("it did not come in 5 s")),
    ]);
    expect([late.wire.closed, at.listener.count]).toEqual([false, { known: 1, unknown: 0 }]);
  });

  test("of more than twenty who have not brought it the next is turned away, until one has", async () => {
    const at = await listening();
    const waiting = Array.from({ length: 20 }, () => at.stranger());
    await until(() => at.listener.count.unknown === 20, "all of them");
    const { wire } = at.stranger();
    await closed(wire);
    const message = "20 connections have yet to show a token. Close one, or try again in a few seconds.";
    expect(wire.messages).toEqual([refusal("RESOURCE_EXHAUSTED", message, "rate_limited")]);
    waiting[0]?.wire.send({ type: "auth", data: { token: at.admin } });
    await until(() => at.listener.count.known === 1, "one that is known");
    const known = at.known();
    known.send(list);
    await listed(known);
  });

  test("of more than a hundred who are known the next is turned away, over the Unix socket too", async () => {
    const at = await listening();
    for (let some = 0; some < 10; some++) {
      const wires = Array.from({ length: 10 }, () => at.known());
      for (const wire of wires) wire.send(list);
      await Promise.all(wires.map(listed));
    }
    for (const wire of [at.known(), at.user().wire]) {
      await closed(wire);
      const message = "100 connections are open. Close one, or try again in a few seconds.";
      expect(wire.messages).toEqual([refusal("RESOURCE_EXHAUSTED", message, "rate_limited")]);
    }
  });

  test("after twenty tokens in a minute that are none, others are told to wait, and a valid one gets in", async () => {
    const clock = new ManualClock();
    const at = await listening(undefined, clock);
    const guess = async () => {
      const wire = at.known("drg_guessed");
      const { data } = await wire.message((m) => m.type === "error", "the refusal");
      wire.close();
      await until(() => at.listener.count.unknown === 0, "its end");
      return data.error_code;
    };
    const answers: string[] = [];
    for (let guesses = 0; guesses < 21; guesses++) answers.push(await guess());
    expect(answers).toEqual([...Array(20).fill("PERMISSION_DENIED"), "RESOURCE_EXHAUSTED"]);
    const known = at.known();
    known.send(list);
    await listed(known);
    clock.advance(60_000);
    expect(await guess()).toBe("PERMISSION_DENIED");
  });

  test("and when that is revoked, what is open with it is told and ends; the others go on", async () => {
    const at = await listening(asking);
    const [ada, other] = [at.known(await at.token("ada", "prompt", "approve")), at.known()];
    ada.send(prompt("ask me"));
    const { session_id } = await ada.message((m) => m.type === "tool_call_confirmation", "the ask");
    other.send(list);
    await listed(other);
    await at.tokens.revoke("ada");
    await closed(ada);
    const message = 'The token "ada" is not valid any more. Sign in with another one.';
    expect(ada.messages.at(-1)).toEqual(refusal("PERMISSION_DENIED", message));
    expect(ada.messages.filter((m) => m.type === "error")).toHaveLength(1);
    other.send({ type: "session_start", session_id, correlation_id: "state", data: {} });
    const { data } = await other.message((m) => m.correlation_id === "state", "the state");
    expect(data).toMatchObject({ status: "running", open_confirmations: [{ kind: "confirm" }] });
  });
});

describe("at the Unix socket", () => {
  test("two clients at once are the user, without a token: one starts a run, the other answers what it asks", async () => {
    const at = await listening(asking);
    const [{ wire: one }, { wire: two }] = [at.user(), at.user()];
    one.send(prompt("ask me"));
    const { session_id, data } = await one.message((m) => m.type === "tool_call_confirmation", "the ask");
    two.send({ type: "session_start", session_id, data: { after: 0 } });
    await two.message((m) => m.type === "tool_call_confirmation", "the ask, to the other");
    const answer = { call_id: data.ask_id, approved: true };
    two.send({ type: "tool_approval", session_id, correlation_id: "yes", ack_required: true, data: answer });
    expect(await two.message((m) => m.correlation_id === "yes", "that it counts")).toMatchObject({ type: "ack" });
    await Promise.all([one.message(isEnd, "the end"), two.message(isEnd, "the end")]);
    expect(at.faults).toEqual([]);
  });

  test("who ends its sending still gets the answers to what it sent before", async () => {
    const at = await listening();
    const { socket, wire } = at.user();
    const sent = [prompt("hello", { correlation_id: "do", ack_required: true }), list];
    socket.end(sent.map((message) => `${JSON.stringify(message)}\n`).join(""));
    await closed(wire);
    const answers = wire.messages.filter((m) => ["do", "list"].includes(m.correlation_id) && m.seq === undefined);
    expect(answers.map(({ type }) => type)).toEqual(["ack", "session_list"]);
    await until(() => at.listener.count.known === 0, "its end");
    const [opened, ended] = at.logged.filter(({ event }) => event !== "live.listening");
    expect([opened, ended]).toMatchObject([{ event: "live.opened", over: "socket" }, { event: "live.closed" }]);
    expect(ended).toMatchObject({ over: "socket", id: opened?.id });
  });
});

test.each<[string, (end: LiveEnd) => unknown]>([
  ["the Unix socket", ({ socket }) => socket.destroy()],
  ["TCP, by a reset", ({ socket }) => socket.resetAndDestroy()],
])("a client of %s that is gone without a word costs nothing, and its run goes on", async (over, leave) => {
  const at = await listening(asking);
  const connect = () => (over === "the Unix socket" ? at.user() : at.stranger());
  const [one, next] = [connect(), connect()];
  for (const { wire } of [one, next]) wire.send({ type: "auth", data: { token: at.admin } });
  one.wire.send(prompt("ask me"));
  const { session_id } = await one.wire.message((m) => m.type === "tool_call_confirmation", "the ask");
  leave(one);
  await until(() => at.listener.count.known === 1, "its end");
  next.wire.send({ type: "session_start", session_id, correlation_id: "state", data: {} });
  const { data } = await next.wire.message((m) => m.correlation_id === "state", "the state");
  expect(data).toMatchObject({ status: "running" });
  expect(at.faults).toEqual([]);
});

describe("who ends its sending and reads on", () => {
  const held: (() => void)[] = [];
  afterEach(() => {
    for (const goOn of held.splice(0)) goOn();
  });
  /** Says more than the first credit, and goes on when it is let. */
  const long: Script = async (_, io) => {
    for (let i = 0; i < 30; i++) await io.emit({ type: "text.delta", text: `${i} `, of: "answer" });
    await new Promise<void>((resolve) => held.push(resolve));
    return "";
  };
  const deltas = ({ messages }: WireEnd) => messages.filter(({ type }) => type === "content_block_delta").length;

  test.each(["the Unix socket", "TCP"])(
    "over %s gets the run to its end without credit, and then is closed",
    async (over) => {
      const at = await listening(long);
      const { socket, wire } = over === "TCP" ? at.stranger() : at.user();
      if (over === "TCP") wire.send({ type: "auth", data: { token: at.admin } });
      wire.send(prompt("talk"));
      wire.send(prompt("talk again"));
      socket.end();
      await until(() => deltas(wire) === 30 && held.length === 1, "all that the first run says");
      expect([wire.closed, at.listener.count.known]).toEqual([false, 1]);
      held.shift()?.();
      await until(() => deltas(wire) === 60 && held.length === 1, "what waited in the queue");
      expect(wire.closed).toBe(false);
      held.shift()?.();
      await closed(wire);
      expect(wire.messages.filter(isEnd)).toHaveLength(2);
      expect(wire.messages.at(-1)).toMatchObject({ type: "status_update", data: { kind: "run", status: "completed" } });
      expect(at.faults).toEqual([]);
    },
  );

  test("is not kept for the runs of others", async () => {
    const at = await listening(long);
    const { wire: other } = at.user();
    other.send(prompt("talk"));
    const { session_id } = await other.message((m) => m.type === "session_start", "the session");
    const { socket, wire } = at.user();
    wire.send({ type: "session_start", session_id, data: { after: 0 } });
    socket.end();
    await closed(wire);
    await until(() => held.length === 1, "the run, which goes on");
    held.shift()?.();
  });

  test("is waited for no longer than ten minutes", async () => {
    const clock = new ManualClock();
    const at = await listening(long, clock);
    const { socket, wire } = at.user();
    wire.send(prompt("talk"));
    socket.end();
    await until(() => deltas(wire) === 30 && held.length === 1, "what the run says");
    clock.advance(10 * 60 * 1000 - 1);
    expect(wire.closed).toBe(false);
    clock.advance(1);
    await closed(wire);
    held.shift()?.();
  });
});

describe("when the server stops", () => {
  test("everyone is told how the runs ended and that it stops, strangers are cut, and nothing is left", async () => {
    const at = await listening(asking);
    const [known, { wire: user }, { wire: stranger }] = [at.known(), at.user(), at.stranger()];
    known.send(prompt("ask me"));
    const { session_id } = await known.message((m) => m.type === "tool_call_confirmation", "the ask");
    user.send({ type: "session_start", session_id, data: { after: 0 } });
    await user.message((m) => m.type === "tool_call_confirmation", "the ask");
    await until(() => at.listener.count.unknown === 1, "the stranger");
    await at.runtime.stop(0);
    await at.listener.close(60_000);
    await Promise.all([known, user, stranger].map(closed));
    for (const wire of [known, user]) {
      const ends = wire.messages.filter((m) => m.type === "interrupt" || m.data.status === "cancelled");
      expect(ends.map((m) => m.data.reason ?? m.type)).toEqual(expect.arrayContaining(["server_stopping"]));
      expect(ends.some((m) => m.type === "status_update" && m.data.kind === "run")).toBe(true);
    }
    expect([stranger.messages, existsSync(at.path)]).toEqual([[], false]);
  });

  test("who does not read is cut when the time is over", async () => {
    const clock = new ManualClock();
    const at = await listening(undefined, clock);
    const { socket, wire } = at.user();
    wire.send(list);
    await listed(wire);
    socket.pause(); // so it does not see the end, either
    const closing = at.listener.close(1000);
    clock.advance(1000);
    await closing;
    expect(at.listener.count).toEqual({ known: 0, unknown: 0 });
  });
});
