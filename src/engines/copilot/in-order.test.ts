import { expect, test } from "vitest";
import { InOrder } from "./in-order.ts";

test("one thing is done after the other, also after one that fails", async () => {
  const inOrder = new InOrder(() => {});
  const done: string[] = [];
  const work = (name: string, turns: number) => async () => {
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    done.push(name);
  };
  const failing = inOrder.add(() => Promise.reject(new Error("no")));
  const all = [inOrder.add(work("slow", 20)), inOrder.add(work("quick", 0))];
  await expect(failing).rejects.toThrow("no");
  await Promise.all(all);
  expect(done).toEqual(["slow", "quick"]);
});

test("whoever brings too much is held until half of it is done", async () => {
  const held: [boolean, number][] = [];
  let waiting = 0;
  const inOrder = new InOrder((isHeld) => held.push([isHeld, waiting]));
  const all: Promise<void>[] = [];
  for (let n = 0; n < 700; n++) {
    waiting++;
    all.push(
      inOrder.add(async () => {
        waiting--;
      }),
    );
  }
  await Promise.all(all);
  expect(held).toEqual([
    [true, 501],
    [false, expect.any(Number)],
  ]);
  expect(held[1]?.[1]).toBeLessThan(260);
});
