import { expect, test } from "vitest";
import type { Field } from "../descriptor.ts";
import { mockValue } from "./mock-values.ts";
import { field } from "./petstore.test.data.ts";

const spread = (name: string, more: Partial<Field> = {}, subject = ["thing"]) => {
  const numbers = Array.from({ length: 300 }, (_, row) =>
    Number(
      mockValue(field(name, more.kind ?? "number", more), { seed: `${row}`, row: 1, subject }),
    ),
  );
  return [Math.min(...numbers), Math.max(...numbers)];
};

test("numbers are as large as their names let one expect", () => {
  const ranges: [name: string, least: number, most: number, subject?: string[]][] = [
    ["percentage", 0, 100],
    ["rating", 1, 5],
    ["publishedMonth", 1, 12],
    ["year", 1990, 2026],
    ["port", 1024, 9999],
    ["statusCode", 200, 204],
    ["totalCount", 0, 40],
    ["comments", 0, 100],
    ["height", 152, 198, ["person"]],
    ["percentage", 2, 25, ["tax"]],
    ["latitude", -38, 60],
  ];
  const outside = ranges.filter(([name, least, most, subject]) => {
    const [lowest = 0, highest = 0] = spread(name, {}, subject);
    return lowest < least || highest > most;
  });

  expect(outside).toEqual([]);
});

test("an example says how large, but not more than there can be", () => {
  const [lowest = 0, highest = 0] = spread("percentage", { example: 95.3 });
  const [first = 0, last = 0] = spread("yearBuilt", { kind: "integer", example: 1972 });

  expect([lowest > 30, highest <= 100, first >= 1960, last <= 1978]).toEqual(Array(4).fill(true));
});

test("whole numbers for times are seconds, or milliseconds if the example is", () => {
  const [seconds = 0] = spread("last_active_at", { kind: "integer" });
  const [fine = 0] = spread("pub_date_ms", { kind: "integer", example: 1_556_843_484_301 });

  expect([String(seconds).length, String(fine).length]).toEqual([10, 13]);
});

test("a multiple that the bounds allow is found outside of what is usual", () => {
  expect(spread("id", { step: 5, min: -6, max: 4 })).toEqual([-5, 0]);
  const [, most = 0] = spread("id", { step: 5, max: 4 });
  expect(most).toBeLessThanOrEqual(0);
});

test("narrow bounds are met by as many decimals as that takes", () => {
  const narrow: [name: string, more: Partial<Field>][] = [
    ["weight", { min: 0.25, max: 0.27 }],
    ["rate", { min: 0.001, max: 0.005 }],
    ["x", { min: 0, max: 0.01, exclusiveMin: true, exclusiveMax: true }],
    ["price", { min: 12.3456, max: 12.3457 }],
  ];
  const outside = narrow.filter(([name, { min = 0, max = 0, ...more }]) => {
    const [lowest = 0, highest = 0] = spread(name, { min, max, ...more });
    return more.exclusiveMin ? lowest <= min || highest >= max : lowest < min || highest > max;
  });

  expect(outside).toEqual([]);
});
