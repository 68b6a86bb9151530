import { describe, expect, test } from "vitest";
import type { Draft, Store } from "../core/store.ts";
import { memoryStore } from "../stores/memory.ts";
import { memoryTerminal } from "../testing/memory-terminal.ts";
import { AT, all, claim, joined } from "../testing/store-fixtures.ts";
import { type PruneOptions, pruneSessions } from "./prune.ts";
import { age, byteSize } from "./prune-arguments.ts";

const DAY = 24 * 60 * 60 * 1000;

function run(runId: string, at: number, prompt: string): Draft[] {
  const by = { dialect: "test" };
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: prompt }, by, at },
    { type: "run.completed", runId, result: { text: "x".repeat(2000) }, at },
  ];
}

/** An old session, one with an old run and a new one, and the latest. */
async function filled(): Promise<Store> {
  const store = memoryStore();
  const logs: [string, Draft[]][] = [
    ["11111111-old", run("a", AT, "Where is \u001b[2Jit?")],
    ["22222222-both", [...run("b", AT + 1, "First"), ...run("c", AT + 9 * DAY, "Second")]],
    ["33333333-latest", run("d", AT + 9 * DAY, "Third")],
  ];
  for (const [sessionId, drafts] of logs) await store.append(sessionId, drafts, await claim(store, sessionId));
  return store;
}

async function pruned(store: Store, more: Partial<PruneOptions> = {}) {
  const { terminal, written } = memoryTerminal();
  const retention = { endedBefore: AT + DAY };
  const flags = { dryRun: false, yes: false, json: false, diskBytes: () => 5000 };
  const code = await pruneSessions({ store, terminal, retention, ...flags, ...more });
  await new Promise((resolve) => setImmediate(resolve));
  return { code, ...written };
}

const left = async (store: Store) =>
  (await store.sessions({ limit: 9 })).map(({ sessionId, firstSeq }) => [sessionId, firstSeq]);

const table = `SESSION   RUNS  SIZE    WHAT GOES
11111111  1     2.2 KB  all of it: Where is it?
22222222  1     2.2 KB  its oldest run, of: Second

This would go: 2 runs of 2 sessions, 4.3 KB of 8.6 KB.
`;
const before = [
  ["33333333-latest", 1],
  ["22222222-both", 1],
  ["11111111-old", 1],
];
const after = [
  ["33333333-latest", 1],
  ["22222222-both", 3],
];

test("shows what would go, and takes nothing away when that is all that is wanted", async () => {
  const store = await filled();
  expect(await pruned(store, { dryRun: true })).toEqual({ code: 0, out: table, err: "" });
  expect(await left(store)).toEqual(before);
});

test("takes it away after a yes, and says what is free now", async () => {
  const store = await filled();
  const questions: string[] = [];
  const ask = async (question: string) => {
    questions.push(question);
    return true;
  };
  const sizes = [9000, 4000];
  const { code, out } = await pruned(store, { ask, diskBytes: () => sizes.shift() ?? 0 });
  expect([code, questions]).toEqual([0, ["Forget that for good? y or n: "]]);
  expect(out).toBe(
    `${table}Pruned 2 runs of 2 sessions, 4.3 KB. The log has 4.3 KB now.\nOn the disk it takes up 3.9 KB, 4.9 KB less.\n`,
  );
  expect(await left(store)).toEqual(after);
});

test.each([
  [false, 1],
  ["interrupted", 130],
] as const)("leaves everything after a no (%s)", async (answer, exit) => {
  const store = await filled();
  const { code, out } = await pruned(store, { ask: async () => answer });
  expect([code, out]).toEqual([exit, `${table}Nothing was pruned.\n`]);
  expect(await left(store)).toEqual(before);
});

test("needs --yes where there is nobody to ask", async () => {
  const store = await filled();
  const { code, err } = await pruned(store);
  expect([code, err]).toEqual([1, "Nothing was pruned: there is no terminal to ask at. Run it again with --yes.\n"]);
  expect(await left(store)).toEqual(before);
  expect((await pruned(store, { yes: true })).code).toBe(0);
  expect(await left(store)).toEqual(after);
});

test("says who is at work when the file does not get smaller", async () => {
  const store = await filled();
  await joined(store);
  const { out } = await pruned(store, { yes: true });
  expect(out).toContain(`On the disk it takes up 4.9 KB, as before: test (pid ${process.pid}) is at work on it.`);
});

test("says so when there is nothing to take away", async () => {
  const store = await filled();
  const retention = { endedBefore: AT };
  expect(await pruned(store, { retention, ask: () => Promise.reject(new Error("asked")) })).toEqual({
    code: 0,
    out: "Nothing to prune: all 8.6 KB of the log are to be kept.\n",
    err: "",
  });
});

test("is JSON and nothing else for a program", async () => {
  const store = await filled();
  const would = JSON.parse((await pruned(store, { json: true, dryRun: true })).out);
  const did = JSON.parse((await pruned(store, { json: true, yes: true })).out);
  expect(did).toEqual({ ...would, dryRun: false });
  expect(would.sessions).toMatchObject([
    { sessionId: "11111111-old", runs: 1, whole: true },
    { sessionId: "22222222-both", runs: 1, whole: false },
  ]);
  expect(await all(store, "11111111-old")).toEqual([]);
});

test("names so many sessions and counts the rest", async () => {
  const store = memoryStore();
  for (let n = 0; n < 25; n++) await store.append(`${n}`, run("r", AT, "Go"), await claim(store, `${n}`));
  const lines = (await pruned(store, { dryRun: true })).out.split("\n");
  expect([lines.length, lines[21]]).toEqual([25, "and 4 more sessions"]);
});

describe("what is given to it", () => {
  test.each([
    ["90min", 90 * 60_000],
    ["12h", 12 * 3_600_000],
    ["30d", 30 * DAY],
    ["8w", 56 * DAY],
    ["0d", 0],
  ])("%s is an age", (given, ms) => {
    expect(age(given)).toBe(ms);
  });

  test.each(["", "30", "d", "5m", "1.5d", "-3d", "30 d", "30days", "1e3d"])("%j is none", (given) => {
    expect(() => age(given)).toThrow("It takes a whole number and min, h, d or w, such as 12h or 30d.");
  });

  test("an age that nothing has is told as such", () => {
    expect(() => age("9999999d")).toThrow("Nothing is as old as that.");
  });

  test.each([
    ["0KB", 0],
    ["10b", 10],
    ["500MB", 500 * 1024 ** 2],
    ["1.5gb", 1.5 * 1024 ** 3],
    ["2TB", 2 * 1024 ** 4],
  ])("%s is a size", (given, bytes) => {
    expect(byteSize(given)).toBe(bytes);
  });

  test.each(["", "500", "MB", "5M", "-1MB", "1,5GB", "5 MB", "5MiB", "0x5MB"])("%j is none", (given) => {
    expect(() => byteSize(given)).toThrow("It takes a number and KB, MB, GB or TB, such as 500MB or 1.5GB.");
  });
});
