import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, expect, test } from "vitest";
import { newMark } from "../core/process-mark.ts";
import { until } from "../testing/scripted.ts";
import { MARK } from "./process-descendants.ts";
import { processRow } from "./process-table.ts";
import { ProcessTree } from "./process-tree.ts";

const started: ChildProcess[] = [];

/** A shell that runs each line it is given in the background and says the pid of it. */
async function startShell(mark: string) {
  const env = { ...process.env, [MARK]: mark };
  const child = spawn("bash", ["-c", 'while read -r line; do eval "$line" & echo $!; done; wait'], {
    env,
    stdio: ["pipe", "pipe", "ignore"],
  });
  started.push(child);
  await once(child, "spawn");
  const run = async (line: string): Promise<number> => {
    child.stdin.write(`${line}\n`);
    const [said] = await once(child.stdout, "data");
    return Number(String(said));
  };
  return { child, run };
}

const isRunning = (pid: number) => (processRow(pid)?.state ?? "ended") !== "ended";

/** The system counts in hundredths of a second. */
const laterThan = (moment: number) => until(() => ProcessTree.now() > moment + 2, "a later moment");

afterEach(() => {
  for (const child of started.splice(0)) child.kill("SIGKILL");
});

test("ends what was started since a moment, and leaves what was there before", async () => {
  const mark = newMark();
  const { child, run } = await startShell(mark);
  const tree = new ProcessTree(mark, child.pid);
  const before = await run("exec sleep 300"); // what it would start itself, it might start only later
  const moment = ProcessTree.now();
  await laterThan(moment);
  const [tool, stubborn] = [await run("sleep 301"), await run("trap '' TERM; sleep 302; sleep 303")];
  await tree.endSince(moment);
  expect([before, child.pid ?? 0].map(isRunning)).toEqual([true, true]);
  expect([tool, stubborn].map(isRunning)).toEqual([false, false]);
  await tree.end();
  expect([before, child.pid ?? 0].map(isRunning)).toEqual([false, false]);
});

test("finds it all by the mark alone, where nobody knows the pid of the first", async () => {
  const mark = newMark();
  const { child, run } = await startShell(mark);
  const away = await run("setsid sleep 304");
  await new ProcessTree(mark).end();
  expect([away, child.pid ?? 0].map(isRunning)).toEqual([false, false]);
});

test("ends nothing that carries another mark", async () => {
  const { child, run } = await startShell(newMark());
  const pid = await run("sleep 305");
  await new ProcessTree(newMark()).end();
  expect([pid, child.pid ?? 0].map(isRunning)).toEqual([true, true]);
});
