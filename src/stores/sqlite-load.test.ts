import { beforeAll, expect, test } from "vitest";
import { LEASE_MS } from "../core/nodes.ts";
import { readAll } from "../testing/read-all.ts";
import type { Loaded } from "../testing/store-child.ts";
import { bundleChild, StoreProcess } from "../testing/store-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openSqliteStore } from "./sqlite.ts";

const PROCESSES = Number(process.env.DRAGOMAN_LOAD_PROCESSES ?? 12);
const SECONDS = Number(process.env.DRAGOMAN_LOAD_SECONDS ?? 3);
const PAUSE_MS = 20;

const folder = temporaryFolder();
let script: string;

beforeAll(async () => {
  script = await bundleChild(folder.path);
});

test(
  `${PROCESSES} processes that make a file at once and write to it for ${SECONDS} s see no lock, lose no event and no lease`,
  async () => {
    const path = folder.newPath();
    const processes = await Promise.all(Array.from({ length: PROCESSES }, () => StoreProcess.open(script, path)));
    const store = await openSqliteStore(path);
    const load = { do: "load", seconds: SECONDS, pauseMs: PAUSE_MS } as const;
    let working = true;
    const loaded = Promise.all(processes.map((process) => process.call<Loaded>(load))).finally(() => {
      working = false;
    });
    let longestSilence = 0;
    while (working) {
      for (const { seenAt } of await store.nodes.list()) longestSilence = Math.max(longestSilence, Date.now() - seenAt);
      await Promise.race([loaded, new Promise((resolve) => setTimeout(resolve, 50))]);
    }
    const results = await loaded;
    for (const { sessionId, appended } of results) {
      const log = await readAll(store, sessionId);
      expect(log.map(({ seq }) => seq)).toEqual(Array.from({ length: appended }, (_, i) => i + 1));
      expect(log.map((event) => event.type === "text.delta" && event.text)).toEqual(log.map(({ seq }) => `${seq}`));
    }
    if (process.env.DRAGOMAN_LOAD_SECONDS) report(results, longestSilence);
    expect(longestSilence).toBeLessThan(LEASE_MS);
    expect(await store.nodes.list()).toHaveLength(PROCESSES);
    expect(await Promise.all(processes.map(leave))).toEqual(processes.map(() => 0));
    expect([await store.nodes.list(), await store.nodes.owners()]).toEqual([[], []]);
    await store.close();
  },
  (SECONDS + 120) * 1000,
);

async function leave(process: StoreProcess): Promise<number | null> {
  await process.call({ do: "close" });
  return process.end();
}

function report(results: Loaded[], longestSilence: number): void {
  const counts = results.map(({ appended }) => appended).sort((a, b) => a - b);
  const slowest = results.map(({ slowestMs }) => Math.round(slowestMs)).sort((a, b) => a - b);
  const total = counts.reduce((sum, count) => sum + count, 0);
  process.stderr.write(`${total} events; per process ${counts[0]} to ${counts.at(-1)}; slowest append of each process \
${slowest[0]} to ${slowest.at(-1)} ms; longest silence of a node ${Math.round(longestSilence)} ms\n`);
}
