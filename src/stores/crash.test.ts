import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Event } from "../core/events.ts";
import type { Store } from "../core/store.ts";
import { eventDigest } from "./event-digest.ts";
import { openSqliteStore } from "./sqlite.ts";
import { bundleChild, StoreProcess } from "./store-process.ts";

const ROUNDS = Number(process.env.DRAGOMAN_CRASH_ROUNDS ?? 10);
const SESSIONS = 8;
const LONGEST_LIFE_IN_LINES = 400;

let folder: string;
let script: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "dragoman-crash-"));
  script = await bundleChild(folder);
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Lets a process write until it has said a random number of lines, kills it, and returns what it had acknowledged. */
async function writeAndDie(path: string): Promise<[sessionId: string, seq: number, digest: string][]> {
  const child = await StoreProcess.open(script, path);
  const acknowledged: [string, number, string][] = [];
  const life = Math.floor(Math.random() * LONGEST_LIFE_IN_LINES);
  child.tell({ do: "flood", sessions: SESSIONS });
  for (let lines = 0; lines < life; lines++) acknowledged.push(...JSON.parse((await child.line()) ?? "[]"));
  child.kill();
  for (let line = await child.line(); line !== undefined; line = await child.line()) {
    // The last line may have been cut off by the kill.
    if (line.endsWith("]]")) acknowledged.push(...JSON.parse(line));
  }
  return acknowledged;
}

async function wholeLog(store: Store, sessionId: string): Promise<Event[]> {
  const log: Event[] = [];
  for (;;) {
    const page = await store.read(sessionId, { after: log.length, limit: 500 });
    if (page.length === 0) return log;
    log.push(...page);
  }
}

test(
  `loses nothing it acknowledged in ${ROUNDS} kills at random moments`,
  async () => {
    // The rounds share files, so that a process also dies on a log that has survived a death before.
    const paths = [0, 1, 2].map((n) => join(folder, `store-${n}.db`));
    const known = new Map<string, Map<string, string>>(paths.map((path) => [path, new Map()]));
    let total = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const path = paths[round % paths.length] as string;
      const digests = known.get(path) as Map<string, string>;
      for (const [sessionId, seq, hash] of await writeAndDie(path)) digests.set(`${sessionId} ${seq}`, hash);

      const db = new DatabaseSync(path, { readOnly: true });
      expect(db.prepare("PRAGMA integrity_check").all()).toEqual([{ integrity_check: "ok" }]);
      db.close();

      const store = await openSqliteStore(path);
      const found = new Map<string, string>();
      for (let i = 0; i < SESSIONS; i++) {
        const log = await wholeLog(store, `session-${i}`);
        expect(log.map(({ seq }) => seq)).toEqual(log.map((_, n) => n + 1));
        expect((await store.session(`session-${i}`))?.lastSeq ?? 0).toBe(log.length);
        for (const event of log) found.set(`session-${i} ${event.seq}`, eventDigest(event));
      }
      await store.close();
      expect([...digests].filter(([place, hash]) => found.get(place) !== hash)).toEqual([]);
      total += digests.size;
    }
    expect(total).toBeGreaterThan(0);
  },
  ROUNDS * 5000,
);
