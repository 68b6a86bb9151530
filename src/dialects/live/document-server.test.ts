import { describe, expect, test } from "vitest";
import * as z from "zod";
import { DragomanError, type ErrorCode } from "../../core/errors.ts";
import type { RuleBook } from "../../core/rules.ts";
import type { AnyTool } from "../../core/tool.ts";
import { directions, faultsIn } from "../../testing/live-document.ts";
import { callerWith, liveClient, liveNode, type WireMessage } from "../../testing/live-wire.ts";
import { type Script, untilAborted } from "../../testing/one-session.ts";
import { scripted, until } from "../../testing/scripted.ts";
import { type WireCode, wireCodes } from "./errors.ts";

// What the document's examples get for an answer, and how each of its codes comes about, over a connection.

const write: AnyTool = {
  name: "write_file",
  description: "",
  kind: "edit",
  risk: "edit",
  args: z.object({ path: z.string() }),
  intent: async ({ path }) => ({ title: `Write ${path}`, targets: [] }),
  run: async ({ path }) => {
    if (path === "full") throw new Error("the disk is full");
    return { result: { written: path }, diff: `--- a/${path}\n+++ b/${path}\n@@ -1 +1 @@\n-a\n+b\n` };
  },
};

/** Nobody is asked about it. */
const format: AnyTool = { ...write, name: "format" };
const ruleBook: RuleBook = {
  read: async () => ({ trusted: false, allow: [{ tool: "format" }], deny: [] }),
  remember: async () => {},
};

/** What the agent is told to do it does: to say something, to suggest, to call a tool, to fail, or to wait. */
const agent: Script = async ({ input: { text } }, io, signal) => {
  const [what = "", more = ""] = text.split(/: |\n/);
  if (what === "fail") throw new DragomanError(more as ErrorCode, "It did not work.");
  if (what === "call") await io.tool("write_file", { path: more });
  if (what === "format") await io.tool("format", { path: more });
  if (what === "wait") await untilAborted(signal);
  if (what === "say")
    for (const word of more.split(" ")) await io.emit({ type: "text.delta", of: "answer", text: word });
  return what === "say" ? more.replaceAll(" ", "") : "Use a set.";
};

function open(options: Parameters<typeof liveClient>[1] = {}) {
  const node = liveNode({
    engines: [scripted(agent, "copilot")],
    tools: [write, format],
    ruleBook,
    workspace: process.cwd(),
  });
  const client = liveClient(node, options);
  client.grant(10_000);
  return { ...node, ...client };
}

const shown = ({ type, correlation_id, data }: WireMessage) => ({ type, correlation_id, data });

describe("the document's examples", () => {
  test("get what it says: a request and its response, with one correlation id", async () => {
    const { write: send, begin, message, messages } = open();
    const session_id = await begin({ session_type: "copilot_tool_execution" });
    send({
      type: "tool_call_request",
      timestamp: "2026-01-01T00:00:00.000Z",
      session_id,
      correlation_id: "corr-copilot-1",
      data: {
        call_id: "copilot-1",
        name: "copilot_suggest",
        args: { file_path: "src/main.py", problem: "optimize function" },
        is_client_initiated: false,
      },
    });
    const response = await message((m) => m.type === "tool_call_response");
    const request = messages.find((m) => m.type === "tool_call_request");
    expect([request, response].map(shown)).toEqual([
      {
        type: "tool_call_request",
        correlation_id: "corr-copilot-1",
        data: {
          call_id: "copilot-1",
          name: "copilot_suggest",
          args: { file_path: "src/main.py", problem: "optimize function" },
          run_id: expect.any(String),
          is_client_initiated: true,
        },
      },
      {
        type: "tool_call_response",
        correlation_id: "corr-copilot-1",
        data: {
          call_id: "copilot-1",
          result: { result: "Use a set.", suggestions: [], status: "completed" },
          execution_time_ms: 0,
        },
      },
    ]);
  });

  test("may have their fields beside the type", async () => {
    const { write: send, begin, message, messages } = open();
    const session_id = await begin();
    const args = { command: "say", parameters: { prompt: "Hello you" }, context: { file: "a.ts" } };
    send({ type: "tool_call_request", session_id, call_id: "copilot-2", name: "copilot_command", args });
    const { data } = await message((m) => m.type === "tool_call_response");
    expect(data).toMatchObject({ call_id: "copilot-2", result: { status: "completed" } });
    const prompt = messages.find((m) => m.type === "user_input");
    expect(prompt.data.content).toBe("say: Hello you a.ts");
  });

  test("stream: a message, its blocks and their deltas, in this order", async () => {
    const { begin, send, ended, messages } = open();
    const session_id = await begin();
    send("user_input", { content: "say: one two", input_type: "ai_prompt" }, { session_id });
    await ended(session_id);
    expect(messages.map((m) => m.type).filter((type) => /^(message|content_block)_/.test(type))).toEqual([
      "message_start",
      "content_block_start",
      "content_block_delta",
      "content_block_delta",
      "content_block_stop",
      "message_stop",
    ]);
  });

  test.each([
    ["user_input", { input_type: "operation_confirmation", content: "approve" }],
    ["tool_approval", { approved: true }],
  ])("confirm a file operation with %s, and its diff and file come with the response", async (type, yes) => {
    const { begin, send, message } = open();
    const session_id = await begin();
    send("user_input", { content: "call: a.ts" }, { session_id });
    const asked = await message((m) => m.type === "tool_call_confirmation");
    expect(asked.data).toMatchObject({ name: "write_file", args: { path: "a.ts" }, title: "Write a.ts?" });
    send("ack", { seq: asked.seq }, { session_id });
    send(type, { call_id: asked.data.call_id, ...yes }, { session_id });
    const { data } = await message((m) => m.type === "tool_call_response");
    expect(data).toMatchObject({ call_id: asked.data.call_id, result: { written: "a.ts" }, files: ["a.ts"] });
    expect(data.diff).toContain("+++ b/a.ts");
  });
});

test("what a connection says by itself has every field of the document, too", async () => {
  const { begin, send, message, messages, clock, connection, done, of } = open({ over: "socket" });
  const session_id = await begin();
  await done("user_input", { content: "hello" }, { session_id });
  send("session_state", {}, { session_id });
  send("session_list");
  send("engine_list");
  send("model_list", { engine: "copilot" });
  await message((m) => m.type === "model_list");
  send("flow_control", { available_capacity: 0, requested_capacity: 5 });
  await message((m) => m.type === "flow_control");
  send("user_input", { content: "hello" }, { session_id });
  await message((m) => m.type === "backpressure_alert");
  clock.advance(30_000);
  send("flow_control", { available_capacity: 1000 });
  connection.detach();
  await message((m) => m.type === "interrupt");
  const said = Object.entries(directions).flatMap(([type, { sentBy }]) => (sentBy === "connection" ? [type] : []));
  for (const type of said) expect(of(type).length, type).toBeGreaterThan(0);
  expect(messages.flatMap((m) => faultsIn(m).map((fault) => [m.type, fault]))).toEqual([]);
});

type Wire = ReturnType<typeof open>;
type Told = Promise<{ error_code: string }>;

const errorIn = async ({ message }: Wire): Told => (await message((m) => m.type === "error")).data;
const responseError = async ({ message }: Wire): Told =>
  (await message((m) => m.type === "tool_call_response" && m.data.error)).data.error;

/** A call of a tool, by the client. */
async function called(wire: Wire, name: string, args: object): Told {
  wire.send("tool_call_request", { call_id: "mine", name, args }, { session_id: await wire.begin() });
  return responseError(wire);
}

/** An ask that the client lets be. */
async function asked(wire: Wire): Promise<WireMessage> {
  const session_id = await wire.begin();
  wire.send("user_input", { content: "call: a.ts" }, { session_id });
  return wire.message((m) => m.type === "tool_call_confirmation");
}

/** How each of the standard codes is come by. */
const provoked: Record<WireCode, (wire: Wire) => Told> = {
  INVALID_JSON_FORMAT: async (wire) => {
    wire.write("{");
    return errorIn(wire);
  },
  INVALID_MESSAGE_FORMAT: async (wire) => {
    wire.write({ data: {}, type: 7 });
    return errorIn(wire);
  },
  MISSING_REQUIRED_FIELD: ({ refused }) => refused("user_input", { input_type: "ai_prompt" }),
  UNKNOWN_MESSAGE_TYPE: ({ refused }) => refused("message_start", { message: {} }),
  SESSION_COLLISION: async ({ begin, done, refused }) => {
    const session_id = await begin();
    const call = { call_id: "twice", name: "copilot_wait" };
    await done("tool_call_request", call, { session_id });
    return refused("tool_call_request", call, { session_id });
  },
  SESSION_TIMEOUT: ({ refused }) => refused("user_input", { content: "Go" }, { session_id: "nope" }),
  CAPACITY_EXHAUSTED: async ({ begin, refused }) => {
    for (let n = 0; n < 16; n++) await begin();
    return refused("session_start");
  },
  FLOW_CONTROL_TIMEOUT: async (wire) => {
    const session_id = await wire.begin();
    wire.grant(0);
    wire.send("user_input", { content: "hello" }, { session_id });
    await wire.message((m) => m.type === "backpressure_alert");
    wire.clock.advance(60_000);
    return errorIn(wire);
  },
  CONNECTION_LOST: async (wire) => {
    await asked(wire);
    for (let times = 1; times <= 4; times++) {
      wire.clock.advance(5000);
      await until(() => wire.of("tool_call_confirmation").length > times || wire.of("error").length > 0, "it again");
    }
    return errorIn(wire);
  },
  TOOL_EXECUTION_FAILED: async (wire) => {
    const session_id = await wire.begin();
    wire.send("tool_call_request", { call_id: "mine", name: "write_file", args: { path: "full" } }, { session_id });
    const ask = await wire.message((m) => m.type === "tool_call_confirmation");
    wire.send("tool_approval", { call_id: ask.data.call_id, approved: true }, { session_id });
    return responseError(wire);
  },
  TOOL_TIMEOUT: async (wire) => {
    const session_id = await wire.begin({ tools: ["format"], tool_timeout_ms: 1000 });
    wire.send("user_input", { content: "format: a.ts" }, { session_id });
    await wire.message((m) => m.data.executor === "client");
    wire.clock.advance(1000);
    return responseError(wire);
  },
  PERMISSION_DENIED: async (wire) => {
    const { data, session_id } = await asked(wire);
    wire.send("tool_approval", { call_id: data.call_id, approved: false, reason: "no" }, { session_id });
    return responseError(wire);
  },
  RESOURCE_EXHAUSTED: async (wire) => {
    wire.send("user_input", { content: "fail: rate_limited" }, { session_id: await wire.begin() });
    return errorIn(wire);
  },
  INVALID_TOOL_ARGUMENTS: (wire) => called(wire, "write_file", { path: 7 }),
  UNSUPPORTED_TOOL: (wire) => called(wire, "paint", {}),
  INVALID_INPUT_FORMAT: ({ refused }) => refused("user_input", { content: 7 }),
  INPUT_BUFFER_OVERFLOW: async (wire) => {
    wire.write("x".repeat(16 * 1024 * 1024 + 1));
    return errorIn(wire);
  },
  INTERRUPT_PROCESSING_FAILED: async ({ begin, refused }) => {
    const session_id = await begin();
    return refused("interrupt", {}, { session_id });
  },
};

describe("the standard code", () => {
  test.each(wireCodes)("%s is told over a connection", async (code) => {
    const wire = open();
    expect((await provoked[code](wire)).error_code).toBe(code);
    expect(wire.faults).toEqual([]);
    wire.connection.close();
  });

  test.each([
    ["engine_auth", "PERMISSION_DENIED"],
    ["context_too_large", "RESOURCE_EXHAUSTED"],
    ["engine_unavailable", "CONNECTION_LOST"],
  ])("of an agent that failed with %s is %s", async (failure, code) => {
    const wire = open();
    wire.send("user_input", { content: `fail: ${failure}` }, { session_id: await wire.begin() });
    expect(await errorIn(wire)).toMatchObject({ error_code: code, severity: "error", details: { code: failure } });
  });

  test("is PERMISSION_DENIED for who may not, with the role that it takes", async () => {
    const { refused } = open({ caller: callerWith("observe") });
    expect(await refused("session_start")).toMatchObject({ error_code: "PERMISSION_DENIED", severity: "error" });
  });
});
