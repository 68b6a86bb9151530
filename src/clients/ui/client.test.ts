import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryRuntime } from "../../testing/memory-ui-link.ts";
import { encode, NdjsonDecoder } from "../../transports/ndjson.ts";
import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { ClientEvents } from "./news.ts";
import type { RunUpdate } from "./protocol.ts";
import { UiError } from "./ui-error.ts";

const program = { name: "test", version: "1" };

let runtime: MemoryRuntime;
beforeEach(() => {
  runtime = new MemoryRuntime();
});
afterEach(() => {
  vi.useRealTimers();
});

async function started(options: Partial<ClientOptions> = {}): Promise<LinkedUiClient> {
  const client = new LinkedUiClient({ client: program, restart: false, ...options, connect: runtime.connect });
  await client.start();
  return client;
}

async function startRun(client: LinkedUiClient, runId = "r1", sessionId = "s1") {
  const starting = client.startRun({ text: "go" });
  runtime.answer("run.start", { run_id: runId, session_id: sessionId });
  return starting;
}

const text = (seq: number, content = `text ${seq}`) => ({
  run_id: "r1",
  seq,
  event: { type: "text" as const, content, timestamp: 0 },
});
const event = (seq: number, content?: string) => runtime.tell("agent.event", text(seq, content));
const status = (to: string, message?: string) => runtime.tell("run.status", { run_id: "r1", status: to, message });

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

function heard<K extends keyof ClientEvents>(client: LinkedUiClient, kind: K): ClientEvents[K][] {
  const values: ClientEvents[K][] = [];
  client.on(kind, (value) => values.push(value));
  return values;
}

/** What a promise is rejected with, as far as a caller looks at it. */
const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    (error: UiError) => ({ code: error.code, message: error.message }),
  );

describe("starting", () => {
  test("says who it is and what the handlers can answer, and keeps what the runtime said", async () => {
    const client = await started({
      handlers: { confirm: () => ({ ok: true }) },
      capabilities: { supports_tool_output: true },
    });
    expect(runtime.sent).toEqual([
      {
        jsonrpc: "2.0",
        id: "c1",
        method: "initialize",
        params: {
          protocol_version: "0",
          client: program,
          ui_capabilities: {
            supports_tool_output: true,
            supports_confirm: true,
            supports_prompt: false,
            supports_pick: false,
          },
        },
      },
    ]);
    expect(client.server).toEqual({ protocol_version: "0", server: { name: "memory", version: "1" } });
    expect([client.state, client.capabilities]).toEqual(["running", {}]);
  });

  test("a call waits for a runtime that is being started, and is refused by one that is not", async () => {
    const client = new LinkedUiClient({ client: program, restart: false, connect: runtime.connect });
    expect(await failure(client.sessions())).toEqual({
      code: "closed",
      message: "This client is not started; call start() first",
    });
    const starting = client.start();
    const sessions = client.sessions();
    await starting;
    await vi.waitFor(() => expect(runtime.methods).toEqual(["initialize", "session.list"]));
    runtime.answer("session.list", { sessions: [] });
    expect(await sessions).toEqual([]);
    await client.close();
    expect(await failure(client.sessions())).toEqual({ code: "closed", message: "This client was closed" });
    expect(await failure(client.start())).toEqual({
      code: "closed",
      message: "This client was closed; make a new one",
    });
  });

  test("a link that cannot be opened is told as the reason, and can be tried again", async () => {
    let broken = true;
    const client = new LinkedUiClient({
      client: program,
      connect: (events) => {
        if (broken) throw new Error("no such thing");
        return runtime.connect(events);
      },
    });
    expect(await failure(client.start())).toEqual({
      code: "closed",
      message: "The runtime cannot be started: no such thing",
    });
    expect(client.state).toBe("crashed");
    broken = false;
    await client.start();
    expect(client.state).toBe("running");
  });
});

describe("calls", () => {
  test("are answered in any order, with the runtime's errors as they are", async () => {
    const client = await started();
    const [models, todos] = [client.models(), client.todos({ sessionId: "s" })];
    runtime.say({
      id: runtime.sent.at(-1)?.id,
      error: { code: -32004, message: "No session s", data: { code: "session_not_found" } },
    });
    runtime.answer("model.list", { provider: "p", models: ["m"] });
    expect(await models).toEqual({ provider: "p", models: ["m"] });
    await expect(todos).rejects.toEqual(new UiError(-32004, "No session s", { code: "session_not_found" }));
  });

  test("time out, each after its own time, and a late answer is counted, not taken for another's", async () => {
    const client = await started({ timeouts: { "model.list": 10 } });
    vi.useFakeTimers();
    const [listed, todos] = [failure(client.models()), client.todos({ timeoutMs: 1000 })];
    await vi.advanceTimersByTimeAsync(10);
    expect(await listed).toEqual({ code: "timeout", message: "model.list was not answered within 10 ms" });
    runtime.answer("model.list", { provider: "p", models: [] });
    runtime.answer("todos.list", { todos: [] });
    expect(await todos).toEqual({ todos: [] });
    expect(client.strays).toMatchObject({ lateResponses: 1, unknownResponses: 0 });
  });

  test("have 30 s, and run.start 60 s", async () => {
    const client = await started();
    vi.useFakeTimers();
    const outcomes: string[] = [];
    client.mcp().catch((error) => outcomes.push(error.message));
    client.startRun({ text: "x" }).catch((error) => outcomes.push(error.message));
    await vi.advanceTimersByTimeAsync(29_999);
    expect(outcomes).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(outcomes).toEqual(["mcp.list was not answered within 30000 ms"]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(outcomes[1]).toBe("run.start was not answered within 60000 ms");
  });

  test("can be aborted: before they are sent, then never; while they wait, then at once", async () => {
    const client = await started();
    expect(await failure(client.models({ signal: AbortSignal.abort() }))).toEqual({
      code: "aborted",
      message: "model.list was aborted",
    });
    expect(runtime.methods).toEqual(["initialize"]);
    const abort = new AbortController();
    const listed = failure(client.models({ signal: abort.signal }));
    abort.abort();
    expect(await listed).toEqual({ code: "aborted", message: "model.list was aborted" });
  });

  test("are all rejected when the runtime ends", async () => {
    const client = await started();
    const waiting = [client.models(), client.todos(), client.startRun({ text: "x" }), client.history("s")].map(failure);
    await vi.waitFor(() => expect(runtime.methods).toContain("session.history"));
    runtime.end("it tripped");
    expect(await Promise.all(waiting)).toEqual(Array(4).fill({ code: "closed", message: "it tripped" }));
  });

  test("wait while the pipe is full, 1000 of them, and those beyond are refused", async () => {
    const client = await started();
    runtime.hasRoom = false;
    const abort = new AbortController();
    const first = client.todos({ sessionId: "0" }); // goes out, and finds the pipe full after it
    const aborted = failure(client.todos({ signal: abort.signal }));
    const waiting = Array.from({ length: 999 }, (_, i) => client.todos({ sessionId: `${i + 1}` }));
    expect(await failure(client.todos())).toEqual({
      code: "overflow",
      message: expect.stringMatching(/^The runtime does not read: 1000 messages \(\d+ characters\) wait to be sent/),
    });
    abort.abort();
    await aborted;
    runtime.drain();
    const asked = runtime.sent.slice(1).map(({ params }) => params?.session_id);
    expect(asked).toEqual(Array.from({ length: 1000 }, (_, i) => `${i}`));
    for (const { id } of runtime.sent.slice(1)) runtime.say({ id, result: { todos: [] } });
    expect(await Promise.all([first, ...waiting])).toHaveLength(1000);
  });

  test("of more than 16 MB are refused, alone and together", async () => {
    const client = await started();
    const large = { cwd: "x".repeat(9 * 1024 * 1024) };
    expect(await failure(client.updateContext({ cwd: "x".repeat(17 * 1024 * 1024) }))).toMatchObject({
      code: "overflow",
    });
    runtime.hasRoom = false;
    for (let i = 0; i < 2; i++) client.updateContext(large).catch(() => {});
    expect(await failure(client.updateContext(large))).toMatchObject({ code: "overflow" });
    expect(await failure(client.call("todos.list", { bad: 1n }))).toEqual({
      code: "invalid",
      message: "Not a JSON value: Do not know how to serialize a BigInt",
    });
    await client.close();
  });

  test("page through an export, and not in circles", async () => {
    const client = await started();
    const pages = client.exportHistory({ sessionId: "s", limit: 2 })[Symbol.asyncIterator]();
    const page = (next_after?: number) => ({ session_id: "s", format: "jsonl", content: "", events: 2, next_after });
    const answered = async (result: object) => {
      const next = pages.next();
      await vi.waitFor(() => expect(runtime.sent.at(-1)?.method).toBe("history.export"));
      runtime.answer("history.export", result);
      return next;
    };
    expect(await answered(page(2))).toEqual({ done: false, value: page(2) });
    const second = pages.next();
    await vi.waitFor(() => expect(runtime.sent.at(-1)?.params).toEqual({ session_id: "s", limit: 2, after: 2 }));
    runtime.answer("history.export", page(2));
    expect(await second).toEqual({ done: false, value: page(2) });
    expect(await failure(pages.next())).toEqual({
      code: "protocol",
      message: "The runtime's next page begins at 2, which is not after 2",
    });
  });
});

describe("runs", () => {
  test("give what is told of them in order, and end with their status", async () => {
    const client = await started();
    const events = heard(client, "event");
    const run = await startRun(client);
    status("running");
    event(0);
    runtime.tell("run.context", { run_id: "r1", context_left_percent: 50 });
    runtime.tell("artifact.created", { run_id: "r1", artifact_id: "a", kind: "log", name: "n", bytes: 1, sha256: "" });
    runtime.tell("agent.event", { run_id: "r1", seq: 1, event: { type: "final", content: "42" } });
    status("completed");
    event(2, "after the end");
    expect([run.runId, run.sessionId]).toEqual(["r1", "s1"]);
    expect(await all(run.events)).toEqual([
      { type: "status", run_id: "r1", status: "running" },
      { type: "event", ...text(0) },
      { type: "context", run_id: "r1", context_left_percent: 50 },
      { type: "artifact", run_id: "r1", artifact_id: "a", kind: "log", name: "n", bytes: 1, sha256: "" },
      { type: "event", run_id: "r1", seq: 1, event: { type: "final", content: "42" } },
      { type: "status", run_id: "r1", status: "completed" },
    ]);
    expect(await run.done).toEqual({ status: "completed", final: "42" });
    expect(events).toHaveLength(3);
    expect(events[0]).toEqual(text(0));
  });

  test("that speak, or even end, before run.start is answered lose nothing", async () => {
    const client = await started();
    const starting = client.startRun({ text: "go" });
    status("running");
    event(0);
    status("error", "it broke");
    runtime.answer("run.start", { run_id: "r1" });
    const run = await starting;
    expect((await all(run.events)).map(({ type }) => type)).toEqual(["status", "event", "status"]);
    expect([run.sessionId, await run.done]).toEqual([undefined, { status: "error", message: "it broke" }]);
  });

  test("of which nobody waits for the start any more are cancelled", async () => {
    const client = await started();
    const abort = new AbortController();
    const starting = failure(client.startRun({ text: "go", signal: abort.signal }));
    abort.abort();
    await starting;
    runtime.answer("run.start", { run_id: "r1" });
    expect(runtime.sent.at(-1)).toMatchObject({ method: "run.cancel", params: { run_id: "r1" } });
    await client.close();
  });

  test("end with connection_lost when the runtime does, for listeners too", async () => {
    const client = await started();
    const statuses = heard(client, "status");
    const run = await startRun(client);
    event(0);
    runtime.end("it tripped");
    const lost = { status: "error", message: "it tripped", code: "connection_lost" };
    expect(await run.done).toEqual(lost);
    expect(statuses).toEqual([{ run_id: "r1", ...lost }]);
    expect((await all(run.events)).at(-1)).toEqual({ type: "status", run_id: "r1", ...lost });
  });

  test("make the runtime wait for a slow consumer, and go on when it has caught up", async () => {
    const client = await started();
    const run = await startRun(client);
    const events = run.events[Symbol.asyncIterator]();
    for (let seq = 0; seq < 999; seq++) event(seq);
    expect(runtime.paused).toBe(false);
    event(999);
    expect(runtime.paused).toBe(true);
    const taken: (RunUpdate | undefined)[] = [];
    while (runtime.paused) taken.push((await events.next()).value);
    expect(taken).toHaveLength(501);
    for (let i = 0; i < 20; i++) event(1000 + i, "x".repeat(100_000));
    expect(runtime.paused).toBe(true); // few, but large
    await events.return?.();
    expect(runtime.paused).toBe(false); // nobody listens any more
    await client.close();
  });

  test("do not starve a consumer who makes a call in the middle: its answer is read", async () => {
    const client = await started();
    const run = await startRun(client);
    const events = run.events[Symbol.asyncIterator]();
    for (let seq = 0; seq < 1000; seq++) event(seq);
    expect(runtime.paused).toBe(true);
    const todos = client.todos();
    expect(runtime.paused).toBe(false);
    for (let seq = 1000; seq < 16_000; seq++) event(seq);
    expect(runtime.paused).toBe(true); // but not without bounds
    runtime.answer("todos.list", { todos: [] });
    expect(await todos).toEqual({ todos: [] });
    expect((await events.next()).value).toEqual({ type: "event", ...text(0) });
    await client.close();
  });

  test("need no consumer: what does not fit is left out, and whoever comes too late is told", async () => {
    const client = await started();
    const run = await startRun(client);
    for (let seq = 0; seq < 5000; seq++) event(seq);
    expect(runtime.paused).toBe(false);
    runtime.tell("agent.event", { run_id: "r1", seq: 5000, event: { type: "final", content: "42" } });
    status("completed");
    expect(await run.done).toEqual({ status: "completed", final: "42" });
    const taken: RunUpdate[] = [];
    const reading = (async () => {
      for await (const update of run.events) taken.push(update);
    })();
    expect(await failure(reading)).toEqual({
      code: "overflow",
      message: "The events of this run were not read in time and the later ones were left out",
    });
    expect(taken).toHaveLength(1000);
    expect(() => run.events[Symbol.asyncIterator]()).toThrow("The events of a run can be iterated only once");
  });

  test("report numbers that never came, but not those that were left out on purpose, however late that is told", async () => {
    const client = await started();
    const gaps = heard(client, "gap");
    const run = await startRun(client);
    vi.useFakeTimers();
    for (const seq of [1, 2, 6, 4]) event(seq);
    await vi.advanceTimersByTimeAsync(900);
    event(7);
    await vi.advanceTimersByTimeAsync(900); // not yet quiet for long enough
    status("completed");
    expect(gaps).toEqual([]);
    runtime.tell("run.lost", { lost: [{ run_id: "r1", seqs: [3] }] });
    await vi.advanceTimersByTimeAsync(2000);
    expect(gaps).toEqual([{ run_id: "r1", missing: [0, 5] }]);
    await run.done;
  });

  test("give an event once, though it comes twice", async () => {
    const client = await started();
    const run = await startRun(client);
    for (const seq of [0, 1, 0, 1, 2]) event(seq);
    status("cancelled");
    const seqs = (await all(run.events)).flatMap((update) => (update.type === "event" ? update.seq : []));
    expect(seqs).toEqual([0, 1, 2]);
  });
});

describe("a history", () => {
  const old = (seq: number) => ({ run_id: "old", seq, event: { type: "text", content: "", timestamp: 0 } });

  test("has the events that come before its answer; what is live stays live", async () => {
    const client = await started();
    const live = heard(client, "event");
    const run = await startRun(client);
    event(0);
    const reading = client.history("s1", { maxRuns: 2, maxEvents: 3 });
    await vi.waitFor(() => expect(runtime.methods).toContain("session.history"));
    expect(runtime.sent.at(-1)?.params).toEqual({ session_id: "s1", max_runs: 2, max_events: 3 });
    event(1); // sent before the runtime read the call
    for (const seq of [-1, 0, 1]) runtime.tell("agent.event", old(seq));
    event(0);
    event(1);
    runtime.answer("session.history", { runs: 2, events_sent: 5 });
    event(2);
    status("completed");
    expect(await reading).toEqual({ runs: 2, events_sent: 5, events: [old(-1), old(0), old(1), text(0), text(1)] });
    expect(live).toEqual([text(0), text(1), text(2)]);
    expect((await all(run.events)).filter(({ type }) => type === "event")).toHaveLength(3);
  });

  test("is read after the one before it, also when nobody waits for that one any more", async () => {
    const client = await started();
    const abort = new AbortController();
    const first = failure(client.history("a", { signal: abort.signal }));
    await vi.waitFor(() => expect(runtime.methods).toContain("session.history"));
    const second = client.history("b");
    abort.abort();
    expect(await first).toMatchObject({ code: "aborted" });
    expect(runtime.sent.at(-1)?.params).toMatchObject({ session_id: "a" });
    runtime.tell("agent.event", old(0));
    runtime.answer("session.history", { runs: 1, events_sent: 1 });
    await vi.waitFor(() => expect(runtime.sent.at(-1)?.params).toMatchObject({ session_id: "b" }));
    runtime.tell("agent.event", old(7));
    runtime.answer("session.history", { runs: 1, events_sent: 1 });
    expect(await second).toEqual({ runs: 1, events_sent: 1, events: [old(7)] });
  });

  test("that fails gives its turn to the next, and one never sent does not block it", async () => {
    const client = await started();
    const [first, second, third] = [client.history("a"), client.history("b", { timeoutMs: 5 }), client.history("c")];
    const refused = failure(first);
    expect(await failure(second)).toMatchObject({ code: "timeout" });
    runtime.say({ id: runtime.sent.at(-1)?.id, error: { code: -32004, message: "No session a" } });
    expect(await refused).toEqual({ code: -32004, message: "No session a" });
    await vi.waitFor(() => expect(runtime.sent.at(-1)?.params).toMatchObject({ session_id: "c" }));
    runtime.answer("session.history", { runs: 0, events_sent: 0 });
    expect(await third).toEqual({ runs: 0, events_sent: 0, events: [] });
  });
});

describe("asks", () => {
  const ask = (params: object = {}) =>
    runtime.say({
      id: "ask",
      method: "ui.confirm.request",
      params: { run_id: "r1", title: "?", message: "", ...params },
    });
  const replies = () => runtime.sent.filter(({ method }) => method === undefined);

  test.each<[string, () => unknown, object]>([
    ["an answer", () => ({ ok: true, remember: true }), { result: { ok: true, remember: true } }],
    ["a throw", () => Promise.reject(new Error("no")), { error: { code: -32003, message: "The user cancelled" } }],
    ["no answer", () => undefined, { error: { code: -32003, message: "The user cancelled" } }],
    ["no JSON", () => ({ ok: true, reason: 1n }), { error: { code: -32003, message: "The user cancelled" } }],
  ])("are replied to by what the handler gives: %s", async (_, confirm, reply) => {
    await started({ handlers: { confirm: confirm as () => { ok: boolean } } });
    ask();
    await vi.waitFor(() => expect(replies()).toEqual([{ jsonrpc: "2.0", id: "ask", ...reply }]));
  });

  test("that nobody here answers are refused as unknown methods", async () => {
    await started();
    ask();
    expect(replies()).toEqual([
      { jsonrpc: "2.0", id: "ask", error: { code: -32601, message: "This client does not answer ui.confirm.request" } },
    ]);
  });

  test("are put once though they come twice, and are dropped when closed elsewhere", async () => {
    const signals: AbortSignal[] = [];
    const client = await started({
      handlers: {
        confirm: (_, { signal }) => {
          signals.push(signal);
          return new Promise((resolve) => signal.addEventListener("abort", () => resolve({ ok: true })));
        },
      },
    });
    ask();
    ask();
    await vi.waitFor(() => expect(signals).toHaveLength(1));
    status("awaiting_ui");
    expect(signals[0]?.aborted).toBe(false);
    status("running", "answered by somebody else");
    expect(signals[0]?.aborted).toBe(true);
    ask({ run_id: undefined });
    await vi.waitFor(() => expect(signals).toHaveLength(2));
    runtime.end();
    expect(signals[1]?.aborted).toBe(true);
    expect(replies()).toEqual([]);
    await client.close();
  });
});

describe("whatever the runtime says", () => {
  test("a listener that throws is logged and costs nobody else anything", async () => {
    const logged: string[] = [];
    const client = await started({ onLog: (line) => logged.push(line) });
    client.on("event", () => {
      throw new Error("oops");
    });
    const events = heard(client, "event");
    event(0);
    expect([events, logged]).toEqual([[text(0)], ['A listener of "event" threw: Error: oops']]);
  });

  test("any chunking of its bytes gives the same messages", () => {
    const content = fc.string({ unit: fc.constantFrom("\n", "\u2028", "é", "😀", '"', "\\", "a") });
    const said = fc.oneof(
      content.map((value) => encode({ jsonrpc: "2.0", method: "agent.event", params: text(0, value) })),
      fc.constantFrom("\n", "garbage\n", '{"id":"nobody"}\n', "\r\n", '{"jsonrpc":"2.0","method":"x"}\r\n'),
    );
    const sizes = fc.array(fc.integer({ min: 1, max: 30 }), { minLength: 1 });
    fc.assert(
      fc.property(fc.array(said), sizes, (lines, pieces) => {
        const bytes = new TextEncoder().encode(lines.join(""));
        expect(heardOf(bytes, pieces)).toEqual(heardOf(bytes, [bytes.length + 1]));
      }),
      { numRuns: 300 },
    );
  });
});

/** What a client makes of these bytes when they come in pieces of these sizes, over and over. */
function heardOf(bytes: Uint8Array, sizes: number[]) {
  const decoder = new NdjsonDecoder();
  let push = (_: Uint8Array) => {};
  const client = new LinkedUiClient({
    client: program,
    connect: (events) => {
      push = (chunk) => {
        for (const line of decoder.push(chunk)) events.line(line);
      };
      return { write: () => true, pause() {}, resume() {}, close: async () => {} };
    },
  });
  const [events, logs] = [heard(client, "event"), heard(client, "log")];
  client.start().catch(() => {});
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const size = sizes[i % sizes.length] ?? 1;
    push(bytes.slice(at, at + size));
    at += size;
  }
  client.close();
  return { events, logs, strays: client.strays };
}
