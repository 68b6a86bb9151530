import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { Views } from "./views.ts";

test("those who read alone take turns, in their order, and let everything else have its own in between", async () => {
  const views = new Views(memoryStore());
  const order: string[] = [];
  const reading = (name: string) => views.inTurn(async () => void order.push(name));
  const first = reading("first");
  const broken = views.inTurn(async () => Promise.reject(new Error("unreadable")));
  const last = reading("last");
  setImmediate(() => order.push("something else"));
  await first;
  await expect(broken).rejects.toThrow("unreadable");
  await last;
  expect(order).toEqual(["first", "something else", "last"]);
});
