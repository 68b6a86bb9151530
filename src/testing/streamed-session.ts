import { onTestFinished } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { Event, NewEvent } from "../core/events.ts";
import { withTail } from "../core/tail.ts";
import { foldAll } from "../dialects/contract.ts";
import type { NumberedFrame } from "../dialects/dialect.ts";
import { sidecar } from "../dialects/sidecar/index.ts";
import { Views } from "../dialects/views.ts";
import { memoryStore } from "../stores/memory.ts";
import type { KnownExchange } from "../transports/http/route.ts";
import { sseStream } from "../transports/http/sse-stream.ts";
import type { SseEvent } from "../transports/sse.ts";
import { readAll } from "./read-all.ts";
import { claim } from "./store-fixtures.ts";
import { StreamClient } from "./stream-client.ts";
import { UngatedServer } from "./ungated-server.ts";

export const farewell = { event: "timeline.message", text: '{"role":"system","content":"Good-bye"}' };

/** As a listener hears them. */
export const heard = (frames: NumberedFrame[]): SseEvent[] =>
  frames.map(({ seq, k, event = "message", text }) => ({ id: `${seq}.${k}`, event, data: text }));

/** A session in memory that is served to whoever asks, in the `sidecar` dialect, on a clock that stands still. */
export async function streamedSession(sessionId: string, first: (NewEvent | Event)[] = []) {
  const store = withTail(memoryStore());
  const fence = await claim(store, sessionId);
  const append = (...events: (NewEvent | Event)[]) =>
    store.append(
      sessionId,
      events.map((event) => ({ at: 1000, ...event })),
      fence,
    );
  await append(...first);
  const clock = new ManualClock();
  const views = new Views(store);
  const errors: unknown[] = [];
  const streams: { unsent(): number; done: boolean }[] = [];
  const handle = async (exchange: KnownExchange) => {
    const { socket } = exchange.response;
    const stream = { unsent: () => socket?.writableLength ?? 0, done: false };
    streams.push(stream);
    const onError = (error: unknown) => errors.push(error);
    await sseStream(exchange, { views, sessionId, dialect: sidecar, farewell, clock, onError }).finally(() => {
      stream.done = true;
    });
  };
  const server = await UngatedServer.open(handle);
  onTestFinished(() => server.close());
  const listen = (options?: Parameters<typeof StreamClient.open>[1]) => StreamClient.open(server.port, options);
  const expected = async () => heard(foldAll(sidecar, await readAll(store, sessionId), {}, sessionId));
  return { store, append, clock, views, errors, streams, handle, server, listen, expected };
}
