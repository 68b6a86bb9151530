import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import { ManualClock } from "../core/clock.ts";
import type { AgentCall, Emitted, EngineIO, Permission } from "../core/engine.ts";
import { derivedId } from "../core/ids.ts";
import { emptyLog } from "../testing/empty-log.ts";
import { AgentCalls } from "./agent-calls.ts";

const runId = "0b0e2a52-7a0e-4c52-9b4b-0d3a3c1e2f10";
const callId = derivedId(runId, "call_1");
const about = { tool: "bash", args: { command: "ls" }, title: "List", kind: "execute" as const };

function calling(
  permission: Permission | Promise<Permission> = { allowed: true },
  whileAsked = (_: ManualClock) => {},
) {
  const said: Emitted[] = [];
  const asked: AgentCall[] = [];
  const io: EngineIO = {
    emit: async (event) => void said.push(event),
    ask: () => Promise.reject(new Error("nobody asks here")),
    tool: () => Promise.reject(new Error("there are no tools here")),
    permit: async (call) => {
      asked.push(call);
      whileAsked(clock);
      return permission;
    },
    offeredTools: () => [],
    keep: () => {},
    onKill: () => () => {},
    supervise: () => Promise.reject(new Error("nothing is started here")),
    log: emptyLog,
  };
  const clock = new ManualClock();
  return { said, asked, clock, calls: new AgentCalls(io, { runId, workspace: tmpdir() }, clock) };
}

test("a call is announced once, whoever tells of it first, and ends once", async () => {
  const { calls, said, clock } = calling();
  await calls.request("call_1", about);
  await calls.request("call_1", { ...about, title: "Again" });
  clock.advance(40);
  await calls.finish("call_1", { result: { text: "a" } });
  await calls.finish("call_1", { error: { code: "cancelled", message: "too late" } });
  await calls.endOpen({ code: "cancelled", message: "too late" });
  expect(said).toEqual([
    { type: "tool.requested", callId, ...about },
    { type: "tool.finished", callId, result: { text: "a" }, durationMs: 40 },
  ]);
});

test("what an agent calls a tool, and the call, is shown without what nobody sees, and short", async () => {
  const { calls, said } = calling();
  const title = `\u001b[2K\u202eList\n${"x".repeat(200)}`;
  await calls.request("call_1", { ...about, tool: "ba\u200bsh", title });
  expect(said).toEqual([
    { type: "tool.requested", callId, ...about, tool: "ba\ufffdsh", title: `List ${"x".repeat(74)}…` },
  ]);
});

test("what was never announced has no output and no end", async () => {
  const { calls, said } = calling();
  await calls.append("call_1", "x");
  await calls.output("call_1", "x");
  await calls.finish("call_1", { result: 1 });
  expect(said).toEqual([]);
  expect([calls.isKnown("call_1"), calls.isOpen("call_1")]).toEqual([false, false]);
});

test("of output that comes whole again and again only what is new is told", async () => {
  const { calls, said } = calling();
  await calls.request("call_1", about);
  for (const whole of ["a", "a", "ab\n", "ab\nc"]) await calls.output("call_1", whole);
  await calls.append("call_1", "d");
  await calls.finish("call_1", {});
  await calls.append("call_1", "after its end");
  expect(said.flatMap((event) => (event.type === "tool.output" ? [event.text] : []))).toEqual(["a", "b\n", "c", "d"]);
});

test("of much, of which the agent shows the beginning or the latest only, it is told that and what is left out", async () => {
  const { calls, said } = calling();
  await calls.request("call_1", about);
  const begun = "1\n2\n3\n";
  const shown = [
    "1\n",
    `${begun}<1 more>`,
    `${begun}<12 more>`,
    `${begun}<12 more>`,
    "98\n99\n",
    "98\n99\n100\n",
    "7\n",
  ];
  for (const each of shown) await calls.output("call_1", each);
  expect(said.flatMap((event) => (event.type === "tool.output" ? [event.text] : []))).toEqual([
    "1\n",
    "2\n3\n<1 more>",
    "<12 more>",
    "\n…\n98\n99\n",
    "100\n",
    "\n…\n7\n",
  ]);
});

test("endless output is told up to a bound, and that there is more", async () => {
  const { calls, said } = calling();
  await calls.request("call_1", about);
  for (let piece = 0; piece < 30; piece++) await calls.append("call_1", "x".repeat(100_000));
  const told = said.flatMap((event) => (event.type === "tool.output" ? [event.text] : [])).join("");
  expect(told.length).toBeLessThan(1024 * 1024 + 100);
  expect(told).toMatch(/more is left out here\.\n$/);
});

describe("permission", () => {
  test("is asked for what the agent asks to do, whatever it has announced", async () => {
    const { calls, asked } = calling();
    await calls.request("call_1", { tool: "view", args: { path: "README.md" }, title: "Read README.md" });
    expect(await calls.permit("call_1", { does: "run", command: "make", cwd: "/w/app" })).toEqual({ allowed: true });
    const args = { command: "make", cwd: "/w/app" };
    expect(asked).toMatchObject([{ callId, tool: "shell", args, as: { name: "shell" } }]);
    expect(calls.isOpen("call_1")).toBe(true);
  });

  test("takes no time of the call's own", async () => {
    const { calls, said, clock } = calling({ allowed: true }, (waiting) => waiting.advance(60_000));
    await calls.request("call_1", about);
    await calls.permit("call_1", { does: "run", command: "ls" });
    clock.advance(5);
    await calls.finish("call_1", {});
    expect(said.at(-1)).toMatchObject({ type: "tool.finished", durationMs: 5 });
  });

  test("that is not given ends the call, so what the agent tells of it later does not count", async () => {
    const no: Permission = { allowed: false, code: "denied", message: "use npm", goOn: true };
    const { calls, said } = calling(no);
    await calls.request("call_1", about);
    expect(await calls.permit("call_1", { does: "run", command: "ls" })).toEqual(no);
    await calls.finish("call_1", { result: "rejected" });
    expect(said.slice(1)).toMatchObject([{ type: "tool.finished", error: { code: "denied", message: "use npm" } }]);
  });

  test("is not given for a part of a call of which another part was refused meanwhile", async () => {
    const answers: ((permission: Permission) => void)[] = [];
    const { calls } = calling(new Promise<Permission>((resolve) => answers.push(resolve)));
    await calls.request("call_1", about);
    const asked = calls.permit("call_1", { does: "write", paths: ["a.txt"] });
    await calls.finish("call_1", { error: { code: "denied", message: "no" } });
    answers[0]?.({ allowed: true });
    expect(await asked).toEqual({
      allowed: false,
      code: "conflict",
      message: "The call has ended already.",
      goOn: true,
    });
  });

  test("is not asked for what has ended", async () => {
    const { calls, asked } = calling();
    await calls.request("call_1", about);
    await calls.finish("call_1", {});
    expect(await calls.permit("call_1", { does: "run", command: "ls" })).toMatchObject({ allowed: false });
    expect(asked).toEqual([]);
  });
});

test("what is open at the end is ended with the reason", async () => {
  const { calls, said } = calling();
  await calls.request("call_1", about);
  await calls.request("call_2", about);
  await calls.finish("call_1", {});
  await calls.endOpen({ code: "cancelled", message: "The run was cancelled." });
  expect(said.at(-1)).toEqual({
    type: "tool.finished",
    callId: calls.idOf("call_2"),
    error: { code: "cancelled", message: "The run was cancelled." },
    durationMs: 0,
  });
});
