import { describe, expect, test } from "vitest";
import { fitForLog } from "../../core/fit-for-log.ts";
import { fileDiff } from "../../tools/file-diff.ts";
import { namedFile, touchedFiles } from "./touched-files.ts";

const filesOf = (...lines: string[]) => touchedFiles(`${lines.join("\n")}\n`, undefined);
const hunk = ["@@ -1 +1 @@", "-a", "+b"];

describe("the files of a diff", () => {
  test("are those of its headers, each once, in their order", () => {
    expect(
      filesOf("--- a/src/one.ts", "+++ b/src/one.ts", ...hunk, "--- a/two", "+++ b/two", ...hunk, ...hunk),
    ).toEqual(["src/one.ts", "two"]);
    expect(filesOf("--- a/x", "+++ b/x", ...hunk, "--- a/x", "+++ b/x", ...hunk)).toEqual(["x"]);
  });

  test("are what our own tools write", () => {
    const diffs = [fileDiff("a b/new.ts", undefined, "one\n"), fileDiff("c.ts", "a\nb\n", "a\nc"), ""];
    expect(touchedFiles(diffs.join(""), undefined)).toEqual(["a b/new.ts", "c.ts"]);
  });

  test("are also those that are new or gone, or have another name now", () => {
    expect(filesOf("--- /dev/null", "+++ b/new.ts", "@@ -0,0 +1,2 @@", "+a", "+b")).toEqual(["new.ts"]);
    expect(filesOf("--- a/gone.ts", "+++ /dev/null", "@@ -1,2 +0,0 @@", "-a", "-b")).toEqual(["gone.ts"]);
    const renamed = ["diff --git a/old.ts b/new.ts", "similarity index 100%", "rename from old.ts", "rename to new.ts"];
    expect(filesOf(...renamed)).toEqual(["old.ts", "new.ts"]);
  });

  test("are not what only looks like a header within a hunk", () => {
    const list = ["@@ -1,3 +1,3 @@ list", " title", "--- a/not-this", "+++ b/nor-this", "\\ No newline at end of file"];
    expect(filesOf("--- a/list.md", "+++ b/list.md", ...list, " end", "--- a/next", "+++ b/next", ...hunk)).toEqual([
      "list.md",
      "next",
    ]);
  });

  test("are those before a hunk that does not say how long it is, and behind a line that ends it", () => {
    const open = ["@@ function f()", "--- a/no", "+++ b/no", ""];
    expect(filesOf("--- a/x", "+++ b/x", ...open, "diff --git a/y b/y", "--- a/y", "+++ b/y", ...hunk)).toEqual([
      "x",
      "y",
    ]);
  });

  test("may be without a prefix, with a time behind them, or end in a carriage return", () => {
    expect(filesOf("--- a/x", "+++ a/x", ...hunk)).toEqual(["a/x"]);
    expect(filesOf("--- src/x.ts\t2026-01-01", "+++ src/x.ts\t2026-01-02", ...hunk)).toEqual(["src/x.ts"]);
    expect(filesOf("--- a/x\r", "+++ b/x\r", "@@ -1 +1 @@\r", "-a\r", "+b\r", "--- a/y\r", "+++ b/y\r")).toEqual([
      "x",
      "y",
    ]);
  });

  test("may be quoted as git does it", () => {
    expect(filesOf('--- "a/caf\\303\\251 \\"x\\"\\t.ts"', '+++ "b/caf\\303\\251 \\"x\\"\\t.ts"', ...hunk)).toEqual([
      'café "x"\t.ts',
    ]);
    expect(filesOf('--- "a/open', '+++ "b/open', ...hunk)).toEqual(['"a/open', '"b/open']);
  });

  test("are not named by a line that was cut", () => {
    expect(
      touchedFiles("--- a/whole.ts\n+++ b/whole.ts\n@@ -1 +1 @@\n-a\n+b\n--- a/x\n+++ b/x ...", undefined),
    ).toEqual(["whole.ts"]);
    const diff = `--- a/first\n+++ b/first\n@@ -0,0 +1,9000 @@\n${"+line of code\n".repeat(9000)}`;
    const finished = {
      type: "tool.finished" as const,
      runId: "12345678-0000-4000-8000-000000000002",
      callId: "c",
      durationMs: 1,
      diff,
    };
    const event = fitForLog(finished).events.at(-1);
    expect(event?.type === "tool.finished" && touchedFiles(event.diff, undefined)).toEqual(["first"]);
  });

  test("are a hundred at most, and none that is too long to be one", () => {
    const many = Array.from({ length: 150 }, (_, n) => `--- a/${n}\n+++ b/${n}\n`).join("");
    expect(touchedFiles(many, undefined)).toHaveLength(100);
    const long = "x".repeat(5000);
    expect(touchedFiles(`--- a/${long}\n+++ b/${long}\n`, undefined)).toBeUndefined();
  });

  test.each([
    ["one endless line", "+".repeat(4_000_000)],
    ["nothing but line ends", "\n".repeat(4_000_000)],
    ["hunks without an end", "@@\n".repeat(1_300_000)],
    ["lines of hunks without a hunk", "--- a/\n".repeat(600_000)],
    ["a quote that is never closed", `--- "${'\\"'.repeat(2_000_000)}\n+++ /dev/null\n`],
  ])("are looked for in linear time in %s", (_, diff) => {
    expect(touchedFiles(diff, undefined)).toBeUndefined(); // were it quadratic, the test would be given up long before
  });
});

describe("without a diff", () => {
  test("it is the file that the arguments named", () => {
    expect(touchedFiles(undefined, "a.ts")).toEqual(["a.ts"]);
    expect(touchedFiles("@@ -1 +1 @@\n-a\n+b\n", "a.ts")).toEqual(["a.ts"]);
    expect(touchedFiles(undefined, undefined)).toBeUndefined();
  });

  test.each([
    [{ path: "a" }, "a"],
    [{ file_path: "b" }, "b"],
    [{ filePath: "c" }, "c"],
    [{ file: "d" }, "d"],
    [{ path: 7, file: "e" }, "e"],
    [{ path: "" }, undefined],
    [{ artifactId: "x", excerpt: "..." }, undefined],
    ["a string", undefined],
    [null, undefined],
    [{ path: "x".repeat(5000) }, undefined],
  ])("of %j it is %j", (args, path) => {
    expect(namedFile(args)).toBe(path);
  });
});
