import { expect, test } from "vitest";

const { Meter } = (await import(new URL("./meter.js", import.meta.url).href)) as {
  Meter: new (most: number, ms: number, now: () => number) => { take(): boolean };
};

test("lets so many through at once, and as many again over its time", () => {
  let now = 0;
  const meter = new Meter(10, 1000, () => now);
  const taken = (times: number) => Array.from({ length: times }, () => meter.take()).filter(Boolean).length;
  expect(taken(20)).toBe(10);
  now = 500;
  expect(taken(20)).toBe(5);
  now = 10_000;
  expect(taken(20)).toBe(10);
});
