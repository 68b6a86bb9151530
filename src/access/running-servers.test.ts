import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { announceServer, type RunningServer, runningServers } from "./running-servers.ts";

const folder = temporaryFolder();
let home = "";

beforeEach(() => {
  home = folder.newPath();
});

const ours: RunningServer = {
  url: "http://127.0.0.1:8137",
  pid: process.pid,
  workspace: "/w",
  version: "1.2.3",
  startedAt: "2026-01-01T00:00:00.000Z",
};

const root = fileURLToPath(new URL("../../", import.meta.url));
const program = `
  import { announceServer } from ${JSON.stringify(join(root, "src/access/running-servers.ts"))};
  const [home, startedAt] = process.argv.slice(1);
  await announceServer(home, { ...${JSON.stringify(ours)}, pid: process.pid, url: "https://box.test:1", startedAt });
  process.stdout.write("announced");
  process.stdin.resume();`;

/** Another process with a server. */
async function otherServer(startedAt: string): Promise<ChildProcess> {
  const args = ["--import", "tsx", "--input-type=module", "-e", program, home, startedAt];
  const child = spawn(process.execPath, args, { cwd: root, stdio: ["pipe", "pipe", "inherit"] });
  await once(child.stdout as NodeJS.ReadableStream, "data");
  return child;
}

test("a server is found by its user alone, as long as it is announced", async () => {
  expect(runningServers(home)).toEqual([]);
  const takeBack = await announceServer(home, ours);
  expect(runningServers(home)).toEqual([ours]);
  const path = join(home, "servers", `${process.pid}.json`);
  expect([path, join(home, "servers")].map((one) => statSync(one).mode & 0o777)).toEqual([0o600, 0o700]);
  expect(JSON.parse(readFileSync(path, "utf8"))).toEqual({
    ...ours,
    process: { host: expect.any(String), pid: process.pid, startedAt: expect.any(String) },
  });
  takeBack();
  takeBack();
  expect(runningServers(home)).toEqual([]);
});

test("those of all processes are listed, the latest first, and one that was killed is forgotten", async () => {
  await announceServer(home, ours);
  const startedAt = "2026-01-02T00:00:00.000Z";
  const child = await otherServer(startedAt);
  const theirs = { ...ours, pid: child.pid, url: "https://box.test:1", startedAt };
  expect(runningServers(home)).toEqual([theirs, ours]);
  const exit = once(child, "exit");
  child.kill("SIGKILL");
  await exit;
  expect(runningServers(home)).toEqual([ours]);
  expect(readdirSync(join(home, "servers"))).toEqual([`${process.pid}.json`]);
});

test("another process that got the pid of a server that is gone is not taken for it", async () => {
  await announceServer(home, ours);
  const path = join(home, "servers", `${process.pid}.json`);
  const announced = JSON.parse(readFileSync(path, "utf8"));
  announced.process.startedAt = "1";
  writeFileSync(path, JSON.stringify(announced));
  expect(runningServers(home)).toEqual([]);
  expect(readdirSync(join(home, "servers"))).toEqual([]);
});

test.each<[string, (path: string) => void]>([
  ["is damaged", (path) => writeFileSync(path, "{")],
  ["others can write", (path) => chmodSync(path, 0o622)],
  ["leads to another program", (path) => writeFileSync(path, readFileSync(path, "utf8").replace("http:", "file:"))],
])("an announcement that %s is none", async (_, damage) => {
  await announceServer(home, ours);
  damage(join(home, "servers", `${process.pid}.json`));
  expect(runningServers(home)).toEqual([]);
});
