import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { processesWith } from "../../testing/processes-with.ts";
import { until } from "../../testing/scripted.ts";
import { type Place, serveProcesses } from "../../testing/serve-process.ts";
import { hostChildren } from "../../testing/studio-host-children.ts";
import { CountedClock } from "../../testing/studio-host-memory.ts";
import { aboutHost } from "../../testing/studio-host-world.ts";
import { type Notifications, StudioHost } from "./index.ts";

// The package's own runtime, killed under its host; time is in the test's hands.

const { keep } = hostChildren();
const { place } = serveProcesses();

async function running({ workspace, home }: Place) {
  const clock = new CountedClock();
  const args = [builtCommand, "stdio", "--dialect", "studio", "--workspace", workspace];
  const target = { command: process.execPath, args, env: { set: { DRAGOMAN_HOME: home } } };
  const host = keep(new StudioHost(aboutHost, target, { clock }));
  const starts: Notifications["run/started"][] = [];
  const asks: Notifications["ask/opened"][] = [];
  host.on("run/started", (told) => starts.push(told));
  host.on("ask/opened", (told) => asks.push(told));
  await host.start();
  /** Kills the runtime, and lets the host start it again. */
  const kill = async () => {
    for (const pid of processesWith(workspace)) process.kill(pid, "SIGKILL");
    await until(() => host.state === "restarting", "the wait");
    clock.advance(5000);
    await until(() => host.state === "running", "the restart");
  };
  return { host, starts, asks, kill };
}

test("a runtime that is killed is started again, and every tab goes on in its session", async () => {
  const { host, starts, kill } = await running(place());
  const context = { tabId: "tab-1" };
  expect((await host.chat("list TypeScript files", { context })).message).toContain("main.ts");
  expect((await host.chat("list TypeScript files")).message).toContain("main.ts");
  await kill();
  expect((await host.chat("list TypeScript files", { context })).message).toContain("main.ts");
  expect((await host.chat("list TypeScript files")).message).toContain("main.ts");
  const sessions = starts.map(({ sessionId }) => sessionId);
  expect([sessions.slice(2), new Set(sessions).size]).toEqual([sessions.slice(0, 2), 2]);
  expect(await host.sessions()).toHaveLength(2);
});

test("a request whose runtime is killed while it asks is made again, and what it had begun is cancelled", async () => {
  const where = place();
  const { host, starts, asks, kill } = await running(where);
  const file = join(where.workspace, "notes.txt");
  const chat = host.chat("write a file notes.txt with the text hello");
  await until(() => asks.length === 1, "the question");
  await kill();
  await until(() => asks.some(({ runId }) => runId !== starts[0]?.runId), "the question of the second try");
  expect(existsSync(file)).toBe(false);
  const { askId = "", sessionId, runId } = asks.at(-1) ?? {};
  expect([sessionId, runId === starts[0]?.runId]).toEqual([starts[0]?.sessionId, false]);
  await host.answer(askId, { ok: true });
  expect((await chat).message).toContain("notes.txt");
  expect(readFileSync(file, "utf8")).toBe("hello\n");
  const [session] = await host.sessions();
  expect(session).toMatchObject({ run: { runId, status: "completed" }, queued: [], asks: [] });
});
