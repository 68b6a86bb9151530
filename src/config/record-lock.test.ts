import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "@photostructure/sqlite";
import { afterEach, expect, test, vi } from "vitest";
import { until } from "../testing/scripted.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { withLock } from "./record-lock.ts";

const folder = temporaryFolder();
afterEach(() => {
  vi.restoreAllMocks();
});

/** Work that is done when it is told to. */
function held(path: string, name: string, log: string[]) {
  let finish = () => {};
  const gate = new Promise<void>((resolve) => (finish = resolve));
  const done = withLock(path, async () => {
    log.push(`${name} begins`);
    await gate;
    log.push(`${name} ends`);
    return name;
  });
  return { done, finish: () => finish() };
}

test("one after the other, in the order in which they came; another lock is another matter", async () => {
  const [path, other] = [folder.newPath(), folder.newPath()];
  const log: string[] = [];
  const [first, second, third] = [held(path, "1", log), held(path, "2", log), held(path, "3", log)];
  third.finish();
  second.finish();
  expect(await withLock(other, async () => [...log])).toEqual(expect.not.arrayContaining(["2 begins"]));
  await until(() => log.length === 1);
  first.finish();
  expect(await Promise.all([first.done, second.done, third.done])).toEqual(["1", "2", "3"]);
  expect(log).toEqual(["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"]);
  expect(statSync(path).mode & 0o777).toBe(0o600);
});

test("who comes while the last but one is at work still waits for the last", async () => {
  const path = folder.newPath();
  const log: string[] = [];
  const [first, second] = [held(path, "1", log), held(path, "2", log)];
  first.finish();
  await until(() => log.includes("2 begins"));
  const third = held(path, "3", log);
  third.finish();
  second.finish();
  await third.done;
  expect(log).toEqual(["1 begins", "1 ends", "2 begins", "2 ends", "3 begins", "3 ends"]);
});

test("work that fails is told to its caller alone, and the next goes on", async () => {
  const path = folder.newPath();
  const failed = withLock(path, () => Promise.reject(new Error("broke")));
  const next = withLock(path, async () => "next");
  await expect(failed).rejects.toThrow("broke");
  expect(await next).toBe("next");
});

test("waits for whoever else holds it, and not for ever", async () => {
  const path = folder.newPath();
  const holder = new DatabaseSync(path);
  holder.exec("BEGIN IMMEDIATE");
  let got = false;
  const waiting = withLock(path, async () => (got = true));
  const patience = vi.spyOn(Date, "now");
  await until(() => patience.mock.calls.length > 0);
  expect(got).toBe(false);
  holder.exec("ROLLBACK");
  expect(await waiting).toBe(true);

  holder.exec("BEGIN IMMEDIATE");
  let now = 0;
  patience.mockImplementation(() => (now += 6000));
  const work = vi.fn(async () => {});
  await expect(withLock(path, work)).rejects.toMatchObject({
    code: "store_failed",
    message: expect.stringContaining("another process holds it. End that process, or try again"),
  });
  expect(work).not.toHaveBeenCalled();
  holder.close();
});

test("a folder that is not there is told at once", async () => {
  await expect(withLock(join(folder.path, "no", "lock.db"), async () => {})).rejects.toThrow("ENOENT");
});
