import { connect } from "node:net";
import { expect, test } from "vitest";
import type { NewEvent } from "../../core/events.ts";
import { settle, until } from "../../testing/scripted.ts";
import { streamedSession } from "../../testing/streamed-session.ts";

const sessionId = "5a0e01fd-0977-4410-856b-ac3792238b15";
const runId = "827867f5-60e7-43a7-9611-47bdebeb968c";
const created: NewEvent = { type: "session.created", workspace: "/w", engine: "replay" };
const started: NewEvent = { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by: { dialect: "ui" } };
const note = (text: string): NewEvent => ({ type: "note", runId, level: "warning", text, source: "test" });
const closed: NewEvent = { type: "session.closed" };
const MB = 1024 * 1024;

/** Counts, and keeps nothing but the last bytes. */
function reader(port: number) {
  const state = { bytes: 0, last: "", ended: false };
  const socket = connect(port, "127.0.0.1");
  socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\n\r\n`);
  socket.on("data", (chunk) => {
    state.bytes += chunk.length;
    state.last = chunk.subarray(-200).toString();
  });
  socket.on("close", () => {
    state.ended = true;
  });
  return state;
}

test("a thousand listeners all hear everything", async ({ annotate }) => {
  const LISTENERS = 1000;
  const EVENTS = 1000;
  const { server, append, streams, listen, expected } = await streamedSession(sessionId, [created, started]);
  const before = process.memoryUsage().rss;
  const one = await listen();
  const crowd = Array.from({ length: LISTENERS - 1 }, () => reader(server.port));
  await until(() => crowd.every(({ bytes }) => bytes > 0), "the beginning of all streams");
  expect(streams).toHaveLength(LISTENERS);
  const from = performance.now();
  for (let n = 0; n < EVENTS; n += 20) {
    await append(...Array.from({ length: 20 }, (_, i) => note(`note ${n + i} ${"x".repeat(80)}`)));
  }
  await append(closed);
  expect(await one.untilEnd()).toEqual(await expected());
  await until(() => crowd.every(({ ended }) => ended), "the end of all streams");
  const ms = performance.now() - from;
  const grown = (process.memoryUsage().rss - before) / MB;
  const whole = one.head.length + Buffer.byteLength(one.body);
  expect(crowd.filter(({ bytes }) => bytes !== whole)).toEqual([]);
  await annotate(
    `${LISTENERS} listeners, ${EVENTS} events, ${((whole * LISTENERS) / MB).toFixed()} MB in ${ms.toFixed()} ms; ` +
      `RSS grew by ${grown.toFixed()} MB, both sides of the sockets together`,
  );
  expect(grown).toBeLessThan(400);
});

test("one that keeps up is left out nothing, however much comes at once", async () => {
  const { append, listen, expected } = await streamedSession(sessionId, [created, started]);
  const client = await listen();
  const thinking = (text: string): NewEvent => ({ type: "thinking.delta", runId, text });
  for (let n = 0; n < 10; n++) {
    await append(...Array.from({ length: 600 }, (_, i) => [thinking(`hm ${n} ${i}`), note("x".repeat(200))]).flat());
    await settle(1);
  }
  await append(closed);
  expect(await client.untilEnd()).toEqual(await expected());
});

test.each([200, 1000, 60_000])(
  "one that never reads is held about a megabyte, gets no signs of life, and costs the others nothing: %i bytes each",
  async (size) => {
    const { append, streams, listen, expected, clock } = await streamedSession(sessionId, [created, started]);
    const deaf = await listen({ deaf: true });
    await until(() => streams.length === 1, "the deaf one");
    const hearing = await listen();
    const atOnce = Math.min(200, 200_000 / size);
    let [sent, most] = [0, 0];
    for (let n = 0; sent < 20 * MB; n++) {
      await append(...Array.from({ length: atOnce }, (_, i) => note(`${n} ${i} ${"x".repeat(size)}`)));
      sent += atOnce * size;
      await settle(1);
      most = Math.max(most, streams[0]?.unsent() ?? 0);
    }
    expect(most).toBeGreaterThan(0);
    expect(most).toBeLessThan(1.1 * MB);
    const before = streams[0]?.unsent();
    clock.advance(15_000);
    expect(streams[0]?.unsent()).toBe(before);
    const whole = await expected();
    await hearing.hears(whole.length);
    expect(hearing.events).toEqual(whole);
    deaf.cut();
    await until(() => streams[0]?.done ?? false, "that it is noticed");
  },
);
