import { expect, test } from "vitest";
import type { Failure } from "./sandbox/failures.ts";
import { sandboxReport } from "./sandbox-report.ts";

const failure: Failure = { kind: "report", screen: "#/", text: "no", stack: "", component: "" };
const report = (failures: Failure[]) => JSON.stringify({ failures, screen: "#/" });

test("is what the sandbox says, and why it ended", () => {
  expect(sandboxReport({ report: report([failure]), stopped: "interrupted" })).toEqual({
    ...{ failures: [failure], screen: "#/", stopped: "interrupted" },
  });
});

test.each([
  ["nothing", undefined],
  ["no JSON", "{"],
  ["something else", "[]"],
  ["a text that is too long", report([{ ...failure, text: "x".repeat(2001) }])],
  ["too many failures", report(Array(201).fill(failure))],
])("is not sensible when it says %s", (_, said) => {
  expect(sandboxReport({ report: said })).toEqual({
    ...{ failures: [], screen: "", stopped: "its sandbox says nothing sensible" },
  });
});
