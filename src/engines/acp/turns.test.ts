import { describe, expect, test } from "vitest";
import type { Event, EventType } from "../../core/events.ts";
import type { Step } from "../../testing/acp-agent-turn.ts";
import { AcpFixture } from "../../testing/acp-fixture.ts";

const agents = new AcpFixture();

const passing = new Set(["seq", "at", "runId", "callId", "planId", "durationMs"]);

/** What is said of a run between its beginning and its end, without what is other each time. */
function said(events: Event[], ...but: EventType[]) {
  const between = events.filter(({ type }) => !/^run\.|^ask\./.test(type) && !but.includes(type));
  return between.map((event) => Object.fromEntries(Object.entries(event).filter(([field]) => !passing.has(field))));
}

const update = (sessionUpdate: string, fields: Record<string, unknown>): Step => ({
  update: { sessionUpdate, ...fields },
});
const text = (text: string) => ({ content: { type: "text", text } });
const shown = (text: string) => ({ type: "content", ...{ content: { type: "text", text } } });

test("text, thoughts, plans, notices and usage become events, in the order in which they were said", async () => {
  const { run } = await opened();
  const events = await run([
    update("agent_thought_chunk", text("Hm.")),
    update("plan", {
      entries: [
        { content: "look", status: "completed", priority: "high" },
        { content: "do", status: "in_progress" },
        { content: "tell", status: "pending" },
      ],
    }),
    update("notice", { severity: "warning", title: "Old", description: "Mend it" }),
    update("usage_update", { used: 10, size: 100 }),
    { say: "Hel" },
    { say: "lo" },
    update("available_commands_update", { availableCommands: [] }),
    update("nobody_knows_this", { a: 1 }),
    { end: { stopReason: "end_turn", usage: { inputTokens: 5, outputTokens: 6, totalTokens: 11 } } },
  ]);
  expect(said(events)).toEqual([
    { type: "thinking.delta", text: "Hm." },
    {
      type: "plan.updated",
      steps: [
        { stepId: "1", description: "look", status: "done" },
        { stepId: "2", description: "do", status: "running" },
        { stepId: "3", description: "tell", status: "pending" },
      ],
    },
    { type: "note", level: "warning", text: "Old: Mend it", source: "scripted" },
    { type: "usage.updated", contextUsed: 10, contextSize: 100, input: 0, output: 0 },
    { type: "text.delta", text: "Hel", of: "answer" },
    { type: "text.delta", text: "lo", of: "answer" },
    { type: "usage.updated", contextUsed: 10, contextSize: 100, input: 5, output: 6 },
  ]);
  expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { text: "Hello" } });
});

describe("a call", () => {
  test("is told once, with what it says and changes, however often the agent tells of it", async () => {
    const { run, workspace } = await opened();
    const diff = { type: "diff", path: `${workspace}/a`, oldText: "x\n", newText: "y\n" };
    const events = await run([
      { say: "First." },
      update("tool_call", {
        toolCallId: "1",
        title: "Build",
        kind: "execute",
        status: "in_progress",
        rawInput: { command: "make" },
      }),
      update("tool_call_update", { toolCallId: "1", content: [shown("one\n")] }),
      update("tool_call_update", { toolCallId: "1", content: [shown("one\ntwo\n")] }),
      update("tool_call_update", { toolCallId: "1", status: "completed", content: [shown("one\ntwo\nend")] }),
      update("tool_call_update", { toolCallId: "1", status: "failed" }),
      update("tool_call", {
        toolCallId: "2",
        title: "Change",
        kind: "edit",
        status: "pending",
        rawInput: { path: "a" },
      }),
      update("tool_call_update", { toolCallId: "2", status: "completed", content: [diff] }),
      update("tool_call_update", {
        toolCallId: "3",
        title: "Late",
        kind: "read",
        status: "failed",
        rawOutput: { error: "gone" },
      }),
      { say: "Done." },
    ]);
    expect(said(events)).toEqual([
      { type: "text.delta", text: "First.", of: "answer" },
      { type: "tool.requested", tool: "execute", args: { command: "make" }, title: "Build", kind: "execute" },
      { type: "tool.output", text: "one\n" },
      { type: "tool.output", text: "two\n" },
      { type: "tool.finished", result: { text: "one\ntwo\nend" } },
      { type: "tool.requested", tool: "edit", args: { path: "a" }, title: "Change", kind: "edit" },
      { type: "tool.finished", result: { text: "" }, diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n" },
      { type: "tool.requested", tool: "read", args: {}, title: "Late", kind: "read" },
      { type: "tool.finished", error: { code: "tool_failed", message: "gone" } },
      { type: "text.delta", text: "\n\nDone.", of: "answer" },
    ]);
    expect(events.at(-1)).toMatchObject({ result: { text: "First.\n\nDone." } });
  });

  test("that grows as the model says it is told when it is known what it is about", async () => {
    const { run } = await opened();
    const events = await run([
      update("tool_call", {
        toolCallId: "1",
        name: "Write",
        title: "Preparing",
        kind: "edit",
        status: "pending",
        rawInput: {},
      }),
      update("tool_call_update", { toolCallId: "1", title: "Write a", rawInput: { path: "a" } }),
      update("tool_call_update", { toolCallId: "1", rawInput: { path: "a", content: "x" } }),
      update("usage_update", { used: 1, size: 2 }),
      update("tool_call", { toolCallId: "2", title: "Terminal", kind: "execute", status: "pending", rawInput: {} }),
    ]);
    expect(said(events, "usage.updated")).toEqual([
      { type: "tool.requested", tool: "Write", args: { path: "a", content: "x" }, title: "Write a", kind: "edit" },
      {
        type: "tool.finished",
        error: { code: "tool_failed", message: "The agent ended its turn without saying what came of it." },
      },
    ]);
  });

  test("of Codex has its output and its end beside it", async () => {
    const { run } = await opened();
    const events = await run([
      update("tool_call", { toolCallId: "1", kind: "execute", status: "in_progress", rawInput: { command: "make" } }),
      update("tool_call_update", { toolCallId: "1", _meta: { terminal_output_delta: { data: "a\n" } } }),
      update("tool_call_update", {
        toolCallId: "1",
        status: "completed",
        _meta: { terminal_output_delta: { data: "b\n" }, terminal_exit: { exit_code: 0 } },
      }),
    ]);
    expect(said(events).slice(1)).toEqual([
      { type: "tool.output", text: "a\n" },
      { type: "tool.output", text: "b\n" },
      { type: "tool.finished", result: { text: "a\nb\n", exitCode: 0 } },
    ]);
  });
});

describe("what is not for a run", () => {
  test("is left out: other sessions, and calls of runs that are over", async () => {
    const { run } = await opened();
    const call = { toolCallId: "1", title: "Build", kind: "execute", rawInput: { command: "make" } };
    await run([update("tool_call", { ...call, status: "in_progress" })]);
    const events = await run([
      { ...update("agent_message_chunk", text("of another one")), of: "another" } as Step,
      update("tool_call_update", { ...call, status: "completed" }),
      update("agent_message_chunk", { content: { type: "image", data: "", mimeType: "image/png" } }),
      update("tool_call", { title: "no id" }),
      update("plan", { entries: "none" }),
      { say: "Done." },
    ]);
    expect(said(events)).toEqual([{ type: "text.delta", text: "Done.", of: "answer" }]);
  });

  test("is told as a note where it is no protocol, a few lines of it in full and the rest as a number", async () => {
    const { run } = await opened({ banner: "Welcome!" });
    const events = await run([{ say: "Hello." }]);
    expect(said(events)).toEqual([
      { type: "note", level: "debug", text: "Scripted wrote among its messages: Welcome!", source: "scripted" },
      { type: "text.delta", text: "Hello.", of: "answer" },
    ]);
    const noise = await run([
      { print: `${Array.from({ length: 30 }, (_, n) => `debug ${n}`).join("\n")}\n` },
      { print: '{"jsonrpc":"2.0","id":77,"result":{}}\n{"jsonrpc":"2.0","id":0,"result":"for the second time"}\n' },
      { say: "It lives." },
    ]);
    const notes = noise.flatMap((event) => (event.type === "note" ? [event.text] : []));
    expect(notes).toHaveLength(21);
    expect(notes[0]).toBe("Scripted wrote among its messages: debug 0");
    expect(notes[20]).toBe(
      "Scripted wrote 32 lines among its messages that are no protocol; 12 of them are not shown.",
    );
    expect(noise.at(-1)).toMatchObject({ type: "run.completed", result: { text: "It lives." } });
  });
});

describe("a turn that does not end well", () => {
  test.each([
    [{ code: -32603, message: "Internal error: API Error: 429 slow down" }, "rate_limited", "429 slow down", 429],
    [{ code: -32603, message: "Internal error", data: { details: "no disk" } }, "engine_failed", "Scripted: no disk"],
    [{ code: -32000, message: "Authentication required" }, "engine_auth", "Run `scripted login` in a terminal"],
  ])("with the error %j fails the run", async (error, code, message, status?: number) => {
    const { run } = await opened();
    const events = await run([{ fail: error }]);
    expect(events.at(-1)).toMatchObject({
      type: "run.failed",
      error: { code, message: expect.stringContaining(message), ...(status === undefined ? {} : { data: { status } }) },
    });
  });

  test.each([
    ["refusal", "refuses to go on"],
    ["cancelled", "stopped its turn by itself"],
  ])("because of a %s fails the run", async (stopReason, message) => {
    const { run } = await opened();
    const events = await run([{ say: "Hm." }, { end: { stopReason } }]);
    expect(events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "engine_failed" } });
    expect(events.at(-1)).toMatchObject({ error: { message: expect.stringContaining(message) } });
  });

  test.each([
    ["max_tokens", "The answer is cut"],
    ["max_turn_requests", "as many requests"],
  ])("because of %s is said to be cut", async (stopReason, message) => {
    const { run } = await opened();
    const events = await run([{ say: "Half of" }, { end: { stopReason } }]);
    expect(said(events).at(-1)).toMatchObject({ type: "note", level: "warning" });
    expect(said(events).at(-1)?.text).toContain(message);
    expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { text: "Half of" } });
  });

  test("is one that took nothing and has no answer but an error", async () => {
    const { run } = await opened();
    const empty = await run([{ end: { stopReason: "end_turn", usage: null } }]);
    expect(empty.at(-1)).toMatchObject({ error: { message: expect.stringContaining("without an answer") } });
    const error = [{ say: '{"error":{"message":"stub error"}}\n\n' }, { end: { stopReason: "end_turn", usage: null } }];
    expect((await run(error)).at(-1)).toMatchObject({ error: { message: "Scripted: stub error" } });
  });

  test("may say so in its answer, as Copilot does", async () => {
    const { run } = await opened({}, { textsAreErrors: true });
    const events = await run([{ say: "Info: Retrying..." }, { say: "Error: 400 stub error" }]);
    expect(said(events)).toEqual([{ type: "note", level: "info", text: "Retrying...", source: "scripted" }]);
    expect(events.at(-1)).toMatchObject({
      error: { code: "engine_failed", message: "Scripted: 400 stub error", data: { status: 400 } },
    });
  });
});

test("a question tells of a call as well: what was said before it is told before it, as a part of its own", async () => {
  const { run } = await opened({}, { textsAreErrors: true, attached: false });
  const ask = { toolCallId: "1", kind: "read", rawInput: { path: "a" } };
  const events = await run([{ say: "First." }, { say: "Info: Looking" }, { ask, yes: [{ say: "Then." }] }]);
  expect(events.map(({ type }) => type).slice(1, -2)).toEqual(["text.delta", "note", "tool.requested", "text.delta"]);
  expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { text: "First.\n\nThen." } });
});

test("what the user had before their eyes goes along", async () => {
  const { run, workspace } = await opened({ takesContent: true });
  const events = await run([{ echo: true }], { context: [{ path: "a.ts", content: "let a" }] });
  const [, resource] = JSON.parse(said(events)[0]?.text as string) as unknown[];
  expect(resource).toMatchObject({ resource: { uri: `file://${workspace}/a.ts`, text: "let a" } });
});

test("a flood is taken at the pace of the log, whole and in order", async () => {
  const { run } = await opened();
  const events = await run([{ flood: 3000 }]);
  const lines = events.flatMap((event) => (event.type === "text.delta" ? event.text : "")).join("");
  const numbers = lines.split("\n").flatMap((line) => (line === "" ? [] : [Number.parseInt(line, 10)]));
  expect(numbers).toEqual(Array.from({ length: 3000 }, (_, number) => number));
  expect(events.at(-1)?.type).toBe("run.completed");
});

async function opened(...about: Parameters<AcpFixture["open"]>) {
  const opened = about.length > 0 ? await agents.open(...about) : await agents.usual();
  return { workspace: opened.workspace, run: opened.run.bind(opened) };
}
