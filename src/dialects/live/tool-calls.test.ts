import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { NewEvent, NewEventOf, Origin, RunKind } from "../../core/events.ts";
import { fitForLog } from "../../core/fit-for-log.ts";
import { toolRunInput } from "../../core/tool-run.ts";
import { arbitraryLog } from "../../testing/arbitrary-log.ts";
import { folded, foldedByEvent, sessionId, start } from "../../testing/folded-live.ts";
import { errorData } from "./errors.ts";
import type { Message } from "./messages.ts";

const runId = "12345678-0000-4000-8000-000000000002";
const ofClient: Origin = {
  dialect: "live",
  requestId: "corr-copilot-1",
  call: { id: "copilot-1", name: "copilot_suggest" },
};
const parameters = { file_path: "src/main.py", problem: "optimize function" };

const startedBy = (by: Origin, kind: RunKind = "prompt"): NewEventOf<"run.started"> => ({
  type: "run.started",
  runId,
  kind,
  input: { text: "suggest", args: { arguments: parameters } },
  by,
});
const agentCall = startedBy(ofClient);
const writeCall: NewEvent = {
  ...startedBy({ dialect: "live", requestId: "corr-9", call: { id: "mine-9", name: "fs.write" } }, "tool"),
  input: toolRunInput("fs.write", { path: "a.ts" }),
};
const requested: NewEvent = {
  type: "tool.requested",
  runId,
  callId: "c1",
  tool: "fs.write",
  args: { path: "a.ts" },
  kind: "edit",
};
const finished: NewEvent = { type: "tool.finished", runId, callId: "c1", result: { bytes: 1 }, durationMs: 9 };
const refused: NewEvent = {
  type: "tool.finished",
  runId,
  callId: "c1",
  error: { code: "denied", message: "No" },
  durationMs: 4,
};
const asked: NewEvent = {
  type: "ask.opened",
  runId,
  askId: "a1",
  expiresAt: start,
  kind: "confirm",
  title: "Write a.ts?",
  message: "",
  callId: "c1",
  tool: "fs.write",
  args: { path: "a.ts" },
};
const closed: NewEvent = { type: "ask.closed", runId, askId: "a1", outcome: "answered", answer: { ok: true } };
const completed = (text: string, data?: Record<string, unknown>): NewEvent => ({
  type: "run.completed",
  runId,
  result: { text, ...(data && { data }) },
});
const failed: NewEvent = { type: "run.failed", runId, error: { code: "rate_limited", message: "Slow down" } };
const cancelled: NewEvent = { type: "run.cancelled", runId, reason: "enough" };

const shown = (messages: Message[]) => messages.map((m) => [m.type, m.correlation_id, m.data]);
const ofType = (type: string, messages: Message[]) => shown(messages.filter((m) => m.type === type));
const corr = "corr-copilot-1";

describe("a client's call of an agent", () => {
  test("is told to all who watch, before the prompt that is made of it", () => {
    expect(folded(agentCall)).toEqual([
      {
        type: "tool_call_request",
        timestamp: "2026-01-01T00:00:00.001Z",
        session_id: sessionId,
        correlation_id: corr,
        seq: 1,
        data: {
          call_id: "copilot-1",
          name: "copilot_suggest",
          args: parameters,
          run_id: runId,
          is_client_initiated: true,
        },
      },
      {
        type: "user_input",
        timestamp: "2026-01-01T00:00:00.001Z",
        session_id: sessionId,
        correlation_id: corr,
        seq: 1,
        k: 1,
        data: { content: "suggest", input_type: "ai_prompt", run_id: runId },
      },
    ]);
  });

  test("is answered with result, suggestions and status when the run is completed", () => {
    const ended = folded(agentCall, completed("Use a set.", { suggestions: ["Use a set", 7, "Cache it"] })).slice(2);
    expect(shown(ended).slice(-3)).toEqual([
      ["tool_execution_status", corr, { call_id: "copilot-1", status: "completed", elapsed_ms: 1 }],
      [
        "tool_call_response",
        corr,
        {
          call_id: "copilot-1",
          result: { result: "Use a set.", suggestions: ["Use a set", "Cache it"], status: "completed" },
          execution_time_ms: 1,
        },
      ],
      [
        "status_update",
        corr,
        {
          kind: "run",
          run_id: runId,
          status: "completed",
          result: { text: "Use a set.", data: { suggestions: ["Use a set", 7, "Cache it"] } },
        },
      ],
    ]);
  });

  test("is answered with the description of a result that has no words, and with where the whole of a long one is", () => {
    const result = { text: "", description: "A form", artifactId: "x" };
    const [response] = ofType("tool_call_response", folded(agentCall, { type: "run.completed", runId, result }));
    expect(response?.[2]).toMatchObject({
      result: { result: "A form", suggestions: [], status: "completed", artifact_id: "x" },
    });
  });

  test.each([
    [failed, "failed", errorData({ code: "rate_limited", message: "Slow down" })],
    [cancelled, "cancelled", errorData({ code: "cancelled", message: "enough" })],
  ])("is answered once with the error when it is not", (end, status, error) => {
    const messages = folded(agentCall, end);
    expect(ofType("tool_execution_status", messages)).toEqual([
      ["tool_execution_status", corr, { call_id: "copilot-1", status, elapsed_ms: 1 }],
    ]);
    expect(ofType("tool_call_response", messages)).toEqual([
      ["tool_call_response", corr, { call_id: "copilot-1", error, execution_time_ms: 1 }],
    ]);
  });

  test("is answered once when it was cancelled in the queue, where nothing else told of it", () => {
    const queued: NewEvent = { ...agentCall, type: "run.queued" };
    const ended: NewEvent = { type: "run.cancelled", runId, reason: "not wanted", askedBy: ofClient };
    expect(shown(folded(queued, ended))).toEqual([
      ["status_update", corr, { kind: "run", run_id: runId, status: "queued" }],
      ["tool_execution_status", corr, { call_id: "copilot-1", status: "cancelled", elapsed_ms: 0 }],
      [
        "tool_call_response",
        corr,
        {
          call_id: "copilot-1",
          error: errorData({ code: "cancelled", message: "not wanted" }),
          execution_time_ms: 0,
        },
      ],
      ["status_update", corr, { kind: "run", run_id: runId, status: "cancelled", reason: "not wanted" }],
    ]);
  });

  test("keeps its own response though a tool of the agent has the same id", () => {
    const same: NewEvent = { ...requested, callId: "copilot-1" };
    const done: NewEvent = { ...finished, callId: "copilot-1" } as NewEvent;
    const by = { dialect: "live", call: { id: "copilot-1", name: "copilot_suggest" } };
    const messages = folded(startedBy(by), same, done, completed("Done"));
    expect(ofType("tool_call_response", messages).map(([, , data]) => data)).toMatchObject([
      { result: { bytes: 1 } },
      { result: { result: "Done" } },
    ]);
  });

  test("goes by its own id where it came without a correlation id, and to no other dialect", () => {
    const call = { id: "c-7", name: "copilot_fix" };
    expect(folded(startedBy({ dialect: "live", call })).map((m) => [m.type, m.correlation_id])).toEqual([
      ["tool_call_request", "c-7"],
      ["user_input", undefined],
    ]);
    expect(folded(startedBy({ dialect: "ui", call })).map((m) => m.type)).toEqual(["user_input"]);
  });

  test("names the artifact where its arguments are too large for the log", () => {
    const args = { content: "x".repeat(100_000) };
    const large: NewEvent = { ...agentCall, input: { text: "write", args: { arguments: args } } };
    const { events, artifacts } = fitForLog(large);
    const [request] = ofType("tool_call_request", folded(...events));
    expect(request?.[2]).toMatchObject({ call_id: "copilot-1", args: { artifactId: artifacts[0]?.artifactId } });
  });
});

describe("a client's call of a tool", () => {
  test("has the client's ids from its request to its response, its confirmation included", () => {
    const output: NewEvent = { type: "tool.output", runId, callId: "c1", text: "..." };
    const messages = folded(writeCall, requested, asked, closed, output, finished, completed('{\n  "bytes": 1\n}'));
    const ids = messages.map((m) => [m.type, m.correlation_id, "call_id" in m.data ? m.data.call_id : undefined]);
    expect(ids).toEqual([
      ["tool_call_request", "corr-9", "mine-9"],
      ["user_input", "corr-9", undefined],
      ["tool_call_confirmation", "corr-9", "mine-9"],
      ["status_update", "corr-9", "mine-9"],
      ["tool_execution_status", "corr-9", "mine-9"],
      ["tool_execution_status", "corr-9", "mine-9"],
      ["tool_call_response", "corr-9", "mine-9"],
      ["status_update", "corr-9", undefined],
    ]);
    expect(ofType("tool_call_response", messages)[0]?.[2]).toEqual({
      call_id: "mine-9",
      result: { bytes: 1 },
      execution_time_ms: 9,
      files: ["a.ts"],
    });
  });

  test.each([
    ["denied", [requested, asked, refused, failed], "PERMISSION_DENIED"],
    ["failed before it began", [failed], "RESOURCE_EXHAUSTED"],
    ["cancelled while it was at work", [requested, cancelled], "TOOL_EXECUTION_FAILED"],
    ["cancelled before it began", [cancelled], "TOOL_EXECUTION_FAILED"],
    ["left open by a run that failed", [requested, failed], "TOOL_EXECUTION_FAILED"],
  ])("gets exactly one response when it is %s", (_, events, error_code) => {
    const responses = ofType("tool_call_response", folded(writeCall, ...events));
    expect(responses).toMatchObject([["tool_call_response", "corr-9", { call_id: "mine-9", error: { error_code } }]]);
  });

  test("is put to the client under its own id where the client runs that tool", () => {
    const byClient = { ...asked, kind: "tool" } as NewEvent;
    expect(shown(folded(writeCall, requested, byClient)).at(-1)).toEqual([
      "tool_call_request",
      "corr-9",
      {
        call_id: "mine-9",
        name: "fs.write",
        args: { path: "a.ts" },
        run_id: runId,
        is_client_initiated: false,
        title: "Write a.ts?",
        executor: "client",
      },
    ]);
  });

  test("is answered under the client's ids when it failed in the queue", () => {
    const askedBy = { dialect: "live", requestId: "corr-9", call: { id: "mine-9", name: "fs.write" } };
    const failed: NewEvent = {
      type: "run.failed",
      runId,
      error: { code: "internal", message: "Its input is gone" },
      askedBy,
    };
    const messages = folded({ ...writeCall, type: "run.queued", by: askedBy } as NewEvent, failed);
    expect(ofType("tool_call_response", messages)).toMatchObject([
      ["tool_call_response", "corr-9", { call_id: "mine-9", error: { message: "Its input is gone" } }],
    ]);
    expect(messages.at(-1)).toMatchObject({
      type: "status_update",
      correlation_id: "corr-9",
      data: { status: "failed" },
    });
  });

  test("is the first call of its run, and no other one", () => {
    const other: NewEvent = { ...requested, callId: "c2" };
    const messages = folded(writeCall, requested, other, { ...finished, callId: "c2" } as NewEvent, finished);
    expect(ofType("tool_call_response", messages).map(([, correlation]) => correlation)).toEqual(["c2", "corr-9"]);
  });
});

test("every request of any log gets exactly one response by the end of its run", () => {
  fc.assert(
    fc.property(arbitraryLog, (events) => {
      const open = new Map<string, number>();
      const count = (key: string, by: number) => open.set(key, (open.get(key) ?? 0) + by);
      foldedByEvent(events).forEach((messages, index) => {
        for (const m of messages) {
          const asks = m.type === "tool_call_request" && m.data.executor === undefined;
          if (asks) count(`${m.data.call_id} ${m.correlation_id}`, 1);
          if (m.type === "tool_call_response") count(`${m.data.call_id} ${m.correlation_id}`, -1);
        }
        const event = events[index];
        const inQueue = event?.type === "run.cancelled" && event.askedBy;
        if (inQueue && event.askedBy?.call) {
          const { id } = event.askedBy.call;
          count(`${id} ${event.askedBy.requestId ?? id}`, 1); // its request was never told
        }
        const ends = /^run\.(completed|failed|cancelled)$/.test(event?.type ?? "");
        if (ends && !inQueue) expect([...open.values()].filter((n) => n !== 0)).toEqual([]);
      });
    }),
  );
});
