import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { thisProcess } from "../../core/process-identity.ts";
import { settle } from "../../testing/scripted.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { clearBeside, ProcessLock } from "./process-lock.ts";

const folder = temporaryFolder();
const gone = { ...thisProcess(), startedAt: "0" };
const heldBy = (process: object, mark = randomUUID()) => JSON.stringify({ process, mark, files: [] });

/** A lock in a folder of its own, with that text and very old, if there is a text. */
function lockWith(text?: string): string {
  const at = join(folder.path, randomUUID());
  mkdirSync(at);
  const path = join(at, "some.lock");
  if (text !== undefined) old(path, text);
  return path;
}

function old(path: string, text: string): void {
  writeFileSync(path, text);
  utimesSync(path, 1, 1);
}

const besides = (path: string) => readdirSync(join(path, ".."));
const quickly = { longestWaitMs: 50 };
const nothing = async () => {};

test("a lock is its process's as long as that is there, however old it is", async () => {
  const path = lockWith(heldBy(thisProcess()));
  await expect(ProcessLock.take(path, nothing, quickly)).rejects.toMatchObject({ code: "conflict" });
  expect(besides(path)).toEqual(["some.lock"]);
});

test("what cannot be taken away is told as held, and is not waited for without end", async () => {
  const path = lockWith();
  mkdirSync(path);
  utimesSync(path, 1, 1);
  await expect(ProcessLock.take(path, nothing, quickly)).rejects.toMatchObject({ code: "conflict" });
});

test("what someone had begun who is no more is settled before another has the lock", async () => {
  const path = lockWith(heldBy(gone));
  const happened: string[] = [];
  const take = async (who: string) => {
    const lock = await ProcessLock.take(path, async () => {
      await settle(5);
      happened.push("settled");
    });
    happened.push(who);
    await lock.release();
  };
  await Promise.all([take("taken"), take("taken"), take("taken")]);
  expect(happened).toEqual(["settled", "taken", "taken", "taken"]);
  expect(besides(path)).toEqual([]);
});

test("a lock that was taken away by hand, and is another's since, is not released", async () => {
  const path = lockWith();
  const lock = await ProcessLock.take(path);
  old(path, heldBy(thisProcess()));
  await lock.release();
  expect(existsSync(path)).toBe(true);
});

describe("one at a time has it, though", () => {
  const mark = randomUUID();
  test.each<[string, string, Record<string, string>]>([
    ["the one before was killed", heldBy(gone, mark), {}],
    ["it says nothing", "", {}],
    ["whoever would settle it was killed", heldBy(gone, mark), { [`-${mark}.claim`]: heldBy(gone) }],
    ["whoever would settle it left a claim that says nothing", heldBy(gone, mark), { [`-${mark}.claim`]: "" }],
  ])("%s", async (_, text, beside) => {
    for (let round = 0; round < 10; round++) {
      const path = lockWith(text);
      for (const [name, content] of Object.entries(beside)) old(path + name, content);
      let within = 0;
      const take = async () => {
        const lock = await ProcessLock.take(path);
        within++;
        await settle(3);
        expect([within, JSON.parse(readFileSync(path, "utf8")).mark]).toEqual([1, lock.mark]);
        within--;
        await lock.release();
      };
      await Promise.all(Array.from({ length: 6 }, take));
      expect(besides(path)).toEqual([]);
    }
  });
});

test("what those left who were killed on the way is cleared, and nothing else", async () => {
  const path = lockWith();
  const [a, b, c, d] = [randomUUID(), randomUUID(), randomUUID(), randomUUID()];
  old(`${path}-${a}`, heldBy(gone));
  old(`${path}-${b}.new`, "{");
  old(`${path}-${c}.claim`, heldBy(gone));
  old(`${path}-${c}.claim-${d}`, heldBy(gone));
  old(`${path}-${d}.claim`, heldBy(thisProcess()));
  old(`${path}-notes`, "mine");
  await clearBeside(path);
  expect(besides(path).toSorted()).toEqual([`some.lock-${d}.claim`, "some.lock-notes"].toSorted());
});
