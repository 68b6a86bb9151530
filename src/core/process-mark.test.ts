import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { arePidsUnique, newMark } from "./process-mark.ts";

test("no two marks are the same", () => {
  expect(new Set(Array.from({ length: 100 }, newMark)).size).toBe(100);
});

test.runIf(process.platform === "linux")(
  "a pid that was given out since a mark was made a moment ago is unique",
  () => {
    const mark = newMark();
    execFileSync("true");
    expect(arePidsUnique(mark)).toBe(true);
  },
);

test("what is not known to be unique is not", () => {
  const [id] = newMark().split(".");
  // no count, one of more processes than there were, of another kind, and before all numbers were given out
  const marks = [id, `${id}.`, `${id}.9000000000000`, `${id}.x`, `${id}.-9000000000000`, ""];
  expect(marks.filter((mark) => arePidsUnique(mark ?? ""))).toEqual([]);
});
