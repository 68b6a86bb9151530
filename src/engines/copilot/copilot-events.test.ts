import type { SessionEvent } from "@github/copilot-sdk";
import { describe, expect, test } from "vitest";
import type { Emitted, EngineIO } from "../../core/engine.ts";
import { randomId } from "../../core/ids.ts";
import { AgentCalls } from "../agent-calls.ts";
import { CopilotAnswer } from "./copilot-answer.ts";
import { type Hearing, tell } from "./copilot-events.ts";
import { CopilotUsage } from "./copilot-usage.ts";

/** What is told of events, each `[type, data]` or, of a sub-agent, `[type, data, agentId]`. */
async function toldOf(...heard: [type: string, data: object, agentId?: string][]) {
  const said: Emitted[] = [];
  const emit = async (event: Emitted) => void said.push(event);
  const io = { emit } as EngineIO;
  const hearing: Hearing = {
    io,
    workspace: "/w",
    calls: new AgentCalls(io, { runId: randomId(), workspace: "/w" }),
    answer: new CopilotAnswer(io),
    usage: new CopilotUsage(io),
    subAgents: new Map(),
    subAgentCalls: new Set(),
    retries: 0,
    isClientTool: (name) => name === "theirs",
    readTodos: () => void emit({ type: "plan.updated", planId: "copilot", steps: [] }),
  };
  for (const [type, data, agentId] of heard) await tell(hearing, { type, data, agentId } as SessionEvent);
  return { said, hearing };
}

const note = (level: string, text: string) => ({ type: "note", level, text, source: "copilot" });

describe("words", () => {
  test("that were not streamed are told whole, and those that were are not told twice", async () => {
    const { said, hearing } = await toldOf(
      ["assistant.reasoning", { reasoningId: "r1", content: "Hm." }],
      ["assistant.message", { messageId: "m1", content: "Well." }],
      ["assistant.reasoning_delta", { reasoningId: "r2", deltaContent: "So." }],
      ["assistant.message_delta", { messageId: "m2", deltaContent: "Yes, " }],
      ["assistant.message_delta", { messageId: "m2", deltaContent: "it is." }],
      ["assistant.message", { messageId: "m2", content: "Yes, it is." }],
      ["assistant.reasoning", { reasoningId: "r2", content: "So." }],
      ["assistant.reasoning", { reasoningId: "r1", content: "Hm." }],
    );
    expect(said.map((event) => "text" in event && [event.type, event.text])).toEqual([
      ["thinking.delta", "Hm."],
      ["text.delta", "Well."],
      ["thinking.delta", "\n\nSo."],
      ["text.delta", "\n\nYes, "],
      ["text.delta", "it is."],
    ]);
    expect(hearing.answer.text).toBe("Well.\n\nYes, it is.");
  });

  test("of a sub-agent are output of the call that waits for it", async () => {
    const { said } = await toldOf(
      ["tool.execution_start", { toolCallId: "1", toolName: "task", arguments: {} }],
      ["subagent.started", { toolCallId: "1", executionMode: "sync" }, "a"],
      ["assistant.message", { messageId: "m", content: "I look." }, "a"],
      ["tool.execution_complete", { toolCallId: "1", success: true, result: { content: "Found it." } }],
      ["assistant.message", { messageId: "n", content: "Found it." }, "a"],
    );
    expect(said.slice(1)).toMatchObject([
      { type: "tool.output", text: "I look.\n" },
      { type: "tool.finished", result: { text: "Found it." } },
    ]);
  });

  test("of a sub-agent that outlives its call are notes", async () => {
    const { said } = await toldOf(
      ["tool.execution_start", { toolCallId: "1", toolName: "task", arguments: {} }],
      ["subagent.started", { toolCallId: "1", executionMode: "background" }, "a"],
      ["tool.execution_complete", { toolCallId: "1", success: true, result: { content: "started" } }],
      ["assistant.message_delta", { messageId: "m", deltaContent: "not this" }, "a"],
      ["assistant.reasoning", { reasoningId: "r", content: "nor this" }, "a"],
      ["assistant.message", { messageId: "m", content: "Found it." }, "a"],
      ["session.error", { errorType: "query", message: "It broke." }, "a"],
      ["subagent.failed", { agentDisplayName: "scout", error: "no model" }, "a"],
    );
    expect(said.slice(2)).toEqual([
      note("info", "Found it."),
      note("warning", "It broke."),
      note("warning", "scout failed: no model"),
    ]);
  });
});

describe("calls", () => {
  test("end with what they gave, with a diff where something changed, or with why not", async () => {
    const changed =
      "\ndiff --git a/w/a b/w/a\nindex 0000000..0000000 100644\n--- a/w/a\n+++ b/w/a\n@@ -1,1 +1,1 @@\n-a\n+b\n";
    const seen = "\ndiff --git a/w/a b/w/a\nindex 0000000..0000000 100644\n--- a/w/a\n+++ b/w/a\n@@ -1,1 +1,1 @@\n a\n";
    const ended = (toolCallId: string, end: object) =>
      ["tool.execution_complete", { toolCallId, ...end }] as [string, object];
    const { said } = await toldOf(
      ...["1", "2", "3", "4"].map((toolCallId): [string, object] => [
        "tool.execution_start",
        { toolCallId, toolName: "x" },
      ]),
      ended("1", { success: true, result: { content: "Changed.", detailedContent: changed } }),
      ended("2", { success: true, result: { content: "a", detailedContent: seen } }),
      ended("3", { success: true, result: { content: "out" }, shellExecution: { exitCode: 7 } }),
      ended("4", { success: false, error: { message: "No such file." } }),
    );
    expect(said.slice(4)).toMatchObject([
      { type: "tool.finished", result: { text: "Changed." }, diff: "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-a\n+b\n" },
      { type: "tool.finished", result: { text: "a" }, diff: undefined },
      { type: "tool.finished", result: { text: "out", exitCode: 7 } },
      { type: "tool.finished", error: { code: "tool_failed", message: "No such file." } },
    ]);
  });

  test("of the client's tools are told of elsewhere", async () => {
    const { said } = await toldOf(
      ["tool.execution_start", { toolCallId: "1", toolName: "theirs", arguments: {} }],
      ["tool.execution_partial_result", { toolCallId: "1", partialOutput: "x" }],
      ["tool.execution_complete", { toolCallId: "1", success: true, result: { content: "x" } }],
    );
    expect(said).toEqual([]);
  });

  test("tell how far they are", async () => {
    const { said } = await toldOf(
      ["tool.execution_start", { toolCallId: "1", toolName: "x", arguments: {} }],
      ["tool.execution_progress", { toolCallId: "1", progressMessage: "half" }],
    );
    expect(said.at(-1)).toMatchObject({ type: "tool.output", text: "half\n" });
  });
});

describe("the state of the conversation", () => {
  test("is told when it was made shorter, or could not be", async () => {
    const { said } = await toldOf(
      ["session.compaction_complete", { success: true, preCompactionTokens: 900, postCompactionTokens: 100 }],
      ["session.compaction_complete", { success: false, error: "no model" }],
      ["session.truncation", { preTruncationTokensInMessages: 50, postTruncationTokensInMessages: 20 }],
    );
    expect(said).toEqual([
      { type: "context.compacted", before: 900, after: 100 },
      note("warning", "The conversation could not be compacted: no model"),
      { type: "context.compacted", before: 50, after: 20 },
    ]);
  });

  test("is told with each use of a model, as far as it is known", async () => {
    const { said } = await toldOf(
      ["assistant.usage", { inputTokens: 10, outputTokens: 2, maxPromptTokens: 100 }],
      ["session.usage_info", { currentTokens: 30, tokenLimit: 200 }],
      ["session.usage_info", { currentTokens: 5, tokenLimit: 200 }, "a sub-agent"],
      ["assistant.usage", { inputTokens: 20, outputTokens: 3, cost: 1 }], // which is no money
    );
    expect(said).toEqual([
      { type: "usage.updated", contextUsed: 10, contextSize: 100, input: 10, output: 2 },
      { type: "usage.updated", contextUsed: 30, contextSize: 200, input: 30, output: 5 },
    ]);
  });

  test("is told in notes, and chatter only to those who look closely", async () => {
    const { said } = await toldOf(
      ["session.info", { infoType: "model", message: "Another model is used." }],
      ["session.info", { infoType: "configuration", message: "Disabled tools: bash" }],
      ["session.warning", { warningType: "policy", message: "Careful." }],
      ["session.mcp_server_status_changed", { serverName: "mine", status: "failed", error: "it exited" }],
      ["session.mcp_server_status_changed", { serverName: "mine", status: "connected" }],
      ["session.todos_changed", {}],
    );
    expect(said).toEqual([
      note("info", "Another model is used."),
      note("debug", "Disabled tools: bash"),
      note("warning", "Careful."),
      note("warning", "MCP server mine: it exited"),
      { type: "plan.updated", planId: "copilot", steps: [] },
    ]);
  });
});

test("that the model is asked again is told with the reason and with how often, until it answers", async () => {
  const failed = (data: object): [string, object] => ["model.call_failure", { source: "top_level", ...data }];
  const retry: [string, object] = ["model.turn_retry", {}];
  const { said } = await toldOf(
    failed({ statusCode: 500, errorMessage: '{"message":"broken\\u001b[2K","type":"server_error"}' }),
    retry,
    failed({ statusCode: 429, errorMessage: '{"error":{"message":"slow down"}}' }),
    retry,
    failed({ statusCode: 502, errorMessage: "Bad Gateway" }),
    retry,
    ["assistant.usage", { inputTokens: 1, outputTokens: 1, maxPromptTokens: 10 }],
    retry,
  );
  expect(said.filter(({ type }) => type === "note")).toEqual([
    note("warning", "The model answered 500 (broken). Trying again."),
    note("warning", "The model answered 429 (slow down). Trying again, retry 2."),
    note("warning", "The model answered 502 (Bad Gateway). Trying again, retry 3."),
    note("warning", "The model did not answer. Trying again."),
  ]);
});

describe("a failure", () => {
  test.each([
    [{ errorType: "query", message: "400 no", statusCode: 400 }, "engine_failed", { status: 400 }],
    [{ errorType: "rate_limit", message: "slow down" }, "rate_limited", { status: 429 }],
    [{ errorType: "authentication", message: "who?" }, "engine_auth", { status: 401 }],
    [{ errorType: "context_limit", message: "too long", statusCode: 400 }, "context_too_large", { status: 413 }],
    [{ errorType: "query", message: "InvalidArg, No GitHub OAuth token" }, "engine_auth", undefined],
  ])("has the code that fits: %j", async (data, code, about) => {
    const { hearing } = await toldOf(["session.error", data]);
    expect(hearing.failure).toMatchObject({ code, data: about });
  });

  test("is none when Copilot goes on after it", async () => {
    const { hearing } = await toldOf(
      ["session.error", { errorType: "query", message: "no", statusCode: 500 }],
      ["assistant.turn_start", { turnId: "1" }],
    );
    expect(hearing.failure).toBeUndefined();
  });
});

test("an event that nobody has heard of says nothing", async () => {
  expect((await toldOf(["session.brand_new", {}])).said).toEqual([]);
});
