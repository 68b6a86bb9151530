import { getEventListeners } from "node:events";
import { expect, test } from "vitest";
import { Gate } from "./gate.ts";

/** Work that goes on until it is let go. */
function held(): { work: () => Promise<string>; letGo: () => void } {
  let letGo = () => {};
  const until = new Promise<string>((resolve) => {
    letGo = () => resolve("done");
  });
  return { work: () => until, letGo };
}

test("lets so many through at once, the others in the order in which they came", async () => {
  const gate = new Gate(2);
  const [first, second] = [held(), held()];
  const begun: string[] = [];
  const note = (name: string) => async () => void begun.push(name);
  const all = [gate.pass(first.work), gate.pass(second.work), gate.pass(note("third")), gate.pass(note("fourth"))];
  await Promise.resolve();
  expect(begun).toEqual([]);
  first.letGo();
  await Promise.all([all[2], all[3]]);
  expect(begun).toEqual(["third", "fourth"]);
  second.letGo();
  await Promise.all(all);
});

test("who is called off while waiting is told at once, and takes no place from those behind", async () => {
  const gate = new Gate(1);
  const first = held();
  const passing = gate.pass(first.work);
  const calledOff = new AbortController();
  let begun = false;
  const waiting = gate.pass(async () => {
    begun = true;
  }, calledOff.signal);
  const behind = gate.pass(async () => "behind");
  calledOff.abort(new Error("enough"));
  await expect(waiting).rejects.toThrow("enough"); // the first still holds the gate
  first.letGo();
  expect([await passing, await behind, begun]).toEqual(["done", "behind", false]);
  expect(await gate.pass(async () => "free again")).toBe("free again");
});

test("who is called off before it comes is not let in, though there is room", async () => {
  const gate = new Gate(1);
  await expect(gate.pass(async () => "in", AbortSignal.abort(new Error("enough")))).rejects.toThrow("enough");
  expect(await gate.pass(async () => "in")).toBe("in");
});

test("leaves no listener on the signal, whether it waited or not", async () => {
  const gate = new Gate(1);
  const { signal } = new AbortController();
  const first = held();
  const all = [gate.pass(first.work, signal), gate.pass(async () => "second", signal)];
  expect(getEventListeners(signal, "abort").length).toBe(1);
  first.letGo();
  await Promise.all(all);
  expect(getEventListeners(signal, "abort")).toEqual([]);
});
