import { once } from "node:events";
import { dirname, join } from "node:path";
import { Worker } from "node:worker_threads";
import { applyPatch } from "diff";
import { expect, test } from "vitest";
import { builtCommand } from "../../../testing/built-command.ts";
import { compared } from "./compared.ts";

const never = new AbortController().signal;
const lines = (of: string, count: number) => Array.from({ length: count }, (_, at) => `${of} ${at}\n`);
const order = (before: string[], after: string[]) => ({
  before: { name: "version-1.tsx", text: before.join("") },
  after: { name: "version-2.tsx", text: after.join("") },
});

test("what differs is told line by line, with what is around it", async () => {
  const before = lines("line", 20);
  expect(await compared(order(before, before.with(9, "another\n")), never)).toBe(
    [
      "===================================================================",
      "--- version-1.tsx",
      "+++ version-2.tsx",
      "@@ -7,7 +7,7 @@",
      ...[" line 6", " line 7", " line 8", "-line 9", "+another", " line 10", " line 11", " line 12", ""],
    ].join("\n"),
  );
});

test.each([
  ["few lines of many", 50_000, 5000],
  ["many lines of few", 1000, 4],
])("%s are found, too", async (_, count, each) => {
  const before = lines("line", count);
  const after = before.map((line, at) => (at % each === 0 ? `another ${line}` : line));
  const { before: from, after: to } = order(before, after);
  expect(applyPatch(from.text, await compared(order(before, after), never))).toBe(to.text);
});

test("two that have too little in common are told to have", async () => {
  expect(await compared(order(lines("one", 50_000), lines("other", 50_000)), never)).toBe(
    "--- version-1.tsx\n+++ version-2.tsx\n(The two have too little in common to be compared line by line.)\n",
  );
});

test("nobody waits for what was called off, be it under way or in its turn", async () => {
  const over = new AbortController();
  const different = order(lines("one", 50_000), lines("other", 50_000));
  const all = Promise.allSettled(Array.from({ length: 9 }, () => compared(different, over.signal)));
  over.abort(new Error("gone"));
  const gone = { status: "rejected", reason: new Error("gone") };
  expect(await all).toEqual(Array(9).fill(gone));
  await expect(compared(different, over.signal)).rejects.toThrow("gone");
});

test("as users have it, the thread is beside the command", async () => {
  const workerData = { order: order(["one\n"], ["other\n"]), limits: { lines: 9, ms: 9000 } };
  const thread = new Worker(join(dirname(builtCommand), "diff-thread.js"), { workerData });
  const [told] = await once(thread, "message");
  expect(told).toEqual({ diff: expect.stringContaining("-one\n+other\n") });
});
