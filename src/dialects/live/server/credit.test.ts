import { expect, test } from "vitest";
import { ManualClock } from "../../../core/clock.ts";
import type { Priority } from "../priority.ts";
import { CreditGate } from "./credit.ts";

function gate() {
  const clock = new ManualClock();
  const sent: string[] = [];
  const waiting: number[] = [];
  const timeouts: number[] = [];
  const credit = new CreditGate({
    clock,
    send: (text) => sent.push(text),
    isHolding: () => false,
    onWaiting: (pending) => waiting.push(pending),
    onTimeout: () => timeouts.push(clock.now()),
  });
  const write = (sessionId: string, priority: Priority, ...texts: string[]) =>
    credit.write(
      sessionId,
      texts.map((text) => ({ text, priority })),
    );
  const taken = () => sent.splice(0).join(" ");
  return { clock, credit, write, taken, waiting, timeouts };
}

test("keeps the order inside a session, also of what needs no credit", () => {
  const { credit, write, taken } = gate();
  credit.grant(1);
  write("a", 3, "1", "2");
  write("a", 0, "end");
  write("b", 1, "ask");
  expect(taken()).toBe("1 ask");
  expect([credit.pending, credit.pendingOf("a"), credit.pendingOf("b")]).toEqual([
    2,
    { messages: 2, bytes: 4 },
    { messages: 0, bytes: 0 },
  ]);
  credit.grant(1);
  expect(taken()).toBe("2 end");
  expect(credit.pendingOf("a")).toEqual({ messages: 0, bytes: 0 });
});

test("shares what is granted among the sessions, and goes on with the next one", () => {
  const { credit, write, taken } = gate();
  credit.grant(0);
  write("a", 3, "a1", "a2", "a3", "a4");
  write("b", 3, "b1", "b2");
  write("c", 2, "c1");
  credit.grant(4);
  expect(taken()).toBe("a1 b1 c1 a2");
  credit.grant(1);
  expect(taken()).toBe("b2");
  credit.grant(10);
  expect(taken()).toBe("a3 a4");
  expect(credit.credit).toBe(8);
});

test("says that something waits when that begins and while it lasts, and gives up after a minute without a grant", () => {
  const { clock, credit, write, waiting, timeouts } = gate();
  credit.grant(0);
  write("a", 3, "1", "2");
  write("a", 3, "3");
  expect(waiting).toEqual([2]);
  clock.advance(59_000);
  expect(waiting).toEqual([2, 3, 3, 3, 3, 3]);
  credit.grant(1);
  clock.advance(59_999);
  expect(timeouts).toEqual([]);
  credit.grant(0); // is no grant
  clock.advance(1);
  expect(timeouts.length).toBe(1);
  credit.grant(2);
  clock.advance(600_000);
  expect([waiting.length, timeouts.length]).toEqual([12, 1]);
});

test("forgets what waits of a session that is left, but for the answers that are owed", () => {
  const { credit, write, taken, clock, waiting } = gate();
  credit.grant(0);
  write("a", 3, "1", "2");
  credit.write("a", [{ text: () => "state", bytes: 5, priority: 2, isAnswer: true }]);
  write("a", 3, "3");
  credit.forget("a");
  expect(credit.pendingOf("a")).toEqual({ messages: 1, bytes: 5 });
  credit.grant(10);
  expect(taken()).toBe("state");
  write("b", 3, ..."0123456789".split(""));
  credit.forget("b");
  clock.advance(100_000);
  expect(waiting).toEqual([2, 1]);
});

test("has no bounds when nobody is left who could grant anything", () => {
  const { credit, write, taken } = gate();
  credit.grant(0);
  write("a", 3, "1", "2");
  credit.lift();
  credit.grant(0);
  write("a", 3, "3");
  expect(taken()).toBe("1 2 3");
});
