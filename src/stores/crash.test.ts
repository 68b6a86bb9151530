import { DatabaseSync } from "@photostructure/sqlite";
import { beforeAll, expect, test } from "vitest";
import { eventDigest } from "../testing/event-digest.ts";
import { readAll } from "../testing/read-all.ts";
import { bundleChild, StoreProcess } from "../testing/store-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";

const ROUNDS = Number(process.env.DRAGOMAN_CRASH_ROUNDS ?? 10);
const SESSIONS = 8;
const LONGEST_LIFE_IN_LINES = 400;

const folder = temporaryFolder();
let script: string;

beforeAll(async () => {
  script = await bundleChild(folder.path);
});

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

test(
  `loses nothing it acknowledged in ${ROUNDS} kills at random moments`,
  async () => {
    // The rounds share files, so that a process also dies on a log that has survived a death before.
    const paths = [0, 1, 2].map(() => folder.newPath());
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
        const log = await readAll(store, `session-${i}`);
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
