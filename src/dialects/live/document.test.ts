import { describe, expect, test } from "vitest";
import type { DragomanError } from "../../core/errors.ts";
import type { NewEvent, Origin } from "../../core/events.ts";
import { folded, foldedByEvent, sessionId, start } from "../../testing/folded-live.ts";
import { directions, faultsIn, requiredFields } from "../../testing/live-document.ts";
import { recordings } from "../../testing/recordings.ts";
import { calls } from "./calls.ts";
import { errorData } from "./errors.ts";
import { type Message, message } from "./messages.ts";
import { parseMessage } from "./parse.ts";
import { SessionView } from "./session-view.ts";

// The document's every type of message and field, in both directions, and its mapping examples. What a connection adds is in
// document-server.test.ts.

const runId = "12345678-0000-4000-8000-000000000002";
const byClient: Origin = {
  dialect: "live",
  requestId: "corr-copilot-1",
  call: { id: "copilot-1", name: "copilot_suggest" },
};
const parameters = { file_path: "src/main.py", problem: "optimize function" };
const called: NewEvent = {
  type: "run.started",
  runId,
  kind: "prompt",
  input: { text: "suggest", args: { arguments: parameters } },
  by: byClient,
  model: "copilot",
};

/** All that the logs that we have say, and their states as they are at each event. */
function allSent(): Message[] {
  const logs = [...recordings.values()].map(({ events }) => foldedByEvent(events));
  const messages = [...logs.flat(2), ...folded(called, { type: "run.failed", runId, error: failure })];
  const states = logs.flatMap((log) => {
    const view = new SessionView();
    for (const one of log.flat()) view.take(one);
    return [
      { type: "session_state", timestamp: new Date(start).toISOString(), session_id: sessionId, data: view.state },
    ];
  });
  return [...messages, ...states.map((state) => message.parse(JSON.parse(JSON.stringify(state))))];
}

const failure = { code: "engine_auth" as const, message: "Sign in" };
const sent = allSent();

describe("what we send", () => {
  test("is every type of the document, and no other", () => {
    const schemas = message.options.map((option) => option.shape.type.value);
    const told = Object.entries(directions).flatMap(([type, { sentBy }]) => (sentBy ? [type] : []));
    expect(schemas.sort()).toEqual(told.sort());
    const byLog = Object.entries(directions).flatMap(([type, { sentBy }]) => (sentBy === "log" ? [type] : []));
    expect([...new Set(sent.map(({ type }) => type))].sort()).toEqual([...byLog, "session_state"].sort());
  });

  test.each(Object.keys(requiredFields).filter((type) => sent.some((m) => m.type === type)))(
    "has in each %s every field that the document requires",
    (type) => {
      const faulty = sent.filter((m) => m.type === type).flatMap((m) => faultsIn(m).map((fault) => [fault, m]));
      expect(faulty.slice(0, 3)).toEqual([]);
    },
  );

  test("is noticed where it lacks a field of the document, whichever", () => {
    for (const [type, fields] of Object.entries(requiredFields)) {
      const sample = sent.find((m) => m.type === type);
      for (const path of sample ? Object.keys(fields) : []) {
        const data = JSON.parse(JSON.stringify(sample?.data)) as Record<string, unknown>;
        const [first = "", second] = path.split(".");
        if (second === undefined) delete data[first];
        else delete (data[first] as Record<string, unknown>)[second];
        expect(faultsIn({ ...sample, data })).toEqual([`data.${path}`]);
      }
    }
  });

  test("never goes back in time within a session", () => {
    for (const { events } of recordings.values()) {
      const times = foldedByEvent(events)
        .flat()
        .map(({ timestamp }) => timestamp);
      expect(times).toEqual([...times].sort());
    }
  });

  test("says the type of a session for every agent and purpose that the document names", () => {
    const agents = ["copilot", "codex", "claude", "gemini"];
    const purposes = ["planning", "discussion", "tool_execution"] as const;
    const types = agents.flatMap((engine) =>
      purposes.flatMap((purpose) => folded({ type: "session.created", workspace: "/w", engine, purpose })),
    );
    const told = types.map((m) => (m.type === "session_start" ? m.data.session_type : ""));
    expect(told).toEqual(agents.flatMap((agent) => purposes.map((purpose) => `${agent}_${purpose}`)));
    for (const session_type of told)
      expect(parseMessage({ type: "session_start", session_type }).data).toEqual({ session_type });
  });
});

interface Row {
  /** As much as there can be. */
  data: Record<string, unknown>;
  /** What may not be left out. */
  needs: string[];
  /** What is put in for what is. */
  defaults?: Record<string, unknown>;
}

const taken: Record<keyof typeof calls, Row> = {
  auth: { data: { token: "drg_x" }, needs: ["token"] },
  session_start: {
    data: { session_type: "copilot_planning", model: "m", workspace: "/w", after: 3, after_k: 1 },
    needs: [],
  },
  session_end: { data: { reason: "done" }, needs: [] },
  session_state: { data: {}, needs: [] },
  session_list: { data: { limit: 5 }, needs: [], defaults: { limit: 100 } },
  session_update: { data: { engine: "codex", model: "m", title: "Mine" }, needs: [] },
  engine_list: { data: {}, needs: [] },
  model_list: { data: { engine: "codex" }, needs: [] },
  user_input: {
    data: { content: "Go", input_type: "ai_prompt" },
    needs: ["content"],
    defaults: { input_type: "ai_prompt" },
  },
  tool_approval: { data: { call_id: "c", approved: true, reason: "r" }, needs: ["call_id", "approved"] },
  tool_call_request: {
    data: { call_id: "c", name: "copilot_fix", args: { a: 1 }, is_client_initiated: false },
    needs: ["call_id", "name"],
    defaults: { args: {}, is_client_initiated: true },
  },
  tool_call_response: { data: { call_id: "c", result: 1, execution_time_ms: 5 }, needs: ["call_id", "result"] },
  tool_execution_status: {
    data: { call_id: "c", status: "in_progress", output: "half" },
    needs: ["call_id", "status"],
  },
  interrupt: { data: { run_id: "r", reason: "enough" }, needs: [] },
  flow_control: { data: { available_capacity: 5, requested_capacity: 2 }, needs: ["available_capacity"] },
  ack: { data: { seq: 7 }, needs: [] },
  backpressure_alert: { data: { pending: 3, available_capacity: 0 }, needs: [] },
  heartbeat: { data: {}, needs: [] },
  status_update: { data: { status: "ok" }, needs: [] },
  error: {
    data: { error_code: "TOOL_TIMEOUT", message: "m", details: {}, severity: "error", retriable: true },
    needs: ["error_code", "message"],
  },
};

function refusalOf(value: unknown): [string, unknown, unknown] {
  try {
    parseMessage(value);
  } catch (error) {
    const { error_code, details, message: text } = errorData(error as DragomanError);
    return [error_code, (details.data as Record<string, unknown> | undefined)?.field, text];
  }
  throw new Error("it was not refused");
}

describe("what we take", () => {
  test("is every type that a client has a use for; the others are ours to send", () => {
    const types = Object.entries(directions).flatMap(([type, way]) => (way.taken ? [type] : []));
    expect(Object.keys(calls).sort()).toEqual(types.sort());
    for (const [type, way] of Object.entries(directions)) {
      if (!way.taken) expect(refusalOf({ type, data: {} })[0]).toBe("UNKNOWN_MESSAGE_TYPE");
    }
  });

  test.each(Object.entries(taken))("is a %s under data, and beside its type as in the examples", (type, { data }) => {
    const envelope = { type, timestamp: "2026-01-01T00:00:00.000Z", session_id: "s", correlation_id: "c" };
    const { data: read, ...head } = parseMessage({ ...envelope, data });
    expect(read).toEqual(data);
    expect(head).toEqual({ type, session_id: "s", correlation_id: "c", seq: undefined, ack_required: undefined });
    expect(parseMessage({ ...envelope, ...data }).data).toEqual(data);
  });

  const fields = Object.entries(taken).flatMap(([type, row]) =>
    Object.keys(row.data).map((f) => [type, f, row] as const),
  );
  test.each(fields)("of %s without %s is refused by its name, or does without", (type, field, row) => {
    const { [field]: _, ...rest } = row.data;
    for (const value of [
      { type, data: rest },
      { type, ...rest },
    ]) {
      if (row.needs.includes(field)) {
        expect(refusalOf(value)).toEqual([
          "MISSING_REQUIRED_FIELD",
          field,
          expect.stringContaining(`${field} is missing`),
        ]);
      } else if (field in (row.defaults ?? {})) {
        expect(parseMessage(value).data).toEqual({ ...rest, [field]: row.defaults?.[field] });
      } else expect(parseMessage(value).data).toEqual({ ...rest, ...(type === "session_list" && row.defaults) });
    }
  });
});

describe("the document's mapping examples", () => {
  const envelope = {
    timestamp: "2026-01-01T00:00:00.000Z",
    session_id: sessionId,
    correlation_id: "corr-copilot-1",
  };

  test("are read as they stand: the request, and the response with None for no error", () => {
    const data = { call_id: "copilot-1", name: "copilot_suggest", args: parameters, is_client_initiated: false };
    expect(parseMessage({ type: "tool_call_request", ...envelope, data }).data).toEqual(data);
    const response = { call_id: "copilot-1", result: "def f(): ...", error: null, execution_time_ms: 12.5 };
    const { error: _, ...told } = response;
    expect(parseMessage({ type: "tool_call_response", ...envelope, data: response }).data).toEqual(told);
    const failed = { call_id: "copilot-1", result: null, error: "no", execution_time_ms: 1 };
    expect(parseMessage({ type: "tool_call_response", ...envelope, data: failed }).data).toEqual(failed);
  });

  test("are what comes out: the request and its response, with one correlation id", () => {
    const done: NewEvent = {
      type: "run.completed",
      runId,
      result: { text: "Use a set.", data: { suggestions: ["a"] } },
    };
    const told = folded(called, done).filter(
      ({ type }) => type === "tool_call_request" || type === "tool_call_response",
    );
    expect(told.map(({ type, correlation_id, data }) => ({ type, correlation_id, data }))).toEqual([
      {
        type: "tool_call_request",
        correlation_id: "corr-copilot-1",
        data: {
          call_id: "copilot-1",
          name: "copilot_suggest",
          args: parameters,
          is_client_initiated: true,
          run_id: runId,
        },
      },
      {
        type: "tool_call_response",
        correlation_id: "corr-copilot-1",
        data: {
          call_id: "copilot-1",
          result: { result: "Use a set.", suggestions: ["a"], status: "completed" },
          execution_time_ms: 1,
        },
      },
    ]);
  });

  test("map a command to copilot_command, with command, parameters and context", () => {
    const args = { command: "suggest", parameters, context: { cursor: 3 } };
    const data = { call_id: "copilot-2", name: "copilot_command", args, is_client_initiated: true };
    expect(parseMessage({ type: "tool_call_request", ...envelope, data }).data).toEqual(data);
    const call = { id: "copilot-2", name: "copilot_command" };
    const input = { text: "suggest", args: { arguments: args } };
    expect(folded({ ...called, input, by: { dialect: "live", call } } as NewEvent)[0]?.data).toEqual({
      ...data,
      run_id: runId,
    });
  });

  test("stream an answer as the example does, its fields under data", () => {
    const chunk = (text: string): NewEvent => ({ type: "text.delta", runId, text, of: "answer" });
    const answered = folded(called, chunk("Use "), chunk("a set."), {
      type: "run.completed",
      runId,
      result: { text: "" },
    });
    const stream = answered.filter(({ type }) => /^(message|content_block)_/.test(type));
    const ids = [...new Set(stream.flatMap(({ data }) => ("content_block_id" in data ? [data.content_block_id] : [])))];
    expect(ids).toHaveLength(1);
    const block = { content_block_id: ids[0], index: 0 };
    expect(stream.map(({ type, data }) => ({ type, ...data }))).toEqual([
      {
        type: "message_start",
        message: { id: expect.any(String), role: "assistant", model: "copilot" },
        run_id: runId,
      },
      { type: "content_block_start", ...block, content_type: "text" },
      { type: "content_block_delta", ...block, delta: { type: "text_delta", text: "Use " } },
      { type: "content_block_delta", ...block, delta: { type: "text_delta", text: "a set." } },
      { type: "content_block_stop", ...block },
      { type: "message_stop", message_id: expect.any(String) },
    ]);
  });

  test("tell code apart, with its language", () => {
    const text = "So:\n```python\nx = set()\n```\n";
    const blocks = folded(called, { type: "text.delta", runId, text, of: "answer" }).flatMap((m) =>
      m.type === "content_block_start" ? [[m.data.content_type, m.data.language]] : [],
    );
    expect(blocks).toEqual([
      ["text", undefined],
      ["code", "python"],
    ]);
  });

  test("give an agent's errors standard codes", () => {
    const codeOf = (code: "engine_auth" | "rate_limited" | "context_too_large" | "engine_failed") => {
      const [error] = folded(called, { type: "run.failed", runId, error: { code, message: "Oh" } }).filter(
        (m) => m.type === "error",
      );
      return error?.data;
    };
    expect(codeOf("engine_auth")).toMatchObject({ error_code: "PERMISSION_DENIED", retriable: false });
    expect(codeOf("rate_limited")).toMatchObject({ error_code: "RESOURCE_EXHAUSTED", retriable: true });
    expect(codeOf("context_too_large")).toMatchObject({ error_code: "RESOURCE_EXHAUSTED", retriable: false });
    expect(codeOf("engine_failed")).toMatchObject({ error_code: "TOOL_EXECUTION_FAILED", retriable: false });
  });
});
