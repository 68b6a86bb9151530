import fc from "fast-check";
import { expect, test } from "vitest";
import { MessageOrder } from "./message-order.ts";
import type { OperationMessage } from "./protocol.ts";

const at = (sequence: number) => ({ sequence, content: `${sequence}` }) as OperationMessage;
const numbers = (messages: OperationMessage[]) => messages.map(({ sequence }) => sequence);

test("each message is told once, in order, and what follows a gap waits for it", () => {
  const order = new MessageOrder(-1);
  const told = [0, 2, 3, 0, 2, 1, 4].map((sequence) => numbers(order.push(at(sequence))));
  expect(told).toEqual([[0], [], [], [], [], [1, 2, 3], [4]]);
  expect([order.last, order.hasGap, order.lost]).toEqual([4, false, []]);
});

test("what the server says it left out is not waited for, whether it says so before or after", () => {
  const order = new MessageOrder(4);
  expect(order.leaveOut([6, 5, 3])).toEqual({ messages: [], news: [5, 6] });
  expect(numbers(order.push(at(7)))).toEqual([7]);
  expect(numbers(order.push(at(9)))).toEqual([]);
  expect([order.hasGap, order.missing]).toEqual([true, [8]]);
  expect(numbers(order.leaveOut([8]).messages)).toEqual([9]);
  expect([order.last, order.lost]).toEqual([9, [5, 6, 8]]);
  order.found([5, 8]);
  expect(order.lost).toEqual([6]);
});

test("what was left out on one connection, and never passed over, may come on the next", () => {
  const order = new MessageOrder(-1);
  order.leaveOut([2]);
  order.push(at(3));
  order.startAgain();
  expect([order.hasGap, order.held, order.heldBytes]).toEqual([false, 0, 0]);
  expect([0, 1, 2].flatMap((sequence) => numbers(order.push(at(sequence))))).toEqual([0, 1, 2]);
  expect(order.lost).toEqual([]);
});

test("more may be held after a gap than a function takes arguments", () => {
  const order = new MessageOrder(-1);
  for (let sequence = 1; sequence <= 200_000; sequence++) order.push(at(sequence));
  expect(order.missing).toEqual([0]);
});

test("after an event it begins with what comes first, and with what was left out before that", () => {
  const order = new MessageOrder(undefined);
  expect(order.leaveOut([7, 8, 10])).toEqual({ messages: [], news: [7, 8, 10] });
  expect([order.last, order.lost]).toEqual([undefined, []]);
  expect([9, 11, 6].map((sequence) => numbers(order.push(at(sequence))))).toEqual([[9], [11], []]);
  expect([order.last, order.lost]).toEqual([11, [7, 8, 10]]);
});

test("over any connections, cut anywhere, every message comes once, in order, or is known to be lost", () => {
  const connection = fc.record({
    reach: fc.integer({ min: 1, max: 40 }),
    dropped: fc.uniqueArray(fc.nat(39)),
    late: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.array(connection), fc.boolean(), (count, connections, isKnown) => {
      const order = new MessageOrder(isKnown ? -1 : undefined);
      const told: number[] = [];
      for (const { reach, dropped, late } of [...connections, { reach: count, dropped: [], late: false }]) {
        const from = (order.last ?? -1) + 1;
        const isLate = late && order.last !== undefined; // the server says it before what comes next
        const end = Math.min(count, from + reach);
        const left = dropped.filter((sequence) => sequence >= from && sequence < end);
        const notice = () => told.push(...numbers(order.leaveOut(left).messages));
        if (!isLate) notice();
        for (let sequence = from; sequence < end; sequence++) {
          if (!left.includes(sequence)) told.push(...numbers(order.push(at(sequence))));
        }
        if (isLate) notice();
        order.startAgain();
      }
      const all = Array.from({ length: count }, (_, sequence) => sequence);
      expect([...told, ...order.lost].sort((a, b) => a - b)).toEqual(all);
      expect(told).toEqual([...told].sort((a, b) => a - b));
    }),
  );
});
