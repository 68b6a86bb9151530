import { expect, test } from "vitest";
import { argsPreview, duration, resultPreview, size } from "./wording.ts";

test.each([
  [12, "12 ms"],
  [1234, "1.2 s"],
  [59_400, "59 s"],
  [61_000, "1 min 1 s"],
  [7_260_000, "2 h 1 min"],
])("%i ms are %s", (ms, text) => {
  expect(duration(ms)).toBe(text);
});

test("bytes are told in the unit that suits them", () => {
  expect([12, 2048, 5 * 1024 * 1024].map(size)).toEqual(["12 bytes", "2.0 KB", "5.0 MB"]);
});

test.each<[unknown, string]>([
  ["\n\nWrote 2 lines\n", "Wrote 2 lines"],
  ["first\nsecond\nthird", "first … (2 more lines)"],
  [{ exitCode: 0, output: "x".repeat(500), truncated: false, timedOut: true, durationMs: 5 }, "exit 0 · timed out"],
  [{ path: "a.ts", content: "x\n".repeat(600), totalLines: 600 }, "a.ts · content 1.2 KB · total lines 600"],
  [{ files: ["a"], matches: [1], entries: [1, 2], bytes: 6 }, "1 file · 1 match · 2 entries · 6 bytes"],
  [[1, 2], "2 items"],
  [undefined, ""],
  [{ "\u001b[2J": "\u202eevil\u0007" }, "evil"],
])("the result %j is told as %j", (result, text) => {
  expect(resultPreview(result)).toBe(text);
});

test("arguments are one line without escapes", () => {
  expect(argsPreview({ path: "a.ts", content: "b\nc\u001b[2J" })).toBe('path=a.ts "b\\nc"');
  expect(argsPreview("ls\n-la")).toBe("ls -la");
});

test("under a title only what it does not say is told, and no limits", () => {
  const args = { command: "npm test", timeoutMs: 120_000, all: false, paths: [], query: "x", wholeWord: true };
  expect(argsPreview(args, "Run npm test")).toBe("query=x wholeWord=true");
  expect(argsPreview({ path: ".", depth: 1 }, "List .")).toBe("");
  expect(resultPreview({ path: "a.ts", startLine: 1, totalLines: 3, ahead: 0 }, "Read a.ts")).toBe("total lines 3");
});
