import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { build } from "../../../scripts/build.mjs";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { ClientOptions } from "./client-options.ts";
import { type History, type SpawnOptions, UiClient } from "./index.ts";

// The command itself as the runtime, on a workspace and a log of its own.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const dist = join(root, "node_modules", ".dragoman-test", "client-dist"); // from where its dependencies are found
const folder = temporaryFolder();
const workspace = () => join(folder.path, "workspace");

beforeAll(async () => {
  mkdirSync(workspace());
  writeFileSync(join(workspace(), "a.ts"), "export const a = 1;\n");
  execFileSync("git", ["init", "-q"], { cwd: workspace() });
  await build(dist);
});
afterAll(() => rmSync(dist, { recursive: true, force: true }));

const clients: UiClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function started(options: Partial<ClientOptions & SpawnOptions> = {}): Promise<UiClient> {
  const client = await UiClient.spawn({
    command: process.execPath,
    args: [join(dist, "main.js"), "stdio", "--dialect", "ui", "--workspace", workspace()],
    env: { ...process.env, DRAGOMAN_HOME: join(folder.path, "home") },
    client: { name: "test", version: "1" },
    ...options,
  });
  clients.push(client);
  return client;
}

const outcome = async (client: UiClient, text: string) => (await client.startRun({ text })).done;

test("answers every call by name", async () => {
  const client = await started();
  expect(client.capabilities).toMatchObject({ supports_run_cancel: true, supports_workspace: true });
  expect(await outcome(client, "List TypeScript files")).toMatchObject({
    status: "completed",
    final: expect.stringContaining("a.ts"),
  });
  const [session] = await client.sessions({ limit: 1 });
  const sessionId = session?.session_id ?? "";
  const { events } = await client.history(sessionId);
  expect(events[0]?.event).toEqual({ type: "hidden_user_message", content: "List TypeScript files" });
  expect((await client.workspace.list()).entries).toContainEqual({ path: "a.ts", type: "file", bytes: 20 });
  expect((await client.workspace.read("a.ts")).content).toBe("export const a = 1;\n");
  expect((await client.workspace.search("const a")).matches).toEqual([
    { path: "a.ts", line: 1, column: expect.any(Number), text: "export const a = 1;" },
  ]);
  let exported = "";
  for await (const { content } of client.exportHistory({ sessionId, limit: 2 })) exported += content;
  expect(JSON.parse(exported.split("\n")[0] ?? "")).toMatchObject({ seq: 1, type: "session.created" });
  for await (const artifact of client.artifacts()) expect(artifact).toBeUndefined();
  expect(await client.todos()).toMatchObject({ todos: expect.any(Array) });
  expect(await client.models()).toMatchObject({ provider: expect.any(String), models: expect.any(Array) });
  expect(await client.mcp()).toEqual([]);
  expect(await client.skills({ cwd: workspace() })).toMatchObject({ skills: expect.any(Array) });
  await client.updateContext({ active_file: { path: "a.ts" } });
  await expect(client.history("no-such-session")).rejects.toMatchObject({ code: -32004 });
});

test("writes a file when the handler says yes, and not when it says no", async () => {
  const write = (name: string) => `write a file ${name} with the text hello`;
  const yes = await started({ handlers: { confirm: () => ({ ok: true }) } });
  expect((await outcome(yes, write("yes.txt"))).status).toBe("completed");
  expect(readFileSync(join(workspace(), "yes.txt"), "utf8").trim()).toBe("hello");
  const no = await started({ handlers: { confirm: () => ({ ok: false }) } });
  await outcome(no, write("no.txt"));
  const nobody = await started();
  await outcome(nobody, write("no.txt"));
  expect(existsSync(join(workspace(), "no.txt"))).toBe(false);
});

test("is started again when it is killed, what was asked is asked again, and the run goes on with the answer", async () => {
  let asked = 0;
  const client = await started({
    handlers: { confirm: () => (++asked === 1 ? new Promise<never>(() => {}) : { ok: true }) },
    restart: { delaysMs: [10], resume: true },
  });
  const history = new Promise<History>((resolve) => client.on("history", resolve));
  const run = await client.startRun({ text: "write a file late.txt with the text hello" });
  const completed = new Promise<void>((resolve) => {
    client.on("status", ({ run_id, status }) => run_id === run.runId && status === "completed" && resolve());
  });
  for await (const update of run.events) if (update.type === "status" && update.status === "awaiting_ui") break;
  process.kill(runtimePid(), "SIGKILL");
  expect(await run.done).toMatchObject({ status: "error", code: "connection_lost" });
  expect((await history).events[0]?.event).toMatchObject({ type: "hidden_user_message" });
  await completed;
  expect([asked, existsSync(join(workspace(), "late.txt"))]).toEqual([2, true]);
  const next = await client.startRun({ text: "List TypeScript files", sessionId: run.sessionId });
  expect(await next.done).toMatchObject({ status: "completed" });
  expect(next.sessionId).toBe(run.sessionId);
});

test("ends with the client, also in the middle of a run, with everything that the run had started", async () => {
  const client = await started({ handlers: { confirm: () => ({ ok: true }) }, closeMs: 100 });
  const run = await client.startRun({ text: "run sleep 98765" });
  await vi.waitFor(() => expect(processes("sleep 98765")).not.toEqual([]), 10_000);
  expect(runtimePid()).toBeGreaterThan(0);
  await client.close();
  await vi.waitFor(() => expect([processes("sleep 98765"), runtimePid()]).toEqual([[], Number.NaN]), 10_000);
  expect((await run.done).status).not.toBe("completed");
});

/** The one that works in this test's workspace. */
const runtimePid = () => Number.parseInt(processes(`stdio --dialect ui --workspace ${workspace()}`)[0] ?? "", 10);

function processes(command: string): string[] {
  const list = execFileSync("ps", ["-eo", "pid=,stat=,args="], { encoding: "utf8" }).split("\n");
  return list.filter((line) => line.includes(command) && !/^ *\d+ Z/.test(line));
}
