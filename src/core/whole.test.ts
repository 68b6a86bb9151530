import { expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { AT, claim, coded } from "../testing/store-fixtures.ts";
import type { Draft } from "./store.ts";
import { readWhole } from "./whole.ts";

const artifactId = "large";
const whole = { text: "all of it" };

function run(runId: string, at: number, result: { text: string; artifactId?: string }): Draft[] {
  const by = { dialect: "test" };
  return [
    { type: "run.started", runId, kind: "prompt", input: { text: "go" }, by, at },
    { type: "artifact.created", runId, artifactId, kind: "json", name: "result", bytes: 1, sha256: "", at },
    { type: "run.completed", runId, result, at },
  ];
}

async function log() {
  const store = memoryStore();
  const bytes = Buffer.from(JSON.stringify(whole));
  const drafts = [...run("a", AT, { text: "all …", artifactId }), ...run("b", AT + 10, { text: "short" })];
  await store.append("s", drafts, await claim(store, "s"), [{ artifactId, bytes }]);
  return store;
}

test("a large result comes in the place of the artifact that holds it", async () => {
  const events = await readWhole(await log(), "s", { limit: 9 });
  expect(events[2]).toMatchObject({ seq: 3, result: whole });
});

test("a run that is pruned between the read of its end and that of its result is not there, and nothing is damaged", async () => {
  const store = await log();
  const { artifact } = store;
  store.artifact = async (...args) => {
    await store.prune({ endedBefore: AT + 5 });
    return artifact(...args);
  };
  expect((await readWhole(store, "s", { limit: 9 })).map(({ seq }) => seq)).toEqual([4, 5, 6]);
});

test("a result that is missing though its run is there is damage", async () => {
  const store = await log();
  store.artifact = async () => undefined;
  await expect(readWhole(store, "s", { limit: 9 })).rejects.toEqual(coded("store_corrupt", /large/));
});
