import { expect, test } from "vitest";
import { ManualClock } from "../../../core/clock.ts";
import { Inflow } from "./inflow.ts";

function flowing() {
  const clock = new ManualClock();
  const held = { now: 0, released: 0 };
  const inflow = new Inflow({
    clock,
    hold: () => {
      held.now++;
      return () => held.now--;
    },
    onRelease: () => held.released++,
    onTooFast: () => {},
  });
  return { clock, inflow, held };
}

test("no more is read with 16 MB under way, however few messages they are", () => {
  const { inflow, held } = flowing();
  const first = inflow.begin(16 * 1024 * 1024 - 1);
  expect([held.now, inflow.isHolding]).toEqual([0, false]);
  const second = inflow.begin(1);
  expect([held.now, inflow.isHolding]).toEqual([1, true]);
  second();
  expect([held, inflow.isHolding]).toEqual([{ now: 0, released: 1 }, false]);
  first();
  expect(held).toEqual({ now: 0, released: 1 });
});

test("who sent too fast is read on when there is room again", () => {
  const { clock, inflow, held } = flowing();
  for (let i = 0; i < 2000; i++) inflow.count();
  expect([held.now, inflow.isHolding]).toEqual([1, true]);
  clock.advance(100);
  expect([held, inflow.isHolding]).toEqual([{ now: 0, released: 1 }, false]);
});

test("nothing is held when the connection is closed", () => {
  const { inflow, held } = flowing();
  for (let i = 0; i < 2000; i++) inflow.count();
  inflow.begin(16 * 1024 * 1024);
  inflow.close();
  expect(held.now).toBe(0);
});
