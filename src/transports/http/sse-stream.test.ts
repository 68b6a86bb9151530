import { expect, test } from "vitest";
import type { NewEvent } from "../../core/events.ts";
import { recording, recordings } from "../../testing/recordings.ts";
import { settle, until } from "../../testing/scripted.ts";
import { farewell, streamedSession } from "../../testing/streamed-session.ts";

const sessionId = "5a0e01fd-0977-4410-856b-ac3792238b15";
const runId = "827867f5-60e7-43a7-9611-47bdebeb968c";
const created: NewEvent = { type: "session.created", workspace: "/w", engine: "replay" };
const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } };
const note = (n: number): NewEvent => ({ type: "note", runId, level: "warning", text: `note ${n}`, source: "test" });
const completed: NewEvent = { type: "run.completed", runId, result: { text: "done" } };
const closed: NewEvent = { type: "session.closed", reason: "done" };
const open = () => streamedSession(sessionId, [created, started, note(1)]);

test("begins with how soon to come back, and names each event as its dialect does", async () => {
  const { listen } = await open();
  const client = await listen();
  await client.hears(2);
  expect(client.head.split("\r\n").filter((line) => !line.startsWith("Date"))).toEqual([
    "HTTP/1.1 200 OK",
    "Content-Type: text/event-stream",
    "Connection: close",
    "",
    "",
  ]);
  expect(client.body).toMatch(
    /^retry: 1000\n\nid: 2\.0\nevent: timeline\.message\ndata: \{.*\}\n\nid: 3\.0\nevent: timeline\.message\ndata: \{"messageId":".*","role":"system","content":"Warning: note 1"\}\n\n$/,
  );
});

test.each([...recordings])(
  "brings the recording %s as the dialect folds it, whether it was or comes",
  async (_, log) => {
    const { listen, append, expected } = await streamedSession(log.sessionId, log.events.slice(0, 1));
    const early = await listen();
    for (let at = 1; at < log.events.length; at += 7) await append(...log.events.slice(at, at + 7));
    const whole = await expected();
    expect(await early.untilEnd()).toEqual(whole);
    const late = await listen();
    expect(await late.untilEnd()).toEqual(whole);
    expect(early.body).toBe(late.body);
  },
);

test("goes on after every id with the rest, once", async () => {
  const { sessionId: id, events } = recording("demo");
  const { listen, expected } = await streamedSession(id, events.slice(0, -1)); // it is open
  const whole = await expected();
  for (const [at, { id: lastEventId }] of whole.entries()) {
    const client = await listen({ lastEventId });
    expect(await client.hears(whole.length - at - 1)).toEqual(whole.slice(at + 1));
    client.cut();
  }
});

test("goes on after a number of the log, as another protocol has it, with everything that comes after that event", async () => {
  const { sessionId: id, events } = recording("demo");
  const { listen, expected } = await streamedSession(id, events.slice(0, -1)); // it is open
  const whole = await expected();
  const rest = (seq: number) => whole.filter(({ id: of }) => Number.parseInt(of, 10) > seq);
  for (const { seq } of events.slice(0, -1)) {
    const byHeader = await listen({ lastEventId: String(seq) });
    expect(await byHeader.hears(rest(seq).length)).toEqual(rest(seq));
    byHeader.cut();
  }
  const byQuery = await listen({ path: "/?lastEventId=3" });
  expect(await byQuery.hears(rest(3).length)).toEqual(rest(3));
  const fromTheStart = await listen({ lastEventId: "0" });
  expect(await fromTheStart.hears(whole.length)).toEqual(whole);
});

test("takes the last id from the query, and rather from the header that a browser adds later", async () => {
  const { listen, expected } = await open();
  const whole = await expected();
  const byQuery = await listen({ path: "/?lastEventId=2.0" });
  expect(await byQuery.hears(1)).toEqual(whole.slice(1));
  const byBoth = await listen({ path: "/?lastEventId=3.0", lastEventId: "2.0" });
  expect(await byBoth.hears(1)).toEqual(whole.slice(1));
  const byNothing = await listen({ path: "/?lastEventId=" });
  expect(await byNothing.hears(2)).toEqual(whole);
});

test.each([
  "2.",
  ".0",
  "-1.0",
  "2.0 ",
  "2.0,3.0",
  "0x2.0",
  "2.0.0",
  "1e3.0",
  "\0",
  "9999999999999999.0",
  "9999999999999999",
  "abc",
])("refuses the last id %j, which it never gave", async (id) => {
  const { listen } = await open();
  const client = await listen({ path: `/?lastEventId=${encodeURIComponent(id)}` });
  expect([client.status, JSON.parse(client.body)]).toEqual([
    400,
    {
      error: {
        code: "invalid_request",
        message:
          "The last event id is not one of this stream. Send one that it gave, such as 12.0, a number of the log, such as 12, or none.",
      },
    },
  ]);
});

test.each(["4.0", "4"])("refuses the last id %s beyond the end of the log", async (lastEventId) => {
  const { listen } = await open();
  const beyond = await listen({ lastEventId });
  expect([beyond.status, JSON.parse(beyond.body).error]).toEqual([
    400,
    {
      code: "invalid_request",
      message: "The log has 3 events, and the last event id is of number 4. Send none to begin anew.",
    },
  ]);
});

test("of a session that is not there there is no stream", async () => {
  const { listen } = await streamedSession(sessionId);
  const client = await listen();
  expect([client.status, JSON.parse(client.body)]).toEqual([
    404,
    { error: { code: "session_not_found", message: `There is no session "${sessionId}".` } },
  ]);
});

test("tells of what was pruned without an id, and goes on after it", async () => {
  const first = [created, started, note(1), completed];
  const { listen, store, append, expected } = await streamedSession(sessionId, first);
  const second = { ...started, runId: "b1b5f5f0-2c4f-4a2b-8a51-0d2b7d3c9b7e" };
  await append(second, { ...completed, runId: second.runId });
  const whole = await expected();
  await store.prune({ endedBefore: 5000 });
  const client = await listen();
  const [notice, ...rest] = await client.hears(whole.filter(({ id }) => Number.parseInt(id, 10) > 4).length + 1);
  expect(notice).toMatchObject({ id: "", event: "timeline.message", data: expect.stringContaining("system") });
  expect(rest).toEqual(whole.slice(-rest.length));
});

test("is not asked for on a connection that has another answer to give first", async () => {
  const { server, listen } = await open();
  const client = await listen({ headers: { "X-Second": `1\r\n\r\nGET / HTTP/1.1\r\nHost: 127.0.0.1:${server.port}` } });
  await client.hears(2);
  server.stopping.abort();
  expect(await client.untilEnd()).toHaveLength(3);
});

test("ends when the session is closed, and whoever has had everything is told not to come back", async () => {
  const { listen, append, expected, streams } = await open();
  const clients = [await listen(), await listen()];
  await append(completed, closed);
  const whole = await expected();
  for (const client of clients) expect(await client.untilEnd()).toEqual(whole);
  const again = await listen({ lastEventId: whole.at(-1)?.id });
  expect([again.status, again.body]).toEqual([204, ""]);
  const late = await listen({ lastEventId: whole.at(-2)?.id });
  expect([late.status, await late.untilEnd()]).toEqual([200, whole.slice(-1)]);
  await until(() => streams.every(({ done }) => done), "the end of all streams");
});

test("is silent for 15 seconds at most", async () => {
  const { listen, clock } = await open();
  const client = await listen();
  await client.hears(2);
  const before = client.body;
  clock.advance(14_999);
  await settle();
  expect(client.body).toBe(before);
  clock.advance(1);
  await until(() => client.body === `${before}: alive\n\n`, "a sign of life");
  clock.advance(30_000);
  await until(() => client.body === `${before}: alive\n\n: alive\n\n: alive\n\n`, "two more");
});

test("says a last word without an id when the server stops, and ends", async () => {
  const { listen, server, expected, streams, views } = await open();
  const client = await listen();
  await client.hears(2);
  server.stopping.abort();
  const [last, ...before] = (await client.untilEnd()).toReversed();
  expect(before.toReversed()).toEqual(await expected());
  expect(last).toEqual({ id: before[0]?.id, event: farewell.event, data: farewell.text });
  expect(client.body.endsWith(`\n\nevent: timeline.message\ndata: ${farewell.text}\n\n`)).toBe(true);
  await until(() => streams.every(({ done }) => done), "the end of the stream");
  expect(views.watched).toBe(0);
});

test("is cut when the listener's token is revoked", async () => {
  const { listen, server, streams, append, views } = await open();
  const clients = [await listen(), await listen()];
  for (const client of clients) await client.hears(2);
  server.revoked.abort();
  for (const client of clients) expect(await client.untilEnd()).toHaveLength(2);
  await until(() => streams.every(({ done }) => done), "the end of the streams");
  await append(note(2));
  expect(views.watched).toBe(0);
  const late = await listen();
  expect(await late.untilEnd()).toEqual([]);
});

test("a listener that leaves is forgotten, and the others hear on", async () => {
  const { listen, append, streams, expected, views } = await open();
  const [gone, stays] = [await listen(), await listen()];
  await gone.hears(2);
  gone.cut();
  await until(() => streams[0]?.done ?? false, "that it is noticed");
  await append(note(2), completed);
  expect(await stays.hears(4)).toEqual(await expected());
  stays.cut();
  await until(() => views.watched === 0, "that nobody is left");
});

test("a log that cannot be read on ends the stream, so that the listener comes back to it", async () => {
  const { store, listen, errors, append } = await open();
  const client = await listen();
  await client.hears(2);
  const busy = new Error("busy");
  store.read = () => Promise.reject(busy);
  await append(note(2));
  expect(await client.untilEnd()).toHaveLength(2);
  expect(errors).toEqual([busy]);
});

test("of a closed session whose log cannot be read it is not said that this was all", async () => {
  const { store, listen, errors } = await streamedSession(sessionId, [created, closed]);
  store.read = () => Promise.reject(new Error("busy"));
  expect([(await listen({ lastEventId: "2.0" })).status, errors]).toEqual([500, []]);
});
