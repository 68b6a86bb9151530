import { afterEach, describe, expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { MemoryLiveServer } from "../../testing/memory-live-link.ts";
import { settle, until } from "../../testing/scripted.ts";
import { LiveClient, type LiveOptions } from "./live-client.ts";
import type { LiveError } from "./live-error.ts";
import type { LiveSession } from "./live-session.ts";
import type { LiveMessage } from "./protocol.ts";

// The client against a server in the test's own hands, on a clock that stands still.

const clients: LiveClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function connected(options: LiveOptions = {}) {
  const server = new MemoryLiveServer();
  const clock = new ManualClock();
  const client = new LiveClient({ connect: server.connect, clock, reconnect: { random: () => 1 }, ...options });
  clients.push(client);
  await client.start();
  const faults: LiveError[] = [];
  client.onFault((error) => faults.push(error));
  return { server, clock, client, faults };
}

/** Attached at seq 10. */
async function attached(options: LiveOptions = {}, state = {}) {
  const around = await connected(options);
  const attaching = around.client.attach("s1");
  around.server.answer("session_start", "session_state", around.server.state({ last_seq: 10, ...state }));
  return { ...around, session: await attaching };
}

/** The connection is lost, and another one is there. */
async function reconnected({ server, clock }: { server: MemoryLiveServer; clock: ManualClock }, state = {}) {
  server.end("cut");
  clock.advance(500);
  await until(() => server.of("session_start").length > 1, "the session_start");
  server.answer("session_start", "session_state", server.state(state));
}

function collected(session: LiveSession): LiveMessage[] {
  const messages: LiveMessage[] = [];
  session.onMessage((message) => messages.push(message));
  return messages;
}

const places = (messages: LiveMessage[]) => messages.map(({ seq, k = 0 }) => `${seq}.${k}`);
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: LiveError) => error,
  );

function say(server: MemoryLiveServer, seq: number, text = "x", k?: number): void {
  const data = { content_block_id: "b", index: 0, delta: { type: "text_delta", text } };
  server.say("content_block_delta", data, { seq, k });
}

const asked = { call_id: "call", ask_id: "ask", name: "file.write", args: {}, run_id: "r1", kind: "confirm" };

describe("requests", () => {
  test("are answered by what carries their id, and refused by an error that does", async () => {
    const { server, client } = await connected();
    const listing = client.sessions({ limit: 5 });
    expect(server.of("session_list")).toEqual([
      { type: "session_list", correlation_id: expect.any(String), data: { limit: 5 } },
    ]);
    server.say("session_list", { sessions: [] }, { correlation_id: "somebody else's" });
    server.answer("session_list", "session_list", { sessions: [{ session_id: "s1" }] });
    expect(await listing).toEqual([{ session_id: "s1" }]);
    const refused = failure(client.attach("s2"));
    const details = { code: "session_not_found" };
    const data = { error_code: "SESSION_TIMEOUT", message: "No", severity: "error", retriable: false, details };
    server.answer("session_start", "error", data);
    expect(await refused).toMatchObject({ ...{ name: "LiveError", code: "SESSION_TIMEOUT", message: "No" }, details });
  });

  test("that nobody answers time out, and at most 1000 wait", async () => {
    const { client, clock } = await connected();
    const waiting = Array.from({ length: 1000 }, () => failure(client.sessions()));
    expect(await failure(client.sessions())).toMatchObject({ code: "OVERFLOW", retriable: true });
    clock.advance(30_000);
    const codes = (await Promise.all(waiting)).map((error) => error?.code);
    expect(new Set(codes)).toEqual(new Set(["TIMEOUT"]));
  });

  test("are not sent to a server that does not read, nor are those that are too large", async () => {
    const { client, server, session } = await attached();
    expect(await failure(session.prompt("é".repeat(9 * 1024 * 1024)))).toMatchObject({ code: "OVERFLOW" });
    server.unsent = 17 * 1024 * 1024;
    expect(await failure(client.sessions())).toMatchObject({ code: "OVERFLOW", retriable: true });
    expect(await failure(session.call("x", { loop: 1n }))).toMatchObject({ code: "INVALID" });
  });

  test("are rejected when the client is closed", async () => {
    const { client, session } = await attached();
    const prompting = failure(session.prompt("hi"));
    await client.close();
    expect([(await prompting)?.code, (await failure(session.prompt("hi")))?.code, client.status]).toEqual([
      "CLOSED",
      "CLOSED",
      "closed",
    ]);
    expect(await failure(client.sessions())).toMatchObject({ code: "CLOSED" });
  });
});

describe("a session", () => {
  test("that is ended has ended when the view says so; an acknowledgement that nothing follows is enough", async () => {
    const { server, session } = await attached();
    const statuses: string[] = [];
    const ending = session.end("done").then(() => statuses.push(session.view.status));
    server.answer("session_end", "ack");
    await settle();
    expect(statuses).toEqual([]);
    server.say("session_end", { reason: "done", summary: { last_seq: 11 } }, { seq: 11 });
    await ending;
    expect(statuses).toEqual(["closed"]);
    expect(await failure(session.end())).toMatchObject({ code: "CLOSED" });
    const other = await attached();
    const acknowledged = other.session.end();
    other.server.answer("session_end", "ack");
    other.clock.advance(30_000);
    await acknowledged;
    const lost = failure(other.session.end());
    other.server.end("cut");
    expect(await lost).toMatchObject({ code: "CONNECTION_LOST" });
  });

  test("is opened with what is asked for, and shows what is told", async () => {
    const { server, client } = await connected();
    const opening = client.open({ engine: "codex", purpose: "planning", title: "T", tools: { a: () => 1 } });
    const data = { engine: "codex", title: "T", session_type: "codex_planning", tools: ["a"] };
    expect(server.of("session_start")).toMatchObject([{ data }]);
    server.answer("session_start", "session_start", { ...data, workspace: "/w" }, { seq: 1 });
    const session = await opening;
    expect([session.id, session.view.engine, session.cursor]).toEqual(["s1", "codex", { seq: 1, k: 0 }]);
    expect(places(collected(session))).toEqual(["1.0"]);
  });

  test("gives each message once, by its seq and k, and skips what it has", async () => {
    const { server, session } = await attached();
    const messages = collected(session);
    say(server, 10);
    say(server, 11);
    say(server, 11);
    say(server, 11, "x", 1);
    say(server, 9);
    say(server, 12);
    server.say("tool_execution_status", { call_id: "c", status: "in_progress", elapsed_ms: 1 });
    expect(places(messages)).toEqual(["11.0", "11.1", "12.0", "undefined.0"]);
  });

  test("begins to iterate with what came before somebody did, and ends with the session", async () => {
    const { server, session } = await attached();
    say(server, 11);
    server.say("session_end", { reason: "closed", summary: { last_seq: 12 } }, { seq: 12 });
    const messages: LiveMessage[] = [];
    for await (const message of session) messages.push(message);
    expect([places(messages), session.view.status]).toEqual([["11.0", "12.0"], "closed"]);
    expect(await failure(session.prompt("more"))).toMatchObject({ code: "CLOSED", message: "The session has ended" });
  });

  test("says so when the iteration begins too late", async () => {
    const { server, session } = await attached({ buffer: 2 });
    for (const seq of [11, 12, 13]) say(server, seq);
    const iterator = session[Symbol.asyncIterator]();
    expect([(await iterator.next()).value?.seq, (await iterator.next()).value?.seq]).toEqual([11, 12]);
    expect(await failure(iterator.next())).toMatchObject({ code: "OVERFLOW" });
    expect((await iterator.next()).done).toBe(true);
  });

  test("tells of changes of the view together", async () => {
    const { server, clock, session } = await attached();
    const told: string[] = [];
    session.onView(({ messages }) => told.push(messages.map(({ content }) => content).join()));
    clock.advance(16);
    server.say("message_start", { message: { id: "m", role: "assistant", model: "x" }, run_id: "r1" }, { seq: 11 });
    server.say("content_block_start", { content_block_id: "b", index: 0, content_type: "text" }, { seq: 11, k: 1 });
    for (let seq = 12; seq < 20; seq++) say(server, seq, "a");
    expect(session.view.messages[0]?.content).toBe("aaaaaaaa");
    clock.advance(16);
    expect(told.slice(-1)).toEqual(["aaaaaaaa"]);
    expect(told.length).toBeLessThan(3);
  });

  test("hands on what it does not know, and drops what is no message", async () => {
    const { server, session, faults, client } = await attached();
    const messages = collected(session);
    const others: string[] = [];
    client.onMessage(({ type }) => others.push(type));
    server.say("hologram", { x: 1 }, { seq: 11 });
    server.say("heartbeat");
    for (const line of ["{", "[]", '{"type":1}', '{"type":"ack","data":{},"seq":"1"}']) server.line(line);
    server.say("content_block_delta", { delta: "x", content_block_id: "b" }, { seq: 12 });
    server.say("status_update", { kind: "run" }, { seq: 12 });
    expect(messages).toMatchObject([{ type: "hologram", seq: 11, data: { x: 1 } }]);
    expect(others).toEqual(["heartbeat"]);
    expect(faults.map(({ code }) => code)).toEqual(Array(6).fill("PROTOCOL"));
    expect(session.cursor.seq).toBe(11);
  });

  test("is closed when the server says that it is not there any more", async () => {
    const { server, session, faults } = await attached();
    const data = {
      error_code: "SESSION_TIMEOUT",
      message: "Deleted",
      severity: "error",
      retriable: false,
      details: {},
    };
    server.say("error", data);
    expect(await failure(session[Symbol.asyncIterator]().next())).toMatchObject({ code: "SESSION_TIMEOUT" });
    expect(faults).toMatchObject([{ message: "Deleted" }]);
  });
});

describe("prompts and calls", () => {
  test("a prompt resolves with its run, and the run with what was said", async () => {
    const { server, session } = await attached();
    const prompting = session.prompt("hi", { model: "m" });
    expect(server.of("user_input")).toMatchObject([
      { session_id: "s1", ack_required: true, data: { content: "hi", input_type: "ai_prompt", model: "m" } },
    ]);
    server.answer("user_input", "ack");
    server.answer("user_input", "user_input", { content: "hi", input_type: "ai_prompt", run_id: "r1" }, { seq: 11 });
    const { runId, ended } = await prompting;
    const end = { kind: "run", run_id: "r1", status: "completed", result: { text: "Hello" } };
    server.say("status_update", end, { seq: 12 });
    expect([runId, await ended]).toEqual([
      "r1",
      { runId: "r1", status: "completed", text: "Hello", result: { text: "Hello" } },
    ]);
  });

  test("a prompt that waits in the queue has its run, too, and one that fails says why", async () => {
    const { server, session } = await attached();
    const prompting = session.prompt("hi");
    server.answer("user_input", "status_update", { kind: "run", run_id: "r2", status: "queued" }, { seq: 11 });
    const { ended } = await prompting;
    const error = {
      error_code: "PERMISSION_DENIED",
      message: "Sign in",
      severity: "error",
      retriable: false,
      details: {},
    };
    server.answer("user_input", "error", error, { seq: 12 });
    server.say("status_update", { kind: "run", run_id: "r2", status: "failed", reason: "Sign in" }, { seq: 12, k: 1 });
    expect(await ended).toMatchObject({
      ...{ runId: "r2", status: "failed", text: "", reason: "Sign in" },
      error: { code: "PERMISSION_DENIED" },
    });
  });

  test("a call resolves with its own response, or rejects with its error", async () => {
    const { server, session } = await attached();
    const calling = session.call("copilot_suggest", { problem: "p" });
    const [{ data } = { data: undefined }] = server.of("tool_call_request");
    expect(data).toEqual({
      ...{ call_id: expect.any(String), run_id: expect.any(String), name: "copilot_suggest", args: { problem: "p" } },
      is_client_initiated: true,
    });
    server.answer("tool_call_request", "tool_call_response", { call_id: "other", result: 1 }, { seq: 11 });
    const response = { call_id: data?.call_id, result: { result: "r" }, execution_time_ms: 3 };
    server.answer("tool_call_request", "tool_call_response", response, { seq: 12 });
    expect(await calling).toEqual(response);
    const failing = failure(session.call("nothing"));
    const error = { error_code: "UNSUPPORTED_TOOL", message: "No", severity: "error", retriable: false, details: {} };
    const call_id = server.of("tool_call_request").at(-1)?.data.call_id;
    server.answer("tool_call_request", "tool_call_response", { call_id, error }, { seq: 13 });
    expect(await failing).toMatchObject({ code: "UNSUPPORTED_TOOL", message: "No" });
  });

  test("interrupts, ends and departures are acknowledged; nothing is told of a session that was left", async () => {
    const { server, session } = await attached();
    const messages = collected(session);
    const interrupting = session.interrupt("r1", { reason: "enough" });
    server.answer("interrupt", "ack");
    await interrupting;
    const leaving = session.leave();
    server.answer("session_end", "ack");
    await leaving;
    say(server, 11);
    const sent = [...server.of("interrupt"), ...server.of("session_end")].map(({ data }) => data);
    expect([sent, messages]).toEqual([[{ run_id: "r1", reason: "enough" }, { detach: true }], []]);
  });
});

describe("questions", () => {
  test("are told once each, those that are open already, too, and withdrawn when they are closed", async () => {
    const { server, session } = await attached({}, { open_confirmations: [{ ...asked, ask_id: "old" }] });
    const told: string[] = [];
    const signals: AbortSignal[] = [];
    session.onConfirmation(({ ask_id }, { signal }) => {
      told.push(ask_id);
      signals.push(signal);
    });
    for (let times = 0; times < 2; times++) {
      server.say("tool_call_confirmation", asked, { seq: 11, ack_required: true });
    }
    expect([told, signals.map(({ aborted }) => aborted)]).toEqual([
      ["old", "ask"],
      [false, false],
    ]);
    server.say(
      "status_update",
      { kind: "ask", run_id: "r1", ask_id: "ask", call_id: "call", status: "answered" },
      { seq: 12 },
    );
    expect(signals.map(({ aborted }) => aborted)).toEqual([false, true]);
    const acks = server.of("ack");
    expect(acks).toEqual(Array(2).fill({ type: "ack", session_id: "s1", data: { seq: 11 } }));
  });

  test("are answered by the id of the call or the question, and only those that were asked", async () => {
    const { server, session } = await attached({}, { open_confirmations: [asked] });
    const answers = [
      session.approve("call", { remember: true }),
      session.deny("ask", { reason: "no" }),
      session.answer("ask", "words"),
      session.answer("ask", { ids: ["a"] }),
    ];
    for (const { correlation_id } of server.of("user_input")) server.say("ack", {}, { correlation_id });
    await Promise.all(answers);
    expect(server.of("user_input").map(({ data }) => data)).toEqual([
      { input_type: "operation_confirmation", call_id: "call", content: "approve", remember: true },
      { input_type: "operation_confirmation", call_id: "ask", content: "deny", reason: "no" },
      { input_type: "command_parameters", call_id: "ask", content: "words" },
      { input_type: "command_parameters", call_id: "ask", content: "", ids: ["a"] },
    ]);
    expect(await failure(session.answer("nobody", "words"))).toMatchObject({ code: "INVALID" });
    const late = failure(session.approve("ask"));
    const details = { code: "ask_closed", data: { by: "Ada" } };
    const error = { error_code: "INVALID_INPUT_FORMAT", message: "Late", severity: "error", retriable: false, details };
    server.answer("user_input", "error", error);
    expect(await late).toMatchObject({ code: "INVALID_INPUT_FORMAT", details });
  });
});

test("a link that cannot even be begun is told, and leaves no timer behind", async () => {
  const clock = new ManualClock();
  const connect = () => {
    throw new Error("bad port");
  };
  const client = new LiveClient({ connect, clock });
  expect(await failure(client.start())).toMatchObject({ code: "INVALID" });
  clock.advance(30_000);
});

test("an ack that cannot be sent is a fault, and the message counts", async () => {
  const { server, session, faults } = await attached();
  const messages = collected(session);
  server.unsent = 17 * 1024 * 1024;
  server.say("tool_call_confirmation", asked, { seq: 11, ack_required: true });
  expect([places(messages), faults.map(({ code }) => code)]).toEqual([["11.0"], ["OVERFLOW"]]);
});

test("a tool of the client whose result cannot be sent has failed, and that is told", async () => {
  const { client, server } = await connected();
  const attaching = client.attach("s1", { tools: { count: async () => 1n } });
  server.answer("session_start", "session_state", server.state({ last_seq: 10 }));
  await attaching;
  const call = { call_id: "c", name: "count", args: {}, executor: "client", run_id: "r1" };
  server.say("tool_call_request", call, { seq: 11 });
  await until(() => server.of("tool_call_response").length > 0, "the response");
  expect(server.of("tool_call_response").map(({ data }) => data)).toMatchObject([
    {
      call_id: "c",
      error: { error_code: "TOOL_EXECUTION_FAILED", message: expect.stringContaining("cannot be sent") },
    },
  ]);
});

describe("a lost connection", () => {
  test("is made again after longer and longer waits, and everything is told of it", async () => {
    const { server, clock, client } = await connected();
    const told: unknown[] = [];
    client.onStatus(({ status, attempt, inMs }) => told.push([status, attempt, inMs]));
    server.end("cut");
    server.greets = false;
    for (const ms of [500, 1000, 2000, 5000, 10_000, 30_000]) {
      clock.advance(ms - 1);
      expect(server.isConnected).toBe(false);
      clock.advance(1);
      server.end("refused");
    }
    server.greets = true;
    clock.advance(30_000);
    await until(() => client.status === "open");
    expect(told).toEqual([
      ...[500, 1000, 2000, 5000, 10_000, 30_000, 30_000].map((ms, index) => ["reconnecting", index + 1, ms]),
      ["open", undefined, undefined],
    ]);
    clock.advance(10_000); // it was a good one
    server.end("cut");
    expect(told.at(-1)).toEqual(["reconnecting", 1, 500]);
  });

  test("is not made again when the server does not let us in, or it was said not to", async () => {
    const { server, client, session } = await attached();
    const data = {
      error_code: "PERMISSION_DENIED",
      message: "Revoked",
      severity: "fatal",
      retriable: false,
      details: {},
    };
    const told: unknown[] = [];
    client.onStatus(({ status, error }) => told.push([status, error?.code, error?.message]));
    server.say("error", data, { session_id: "" });
    server.end("closed");
    expect(told).toEqual([["closed", "PERMISSION_DENIED", "Revoked"]]);
    expect(await failure(session[Symbol.asyncIterator]().next())).toMatchObject({ message: "Revoked" });
    const other = await connected({ reconnect: false });
    other.server.end("cut");
    expect(other.client.status).toBe("closed");
  });

  test("is given up after as many attempts as were allowed", async () => {
    const { server, clock, client } = await connected({ reconnect: { mostAttempts: 2, random: () => 0 } });
    server.greets = false;
    server.end("crashed");
    clock.advance(250);
    server.end("crashed");
    clock.advance(500);
    server.end("crashed again");
    expect([client.status, server.opened]).toEqual(["closed", 3]);
    expect(await failure(client.sessions())).toMatchObject({ code: "CLOSED" });
  });

  test("costs no message: the session goes on after the last one, and its view is the new state", async () => {
    const around = await attached();
    const { server, session } = around;
    const messages = collected(session);
    say(server, 11);
    say(server, 12, "x", 2);
    await reconnected(around, { last_seq: 14, title: "New", messages: [] });
    expect(server.of("session_start").at(-1)).toMatchObject({ session_id: "s1", data: { after: 12, after_k: 2 } });
    for (const [seq, k] of [
      [12, 2],
      [12, 3],
      [13, undefined],
      [14, undefined],
      [15, undefined],
    ] as const)
      say(server, seq, "x", k);
    expect(places(messages)).toEqual(["11.0", "12.2", "12.3", "13.0", "14.0", "15.0"]);
    expect([session.view.title, session.view.last_seq]).toEqual(["New", 15]);
  });

  test("rejects what was sent and not acknowledged, and sends what was not sent yet", async () => {
    const around = await attached();
    const { server, clock, session, client } = around;
    const interrupting = failure(session.interrupt());
    server.end("cut");
    expect(await interrupting).toMatchObject({ code: "CONNECTION_LOST", retriable: true });
    const waiting = session.interrupt("r9");
    const listing = client.sessions();
    clock.advance(500);
    await until(() => server.of("session_list").length > 0);
    expect(server.of("interrupt")).toHaveLength(1); // its session is not attached yet
    server.answer("session_start", "session_state", server.state({ last_seq: 10 }));
    expect(server.of("interrupt").map(({ data }) => data)).toEqual([{}, { run_id: "r9" }]);
    server.answer("interrupt", "ack");
    server.answer("session_list", "session_list", { sessions: [] });
    expect([await waiting, await listing]).toEqual([undefined, []]);
  });

  test("does not lose a prompt that the log has, and sends one again that it has not, as the same run", async () => {
    const around = await attached();
    const { server, session } = around;
    const kept = session.prompt("kept");
    const lost = session.prompt("lost");
    const [{ correlation_id } = { correlation_id: "" }, before] = server.of("user_input");
    await reconnected(around, { last_seq: 12, run_id: "r1", status: "running" });
    server.say("user_input", { content: "kept", run_id: "r1", input_type: "ai_prompt" }, { seq: 11, correlation_id });
    say(server, 12);
    const again = server.of("user_input")[2];
    expect([server.of("user_input").length, again]).toEqual([3, before]);
    const { ended } = await kept;
    server.say("status_update", { kind: "run", run_id: "r1", status: "cancelled", reason: "x" }, { seq: 13 });
    const told = { content: "lost", run_id: before?.data.run_id, input_type: "ai_prompt" };
    server.say("user_input", told, { seq: 14, correlation_id: before?.correlation_id });
    expect([(await ended).status, (await lost).runId]).toEqual(["cancelled", before?.data.run_id]);
  });

  test("does not lose a call that the log has, nor the end of a run that comes with the last event", async () => {
    const around = await attached();
    const { server, session } = around;
    const prompting = session.prompt("hi");
    server.answer("user_input", "user_input", { content: "hi", run_id: "r1" }, { seq: 11 });
    const { ended } = await prompting;
    const calling = session.call("x_y");
    const [{ correlation_id, data } = { correlation_id: "", data: { call_id: "" } }] = server.of("tool_call_request");
    await reconnected(around, { last_seq: 13, last_run: { run_id: "r1", status: "completed" } });
    const call = { call_id: data.call_id, name: "x_y", args: {}, run_id: "r2" };
    server.say("tool_call_request", call, { seq: 12, correlation_id });
    say(server, 13);
    const result = { text: "whole" };
    server.say("status_update", { kind: "run", run_id: "r1", status: "completed", result }, { seq: 13, k: 1 });
    server.say("tool_call_response", { call_id: data.call_id, result: 1 }, { seq: 14, correlation_id });
    expect([(await ended).text, (await calling).result]).toEqual(["whole", 1]);
  });

  test("sends a prompt again at once, where the log has not grown", async () => {
    const around = await attached();
    void around.session.prompt("lost").catch(() => {});
    await reconnected(around, { last_seq: 10 });
    const [before, again, ...more] = around.server.of("user_input");
    expect([again, more]).toEqual([before, []]);
  });

  test("knows of a run whose end was pruned that it is over, also where nothing more is said", async () => {
    const around = await attached();
    const { server, session, clock } = around;
    const prompting = session.prompt("hi");
    const [{ data } = { data: { run_id: "" } }] = server.of("user_input");
    server.answer("user_input", "user_input", { content: "hi", run_id: data.run_id }, { seq: 11 });
    const { ended } = await prompting;
    await reconnected(around, { last_seq: 60 });
    server.say("status_update", { kind: "gap", from_seq: 12, to_seq: 50 });
    say(server, 60);
    clock.advance(5000);
    expect((await ended).status).toBe("unknown");
  });

  test("leaves a prompt that was acknowledged to the log, however long that takes", async () => {
    const around = await attached();
    const { server, session, clock } = around;
    const prompting = session.prompt("hi");
    server.answer("user_input", "ack");
    const [{ correlation_id } = { correlation_id: "" }] = server.of("user_input");
    await reconnected(around, { last_seq: 10 });
    clock.advance(60_000);
    server.say("user_input", { content: "hi", run_id: "r1", input_type: "ai_prompt" }, { seq: 11, correlation_id });
    expect((await prompting).runId).toBe("r1");
  });

  test("does not decide too early what the log says no more of, and says so", async () => {
    const around = await attached();
    const { clock, session } = around;
    const lost = failure(session.prompt("lost"));
    await reconnected(around, { last_seq: 20 });
    clock.advance(5000);
    expect(await lost).toMatchObject({ code: "CONNECTION_LOST", details: { cause: "TIMEOUT" } });
  });

  test("ends runs whose end was pruned from the log", async () => {
    const around = await attached();
    const { server, session } = around;
    const prompting = session.prompt("hi");
    server.answer("user_input", "user_input", { content: "hi", run_id: "r1", input_type: "ai_prompt" }, { seq: 11 });
    const { ended } = await prompting;
    await reconnected(around, { last_seq: 30 });
    server.say("status_update", { kind: "gap", from_seq: 12, to_seq: 30 });
    expect(await ended).toMatchObject({ runId: "r1", status: "unknown" });
  });

  test("is the end of a session that is gone by then", async () => {
    const around = await attached();
    const { server, clock, session } = around;
    server.end("cut");
    clock.advance(500);
    await until(() => server.of("session_start").length > 1);
    const error = { error_code: "SESSION_TIMEOUT", message: "Gone", severity: "error", retriable: false, details: {} };
    server.answer("session_start", "error", error);
    expect(await failure(session[Symbol.asyncIterator]().next())).toMatchObject({ message: "Gone" });
  });

  test("tells of an open question again to nobody, and of one that was closed meanwhile", async () => {
    const around = await attached({}, { open_confirmations: [asked, { ...asked, ask_id: "other" }] });
    const told: string[] = [];
    const closed: string[] = [];
    around.session.onConfirmation(({ ask_id }, { signal }) => {
      told.push(ask_id);
      signal.addEventListener("abort", () => closed.push(ask_id));
    });
    await reconnected(around, { last_seq: 12, open_confirmations: [asked] });
    expect([told, closed]).toEqual([["ask", "other"], ["other"]]);
  });
});

describe("the connection", () => {
  test("is kept by heartbeats, and given up after 90 s of silence", async () => {
    const { server, clock, client } = await connected();
    for (let times = 0; times < 2; times++) clock.advance(30_000);
    server.say("heartbeat");
    clock.advance(89_999);
    expect([server.of("heartbeat").length, client.status]).toEqual([4, "open"]);
    clock.advance(1);
    expect(client.status).toBe("reconnecting");
  });

  test("is given up where nobody answers", async () => {
    const server = new MemoryLiveServer();
    server.greets = false;
    const clock = new ManualClock();
    const client = new LiveClient({ connect: server.connect, clock });
    const starting = failure(client.start());
    clock.advance(30_000);
    expect(await starting).toMatchObject({ code: "CONNECTION_LOST", message: "No server answered within 30 s" });
  });

  test("grants credit again when half of it is used", async () => {
    const { server } = await attached({ credit: 4 });
    const granted = () => server.of("flow_control").map(({ data }) => data.available_capacity);
    expect(server.of("flow_control")[0]?.data).toEqual({ available_capacity: 4, requested_capacity: 64 });
    say(server, 11); // the state was the first
    expect(granted()).toEqual([4, 4]);
    server.say("heartbeat");
    server.say("user_input", { content: "", run_id: "r" }, { seq: 12 });
    say(server, 13);
    expect(granted()).toEqual([4, 4]);
    say(server, 14);
    expect(granted()).toEqual([4, 4, 4]);
  });

  test("withholds credit from a server that is faster than whoever iterates, but for one now and then", async () => {
    const { server, session, clock } = await attached({ credit: 4, buffer: 4 });
    const iterator = session[Symbol.asyncIterator]();
    const first = iterator.next();
    const granted = () => server.of("flow_control").map(({ data }) => data.available_capacity);
    for (let seq = 11; seq <= 18; seq++) say(server, seq); // more than it was allowed
    expect([(await first).value?.seq, granted()]).toEqual([11, [4, 4, 2, 1]]);
    clock.advance(20_000);
    expect(granted()).toEqual([4, 4, 2, 1, 1]);
    say(server, 19);
    expect(granted()).toEqual([4, 4, 2, 1, 1]);
    for (let seq = 12; seq <= 19; seq++) expect((await iterator.next()).value?.seq).toBe(seq);
    expect(granted()).toEqual([4, 4, 2, 1, 1, 1]);
    say(server, 20);
    expect(granted()).toEqual([4, 4, 2, 1, 1, 1, 3]);
  });

  test("grants what a request in the loop needs, and stops at four times the buffer", async () => {
    const { server, session, clock } = await attached({ credit: 4, buffer: 4 });
    const iterator = session[Symbol.asyncIterator]();
    const first = iterator.next();
    void failure(session.prompt("in the loop"));
    for (let seq = 11; seq < 11 + 17; seq++) say(server, seq);
    await first;
    const granted = server.of("flow_control").length;
    for (let seq = 30; seq < 40; seq++) say(server, seq);
    clock.advance(25_000);
    expect(server.of("flow_control")).toHaveLength(granted);
  });
});

describe("tools of the client", () => {
  const call = { call_id: "c1", name: "deploy", args: { to: "x" }, run_id: "r1", executor: "client" };
  const state = { open_tool_calls: [], open_confirmations: [] };

  async function withTools(tools: Parameters<LiveClient["attach"]>[1]) {
    const around = await connected();
    const attaching = around.client.attach("s1", tools);
    around.server.answer("session_start", "session_state", around.server.state({ last_seq: 10, ...state }));
    return { ...around, session: await attaching };
  }

  test("are run when they are asked for, each call once, and what they give is the response", async () => {
    let runs = 0;
    const { server, clock } = await withTools({
      toolTimeoutMs: 9,
      tools: {
        deploy: async (args, { callId, sessionId }) => {
          runs++;
          clock.advance(7);
          return { args, callId, sessionId };
        },
      },
    });
    expect(server.of("session_start")[0]?.data).toEqual({ tools: ["deploy"], tool_timeout_ms: 9 });
    for (let times = 0; times < 2; times++) server.say("tool_call_request", call, { seq: 11, ack_required: true });
    server.say("tool_call_request", { ...call, call_id: "c2", name: "another's" }, { seq: 12 });
    await until(() => server.of("tool_call_response").length > 0);
    await settle();
    const result = { args: { to: "x" }, callId: "c1", sessionId: "s1" };
    expect([runs, server.of("tool_call_response").map(({ data }) => data)]).toEqual([
      1,
      [{ call_id: "c1", result, execution_time_ms: 7 }],
    ]);
  });

  test("are run after a yes, and a no or a failure is the response, too", async () => {
    const confirmation = { ...asked, name: "deploy", executor: "client", kind: "tool" };
    const { server } = await withTools({
      tools: { deploy: () => Promise.reject(new Error("broken")) },
      confirm: ({ ask_id }) => (ask_id === "yes" ? true : { approved: false, reason: "not today" }),
    });
    server.say("tool_call_confirmation", { ...confirmation, ask_id: "yes", call_id: "1" }, { seq: 11 });
    server.say("tool_call_confirmation", { ...confirmation, ask_id: "no", call_id: "2" }, { seq: 12 });
    await until(() => server.of("tool_call_response").length === 2);
    const errors = server.of("tool_call_response").map(({ data: { call_id, error } }) => [call_id, error]);
    expect(new Map(errors as [string, unknown][])).toEqual(
      new Map([
        ["1", expect.objectContaining({ error_code: "TOOL_EXECUTION_FAILED", message: "broken" })],
        ["2", expect.objectContaining({ error_code: "PERMISSION_DENIED", message: "not today" })],
      ]),
    );
  });

  test("are not run again after a lost connection: their response is sent again until it is acknowledged", async () => {
    let runs = 0;
    const around = await withTools({ tools: { deploy: () => ++runs } });
    const { server } = around;
    server.say("tool_call_request", call, { seq: 11 });
    await until(() => server.of("tool_call_response").length === 1);
    const open = { last_seq: 11, open_tool_calls: [{ ...call, started_at: "2026-01-01T00:00:00.000Z" }] };
    await reconnected(around, open);
    await until(() => server.of("tool_call_response").length === 2);
    expect(server.of("session_start").at(-1)?.data).toMatchObject({ tools: ["deploy"], after: 11 });
    server.answer("tool_call_response", "ack");
    await settle();
    await reconnected(around, open);
    await settle();
    expect([runs, server.of("tool_call_response").map(({ data }) => data.result)]).toEqual([1, [1, 1]]);
  });

  test("are told when nobody waits any more", async () => {
    let given: AbortSignal | undefined;
    const { server } = await withTools({
      tools: {
        deploy: (_, { signal }) => {
          given = signal;
          return new Promise(() => {});
        },
      },
    });
    server.say("tool_call_request", call, { seq: 11 });
    await until(() => given !== undefined);
    server.say("tool_call_response", { call_id: "c1", result: 1, execution_time_ms: 1 }, { seq: 12 });
    expect(given?.aborted).toBe(true);
  });
});
