import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, expect, test } from "vitest";
import { dialects } from "../dialects/index.ts";
import { openSqliteStore } from "../stores/sqlite.ts";
import { builtCommand } from "../testing/built-command.ts";
import { faultsOf } from "../testing/check-log.ts";
import { readAll } from "../testing/read-all.ts";
import { dataFolder } from "../tools/data-folder.ts";

// The bundled binary, as a user has it.

const folder = mkdtempSync(join(tmpdir(), "dragoman-cli-"));
const home = join(folder, "home");
const root = fileURLToPath(new URL("../../", import.meta.url));

afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  stdout: string;
  stderr: string;
}

function ended(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (data) => (stdout += data));
  child.stderr.on("data", (data) => (stderr += data));
  return new Promise((resolve) => child.on("close", (code) => resolve({ code, stdout, stderr })));
}

function launch(args: string[], env: Record<string, string> = {}): ChildProcessWithoutNullStreams {
  const options = { cwd: root, env: { ...process.env, DRAGOMAN_HOME: home, ...env } };
  return spawn(process.execPath, [builtCommand, ...args], options);
}

function dragoman(args: string[], { input = "", env = {} }: { input?: string; env?: Record<string, string> } = {}) {
  const child = launch(args, env);
  child.stdin.end(input);
  return ended(child);
}

test("plays the demo on every pair of protocols, and a yes goes through", async () => {
  for (const [index, { name }] of dialects.entries()) {
    const other = dialects[(index + 1) % dialects.length]?.name ?? "";
    const { code, stdout, stderr } = await dragoman(["demo", name, other, "--fast"], { input: "y" });
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toContain("Your answer, y or n: yes");
    expect(stdout).toContain("The run is over: completed. Its 38 events are on disk");
    for (const dialect of [name, other]) expect(stdout).toMatch(new RegExp(`^${dialect}: `, "m"));
  }
});

test("a no is kept, and the log of it is whole and private", async () => {
  const { stdout } = await dragoman(["demo", "--fast"], { input: "n" });
  expect(stdout).toContain("Your answer, y or n: no");
  const events = await latestLog();
  expect(faultsOf(events, { ended: true })).toEqual([]);
  expect(events.filter((event) => event.type === "ask.closed")).toMatchObject([
    { outcome: "answered", answer: { ok: false }, by: { client: "you" } },
  ]);
  expect(events.some((event) => event.type === "tool.finished" && event.error?.code === "denied")).toBe(true);
  expect(statSync(join(home, "log.db")).mode & 0o777).toBe(0o600);
});

async function latestLog(of = home) {
  const store = await openSqliteStore(join(of, "log.db"));
  const [latest] = await store.sessions({ limit: 1 });
  const events = await readAll(store, latest?.sessionId ?? "");
  await store.close();
  return events;
}

test("does not hang where nobody is there to answer, and nobody is said to have answered", async () => {
  const { code } = await dragoman(["demo", "--fast"]);
  expect(code).toBe(0);
  expect((await latestLog()).some((event) => event.type === "ask.opened")).toBe(false);
  const { stdout } = await dragoman(["demo", "--fast"], { input: "absolutely not\nmaybe\n" });
  expect(stdout).toContain("Your answer, y or n: no, since nobody is there to give one");
  expect((await latestLog()).filter((event) => event.type === "ask.closed")).toMatchObject([
    { by: { client: "nobody" } },
  ]);
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("ends its run before it leaves on %s", async (signal) => {
  const child = launch(["demo", "--fast"]);
  child.stdout.on("data", (data) => String(data).includes("Your answer") && child.kill(signal));
  const { code } = await ended(child);
  expect(code).toBe({ SIGTERM: 143, SIGINT: 130, SIGHUP: 129 }[signal]);
  expect((await latestLog()).at(-1)).toMatchObject({ type: "run.cancelled", reason: "owner_stopped" });
});

test("whoever stops reading leaves no run behind and no noise", async () => {
  const child = launch(["demo"]);
  child.stdout.once("data", () => child.stdout.destroy());
  const { code, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  expect((await latestLog()).at(-1)?.type).toMatch(/^run\.(cancelled|completed)$/);
});

test("a path that cannot hold a store is told as such, and at once", async () => {
  writeFileSync(join(folder, "file"), "");
  for (const place of [join(folder, "file"), "/proc/nowhere"]) {
    const { code, stderr } = await dragoman(["demo"], { env: { DRAGOMAN_HOME: place } });
    expect(code).toBe(1);
    expect(stderr).toContain("Set DRAGOMAN_HOME to a folder that can be written to.");
  }
});

test("a mistake is told in one place, with what to do", async () => {
  const protocol = await dragoman(["demo", "nope"]);
  expect(protocol).toMatchObject({ code: 1, stdout: "" });
  expect(protocol.stderr).toContain('there is no protocol "nope". There are: ui, studio, operations, sidecar, live.');
  expect((await dragoman(["frob"])).stderr).toContain("unknown command 'frob'");
  for (const command of ["run", "sessions", "sessions prune"]) {
    const { stderr } = await dragoman([...command.split(" "), "--frob"]);
    expect(stderr.trimEnd().split("\n").at(-1)).toBe(`Run dragoman ${command} --help to see what there is.`);
  }
});

test("a log that is not a log is reported and left alone", async () => {
  const broken = join(folder, "broken");
  await dragoman(["demo", "--fast"], { env: { DRAGOMAN_HOME: broken } });
  writeFileSync(join(broken, "log.db"), "this is my diary");
  for (const suffix of ["-wal", "-shm"]) rmSync(join(broken, `log.db${suffix}`), { force: true });
  const { code, stderr } = await dragoman(["demo", "--fast"], { env: { DRAGOMAN_HOME: broken } });
  expect(code).toBe(1);
  expect(stderr).toContain(join(broken, "log.db"));
  expect(readFileSync(join(broken, "log.db"), "utf8")).toBe("this is my diary");
});

test("a disk that is full in the middle of a run is an error, not an end", async () => {
  const full = join(folder, "full");
  const command = `ulimit -f 38; echo y | "${process.execPath}" "${builtCommand}" demo --fast`;
  const { code, stdout, stderr } = await ended(
    spawn("bash", ["-c", command], { env: { ...process.env, DRAGOMAN_HOME: full } }),
  );
  expect(code).toBe(1);
  expect(stdout).toContain("run.status running");
  expect(stdout).not.toContain("The run is over");
  expect(stderr).toContain("Check the disk and its free space");
});

test("data lives where the platform keeps it, or where it is told to", () => {
  expect(dataFolder({ DRAGOMAN_HOME: "/x" }, "linux")).toBe("/x");
  expect(dataFolder({ XDG_DATA_HOME: "/data" }, "linux")).toBe("/data/dragoman");
  expect(dataFolder({}, "darwin")).toMatch(/Library\/Application Support\/dragoman$/);
  expect(dataFolder({ LOCALAPPDATA: "C:\\Local" }, "win32")).toMatch(/^C:\\Local.dragoman$/);
});
