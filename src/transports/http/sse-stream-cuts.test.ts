import * as fc from "fast-check";
import { expect, test } from "vitest";
import { recordings } from "../../testing/recordings.ts";
import { streamedSession } from "../../testing/streamed-session.ts";

// A log grows while its listeners are cut off after any number of events and come back with the last id they have seen.

const step = fc.oneof(
  fc.record({ append: fc.integer({ min: 1, max: 8 }) }),
  fc.record({ listener: fc.nat({ max: 2 }), cutAfter: fc.nat({ max: 6 }) }),
);
const logs = [...recordings.values()].filter(({ events }) => events.length < 100);

test("whenever they are cut off, listeners that come back have every event once, in order", async () => {
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...logs), fc.array(step, { maxLength: 15 }), async (log, steps) => {
      const { append, listen, expected, server } = await streamedSession(log.sessionId, log.events.slice(0, 1));
      let written = 1;
      const grow = async (count: number) => {
        const more = log.events.slice(written, written + count);
        written += more.length;
        if (more.length > 0) await append(...more);
      };
      const listeners = await Promise.all(
        [0, 1, 2].map(async () => ({ had: [] as unknown[], client: await listen() })),
      );
      const comeBack = async (listener: (typeof listeners)[number]) => {
        const { client } = listener;
        client.cut();
        listener.had.push(...client.events);
        listener.client = await listen({ lastEventId: client.decoder.lastEventId });
      };
      for (const each of steps) {
        if ("append" in each) {
          await grow(each.append);
          continue;
        }
        const listener = listeners[each.listener];
        if (!listener || listener.client.status === 204) continue;
        const left = (await expected()).length - listener.had.length;
        await listener.client.hears(Math.min(each.cutAfter, left));
        await comeBack(listener);
      }
      await grow(log.events.length);
      const whole = await expected();
      for (const listener of listeners) {
        await listener.client.untilEnd();
        await comeBack(listener); // and is told that this was all
        expect([listener.had, listener.client.status]).toEqual([whole, 204]);
      }
      await server.close();
    }),
    { numRuns: 30 },
  );
});
