import { getEventListeners, setMaxListeners } from "node:events";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryRuntime } from "../../testing/memory-ui-link.ts";
import { settle } from "../../testing/scripted.ts";
import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { Connect, LinkEvents } from "./link.ts";
import { UiError } from "./ui-error.ts";

const program = { name: "test", version: "1" };
let runtime: MemoryRuntime;
beforeEach(() => {
  runtime = new MemoryRuntime();
});
afterEach(() => {
  vi.useRealTimers();
});

async function started(options: Partial<ClientOptions & { connect: Connect }> = {}): Promise<LinkedUiClient> {
  const client = new LinkedUiClient({ client: program, restart: false, connect: runtime.connect, ...options });
  await client.start();
  return client;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    (error: UiError) => ({ code: error.code, message: error.message }),
  );

describe("a call", () => {
  test("may be answered before its write returns, as by a runtime in the same process", async () => {
    const connect: Connect = (events) => ({
      write: (text) => {
        const { id, method } = JSON.parse(text);
        const result = method === "initialize" ? { protocol_version: "0" } : { todos: [] };
        events.line(JSON.stringify({ id, result }));
        return true;
      },
      pause() {},
      resume() {},
      close: async () => events.closed(new UiError("closed", "closed")),
    });
    const client = await started({ connect });
    expect(await client.todos()).toEqual({ todos: [] });
    await client.close();
  });

  test("leaves no timer and no listener behind, whether it is answered, refused, aborted or lost", async () => {
    const client = await started();
    vi.useFakeTimers();
    const { signal } = new AbortController();
    const abort = new AbortController();
    const calls = [client.models({ signal }), client.todos({ signal }), client.mcp({ signal: abort.signal })];
    const lost = client.skills({ signal });
    runtime.answer("model.list", { provider: "p", models: [] });
    runtime.say({
      id: runtime.sent.find(({ method }) => method === "todos.list")?.id,
      error: { code: 1, message: "" },
    });
    abort.abort();
    await Promise.allSettled(calls);
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    runtime.end();
    await lost.catch(() => {});
    expect([signal, abort.signal].map((one) => getEventListeners(one, "abort").length)).toEqual([0, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("waits as long as it is told to, also for ever; a default is for the methods without a time of their own", async () => {
    const client = await started({ timeouts: { default: 5 } });
    vi.useFakeTimers();
    const patient = [client.todos({ timeoutMs: 2 ** 40 }), client.todos({ timeoutMs: Number.POSITIVE_INFINITY })];
    const run = failure(client.startRun({ text: "x" }));
    const impatient = failure(client.mcp());
    await vi.advanceTimersByTimeAsync(59_999);
    expect(await impatient).toMatchObject({ message: "mcp.list was not answered within 5 ms" });
    await vi.advanceTimersByTimeAsync(1);
    expect(await run).toMatchObject({ message: "run.start was not answered within 60000 ms" });
    for (const { id, method } of runtime.sent) if (method === "todos.list") runtime.say({ id, result: { todos: [] } });
    expect(await Promise.all(patient)).toEqual([{ todos: [] }, { todos: [] }]);
  });

  test("that was given up is known by its answer once, and the last thousand of them are", async () => {
    const client = await started();
    const abort = new AbortController();
    setMaxListeners(0, abort.signal);
    const given = Array.from({ length: 1001 }, () => failure(client.todos({ signal: abort.signal })));
    abort.abort();
    await Promise.all(given);
    const ids = runtime.sent.slice(1).map(({ id }) => id);
    for (const id of [ids[1], ids[1], ids[0], ids[1000]]) runtime.say({ id, result: {} });
    expect(client.strays).toMatchObject({ lateResponses: 2, unknownResponses: 2 });
  });

  test("made by whoever is told of the runtime's end waits for the next one, or is told that there is none", async () => {
    const client = await started({ restart: { delaysMs: [0] } });
    const starting = client.startRun({ text: "go" });
    runtime.answer("run.start", { run_id: "r1" });
    await starting;
    const calls: Promise<unknown>[] = [];
    client.on("status", () => {
      client.notifyContext({ cwd: "/w" });
      calls.push(client.start(), client.todos());
    });
    runtime.end("it tripped");
    await vi.waitFor(() => expect(runtime.methods.slice(2)).toEqual(["initialize", "todos.list"]));
    runtime.answer("todos.list", { todos: [] });
    expect(await Promise.all(calls)).toEqual([undefined, { todos: [] }]);
    runtime.end("it tripped again");
    expect(await failure(client.todos())).toEqual({ code: "closed", message: "it tripped again" });
    expect(runtime.methods).toHaveLength(4);
  });

  test("that never left costs no room, starts nothing and cancels nothing", async () => {
    const client = await started();
    runtime.hasRoom = false;
    const first = failure(client.todos());
    const large = "x".repeat(9 * 1024 * 1024);
    for (let i = 0; i < 3; i++) {
      const abort = new AbortController();
      const run = failure(client.startRun({ text: large, signal: abort.signal }));
      abort.abort();
      expect(await run).toEqual({ code: "aborted", message: "run.start was aborted" });
    }
    runtime.drain();
    expect(runtime.methods).toEqual(["initialize", "todos.list"]);
    runtime.end();
    await first;
  });

  test("that left gives its room back", async () => {
    const client = await started();
    const large = { cwd: "x".repeat(9 * 1024 * 1024) };
    for (let i = 0; i < 3; i++) {
      runtime.hasRoom = false;
      const calls = [client.updateContext(large), client.updateContext(large)];
      runtime.drain();
      for (const { id } of runtime.sent) runtime.say({ id, result: {} });
      await Promise.all(calls);
    }
  });

  test("waits until the pipe has room for it, and no longer", async () => {
    let events: LinkEvents | undefined;
    const written: string[] = [];
    const connect: Connect = (given) => {
      events = given;
      const link = runtime.connect(given);
      const write = (text: string) => {
        link.write(text);
        written.push(JSON.parse(text).method);
        return written.length % 3 !== 0; // full after every third
      };
      return { ...link, write };
    };
    const client = await started({ connect });
    for (let i = 0; i < 6; i++) client.todos().catch(() => {});
    expect(written).toHaveLength(3);
    events?.drain();
    expect(written).toHaveLength(6);
    events?.drain();
    expect(written).toHaveLength(7);
    await client.close();
  });
});

test("a context that nobody waits for is dropped when there is no room, and that is told", async () => {
  const client = await started();
  const faults: unknown[] = [];
  client.on("error", ({ code }) => faults.push(code));
  runtime.hasRoom = false;
  for (let i = 0; i < 1002; i++) client.notifyContext({ cwd: `${i}` });
  expect(faults).toEqual(["overflow"]);
  runtime.drain();
  expect(runtime.sent.slice(1).map(({ params }) => params?.cwd)).toEqual(
    Array.from({ length: 1001 }, (_, i) => `${i}`),
  );
  expect(() => client.notifyContext({ extensions: { big: 1n } })).toThrow("Not a JSON value");
});

test("the answer to run.start must name the run; the session may be the one that was asked for", async () => {
  const client = await started();
  const bad = failure(client.startRun({ text: "x" }));
  runtime.answer("run.start", { session_id: "s" });
  expect(await bad).toEqual({ code: "protocol", message: "The answer to run.start names no run" });
  const good = client.startRun({ text: "x", sessionId: "mine" });
  runtime.answer("run.start", { run_id: "r" });
  expect((await good).sessionId).toBe("mine");
});

test("a runtime that does not say which version it speaks is not spoken to, and handlers decide what is announced", async () => {
  runtime.greets = false;
  const client = new LinkedUiClient({
    client: program,
    connect: runtime.connect,
    capabilities: { supports_confirm: true },
  });
  const starting = failure(client.start());
  expect(runtime.sent[0]?.params?.ui_capabilities).toEqual({
    supports_confirm: false,
    supports_prompt: false,
    supports_pick: false,
  });
  runtime.answer("initialize", {});
  expect(await starting).toEqual({
    code: "protocol",
    message: 'The runtime speaks no version of the protocol, and this client "0"',
  });
});

describe("a history", () => {
  test("that never left, or whose runtime ended, does not block the next", async () => {
    const client = await started({ restart: { delaysMs: [0] } });
    runtime.hasRoom = false;
    client.todos().catch(() => {});
    const abort = new AbortController();
    const first = failure(client.history("a", { signal: abort.signal }));
    await settle();
    abort.abort();
    await first;
    runtime.drain();
    const again = new AbortController();
    const second = failure(client.history("b", { signal: again.signal }));
    await vi.waitFor(() => expect(runtime.sent.at(-1)?.params).toMatchObject({ session_id: "b" }));
    again.abort();
    await second;
    runtime.end();
    const third = client.history("c");
    await vi.waitFor(() => expect(runtime.sent.at(-1)?.params).toMatchObject({ session_id: "c" }));
    runtime.answer("session.history", { runs: 0, events_sent: 0 });
    expect(await third).toEqual({ runs: 0, events_sent: 0, events: [] });
    await client.close();
  });

  test("has no more events than were asked for, whatever comes", async () => {
    const client = await started();
    const reading = client.history("s", { maxRuns: 1, maxEvents: 2 });
    await vi.waitFor(() => expect(runtime.methods).toContain("session.history"));
    for (let seq = -1; seq < 9; seq++) runtime.tell("agent.event", { run_id: "r", seq, event: { type: "text" } });
    runtime.answer("session.history", { runs: 1, events_sent: 10 });
    expect((await reading).events.map(({ seq }) => seq)).toEqual([-1, 0, 1]);
  });

  test.each<[string, boolean, string[]]>([
    ["of a session whose run was cut off is read again once, where that is wanted", true, ["s1"]],
    ["is not read again where it is not", false, []],
  ])("%s", async (_, resume, expected) => {
    const client = await started({ restart: { delaysMs: [0, 0], resume } });
    const read: string[] = [];
    client.on("history", ({ session_id }) => read.push(session_id));
    const starting = [1, 2].map(async (n) => {
      const run = client.startRun({ text: "go" });
      runtime.answer("run.start", { run_id: `r${n}`, session_id: "s1" });
      return run;
    });
    await Promise.all(starting);
    for (let opened = 2; opened <= 3; opened++) {
      runtime.end();
      await vi.waitFor(() => expect([runtime.opened, client.state]).toEqual([opened, "running"]));
      await settle();
      if (resume && opened === 2) runtime.answer("session.history", { runs: 1, events_sent: 0 });
      await settle();
    }
    expect(read).toEqual(expected);
    expect(runtime.methods.filter((method) => method === "session.history")).toHaveLength(expected.length);
    await client.close();
  });
});
