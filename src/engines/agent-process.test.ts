import { once } from "node:events";
import { expect, test } from "vitest";
import { newMark } from "../core/process-mark.ts";
import type { Supervise } from "../core/supervision.ts";
import { processRow } from "../tools/process-table.ts";
import { startAgentProcess } from "./agent-process.ts";

function supervising() {
  const told: unknown[] = [];
  const supervise: Supervise = async (title) => {
    told.push(title);
    return { mark: newMark(), started: (pid) => told.push(pid), ended: () => told.push("ended") };
  };
  return { told, supervise };
}

const bash = (script: string) => ({
  file: "bash",
  args: ["-c", script],
  cwd: process.cwd(),
  env: { PATH: process.env.PATH ?? "" },
  title: "an agent",
});

const isRunning = (pid: number) => (processRow(pid)?.state ?? "ended") !== "ended";

test("is recorded, spoken to, and ended with all that it started, whatever it ignores", async () => {
  const { told, supervise } = supervising();
  const script = "trap '' TERM HUP; setsid sleep 300 & echo $!; cat; sleep 301";
  const agent = await startAgentProcess(bash(script), supervise);
  const [pid] = await once(agent.stdout, "data");
  agent.stdin.write("hello\n");
  expect(String((await once(agent.stdout, "data"))[0])).toBe("hello\n");
  agent.stdin.end(); // it stays
  await Promise.all([agent.end(100), agent.end(100)]);
  expect([agent.pid, Number(String(pid))].map(isRunning)).toEqual([false, false]);
  expect(await agent.exited).toMatchObject({ signal: "SIGKILL" });
  expect(told).toEqual(["an agent", agent.pid, "ended"]);
});

test("what has ended by itself may have left something behind, which is ended", async () => {
  const { told, supervise } = supervising();
  const agent = await startAgentProcess(bash("setsid sleep 302 >&- & echo $!; exit 3"), supervise);
  const [pid] = await once(agent.stdout, "data");
  expect(await agent.exited).toEqual({ code: 3, signal: null });
  await agent.end();
  expect(isRunning(Number(String(pid)))).toBe(false);
  expect(told.at(-1)).toBe("ended");
});

test("a program that is not there cannot be started, and leaves no record", async () => {
  const { told, supervise } = supervising();
  const program = { ...bash(""), file: "no-such-agent-anywhere" };
  await expect(startAgentProcess(program, supervise)).rejects.toMatchObject({
    code: "engine_unavailable",
    message: expect.stringContaining("no-such-agent-anywhere could not be started"),
  });
  expect(told).toEqual(["an agent", "ended"]);
});

test("writing to one that has died throws nowhere", async () => {
  const agent = await startAgentProcess(bash("exit 0"), supervising().supervise);
  await agent.exited;
  for (let line = 0; line < 100; line++) agent.stdin.write("x".repeat(10_000));
  await agent.end();
});
