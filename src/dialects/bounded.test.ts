import { expect, test } from "vitest";
import * as z from "zod";
import { leastMs } from "../testing/least-ms.ts";
import { boundedArray, boundedRecord } from "./bounded.ts";

const problems = (schema: z.ZodType, value: unknown) =>
  schema.safeParse(value).error?.issues.map(({ path, message }) => [path.join("."), message]);

test("an array is checked as ever up to the most that it may have", () => {
  const list = z.object({ ids: boundedArray(z.string(), 2).optional() });
  expect([{ ids: ["a", "b"] }, { ids: [] }, {}].map((value) => list.parse(value))).toEqual([
    { ids: ["a", "b"] },
    { ids: [] },
    {},
  ]);
  expect(problems(list, { ids: ["a", 1] })).toEqual([["ids.1", "Invalid input: expected string, received number"]]);
  expect(problems(list, { ids: "a" })).toEqual([["ids", "Invalid input: expected array, received string"]]);
  expect(problems(list, { ids: [1, 2, 3] })).toEqual([["ids", "must have at most 2 entries, and has 3"]]);
});

test("an object is checked as ever up to the most that it may have", () => {
  const map = boundedRecord(z.enum(["ask", "deny"]), { most: 2, longestName: 3 });
  expect(map.parse({ a: "ask", abc: "deny" })).toEqual({ a: "ask", abc: "deny" });
  expect(problems(map, { a: 1 })).toMatchObject([["a", expect.stringContaining("Invalid option")]]);
  expect(problems(map, [1])).toMatchObject([["", expect.stringContaining("expected record")]]);
  expect(problems(map, { a: 1, b: 1, c: 1 })).toEqual([["", "must have at most 2 entries, and has 3"]]);
  expect(problems(map, { abcd: 1 })).toEqual([["", "must have names of at most 3 characters, and has one of 4"]]);
});

test("what is too much is refused without a look at it, however much it is", () => {
  const many = Array.from({ length: 1_000_000 }, () => 1);
  expect(leastMs(() => expect(problems(boundedArray(z.string(), 100), many)).toHaveLength(1))).toBeLessThan(100);
});
