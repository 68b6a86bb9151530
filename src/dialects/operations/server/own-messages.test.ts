import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Event } from "../../../core/events.ts";
import { withTail } from "../../../core/tail.ts";
import { memoryStore } from "../../../stores/memory.ts";
import { arbitraryLog } from "../../../testing/arbitrary-log.ts";
import { MemorySink } from "../../../testing/memory-sink.ts";
import { settle } from "../../../testing/scripted.ts";
import { claim } from "../../../testing/store-fixtures.ts";
import { foldAll } from "../../contract.ts";
import type { Frame, NumberedFrame } from "../../dialect.ts";
import { Feed } from "../../feed.ts";
import { Views } from "../../views.ts";
import { operations } from "../index.ts";
import type { Message } from "../messages.ts";
import { OwnMessages } from "./own-messages.ts";

const sessionId = "0b0d9a4e-1a55-4a3f-9c0e-2f6a3f1f7c11";
const messageOf = (frame: Frame) => frame.message as Message;

function runsIn(log: Event[]) {
  return log.filter((event) => event.type === "run.started").map(({ runId, seq }) => ({ runId, seq }));
}

const saidBy = (log: Event[], runId: string) =>
  foldAll(operations, log, {}, sessionId).filter((frame) => messageOf(frame).operation_id === runId);

test("of any log, after any message or event of any of its runs, the rest comes once and in order, what was and what comes", async () => {
  const choice = fc.record({ run: fc.nat(), received: fc.nat(), head: fc.nat(), byLogSeq: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(arbitraryLog, choice, async (log, chosen) => {
      const runs = runsIn(log);
      const run = runs[chosen.run % runs.length];
      if (!run) return;
      const whole = saidBy(log, run.runId);
      const head = run.seq + (chosen.head % (log.length - run.seq + 1));
      const had = whole.filter(({ seq }) => seq <= head).length;
      const sequence = (chosen.received % (had + 1)) - 1;
      const logSeq = chosen.received % (head + 1);
      const reached = chosen.byLogSeq ? { logSeq } : { sequence };
      const rest = chosen.byLogSeq ? whole.filter(({ seq }) => seq > logSeq) : whole.slice(sequence + 1);
      const store = withTail(memoryStore());
      const fence = await claim(store, sessionId);
      await store.append(sessionId, log.slice(0, head), fence);
      const own = new OwnMessages(run.runId, reached, head);
      const got: Frame[] = [];
      const sink = new MemorySink(true);
      const write = (frames: Frame[]) => void got.push(...own.of(frames));
      const feed = new Feed({
        views: new Views(store),
        sessionId,
        dialect: operations,
        after: { seq: run.seq },
        sink: { write, unsent: sink.unsent },
      });
      await settle(2);
      for (const event of log.slice(head)) await store.append(sessionId, [event], fence);
      await settle(5);
      feed.close();
      expect(got.map(({ text }) => text)).toEqual(rest.map(({ text }) => text));
      const isOver = whole.some((frame) => messageOf(frame).type === "complete");
      expect([own.over, own.misfit]).toEqual([isOver, undefined]);
    }),
    { numRuns: 200 },
  );
});

const operationId = "827867f5-60e7-43a7-9611-47bdebeb968c";
const other = "b1b5f5f0-2c4f-4a2b-8a51-0d2b7d3c9b7e";

function frame(sequence: number, more: Partial<Message> = {}, seq = sequence + 10): NumberedFrame {
  const message: Message = {
    id: operationId,
    operation_id: operationId,
    sequence,
    type: "thinking",
    content: `${sequence}`,
    timestamp: "2026-01-01T00:00:00.000Z",
    sender: "copilot",
    ...more,
  };
  return { seq, k: 0, text: JSON.stringify(message), skippable: false, message };
}

const numbers = (frames: Frame[]) => frames.map((one) => messageOf(one).metadata?.dropped ?? messageOf(one).sequence);

describe("a list", () => {
  test("that is all for the client is given out as it is, so that its bytes are made once", () => {
    const list = [frame(0), frame(1), frame(2, { type: "complete" })];
    const clients = [
      new OwnMessages(operationId, { sequence: -1 }, 10),
      new OwnMessages(operationId, { sequence: -1 }, 10),
    ];
    for (const client of clients) expect([client.of(list) === list, client.over]).toEqual([true, true]);
  });

  test("of which something is missing begins with what that is, before the last message too", () => {
    const own = new OwnMessages(operationId, { sequence: -1 }, 10);
    expect(numbers(own.of([frame(0)]))).toEqual([0]);
    expect(numbers(own.of([frame(3), frame(4), frame(6)]))).toEqual([[1, 2, 5], 3, 4, 6]);
    expect(numbers(own.of([frame(9, { type: "complete" })]))).toEqual([[7, 8], 9]);
    expect(own.over).toBe(true);
  });

  test("of the session's own notice takes what is of this operation, and what was told is not told again", () => {
    const own = new OwnMessages(operationId, { sequence: -1 }, 10);
    const notice = (dropped: number[], of = operationId) =>
      frame(-2, { operation_id: of, type: "system", metadata: { dropped } });
    expect(numbers(own.of([frame(0), frame(3)]))).toEqual([[1, 2], 0, 3]);
    expect(numbers(own.of([notice([1, 2, 4, 5])]))).toEqual([[4, 5]]);
    expect(numbers(own.of([notice([6, 7], other)]))).toEqual([]);
    expect(numbers(own.of([frame(8)]))).toEqual([[6, 7], 8]);
  });

  test("of another operation is not for the client, whatever its numbers are", () => {
    const own = new OwnMessages(operationId, { sequence: -1 }, 10);
    const foreign = [frame(0, { operation_id: other }), frame(1, { operation_id: other, type: "complete" })];
    expect([own.of(foreign), own.over]).toEqual([[], false]);
    expect(numbers(own.of([...foreign, frame(0)]))).toEqual([0]);
  });

  test("after the last message is not for the client either", () => {
    const own = new OwnMessages(operationId, { sequence: -1 }, 10);
    own.of([frame(0, { type: "complete" })]);
    expect(own.of([frame(1)])).toEqual([]);
  });
});

describe("a client that comes from another protocol", () => {
  test("is brought what came of the events after its own, and of no other", () => {
    const own = new OwnMessages(operationId, { logSeq: 11 }, 12);
    expect(numbers(own.of([frame(0), frame(1), frame(2)]))).toEqual([2]);
    expect(numbers(own.of([frame(3), frame(5)]))).toEqual([[4], 3, 5]);
  });

  test("shares the bytes of the others as soon as a list is new to it as a whole", () => {
    const [before, after] = [[frame(0), frame(1)], [frame(2)]];
    const own = new OwnMessages(operationId, { logSeq: 11 }, 12);
    expect([own.of(before), own.of(after) === after]).toEqual([[], true]);
  });

  test("and has all of it is told nothing but that it is over", () => {
    const own = new OwnMessages(operationId, { logSeq: 30 }, 40);
    expect([own.of([frame(0), frame(1, { type: "complete" })]), own.over, own.misfit]).toEqual([[], true, undefined]);
  });
});

describe("what the client says to have and cannot", () => {
  test("is found out by what comes live with a number that it should have", () => {
    const own = new OwnMessages(operationId, { sequence: 5 }, 12);
    expect([own.of([frame(0), frame(1), frame(2)]), own.misfit]).toEqual([[], undefined]);
    expect([own.of([frame(3)]), own.misfit]).toEqual([[], "beyond"]);
  });

  test("is found out by an end that comes before", () => {
    const own = new OwnMessages(operationId, { sequence: 5 }, 12);
    expect([own.of([frame(0), frame(1, { type: "complete" })]), own.misfit]).toEqual([[], "beyond"]);
  });

  test("is not what it has in full", () => {
    const own = new OwnMessages(operationId, { sequence: 1 }, 12);
    expect([own.of([frame(0), frame(1, { type: "complete" })]), own.misfit, own.over]).toEqual([[], undefined, true]);
  });

  test("is not there any more when the log goes on after it", () => {
    const own = new OwnMessages(operationId, { sequence: 1 }, 12);
    const gone = frame(-2, { operation_id: other, type: "system", content: "Events 3 to 9 were removed." });
    expect([own.of([gone]), own.misfit]).toEqual([[gone], "gone"]);
  });
});
