import { tmpdir } from "node:os";
import { describe, expect, test } from "vitest";
import * as z from "zod";
import { noRules, type RuleBook } from "../core/rules.ts";
import type { AnyTool, Risk } from "../core/tool.ts";
import { callerWith, liveClient, liveNode, type WireMessage } from "../testing/live-wire.ts";
import { confirm, type Script, untilAborted } from "../testing/one-session.ts";
import { scripted, until } from "../testing/scripted.ts";

const toolOf = (name: string, risk: Risk, run: AnyTool["run"] = async () => ({ result: { done: name } })): AnyTool => ({
  name,
  description: "",
  kind: risk === "read" ? "read" : "other",
  risk,
  args: z.looseObject({}),
  intent: async () => ({ title: `Do ${name}`, targets: [] }),
  run,
});
const ruleBook: RuleBook = {
  ...noRules,
  read: async () => ({ trusted: false, allow: [], deny: [{ tool: "forbidden" }] }),
};
const tools = [toolOf("look", "read"), toolOf("change", "edit"), toolOf("forbidden", "edit")];
const idle: Script = async () => "";

function clientOf(script: Script = idle, more = {}, options = {}) {
  const node = liveNode({ engines: [scripted(script)], tools, ruleBook, workspace: tmpdir(), ...more });
  const client = liveClient(node, options);
  client.grant(10_000);
  const other = (roles = {}) => {
    const second = liveClient(node, roles);
    second.grant(10_000);
    return second;
  };
  return { node, other, ...client };
}

const of = (messages: WireMessage[], callId: string) =>
  messages.filter((m) => m.data.call_id === callId).map((m) => [m.type, m.data.status ?? m.data.error?.error_code]);

describe("a tool that a client calls", () => {
  test("is run where the policy allows it, and the response has the client's own ids", async () => {
    const { send, about, messages } = clientOf();
    const id = send("tool_call_request", { call_id: "mine", name: "look", args: { path: "a" } });
    const response = await about(id, "tool_call_response");
    expect(response.data).toEqual({ call_id: "mine", result: { done: "look" }, execution_time_ms: 0 });
    expect(await about(id, "tool_call_request")).toMatchObject({
      data: { call_id: "mine", name: "look", args: { path: "a" }, is_client_initiated: true },
    });
    expect(of(messages, "mine")).toEqual([
      ["tool_call_request", undefined],
      ["tool_execution_status", "completed"],
      ["tool_call_response", undefined],
    ]);
  });

  test("waits for a yes where it has to be asked about, under the client's own call id", async () => {
    const { send, about, done, message } = clientOf();
    const id = send("tool_call_request", { call_id: "mine", name: "change" });
    const asked = await message((m) => m.type === "tool_call_confirmation");
    expect(asked).toMatchObject({ ack_required: true, data: { call_id: "mine", name: "change", kind: "confirm" } });
    await done("user_input", { input_type: "operation_confirmation", call_id: "mine", content: "approve" });
    expect((await about(id, "tool_call_response")).data).toMatchObject({ call_id: "mine", result: { done: "change" } });
  });

  test("is answered with an error where it is denied, by a person or by a rule, or where there is no such tool", async () => {
    const { send, about, done, message } = clientOf();
    const refused = async (id: string) => (await about(id, "tool_call_response")).data.error;
    const first = send("tool_call_request", { call_id: "a", name: "change" });
    await message((m) => m.type === "tool_call_confirmation");
    await done("tool_approval", { call_id: "a", approved: false, reason: "not now" });
    expect(await refused(first)).toMatchObject({ error_code: "PERMISSION_DENIED", message: "not now" });
    const second = send("tool_call_request", { call_id: "b", name: "forbidden" });
    expect(await refused(second)).toMatchObject({ error_code: "PERMISSION_DENIED" });
    const third = send("tool_call_request", { call_id: "c", name: "nothing_like_it" });
    expect(await refused(third)).toMatchObject({ error_code: "UNSUPPORTED_TOOL" });
  });

  test("that is none is told with those there are: ours, the client's, and not too many of them", async () => {
    const { begin, send, about } = clientOf();
    await begin({ tools: ["look", ...Array.from({ length: 60 }, (_, i) => `own${i}`)] });
    const { data } = await about(send("tool_call_request", { call_id: "c", name: "nope" }), "tool_call_response");
    const named = ["look", "change", "forbidden", ...Array.from({ length: 47 }, (_, i) => `own${i}`)].join(", ");
    expect(data.error.message).toBe(`There is no tool "nope". There is: ${named} and 13 more.`);
  });

  test("is denied where nobody is there who could say yes", async () => {
    const { send, about } = clientOf(idle, {}, { caller: callerWith("prompt") });
    const id = send("tool_call_request", { call_id: "a", name: "change" });
    expect((await about(id, "tool_call_response")).data.error).toMatchObject({ error_code: "PERMISSION_DENIED" });
  });

  test("is refused under an id that a call or a question of the session has or had", async () => {
    const { send, about, refused, message, done } = clientOf();
    const collides = async (call_id: string) =>
      expect(await refused("tool_call_request", { call_id, name: "look" })).toMatchObject({
        error_code: "SESSION_COLLISION",
        details: { code: "conflict", data: { call_id } },
      });
    send("tool_call_request", { call_id: "mine", name: "change" });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    await collides("mine");
    const waiting = send("tool_call_request", { call_id: "next", name: "look" });
    await collides("next");
    await done("tool_approval", { call_id: "mine", approved: true });
    await about(waiting, "tool_call_response");
    for (const id of ["mine", "next", data.ask_id]) await collides(id);
  });

  const run_id = "5e551011-0000-4000-8000-000000000011";

  test("and sent again under its run_id is one call, whose response comes again", async () => {
    const { send, about, other, message, done, messages } = clientOf();
    const call = { call_id: "mine", name: "change", run_id };
    const id = send("tool_call_request", call);
    const { session_id } = await message((m) => m.type === "tool_call_confirmation");
    await done("tool_call_request", call); // while it is under way
    await done("tool_approval", { call_id: "mine", approved: true });
    const { data } = await about(id, "tool_call_response");
    const second = other();
    const again = second.send("tool_call_request", call, { session_id });
    const response = await second.about(again, "tool_call_response");
    expect([response.seq, response.data]).toEqual([undefined, data]);
    expect(messages.filter((m) => m.type === "tool_call_response").length).toBe(1);
  });

  test("and sent again has its response also when it is of an agent, or never began", async () => {
    const { send, about, other, message, done } = clientOf(async ({ input }, _, signal) => {
      if (input.text === "wait") await untilAborted(signal);
      return "Done.";
    });
    const calls = [
      { call_id: "a", name: "agent_go", run_id },
      { call_id: "b", name: "agent_wait" },
      { call_id: "c", name: "look", run_id: "5e551011-0000-4000-8000-000000000012" },
    ] as const;
    const first = await about(send("tool_call_request", calls[0]), "tool_call_response");
    send("tool_call_request", calls[1]);
    const queued = send("tool_call_request", calls[2]);
    await message((m) => m.data.status === "queued");
    await done("interrupt", { run_id: calls[2].run_id });
    const third = await about(queued, "tool_call_response");
    const second = other();
    for (const [call, { data, session_id }] of [
      [calls[0], first],
      [calls[2], third],
    ] as const) {
      const again = second.send("tool_call_request", call, { session_id });
      expect((await second.about(again, "tool_call_response")).data).toEqual(data);
    }
    await done("interrupt");
  });

  test("is refused under the run_id of something else", async () => {
    const { send, about, refused } = clientOf();
    await about(send("tool_call_request", { call_id: "mine", name: "look", run_id }), "tool_call_response");
    const conflict = { error_code: "SESSION_COLLISION", details: { code: "conflict" } };
    for (const call of [
      { call_id: "other", name: "look" },
      { call_id: "mine", name: "change" },
    ]) {
      expect(await refused("tool_call_request", { ...call, run_id })).toMatchObject(conflict);
    }
    const prompted = "5e551011-0000-4000-8000-000000000013";
    await about(send("user_input", { content: "hi", run_id: prompted }, { ack_required: true }), "ack");
    const call = { call_id: "new", name: "look", run_id: prompted };
    expect(await refused("tool_call_request", call)).toMatchObject(conflict);
  });

  test("is refused with arguments longer than a prompt may be", async () => {
    const { refused } = clientOf();
    const args = { prompt: "x".repeat(2 * 1024 * 1024) };
    for (const name of ["claude_prompt", "look"]) {
      expect(await refused("tool_call_request", { call_id: "mine", name, args })).toMatchObject({
        error_code: "INVALID_INPUT_FORMAT",
        details: { data: { field: "args" } },
      });
    }
  });

  test("is refused under an id in which something hides or changes direction, or that is too long", async () => {
    const { refused } = clientOf();
    for (const id of ["a\u202eb", "a\u001b[2J", "a\u200bb", "x".repeat(201), ""]) {
      const field = (name: string) => ({ error_code: "INVALID_INPUT_FORMAT", details: { data: { field: name } } });
      expect(await refused("tool_call_request", { call_id: id, name: "look" })).toMatchObject(field("call_id"));
      expect(await refused("tool_call_request", { call_id: "c", name: id })).toMatchObject(field("name"));
    }
  });
});

describe("a yes", () => {
  /** Someone who may prompt and not approve, and someone who is asked about something in two sessions. */
  async function tricked() {
    const boss = clientOf(async ({ input }, io) => {
      if (input.text === "ask") await io.ask(confirm);
      return "";
    });
    const [here, there] = [await boss.begin(), await boss.begin()];
    boss.send("user_input", { content: "ask" }, { session_id: here });
    const { data: asked } = await boss.message((m) => m.type === "tool_call_confirmation");
    const trickster = boss.other({ caller: callerWith("prompt") });
    /** A call in the other session whose id is that of the question. */
    const trick = async (call_id: string) => {
      await boss.done("session_start", {}, { session_id: there }); // the session that is current is the trickster's
      trickster.send("tool_call_request", { call_id, name: "change" }, { session_id: there });
      await boss.message((m) => m.type === "tool_call_confirmation" && m.session_id === there);
    };
    const responses = () => boss.messages.filter((m) => m.type === "tool_call_response");
    return { boss, trickster, trick, here, there, asked, responses };
  }

  test("goes to the question whose id it names, not to a call that was given the same id elsewhere", async () => {
    const { boss, trick, here, asked, responses } = await tricked();
    await trick(asked.ask_id);
    await boss.done("tool_approval", { call_id: asked.ask_id, approved: true });
    await boss.ended(here);
    expect(responses()).toEqual([]);
  });

  test("that comes late goes to no other question", async () => {
    const { boss, trickster, here, asked, responses } = await tricked();
    await trickster.done("interrupt", {}, { session_id: here });
    await boss.ended(here);
    const clash = { call_id: asked.ask_id, name: "change" };
    expect(await trickster.refused("tool_call_request", clash, { session_id: here })).toMatchObject({
      error_code: "SESSION_COLLISION",
    });
    expect(await boss.refused("tool_approval", { call_id: asked.ask_id, approved: true })).toMatchObject({
      details: { code: "ask_closed" },
    });
    expect(responses()).toEqual([]);
  });

  test("by a client's own id that stands for questions in two sessions is refused", async () => {
    const boss = clientOf();
    for (const session_id of [await boss.begin(), await boss.begin()]) {
      boss.send("tool_call_request", { call_id: "c1", name: "change" }, { session_id });
      await boss.message((m) => m.type === "tool_call_confirmation" && m.session_id === session_id);
    }
    expect(await boss.refused("tool_approval", { call_id: "c1", approved: true })).toMatchObject({
      error_code: "MISSING_REQUIRED_FIELD",
      details: { data: { field: "session_id" } },
    });
  });

  test("by the id of an agent's command is none: nobody who names the command has seen what it asks", async () => {
    const titles = ["Look?", "Delete all?"];
    const { send, refused, messages } = clientOf(async (_, io) =>
      JSON.stringify(await Promise.all(titles.map((title) => io.ask({ ...confirm, title, callId: title })))),
    );
    send("tool_call_request", { call_id: "mine", name: "claude_go" });
    await until(() => messages.filter((m) => m.type === "tool_call_confirmation").length === 2, "the questions");
    expect(await refused("tool_approval", { call_id: "mine", approved: true })).toMatchObject({
      details: { code: "ask_not_found" },
    });
    expect(messages.filter((m) => m.data.kind === "ask")).toEqual([]);
  });

  test("by the id of a call that has several questions is refused", async () => {
    const { node, begin, done, refused, send, message, messages } = clientOf(async (_, io) => {
      await Promise.all([io.ask({ ...confirm, callId: "of both" }), io.ask({ ...confirm, callId: "of both" })]);
      return "";
    });
    const session_id = await begin();
    send("user_input", { content: "ask" });
    await until(() => messages.filter((m) => m.type === "tool_call_confirmation").length === 2, "the questions");
    expect(await refused("tool_approval", { call_id: "of both", approved: true })).toMatchObject({
      message: 'Several questions about "of both" are open. Name the one you mean by its ask_id.',
    });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    await done("tool_approval", { call_id: data.ask_id, approved: true });
    expect((await node.store.session(session_id))?.asks.length).toBe(1);
    await done("tool_approval", { call_id: "of both", approved: true }); // the open one is meant
  });

  test("to a call that is over is late, also when other runs came behind it", async () => {
    const { send, about, done, refused, message } = clientOf();
    const id = send("tool_call_request", { call_id: "mine", name: "change" });
    await message((m) => m.type === "tool_call_confirmation");
    await done("tool_approval", { call_id: "mine", approved: true });
    await about(id, "tool_call_response");
    await done("user_input", { content: "next" });
    expect(await refused("tool_approval", { call_id: "mine", approved: false })).toMatchObject({
      details: { code: "ask_closed" },
    });
  });

  test("is not given in the place of a plugin, whose replies are signed", async () => {
    const { node, ...client } = clientOf(async (_, io) => JSON.stringify(await io.tool("change", {})));
    const callback = { url: "http://127.0.0.1:1/", token: "t", node: node.runtime.node, signedReplies: true };
    const clientTools = { tools: ["change"], timeoutMs: 60_000, callback };
    const { id: session_id } = await node.runtime.create({ workspace: tmpdir(), engine: "scripted", clientTools });
    (await node.runtime.open(session_id)).attach(["tool"]);
    client.send("user_input", { content: "go" }, { session_id });
    const { data } = await client.message((m) => m.data.executor === "client");
    const { call_id } = data;
    const forged = [
      ["tool_call_response", { call_id, result: { done: true } }],
      ["tool_approval", { call_id, approved: false }],
    ] as const;
    for (const [type, answer] of forged) {
      expect(await client.refused(type, answer, { session_id })).toMatchObject({ details: { code: "forbidden" } });
    }
  });
});

describe("an agent's command that a client calls", () => {
  test("is a run of the session's engine, and is answered with result, suggestions and status", async () => {
    const inputs: unknown[] = [];
    const engine = scripted(async (turn) => {
      inputs.push(turn.input);
      return { text: "Use a loop", data: { suggestions: ["unroll it"] } };
    });
    const { send, about } = clientOf(idle, { engines: [engine] });
    const args = { file_path: "src/main.py", problem: "optimize function" };
    const id = send("tool_call_request", { call_id: "copilot-1", name: "copilot_suggest", args });
    const response = await about(id, "tool_call_response");
    expect(response.data).toEqual({
      call_id: "copilot-1",
      result: { result: "Use a loop", suggestions: ["unroll it"], status: "completed" },
      execution_time_ms: 0,
    });
    expect(inputs).toEqual([
      {
        text: "suggest: optimize function src/main.py",
        args: { arguments: args },
        context: [{ path: "src/main.py" }],
      },
    ]);
  });

  test("is answered when it fails, when it is cancelled, and when that was before it began", async () => {
    const { send, about, done, message } = clientOf(async ({ input }, _, signal) => {
      if (input.text === "fail") throw new Error("no luck");
      await untilAborted(signal);
      return "";
    });
    const failed = await about(send("tool_call_request", { call_id: "f", name: "agent_fail" }), "tool_call_response");
    expect(failed.data.error).toMatchObject({ error_code: "TOOL_EXECUTION_FAILED", message: "scripted: no luck" });
    const running = send("tool_call_request", { call_id: "r", name: "scripted_wait" });
    const queued = send("tool_call_request", { call_id: "q", name: "codex_wait" });
    const { data } = await message((m) => m.data.status === "queued");
    await done("interrupt", { run_id: data.run_id });
    expect((await about(queued, "tool_call_response")).data).toMatchObject({
      call_id: "q",
      error: { details: { code: "cancelled" } },
    });
    await done("interrupt");
    expect((await about(running, "tool_call_response")).data).toMatchObject({
      call_id: "r",
      error: { details: { code: "cancelled" } },
    });
  });
});

describe("a tool that the client runs", () => {
  const script: Script = async ({ input }, io) => {
    const reply = await io.tool(input.text, { n: 1 });
    return JSON.stringify(reply.outcome === "done" ? reply.result : [reply.outcome, reply.message]);
  };
  const texts = (messages: WireMessage[]) =>
    messages.filter((m) => m.data.status === "completed" && m.data.kind === "run").map((m) => m.data.result.text);
  const request = (m: WireMessage) => m.type === "tool_call_request" && m.data.executor === "client";

  test("is put to it as a request, and its response is the result", async () => {
    const { begin, send, message, done, ended, messages } = clientOf(script);
    const sessionId = await begin({ tools: ["look"] });
    send("user_input", { content: "look" });
    const asked = await message(request);
    expect(asked).toMatchObject({
      ack_required: true,
      data: { name: "look", args: { n: 1 }, is_client_initiated: false, executor: "client" },
    });
    await done("tool_call_response", { call_id: asked.data.call_id, result: { mine: 1 }, execution_time_ms: 3 });
    await ended(sessionId);
    expect(texts(messages)).toEqual(['{"mine":1}']);
  });

  test("asks the client's own user where a person has to agree: it does it, denies it or fails", async () => {
    const { begin, send, message, done, refused, ended, messages } = clientOf(script);
    const sessionId = await begin({ tools: ["change", "only_here"] });
    const answers = [
      { result: "changed" },
      { result: null, error: { error_code: "PERMISSION_DENIED", message: "the user said no" } },
      { error: "disk full" },
    ];
    for (const [index, answer] of answers.entries()) {
      send("user_input", { content: index === 0 ? "only_here" : "change" });
      const asks = () => messages.filter((m) => m.type === "tool_call_confirmation");
      await until(() => asks().length > index, "the ask");
      const { call_id, executor } = asks()[index]?.data ?? {};
      expect(executor).toBe("client");
      expect(await refused("tool_approval", { call_id, approved: true })).toMatchObject({
        error_code: "PERMISSION_DENIED",
      });
      await done("tool_call_response", { call_id, ...answer });
      await ended(sessionId, index + 1);
    }
    expect(texts(messages)).toEqual(['"changed"', '["denied","the user said no"]', '["failed","disk full"]']);
    expect(await message((m) => m.type === "tool_call_confirmation")).toBeDefined();
  });

  test("can be taken over by a client that attaches, and is not there when it has gone", async () => {
    const { begin, other, send, ended, messages } = clientOf(script);
    const sessionId = await begin();
    const second = other();
    await second.done("session_start", { tools: ["change"], tool_timeout_ms: 5000 }, { session_id: sessionId });
    send("user_input", { content: "change" });
    const { data } = await second.message((m) => m.type === "tool_call_confirmation");
    await second.done("tool_call_response", { call_id: data.call_id, result: 2 });
    await ended(sessionId);
    await second.done("session_end", { detach: true });
    send("user_input", { content: "change" });
    await ended(sessionId, 2);
    expect(texts(messages)[0]).toBe("2");
    expect(texts(messages)[1]).toContain("is not there. Connect it, and ask again.");
  });
});

describe("a question", () => {
  test("is answered once: a late answer is told who was faster", async () => {
    const { begin, other, send, done, message, ended } = clientOf(async (_, io) =>
      JSON.stringify(await io.ask(confirm)),
    );
    const sessionId = await begin();
    const second = other({ caller: callerWith("approve", "admin") });
    await second.done("session_start", {}, { session_id: sessionId });
    send("user_input", { content: "ask" });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    await second.message((m) => m.type === "tool_call_confirmation");
    await second.done("user_input", {
      input_type: "operation_confirmation",
      call_id: data.ask_id,
      content: "deny",
      reason: "no",
    });
    await ended(sessionId);
    const answered = await message((m) => m.data.kind === "ask");
    expect(answered.data).toMatchObject({ status: "answered", approved: false, by: "Ada" });
    const late = send("tool_approval", { call_id: data.call_id, approved: true });
    const { data: error } = await message((m) => m.type === "error" && m.correlation_id === late);
    expect(error).toMatchObject({
      error_code: "INVALID_INPUT_FORMAT",
      message: "The ask was already answered by Ada.",
      details: { code: "ask_closed", data: { askId: data.ask_id, outcome: "answered", by: { user: "Ada" } } },
    });
    await expect(done("tool_approval", { call_id: "nothing", approved: true })).rejects.toThrow("ask_not_found");
  });

  test("in words or by a choice is answered by an input that names it, and no other input is", async () => {
    const items = [
      { id: "r", label: "Red" },
      { id: "g", label: "Green" },
    ];
    const prompted: string[] = [];
    const { begin, send, done, messages, refused, ended } = clientOf(async ({ input }, io) => {
      prompted.push(input.text);
      const asked = { title: "Which?", message: "" };
      if (input.text === "name") return JSON.stringify(await io.ask({ kind: "prompt", ...asked }));
      if (input.text === "own") return JSON.stringify(await io.ask({ kind: "pick", items, allowText: true, ...asked }));
      return JSON.stringify(await io.ask({ kind: "pick", items, multi: true, ...asked }));
    });
    const sessionId = await begin();
    const asks = () => messages.filter((m) => m.type === "tool_call_confirmation");
    let count = 0;
    const answered = async (prompt: string, answer: object) => {
      send("user_input", { content: prompt });
      await until(() => asks().length > count, "the ask");
      const call_id = asks()[count++]?.data.call_id;
      await done("user_input", { input_type: "command_parameters", call_id, ...answer });
      await ended(sessionId, count);
      return call_id;
    };
    const first = await answered("name", { content: "Ada" });
    await answered("color", { content: "Green" });
    await answered("color", { content: "", ids: ["r", "g"] });
    await answered("own", { content: "Blue, really" });
    const texts = messages.flatMap((m) =>
      m.data.status === "completed" ? [JSON.parse(m.data.result.text).answer] : [],
    );
    expect(texts).toEqual([{ value: "Ada" }, { ids: ["g"] }, { ids: ["r", "g"] }, { ids: [], text: "Blue, really" }]);
    expect(
      await refused("user_input", { input_type: "command_parameters", call_id: first, content: "late" }),
    ).toMatchObject({
      details: { code: "ask_closed" },
    });
    const nothing = { call_id: "nothing", content: "Ada" };
    expect(await refused("user_input", nothing)).toMatchObject({ details: { code: "ask_not_found" } });
    expect(prompted).toEqual(["name", "color", "color", "own"]);
  });

  test("with a choice is answered with a no, too", async () => {
    const items = [{ id: "r", label: "Red" }];
    const {
      begin,
      send,
      message,
      done,
      ended,
      of: ofType,
    } = clientOf(async (_, io) => JSON.stringify(await io.ask({ kind: "pick", items, title: "Which?", message: "" })));
    const sessionId = await begin();
    send("user_input", { content: "ask" });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    await done("tool_approval", { call_id: data.ask_id, approved: false });
    await ended(sessionId);
    const { result } = ofType("status_update").find((m) => m.data.status === "completed").data;
    expect(JSON.parse(result.text)).toMatchObject({ answer: { ids: [] } });
  });

  test("for a yes or a no is not answered in other words, and they are no prompt either", async () => {
    const { begin, send, message, refused } = clientOf(async (_, io) => JSON.stringify(await io.ask(confirm)));
    await begin();
    send("user_input", { content: "ask" });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    expect(await refused("user_input", { call_id: data.call_id, content: "yes, please" })).toMatchObject({
      error_code: "INVALID_INPUT_FORMAT",
      message: expect.stringContaining("operation_confirmation"),
    });
  });

  test("can be answered without following its session", async () => {
    const { begin, other, send, message, ended } = clientOf(async (_, io) => JSON.stringify(await io.ask(confirm)));
    const sessionId = await begin();
    send("user_input", { content: "ask" });
    const { data } = await message((m) => m.type === "tool_call_confirmation");
    const second = other();
    await second.done("tool_approval", { call_id: data.ask_id, approved: true }, { session_id: sessionId });
    await ended(sessionId);
    expect(second.messages.map((m) => m.type)).toEqual(["ack"]);
  });
});
