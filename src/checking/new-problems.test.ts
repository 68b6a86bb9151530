import { expect, test } from "vitest";
import { newProblems } from "./new-problems.ts";
import type { Problem } from "./problem.ts";

const at = (line: number | undefined, message: string): Problem => ({ stage: "types", message, line });

test("a problem is old when it was there before, wherever it stands now", () => {
  expect(newProblems([at(3, "old"), at(9, "new")], [at(2, "old"), at(5, "mended")])).toEqual([at(9, "new")]);
});

test("as many are old as there were before", () => {
  const found = [at(1, "same"), at(2, "same"), at(3, "same")];
  expect(newProblems(found, [at(1, "same"), at(2, "same")])).toEqual([at(3, "same")]);
  expect(newProblems(found, [...found, at(4, "same")])).toEqual([]);
});

test("nothing is old that has no line", () => {
  const found = [at(undefined, "The types could not be checked."), at(1, "same")];
  expect(newProblems(found, found)).toEqual([at(undefined, "The types could not be checked.")]);
  expect(newProblems([at(1, "same")], [at(undefined, "same")])).toEqual([at(1, "same")]);
});
