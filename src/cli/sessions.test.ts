import { describe, expect, test } from "vitest";
import type { NodeState, Owner } from "../core/nodes.ts";
import { emptySummary, type RunStatus, type SessionSummary } from "../core/summary.ts";
import { memoryStore } from "../stores/memory.ts";
import { memoryTerminal } from "../testing/memory-terminal.ts";
import { claim, created, nodeInfo } from "../testing/store-fixtures.ts";
import { findSession, latestSession } from "./find-session.ts";
import { type SessionList, sessionLines, sessions, when } from "./sessions.ts";
import { noColours } from "./terminal/paint.ts";

const now = 1_771_424_625_000;
const run = (status: RunStatus) => ({ runId: "r", seq: 2, status });
const summary = (sessionId: string, more: Partial<SessionSummary>): SessionSummary => ({
  ...emptySummary(sessionId),
  updatedAt: now,
  workspace: "/home/ada/project",
  engine: "builtin",
  ...more,
});

const ask = { askId: "a", runId: "r", kind: "confirm" as const, title: "?", expiresAt: 0, seq: 3 };
const owner = (sessionId: string, state: NodeState = "alive"): Owner => ({
  ...nodeInfo("n", { host: "here", pid: 1234, startedAt: "" }),
  ...{ title: "stdio", sessionId, epoch: 1, seenAt: now, state },
});
const summaries = [
  summary("11111111-1111", {
    run: run("running"),
    asks: [ask],
    messages: 1,
    lastPrompt: "Add bread\nto \u001b[2Jnotes",
  }),
  summary("22222222-2222", {
    run: run("completed"),
    engine: "copilot-cli",
    updatedAt: now - 3 * 3_600_000,
    messages: 12,
    lastPrompt: "漢字 🦜",
  }),
  summary("33333333-3333", { closed: true, updatedAt: now - 40 * 86_400_000, workspace: "/srv/x", title: "Empty" }),
];
const found = summaries.map((one) => ({ summary: one }));
const list: SessionList = {
  found,
  workspace: "/home/ada/project",
  all: false,
  limit: 20,
  elsewhere: 0,
  now,
  home: "/home/ada",
};

describe("the list of sessions", () => {
  test("is a table, cut to the width", () => {
    expect(sessionLines({ ...list, all: true }, { paint: noColours, width: 100 })).toEqual([
      "SESSION   CHANGED     STATUS               ENGINE       WORKSPACE  MESSAGES  LAST PROMPT",
      "11111111  just now    waits for an answer  builtin      ~/project  1         Add bread to notes",
      "22222222  3 h ago     completed            copilot-cli  ~/project  12        漢字 🦜",
      `33333333  ${when(now - 40 * 86_400_000, now)}  closed               builtin      /srv/x     0         Empty`,
    ]);
    const lines = sessionLines({ ...list, all: true }, { paint: noColours, width: 70 });
    expect(lines[1]).toBe("11111111  just now    waits for an answer  ~/project  Add bread to no…");
  });

  test("takes two lines for each on a narrow terminal", () => {
    expect(sessionLines({ ...list, found: found.slice(0, 1) }, { paint: noColours, width: 40 })).toEqual([
      "11111111  just now  waits for an answer",
      "  builtin · Add bread to notes",
    ]);
  });

  test("says which process has which, and leaves out what there is no room for", () => {
    const owned = summaries.map((one, at) => ({ summary: one, ...(at < 2 && { owner: owner(one.sessionId) }) }));
    expect(sessionLines({ ...list, found: owned }, { paint: noColours, width: 80 })).toEqual([
      "SESSION   CHANGED     STATUS               ENGINE       WHERE       LAST PROMPT",
      "11111111  just now    waits for an answer  builtin      stdio 1234  Add bread t…",
      "22222222  3 h ago     completed            copilot-cli  stdio 1234  漢字 🦜",
      `33333333  ${when(now - 40 * 86_400_000, now)}  closed               builtin      -           Empty`,
    ]);
    const [titles] = sessionLines({ ...list, found: owned }, { paint: noColours, width: 79 });
    expect(titles).toBe("SESSION   CHANGED     STATUS               WHERE       LAST PROMPT");
    expect(sessionLines({ ...list, found: owned.slice(0, 1) }, { paint: noColours, width: 60 })).toEqual([
      "11111111  just now  waits for an answer  stdio 1234",
      "  builtin · Add bread to notes",
    ]);
  });

  test.each<[Partial<SessionSummary>, NodeState | undefined, status: string, where: string]>([
    [{ run: run("running") }, "alive", "running", "stdio 1234"],
    [{ run: run("cancelling") }, "alive", "cancelling", "stdio 1234"],
    [{ run: run("running") }, "silent", "running", "stdio 1234, silent"],
    [{ run: run("running") }, "gone", "interrupted", ""],
    [{ run: run("running") }, undefined, "interrupted", ""],
    [{ run: run("running"), asks: [ask] }, "gone", "waits for an answer", ""],
    [{ run: run("completed") }, "gone", "completed", ""],
    [{ run: run("completed"), queued: [{ runId: "q", seq: 9 }] }, undefined, "queued", ""],
    [{}, "alive", "new", "stdio 1234"],
  ])("of %j with an owner that is %s says %j %j", (about, state, status, where) => {
    const one = { summary: summary("1", about), ...(state && { owner: owner("1", state) }) };
    const [line] = sessionLines({ ...list, found: [one] }, { paint: noColours, width: 60 });
    expect(line).toBe(`1  just now  ${status}  ${where}`.trimEnd());
  });

  test("says what else there is, and what to do when there is nothing", () => {
    const place = { paint: noColours, width: 80 };
    expect(sessionLines({ ...list, found: [], elsewhere: 2 }, place)).toEqual([
      'No sessions in ~/project. Start one: dragoman run "<prompt>"',
      "2 sessions elsewhere: dragoman sessions --all",
    ]);
    expect(sessionLines({ ...list, found: found.slice(0, 1), limit: 1 }, place).at(-1)).toBe(
      "the latest 1; more with --limit",
    );
  });

  test("tells how long ago it was", () => {
    const ago = [0, 90_000, 7_200_000, 86_400_000, 3 * 86_400_000].map((ms) => when(now - ms, now));
    expect(ago).toEqual(["just now", "1 min ago", "2 h ago", "1 day ago", "3 days ago"]);
  });
});

test("the list as JSON is a summary a line, without what an agent has of its own", async () => {
  const store = memoryStore();
  const kept = { type: "session.updated" as const, agentSession: { engine: "scripted", id: "4711" }, at: now };
  await store.append("s", [created("/w"), kept], await claim(store, "s"));
  const { terminal, written } = memoryTerminal();
  expect(await sessions({ store, terminal, workspace: "/w", all: false, limit: 9, json: true })).toBe(0);
  const { agentSession, ...told } = (await store.session("s")) ?? emptySummary("s");
  expect([JSON.parse(written.out), agentSession?.id]).toEqual([told, "4711"]);
});

describe("a session", () => {
  const ids = ["aaaa1111-0000-4000-8000-000000000001", "aaaa2222-0000-4000-8000-000000000002"];

  async function storeWith(...sessionIds: string[]) {
    const store = memoryStore();
    for (const [i, id] of sessionIds.entries()) {
      await store.append(id, [{ ...created(`/w${i}`), at: i }], await claim(store, id, "n"));
    }
    return store;
  }

  test("is found by its id, or by a beginning of it that is its alone", async () => {
    const store = await storeWith(...ids);
    expect((await findSession(store, ids[0] ?? "")).sessionId).toBe(ids[0]);
    expect((await findSession(store, " AAAA2 ")).sessionId).toBe(ids[1]);
    await expect(findSession(store, "aaaa")).rejects.toThrow(
      "2 sessions begin with aaaa: aaaa2222, aaaa1111 ... Give more of the id.",
    );
    for (const unknown of ["bbbb", "", "%", ids[0]?.replace("1111", "3333") ?? ""]) {
      await expect(findSession(store, unknown)).rejects.toMatchObject({ code: "session_not_found" });
    }
  });

  test("is the latest one where none is named", async () => {
    const store = await storeWith(...ids);
    expect((await latestSession(store)).sessionId).toBe(ids[1]);
    expect((await latestSession(store, "/w0")).sessionId).toBe(ids[0]);
    await expect(latestSession(store, "/nowhere")).rejects.toMatchObject({ code: "session_not_found" });
  });
});
