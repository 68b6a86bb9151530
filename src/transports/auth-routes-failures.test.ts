import { expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import { Failures } from "./auth-routes-failures.ts";

const others = (count: number) => Array.from({ length: count }, (_, at) => `10.0.${at >> 8}.${at & 255}`);

test("an address is counted by itself", () => {
  const failures = new Failures(new ManualClock(), { most: 2 });
  for (const address of ["a", "b", "a", "b"]) failures.note(address);
  expect(() => failures.note("a")).toThrow("Try again in 60 s");
  expect(() => failures.note("c")).not.toThrow();
});

test("a thousand addresses are remembered, and the one that failed longest ago is forgotten for one more", () => {
  const failures = new Failures(new ManualClock(), { most: 2 });
  for (const address of ["first", "first", "second"]) failures.note(address);
  for (const address of others(998)) failures.note(address);
  failures.note("second"); // and is the latest now
  expect(() => failures.note("first")).toThrow("Too many");
  failures.note("one more");
  expect(() => failures.note("first")).not.toThrow(); // it is new, and another one goes
  expect(() => failures.note("second")).toThrow("Too many");
});
