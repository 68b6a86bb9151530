import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync, type DatabaseSyncInstance } from "@photostructure/sqlite";
import type { Draft, Fence, Store } from "../src/core/store.ts";
import { openSqliteStore } from "../src/stores/sqlite.ts";
import { interleaved, rate } from "./measure.ts";
import { type Figure, report } from "./report.ts";

// The log against the driver it is built on, in one run: only the ratios mean anything. The bare side does what is left when
// everything a store promises is taken away: it has its rows ready and knows no sessions, owners, summaries, threads or events.
//
//   append  64 sessions, each waiting for its append before the next, against a loop that commits the rows of 64 such appends in
//           one transaction, with the driver's defaults but for WAL and FULL. One event of 300 bytes each, or four.
//   replay  one session's log in pages of 500, parsed, against the same SELECT with all(), which parses nothing.
//   open    a file of a million events, until the first page is read.

const ROUNDS = 7;
const SESSIONS = 64;
const APPENDS = 100;
const REPLAYED = 100_000;
const PAGE = 500;
const MILLION = 1_000_000;

const folder = mkdtempSync(join(tmpdir(), "dragoman-bench-"));

const runId = "6f1f7a44-3c1b-4a43-9a35-5e0f8e5ad3c1";
const draft: Draft = { at: Date.now(), type: "text.delta", runId, of: "answer", text: "x".repeat(180) };
const { at, ...rest } = draft;
const text = JSON.stringify(rest).slice(1);
const row = (seq: number) => `{"seq":${seq},"at":${at},${text}`;

function bareDatabase(name: string): DatabaseSyncInstance {
  const db = new DatabaseSync(join(folder, name));
  db.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL");
  db.exec("CREATE TABLE events (session INTEGER, seq INTEGER, body TEXT, PRIMARY KEY (session, seq))");
  return db;
}

async function benchAppend(name: string, events: number, floor?: number): Promise<Figure> {
  const store = await openSqliteStore(join(folder, `append-${events}.db`));
  const fences = await Promise.all(Array.from({ length: SESSIONS }, (_, i) => claim(store, `session-${i}`)));
  const drafts: Draft[] = Array(events).fill(draft);
  const bare = bareDatabase(`append-${events}-bare.db`);
  const insert = bare.prepare("INSERT INTO events VALUES (?, ?, ?)");
  let last = 0;
  const commitBare = () => {
    bare.exec("BEGIN IMMEDIATE");
    for (let session = 0; session < SESSIONS; session++) {
      for (let seq = last + 1; seq <= last + events; seq++) insert.run(session, seq, row(seq));
    }
    bare.exec("COMMIT");
    last += events;
  };
  const count = SESSIONS * APPENDS * events;
  const rates = await interleaved(ROUNDS, {
    store: () => rate(count, () => Promise.all(fences.map((fence) => appendInTurn(store, fence, drafts)))),
    bare: () =>
      rate(count, () => {
        for (let i = 0; i < APPENDS; i++) commitBare();
      }),
  });
  await store.close();
  bare.close();
  return { name, unit: "events/ms", ours: rates.store, bare: rates.bare, floor };
}

async function claim(store: Store, sessionId: string): Promise<Fence> {
  const claimed = await store.claim(sessionId, "bench");
  if (!claimed) throw new Error("someone else has the session");
  return claimed;
}

async function appendInTurn(store: Store, fence: Fence, drafts: Draft[]): Promise<void> {
  for (let i = 0; i < APPENDS; i++) await store.append(fence.sessionId, drafts, fence);
}

async function benchReplay(): Promise<Figure[]> {
  const store = await openSqliteStore(join(folder, "replay.db"));
  const fence = await claim(store, "session");
  for (let i = 0; i < REPLAYED; i += 1000) await store.append("session", Array(1000).fill(draft), fence);
  const bare = bareDatabase("replay-bare.db");
  const insert = bare.prepare("INSERT INTO events VALUES (1, ?, ?)");
  bare.exec("BEGIN");
  for (let seq = 1; seq <= REPLAYED; seq++) insert.run(seq, row(seq));
  bare.exec("COMMIT");
  const page = bare.prepare("SELECT seq, body FROM events WHERE session = 1 AND seq > ? ORDER BY seq LIMIT 500");

  const replayBare = (use: (body: string) => void) => () => {
    let after = 0;
    for (let rows = page.all(after); rows.length > 0; rows = page.all(after)) {
      for (const { body } of rows) use(body);
      after = rows.at(-1).seq;
    }
  };
  const rates = await interleaved(ROUNDS, {
    store: () => rate(REPLAYED, () => replayStore(store)),
    bare: () =>
      rate(
        REPLAYED,
        replayBare(() => {}),
      ),
    parsed: () => rate(REPLAYED, replayBare(JSON.parse)),
  });
  await store.close();
  bare.close();
  const figure = { unit: "events/ms", ours: rates.store };
  return [
    { ...figure, name: "replay", bare: rates.bare, floor: 0.4 },
    { ...figure, name: "replay, bare side parses", bare: rates.parsed },
  ];
}

async function replayStore(store: Store): Promise<void> {
  let after = 0;
  for (;;) {
    const events = await store.read("session", { after, limit: PAGE });
    if (events.length === 0) return;
    after = events.at(-1)?.seq ?? after;
  }
}

async function benchOpen(): Promise<Figure> {
  const path = join(folder, "million.db");
  const store = await openSqliteStore(path);
  const fence = await claim(store, "session");
  const drafts: Draft[] = Array(5000).fill(draft);
  for (let i = 0; i < MILLION; i += drafts.length) await store.append("session", drafts, fence);
  await store.close();

  const start = performance.now();
  const opened = await openSqliteStore(path);
  const first = await opened.read("session", { after: MILLION - PAGE, limit: PAGE });
  const ms = performance.now() - start;
  await opened.close();
  if (first.at(-1)?.seq !== MILLION) throw new Error("the store lost events");
  return { name: "open a million, first read", unit: "ms", ours: ms, most: 1000 };
}

try {
  const figures = [
    await benchAppend("append, one event each", 1, 0.5),
    await benchAppend("append, four events each", 4, 0.5),
    ...(await benchReplay()),
    await benchOpen(),
  ];
  process.exitCode = report(figures) ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
