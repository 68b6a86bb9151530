import { describe, expect, onTestFinished, test, vi } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { Question } from "../core/events.ts";
import { type ConnectionMessage, connectionMessage } from "../dialects/operations/connection.ts";
import { memoryStore } from "../stores/memory.ts";
import type { Script } from "../testing/one-session.ts";
import { operationsNodes, stepwise, type Watcher } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";
import { slowAppends } from "../testing/slow-store.ts";

const node = operationsNodes();

const pick: Question = {
  kind: "pick",
  title: "Which repositories are accessible?",
  message: "It decides the query.",
  items: [
    { id: "owned", label: "Owned by the user", detail: "the fewest" },
    { id: "shared", label: "Shared within the organization" },
  ],
};

/** Asks and says what it was answered. */
const asking =
  (...questions: Question[]): Script =>
  async (_, io) => {
    const replies = await Promise.all(questions.map((question) => io.ask(question)));
    return JSON.stringify(replies);
  };

/** What a client is told because of what it sent. */
const replies = (client: Watcher) => client.messages().filter(({ sequence }) => sequence === -2) as ConnectionMessage[];

async function told(client: Watcher, message: unknown): Promise<ConnectionMessage> {
  const before = replies(client).length;
  client.socket.send(typeof message === "string" ? message : JSON.stringify(message));
  await until(() => replies(client).length > before, "a reply");
  return connectionMessage.parse(replies(client)[before]);
}

const askOf = async (client: Watcher) => {
  const { metadata } = await client.hears((message) => message.metadata?.ask_kind !== undefined, "a question");
  return metadata?.ask_id ?? "";
};

describe("a question", () => {
  test("is answered over the socket, by the letter that is shown, and everyone is told that it was", async () => {
    const { start, watch } = await node(asking(pick));
    const operationId = await start();
    const [client, other] = [await watch(`operation_id=${operationId}`), await watch(`operation_id=${operationId}`)];
    const ask_id = await askOf(client);
    expect(client.own()[0]).toMatchObject({
      type: "execution",
      content: expect.stringMatching(/^Q1: Which .*A\) Owned by the user - the fewest\n {2}B\) Shared within/s),
      metadata: { ask_id, ask_kind: "pick", items: [{ id: "owned" }, { id: "shared" }] },
    });
    const reply = await told(client, { type: "answer", ask_id, answer: "B", request_id: "r1" });
    expect(reply).toMatchObject({ type: "system", content: "Answer accepted.", metadata: { request_id: "r1" } });
    await other.hears(({ type }) => type === "complete");
    expect(other.own().map(({ content }) => content)).toEqual([
      expect.stringContaining("Q1: "),
      "Q1 answered by prompt approve.",
      '[{"outcome":"answered","answer":{"ids":["shared"]}}]',
      "Operation complete.",
    ]);
    expect(replies(other)).toEqual([]);
  });

  test("that allows it is answered in one's own words, over the socket and by REST, and they are not repeated", async () => {
    const open: Question = { ...pick, allowText: true };
    const { start, watch, rest } = await node(async (_, io) => {
      const replies = await Promise.all([io.ask(open), io.ask({ ...open, title: "And of those?" }), io.ask(pick)]);
      return JSON.stringify(replies.map((reply) => reply.outcome === "answered" && Object.keys(reply.answer)));
    });
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    const asked = async () => (await rest(`GET /operations/${operationId}`)).json.questions;
    await until(async () => (await asked()).length === 3, "the questions");
    const [first, second, third] = await asked();
    expect([first, second, third].map(({ allow_text }) => allow_text)).toEqual([true, true, undefined]);
    await askOf(client);
    expect(client.own()[0]?.metadata?.allow_text).toBe(true);
    const answer = (ask_id: string, given: unknown) =>
      rest(`POST /operations/${operationId}/answer`, { ask_id, answer: given });
    const refused = [await answer(third.ask_id, "only my own"), await answer(first.ask_id, "w".repeat(2001))];
    expect(refused.map(({ status, json }) => [status, json.error.code])).toEqual([
      [400, "INVALID_PARAMETERS"],
      [413, "TOO_LARGE"],
    ]);
    const said = await told(client, { type: "answer", ask_id: first.ask_id, answer: "only my own" });
    expect([said.type, said.content]).toEqual(["system", "Answer accepted. 2 to go."]);
    for (const given of ["those I starred", { ids: [], text: " those I starred " }]) {
      expect((await answer(second.ask_id, given)).json).toEqual({ ok: true, ask_id: second.ask_id, pending: 1 });
    }
    await answer(third.ask_id, "A");
    await client.hears(({ type }) => type === "complete");
    expect(client.own().map(({ content }) => content)).toContain('[["ids","text"],["ids","text"],["ids"]]');
    expect(JSON.stringify(client.messages())).not.toMatch(/only my own|those I starred/);
    expect((await asked()).map((question: { answer: string }) => question.answer)).toEqual([
      "only my own",
      "those I starred",
      "Owned by the user",
    ]);
  });

  test("that someone else answered is closed, and it is told by whom", async () => {
    const { start, watch, rest } = await node(asking(pick, { ...pick, title: "And of those?" }));
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    const ask_id = await askOf(client);
    const { status, json } = await rest(`POST /operations/${operationId}/answer`, { ask_id, answer: "A" });
    expect([status, json]).toEqual([200, { ok: true, ask_id, pending: 1 }]);
    const late = await told(client, { type: "answer", ask_id, answer: "B", request_id: 7 });
    expect(late).toMatchObject({
      type: "error",
      content: "The question was already answered by prompt approve.",
      metadata: { code: "QUESTION_CLOSED", request_id: 7 },
    });
  });

  test("that was answered is answered again by the same one with the same, who missed what came of it", async () => {
    const store = slowAppends(memoryStore({ clock: new ManualClock() }), [20]); // the second comes before the first is on disk
    const { start, watch, rest, token, log } = await node(asking({ ...pick, multi: true }, pick), { store });
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    const ask_id = await askOf(client);
    const answer = (given: unknown, by?: string) =>
      rest(`POST /operations/${operationId}/answer`, { ask_id, answer: given }, by);
    const sent = await Promise.all([answer(["B", "A"]), answer(["B", "A"]), answer({ ids: ["shared", "owned"] })]);
    expect(sent.map(({ status, json }) => [status, json])).toEqual(
      Array(3).fill([200, { ok: true, ask_id, pending: 1 }]),
    );
    const again = await told(client, { type: "answer", ask_id, answer: ["shared", "owned"], request_id: 2 });
    expect([again.type, again.content, again.metadata]).toEqual([
      "system",
      "Answer accepted. 1 to go.",
      { request_id: 2 },
    ]);
    const late = [await answer(["A"]), await answer("nonsense"), await answer(["B", "A"], await token("approve"))];
    expect(late.map(({ status, json }) => [status, json.error.code])).toEqual(Array(3).fill([409, "QUESTION_CLOSED"]));
    expect((await log()).filter(({ type }) => type === "ask.closed")).toHaveLength(1);
    await rest(`POST /operations/${operationId}/cancel`);
    await client.hears(({ type }) => type === "complete");
    expect((await answer(["B", "A"])).json).toEqual({ ok: true, ask_id, pending: 0 });
  });

  test("that asks for a secret is not answered twice, for the log cannot tell whether it was the same", async () => {
    const { start, watch } = await node(
      asking({ kind: "prompt", title: "Password?", message: "", secret: true }, pick),
    );
    const client = await watch(`operation_id=${await start()}`);
    const ask_id = await askOf(client);
    const answer = { type: "answer", ask_id, answer: "hunter2hunter2" };
    expect(await told(client, answer)).toMatchObject({ type: "system" });
    expect(await told(client, answer)).toMatchObject({ type: "error", metadata: { code: "QUESTION_CLOSED" } });
  });

  test("takes no more words than belong into a document, and the log never has what was too long", async () => {
    const { start, watch, rest, log } = await node(
      asking(
        { kind: "prompt", title: "How?", message: "" },
        { kind: "confirm", title: "Save?", message: "" },
        { ...pick, allowText: true },
      ),
    );
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    await until(async () => (await log()).filter(({ type }) => type === "ask.opened").length === 3, "the questions");
    const [how = "", save = "", which = ""] = (await log()).flatMap((event) =>
      event.type === "ask.opened" ? [event.askId] : [],
    );
    const long = "w".repeat(2001);
    for (const [ask_id, answer] of [
      [how, long],
      [how, { value: long }],
      [save, { ok: true, reason: long }],
      [which, long],
      [which, { ids: [], text: long }],
    ] as const) {
      const { status, json } = await rest(`POST /operations/${operationId}/answer`, { ask_id, answer });
      expect([status, json.error.code, json.error.message]).toEqual([
        413,
        "TOO_LARGE",
        "An answer has at most 2000 characters. Say it shorter; the rest belongs into the document.",
      ]);
      expect(await told(client, { type: "answer", ask_id, answer })).toMatchObject({ metadata: { code: "TOO_LARGE" } });
    }
    expect(JSON.stringify(await log())).not.toContain("www");
    const { status } = await rest(`POST /operations/${operationId}/answer`, { ask_id: how, answer: long.slice(1) });
    expect(status).toBe(200);
  });

  test("is not answered by who may not approve", async () => {
    const { start, watch, token } = await node(asking(pick));
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`, await token("observe"));
    const ask_id = await askOf(client);
    expect(await told(client, { type: "answer", ask_id, answer: "B" })).toMatchObject({
      type: "error",
      metadata: { code: "FORBIDDEN" },
    });
    expect(await told(client, { type: "cancel", request_id: "c" })).toMatchObject({
      metadata: { code: "FORBIDDEN", request_id: "c" },
    });
    expect(client.socket.readyState).toBe(client.socket.OPEN);
  });
});

test("an operation is cancelled over the socket, and the reason is not repeated", async () => {
  const { script, running } = stepwise();
  const { start, watch } = await node(script);
  const client = await watch(`operation_id=${await start()}`);
  await running;
  const reply = await told(client, { type: "cancel", reason: "I changed my mind", request_id: 1 });
  expect(reply).toMatchObject({ type: "system", content: "Cancelling.", metadata: { request_id: 1 } });
  await client.hears(({ type }) => type === "complete");
  expect(client.own().map(({ type, content }) => [type, content])).toEqual([
    ["execution", "Cancelling."],
    ["error", "Cancelled."],
    ["complete", "Operation cancelled. No changes persisted."],
  ]);
  expect(client.received.join()).not.toContain("mind");
  expect(await told(client, { type: "cancel" })).toMatchObject({ content: "The operation had ended already." });
});

test("a client that is not sure asks, and is told that someone is there", async () => {
  const { script } = stepwise();
  const { start, watch } = await node(script);
  const client = await watch(`operation_id=${await start()}`);
  expect(await told(client, { type: "ping", request_id: "p" })).toMatchObject({
    type: "system",
    content: "Pong.",
    metadata: { request_id: "p" },
  });
});

describe("what is none of these", () => {
  test.each<[what: string, message: unknown, code: string, requestId?: string | number]>([
    ["is no JSON", "<script>alert(1)</script>", "INVALID_JSON"],
    ["is nothing", "", "INVALID_JSON"],
    ["is no object", "[]", "INVALID_REQUEST"],
    ["is null", "null", "INVALID_REQUEST"],
    ["is nested too deeply", `${"[".repeat(100)}${"]".repeat(100)}`, "INVALID_REQUEST"],
    ["has no type", { request_id: 3 }, "INVALID_PARAMETERS", 3],
    ["has a type that there is not", { type: "subscribe", request_id: "x" }, "INVALID_PARAMETERS", "x"],
    ["answers nothing", { type: "answer", ask_id: "", answer: "A" }, "INVALID_PARAMETERS"],
    ["answers what was not asked", { type: "answer", ask_id: "nope", answer: "A" }, "QUESTION_NOT_FOUND"],
    ["brings the result of a tool", { type: "answer", ask_id: "x", answer: { success: true } }, "INVALID_PARAMETERS"],
    ["has an id that is none", { type: "dance", request_id: { a: 1 } }, "INVALID_PARAMETERS"],
  ])("is refused when it %s, and the connection goes on", async (_, message, code, requestId) => {
    const { script, speak } = stepwise();
    const { start, watch } = await node(script);
    const client = await watch(`operation_id=${await start()}`);
    const reply = await told(client, message);
    expect([reply.type, reply.sequence, reply.metadata]).toEqual([
      "error",
      -2,
      { priority: "high", code, ...(requestId !== undefined && { request_id: requestId }) },
    ]);
    expect(reply.content).not.toMatch(/alert|subscribe|nope|dance/);
    await speak("still here");
    await client.hears(({ content }) => content === "still here");
  });

  test("is refused when it is binary", async () => {
    const { script } = stepwise();
    const { start, watch } = await node(script);
    const client = await watch(`operation_id=${await start()}`);
    client.socket.send(Buffer.from([1, 2, 3]));
    await until(() => replies(client).length > 0, "a reply");
    expect(replies(client)[0]).toMatchObject({ type: "error", metadata: { code: "INVALID_JSON" } });
  });
});

test("a message of more than 256 KB closes with 1009, and one of just that is answered", async () => {
  const { script } = stepwise();
  const { start, watch } = await node(script);
  const client = await watch(`operation_id=${await start()}`);
  const most = 256 * 1024;
  const ping = '{"type":"ping"}';
  expect(await told(client, ping.padEnd(most))).toMatchObject({ content: "Pong." });
  client.socket.send(ping.padEnd(most + 1));
  expect(await client.closed).toMatchObject({ code: 1009 });
});

test("what is refused is read once", async () => {
  const { script } = stepwise();
  const { start, watch } = await node(script);
  const client = await watch(`operation_id=${await start()}`);
  const parse = vi.spyOn(JSON, "parse");
  onTestFinished(() => parse.mockRestore());
  for (const text of ['{"type":"dance","request_id":1}', '{"type":"ping"']) {
    await told(client, text);
    expect(parse.mock.calls.filter(([given]) => given === text)).toHaveLength(1);
  }
});

test("who sends more than a hundred messages in a second is sent off with 4429, and who takes its time is not", async () => {
  const { script } = stepwise();
  const { start, watch, clock } = await node(script);
  const operationId = await start();
  const patient = await watch(`operation_id=${operationId}`);
  for (let second = 0; second < 3; second++) {
    for (let message = 0; message < 100; message++) patient.socket.send('{"type":"ping"}');
    await until(() => replies(patient).length === (second + 1) * 100, "the pongs");
    clock.advance(1000);
  }
  const flooding = await watch(`operation_id=${operationId}`);
  for (let message = 0; message < 500; message++) flooding.socket.send('{"type":"ping"}');
  expect(await flooding.closed).toMatchObject({ code: 4429 });
  expect(patient.socket.readyState).toBe(patient.socket.OPEN);
});
