import { expect, test } from "vitest";
import { text } from "../testing/store-fixtures.ts";
import { Outbox } from "./outbox.ts";
import type { Artifact, Draft } from "./store.ts";

const KB = 1024;

/** An outbox whose every write ends when the test says so. */
function outbox() {
  const writes: { drafts: Draft[]; artifacts: Artifact[]; done(): void; fail(error: Error): void }[] = [];
  const failures: string[] = [];
  const box = new Outbox(
    (drafts, artifacts) =>
      new Promise<void>((resolve, reject) => writes.push({ drafts, artifacts, done: resolve, fail: reject })),
    (error) => failures.push(error.message),
  );
  return { box, writes, failures };
}

const nextTurn = () => new Promise<void>((resolve) => setImmediate(resolve));
const artifact = (bytes: number): Artifact => ({ artifactId: `of ${bytes}`, bytes: new Uint8Array(bytes) });
const sizes = (writes: { drafts: Draft[] }[]) => writes.map(({ drafts }) => drafts.length);

/** Notes in which order promises are settled. */
function noting() {
  const notes: string[] = [];
  const note = (name: string, promise: Promise<void>) =>
    void promise.then(
      () => notes.push(name),
      (error) => notes.push(`${name}: ${error.message}`),
    );
  return { notes, note };
}

test("what is pushed in one breath goes in one append, and what gathers meanwhile in the next", async () => {
  const { box, writes } = outbox();
  for (const name of ["a", "b"]) box.push(text(name));
  expect(writes).toEqual([]);
  await nextTurn();
  for (const name of ["c", "d", "e"]) box.push(text(name));
  await nextTurn();
  expect(sizes(writes)).toEqual([2]);
  writes[0]?.done();
  await nextTurn();
  expect(sizes(writes)).toEqual([2, 3]);
  writes[1]?.done();
  await nextTurn();
  box.push(text("f"));
  await nextTurn();
  expect(writes.flatMap(({ drafts }) => drafts)).toEqual(["a", "b", "c", "d", "e", "f"].map((name) => text(name)));
});

test.each<[what: string, push: (box: Outbox) => void, batches: number[]]>([
  ["1000 events", (box) => Array.from({ length: 2001 }, (_, i) => box.push(text(`${i}`))), [1000, 1000, 1]],
  ["1 MB", (box) => Array.from({ length: 5 }, () => box.push(text("x".repeat(400 * KB)))), [2, 2, 1]],
  ["1 MB with artifacts", (box) => [900, 300, 10].map((n) => box.push(text(""), [artifact(n * KB)])), [1, 2]],
  ["one event, however large", (box) => [3000, 1, 1].map((n) => box.push(text("x".repeat(n * KB)))), [1, 2]],
])("an append has at most %s", async (_, push, batches) => {
  const { box, writes } = outbox();
  push(box);
  for (const [i] of batches.entries()) {
    await nextTurn();
    writes[i]?.done();
  }
  await box.durable();
  expect(sizes(writes)).toEqual(batches);
  expect(box.backlogBytes).toBe(0);
});

test("artifacts go with their events, in order", async () => {
  const { box, writes } = outbox();
  box.push(text("a"), [artifact(1), artifact(2)]);
  box.push(text("b"));
  box.push(text("c"), [artifact(3)]);
  await nextTurn();
  expect(writes[0]?.artifacts).toEqual([artifact(1), artifact(2), artifact(3)]);
});

test("durable means everything that was pushed before, and nothing that came later", async () => {
  const { box, writes } = outbox();
  const { notes, note } = noting();
  note("nothing yet", box.durable());
  box.push(text("a"));
  note("a", box.durable());
  await nextTurn();
  box.push(text("b"));
  box.push(text("c"));
  note("c", box.durable());
  expect(notes).toEqual(["nothing yet"]);
  writes[0]?.done();
  await nextTurn();
  expect(notes).toEqual(["nothing yet", "a"]);
  writes[1]?.done();
  await nextTurn();
  expect(notes).toEqual(["nothing yet", "a", "c"]);
});

test("there is room up to 512 KB, and again when so much was written that there is", async () => {
  const { box, writes } = outbox();
  const { notes, note } = noting();
  box.push(text("x".repeat(500 * KB)));
  note("first", box.room());
  box.push(text("x".repeat(400 * KB)));
  note("second", box.room());
  await nextTurn();
  box.push(text("x".repeat(600 * KB)));
  note("third", box.room());
  await nextTurn();
  expect(notes).toEqual(["first"]);
  writes[0]?.done(); // both that were there, which leaves 600 KB
  await nextTurn();
  expect(notes).toEqual(["first"]);
  writes[1]?.done();
  await nextTurn();
  expect(notes).toEqual(["first", "second", "third"]);
});

test("after a failure nothing more is written, nobody waits any longer, and it is told once", async () => {
  const { box, writes, failures } = outbox();
  const { notes, note } = noting();
  box.push(text("x".repeat(600 * KB)));
  note("durable", box.durable());
  note("room", box.room());
  await nextTurn();
  box.push(text("meanwhile"));
  note("meanwhile", box.durable());
  writes[0]?.fail(new Error("the disk is full"));
  await nextTurn();
  box.push(text("later"));
  note("later", box.durable());
  note("room later", box.room());
  await nextTurn();
  const failed = (name: string) => `${name}: the disk is full`;
  expect(notes.sort()).toEqual([failed("durable"), failed("meanwhile"), failed("later"), "room", "room later"].sort());
  expect([sizes(writes), failures, box.backlogBytes]).toEqual([[1], ["the disk is full"], 0]);
});
