import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { bundleUiChild } from "../../testing/bundle-ui-child.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import type { ClientOptions } from "./client-options.ts";
import { type RunUpdate, type SpawnOptions, type StateChange, UiClient, type UiError } from "./index.ts";

// Real processes and real pipes; see src/testing/ui-child.ts for what the prompts do.

const folder = temporaryFolder();
let script = "";
beforeAll(async () => {
  script = await bundleUiChild(folder.path);
});

const clients: UiClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

function clientOf(options: Partial<ClientOptions & SpawnOptions> = {}, ...flags: string[]): UiClient {
  const client = new UiClient({
    command: process.execPath,
    args: [script, ...flags],
    client: { name: "test", version: "1" },
    ...options,
  });
  clients.push(client);
  return client;
}

async function started(options: Partial<ClientOptions & SpawnOptions> = {}, ...flags: string[]): Promise<UiClient> {
  const client = clientOf(options, ...flags);
  await client.start();
  return client;
}

const pidOf = (client: UiClient) => Number(client.server?.server.version);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function all<T>(items: AsyncIterable<T>): Promise<T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

const textOf = (update: RunUpdate | undefined) =>
  update?.type === "event" && "content" in update.event ? update.event.content : undefined;

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    (error: UiError) => ({ code: error.code, message: error.message }),
  );

const ended = (how: string) => `The runtime (${process.execPath}) ended: ${how}`;

describe("a runtime", () => {
  test("is started, told who we are, runs prompts, and is gone after close", async () => {
    const client = await started();
    const pid = pidOf(client);
    expect(client.server).toMatchObject({ protocol_version: "0", server: { name: "child" } });
    const run = await client.startRun({ text: "say 3" });
    expect((await all(run.events)).map(textOf)).toEqual([undefined, "text 0", "text 1", "text 2", "done", undefined]);
    expect([run.sessionId, await run.done]).toEqual(["session-1", { status: "completed", final: "done" }]);
    expect((await client.history("session-1")).events.map(({ seq }) => seq)).toEqual([-1, 0, 1]);
    expect((await all(client.exportHistory())).map(({ content }) => content)).toEqual(["0", "2", "4"]);
    await client.close();
    expect([client.state, isAlive(pid)]).toEqual(["closed", false]);
  });

  test("gets the environment and folder that were asked for", async () => {
    const client = await started({ env: { COLOUR: "green" }, cwd: folder.path });
    const outcome = async (text: string) => (await (await client.startRun({ text })).done).final;
    expect(await outcome("env COLOUR")).toBe("green");
    expect(await outcome("env HOME")).toBe("unset");
  });

  test("answers many at once, each its own", async () => {
    const client = await started();
    const asked = Array.from({ length: 500 }, (_, i) => `${i}`);
    const [echoes, runs] = await Promise.all([
      Promise.all(asked.map((sessionId) => client.todos({ sessionId }))),
      Promise.all(asked.slice(0, 50).map((_, i) => client.startRun({ text: `early say ${i}` }))),
    ]);
    expect(echoes.map(({ echo }) => (echo as { session_id: string }).session_id)).toEqual(asked);
    const lengths = await Promise.all(runs.map(async (run) => (await all(run.events)).length));
    expect(lengths).toEqual(runs.map((_, i) => i + 3));
  });

  test("is cancelled by the handle, and a cancelled run ends without a final text", async () => {
    const client = await started();
    const run = await client.startRun({ text: "quiet" });
    expect(await run.cancel("enough")).toEqual({ ok: true, status: "running" });
    expect(await run.done).toEqual({ status: "cancelled", message: "enough" });
  });

  test.each<[string, ClientOptions["handlers"], object]>([
    ["confirm", { confirm: async () => ({ ok: false, reason: "no" }) }, { result: { ok: false, reason: "no" } }],
    ["prompt", { prompt: ({ message }) => ({ value: message }) }, { result: { value: "Name?" } }],
    ["pick", { pick: ({ items }) => ({ ids: items.map(({ id }) => id) }) }, { result: { ids: ["a"] } }],
    ["pick", {}, { error: { code: -32601, message: "This client does not answer ui.pick.request" } }],
    ["dance", {}, { error: { code: -32601, message: "This client does not answer ui.dance.request" } }],
  ])("that asks by %s is answered", async (text, handlers, reply) => {
    const client = await started({ handlers });
    const run = await client.startRun({ text });
    const said = (await all(run.events)).map(textOf).find((one) => one?.startsWith("{"));
    expect(JSON.parse(said ?? "")).toEqual(reply);
  });

  test("that withdraws an ask aborts its handler", async () => {
    let signal: AbortSignal | undefined;
    const confirm = (_: unknown, context: { signal: AbortSignal }) => {
      signal = context.signal;
      return new Promise<never>(() => {});
    };
    const client = await started({ handlers: { confirm } });
    const run = await client.startRun({ text: "withdrawn" });
    await vi.waitFor(() => expect(signal?.aborted).toBe(false));
    await client.mcp();
    expect([await run.done, signal?.aborted]).toEqual([{ status: "completed", final: "done" }, true]);
  });
});

describe("a slow consumer", () => {
  test("makes the runtime wait, and gets every event in the end", async () => {
    let wrote = 0;
    const client = await started({ onLog: (line) => (wrote = Number(line.replace("wrote ", ""))) });
    const count = 20_000;
    const run = await client.startRun({ text: `flood ${count} 500` });
    const events = run.events[Symbol.asyncIterator]();
    await events.next();
    // It writes until the pipe is full, and is then held: what it has said stays the same over a while.
    let before = -1;
    const isHeld = () => {
      const [last, now] = [before, wrote];
      before = now;
      expect([now > 0, now]).toEqual([true, last]);
    };
    await vi.waitFor(isHeld, { interval: 200, timeout: 10_000 });
    expect(wrote).toBeLessThan(4000);
    const rest: RunUpdate[] = await all({ [Symbol.asyncIterator]: () => events });
    const seqs = rest.flatMap((update) => (update.type === "event" ? update.seq : []));
    expect(seqs).toEqual(Array.from({ length: count + 1 }, (_, seq) => seq));
    await vi.waitFor(() => expect(wrote).toBe(count));
  });

  test("does not keep the runtime from ending", async () => {
    const client = await started({ closeMs: 30_000 });
    const run = await client.startRun({ text: "flood 100000 500" });
    const events = run.events[Symbol.asyncIterator]();
    await events.next();
    await client.close();
    expect(isAlive(pidOf(client))).toBe(false);
    const taken: RunUpdate[] = [];
    const reading = (async () => {
      for await (const update of { [Symbol.asyncIterator]: () => events }) taken.push(update);
    })();
    expect(await failure(reading)).toMatchObject({ code: "overflow" });
    expect(taken.length).toBeLessThan(40_000);
  });

  test("of 100 MB costs no more memory than is allowed for", async () => {
    const client = await started();
    const before = process.memoryUsage().rss;
    const run = await client.startRun({ text: "flood 2000 50000" });
    let most = 0;
    let events = 0;
    for await (const update of run.events) {
      if (update.type === "event") events++;
      await nextTurn();
      most = Math.max(most, process.memoryUsage().rss - before);
    }
    expect(events).toBe(2001);
    expect(most).toBeLessThan(100 * 1024 * 1024);
  });
});

describe("what cannot be used", () => {
  test("is counted, logged, and breaks nothing", async () => {
    const logged: string[] = [];
    const client = await started({ onLog: (line) => logged.push(line) });
    const faults: unknown[] = [];
    client.on("error", ({ code, message }) => faults.push({ code, message }));
    const run = await client.startRun({ text: "garbage" });
    expect(await run.done).toEqual({ status: "completed", final: "done" });
    expect(client.strays).toEqual({
      badLines: 5,
      tooLongLines: 1,
      lateResponses: 0,
      unknownResponses: 2,
      unknownNotifications: 2,
    });
    expect(faults).toEqual([{ code: "overflow", message: "A line is longer than 16777216 bytes, and was dropped" }]);
    expect(logged).toEqual([
      expect.stringMatching(/^The runtime sent a line that cannot be used \(Invalid JSON .*\): not json$/),
      'The runtime sent a line that cannot be used (not a JSON-RPC message): [{"jsonrpc":"2.0"}]',
      'The runtime sent a line that cannot be used (neither a method nor an id): {"id":{}}',
      'The runtime sent a line that cannot be used (not a JSON-RPC message): "text"',
      "A line of 2 bytes is not valid UTF-8",
      "The runtime could not use a message: what was that",
    ]);
    expect(await client.mcp()).toEqual([]);
  });

  test("is half a line at the end; a whole one without its line end is taken", async () => {
    const client = await started({ restart: false });
    const half = await client.startRun({ text: "half" });
    expect((await all(half.events)).map(textOf)).toContain("whole");
    expect(await half.done).toEqual({ status: "error", message: ended("exit code 0"), code: "connection_lost" });
    expect(client.strays.badLines).toBe(1);

    const other = await started({ restart: false });
    const context: unknown[] = [];
    other.on("context", (value) => context.push(value));
    const run = await other.startRun({ text: "unended" });
    expect(await run.done).toEqual({ status: "completed", final: "without a line end" });
    await vi.waitFor(() => expect(context).toEqual([{ run_id: run.runId, context_left_percent: 5 }]));
  });

  test("is reported when events are missing, except what was left out on purpose", async () => {
    const client = await started();
    const gaps: unknown[] = [];
    client.on("gap", (gap) => gaps.push(gap));
    const run = await client.startRun({ text: "gap" });
    await run.done;
    await vi.waitFor(() => expect(gaps).toEqual([{ run_id: run.runId, missing: [4] }]), 5000);
  });
});

describe("a call", () => {
  test("that is not answered times out; a late answer is not taken for another", async () => {
    const client = await started();
    expect(await failure(client.models({ provider: "late", timeoutMs: 50 }))).toEqual({
      code: "timeout",
      message: "model.list was not answered within 50 ms",
    });
    await client.mcp();
    expect(client.strays.lateResponses).toBe(1);
    const abort = new AbortController();
    const never = failure(client.models({ provider: "never", signal: abort.signal }));
    abort.abort();
    expect(await never).toEqual({ code: "aborted", message: "model.list was aborted" });
  });

  test("waits while the runtime does not read, is refused when too many do, and goes out when it reads again", async () => {
    const logged: string[] = [];
    const client = await started({ onLog: (line) => logged.push(line) });
    const deaf = failure(client.skills());
    const large = { cwd: "x".repeat(100_000) };
    const update = () => failure(client.updateContext(large));
    const waiting = Array.from({ length: 100 }, update);
    const more = Array.from({ length: 100 }, update);
    expect(await more.at(-1)).toMatchObject({ code: "overflow" });
    await vi.waitFor(() => expect(logged).toEqual(["deaf"]));
    process.kill(pidOf(client), "SIGUSR2");
    const answered = { code: -32601, message: "No ui.context.update here" };
    expect(await Promise.all(waiting)).toEqual(waiting.map(() => answered));
    await client.close();
    expect(await deaf).toMatchObject({ code: "closed" });
  });
});

describe("a runtime that dies", () => {
  const quick = { delaysMs: [10, 20, 30], random: () => 1 };

  test("is started again, and what was under way is told to be lost", async () => {
    const client = await started({ restart: { ...quick, resume: true } });
    const states: StateChange[] = [];
    client.on("state", (change) => states.push(change));
    const histories: unknown[] = [];
    client.on("history", ({ session_id, events }) => histories.push([session_id, events.length]));
    const run = await client.startRun({ text: "quiet" });
    const waiting = failure(client.models({ provider: "never" }));
    const first = pidOf(client);
    process.kill(first, "SIGKILL");
    const message = ended("signal SIGKILL");
    expect(await run.done).toEqual({ status: "error", message, code: "connection_lost" });
    expect(await waiting).toEqual({ code: "closed", message });
    expect(await client.mcp()).toEqual([]); // waits for the next
    expect(pidOf(client)).not.toBe(first);
    expect(states).toEqual([
      { state: "crashed", error: expect.objectContaining({ message }), restartInMs: 10 },
      { state: "restarting" },
      { state: "running" },
    ]);
    await vi.waitFor(() => expect(histories).toEqual([["session-1", 3]]));
  });

  test("tells its last words first, and what it said on stderr", async () => {
    const client = await started({ restart: false });
    const run = await client.startRun({ text: "die" });
    expect((await all(run.events)).map(textOf)).toContain("my last words");
    expect((await run.done).message).toBe(ended("exit code 7: I am dying"));
    await vi.waitFor(() => expect(client.state).toBe("crashed"));
    expect(await failure(client.mcp())).toEqual({ code: "closed", message: ended("exit code 7: I am dying") });
    await client.start();
    expect(await client.mcp()).toEqual([]);
  });

  test.each<[string, number, (number | undefined)[]]>([
    ["again and again is given up", 60_000, [1, 2, undefined]],
    ["after some time of health begins a new row", 1, [1, 1, 1]],
  ])("%s", async (_, healthyAfterMs, expected) => {
    const client = await started({ restart: { delaysMs: [1, 2], random: () => 1, healthyAfterMs } });
    const delays: (number | undefined)[] = [];
    client.on("state", ({ state, restartInMs }) => state === "crashed" && delays.push(restartInMs));
    for (const [i] of expected.entries()) {
      await (await client.startRun({ text: "die" })).done;
      await vi.waitFor(() => expect(delays).toHaveLength(i + 1));
    }
    expect(delays).toEqual(expected);
  });

  test("at the start is not tried again, and the reason is told", async () => {
    expect(await failure(started({}, "--fail"))).toEqual({
      code: "closed",
      message: ended("exit code 3: cannot start: no luck"),
    });
    expect(await failure(started({ command: "/no/such/command", args: [] }))).toEqual({
      code: "closed",
      message: "The runtime (/no/such/command) ended: it could not be started (spawn /no/such/command ENOENT)",
    });
    expect(await failure(started({}, "--version", "7"))).toEqual({
      code: "protocol",
      message: 'The runtime speaks version "7" of the protocol, and this client "0"',
    });
    expect(await failure(started({ timeouts: { initialize: 50 } }, "--mute"))).toEqual({
      code: "timeout",
      message: "initialize was not answered within 50 ms",
    });
    expect(clients.map(({ state }) => state)).toEqual(["crashed", "crashed", "crashed", "crashed"]);
  });
});

describe("a command that is no runtime", () => {
  const shell = (script: string) => clientOf({ command: "sh", args: ["-c", script] });

  test("and leaves its output to a child of its own is over when it is", async () => {
    const { message } = await failure(shell("sleep 600 & echo $! >&2; exit 3").start());
    const [, sleeper] = /^The runtime \(sh\) ended: exit code 3: (\d+)$/.exec(message) ?? [];
    expect(process.kill(Number(sleeper), "SIGKILL")).toBe(true); // it was still there
  });

  test("and closes its output is ended", async () => {
    expect(await failure(shell("exec 1>&-; exec sleep 600").start())).toEqual({
      code: "closed",
      message: "The runtime (sh) ended: signal SIGTERM",
    });
  });
});

describe("closing", () => {
  test("ends a runtime that does not end by itself, nor for SIGTERM", async () => {
    const client = await started({ closeMs: 50 }, "--stubborn");
    const pid = pidOf(client);
    expect(isAlive(pid)).toBe(true);
    const [first, second] = [client.close(), client.close()];
    await Promise.all([first, second]);
    expect(isAlive(pid)).toBe(false);
  });

  test("while it is being started leaves nothing behind", async () => {
    const client = clientOf({}, "--mute");
    const starting = failure(client.start());
    await client.close();
    expect(await starting).toEqual({ code: "closed", message: "This client was closed" });
    await clientOf().close();
  });

  test("while it is being started does not wait for a runtime that would go on", async () => {
    const client = clientOf({ closeMs: 3_600_000 }, "--mute", "--lingering");
    const starting = failure(client.start());
    await client.close();
    expect(await starting).toMatchObject({ code: "closed" });
  });

  test("leaves no timer, no listener and no process", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const [before, listeners] = [timers(), process.listenerCount("exit")];
    const several = await Promise.all([started(), started(), started()]);
    expect(process.listenerCount("exit")).toBe(listeners + 1);
    const pids = several.map(pidOf);
    await Promise.all(several.map((client) => client.close()));
    expect(timers() - before).toBeLessThan(3); // the test's own come and go
    expect(process.listenerCount("exit")).toBe(listeners);
    expect(pids.map(isAlive)).toEqual([false, false, false]);
  });

  test("during the wait for a restart stops that", async () => {
    const client = await started({ restart: { delaysMs: [60_000] } });
    const crashed = new Promise((resolve) => client.on("state", ({ state }) => state === "crashed" && resolve(state)));
    process.kill(pidOf(client), "SIGKILL");
    await crashed;
    const waiting = failure(client.mcp());
    await client.close();
    expect(await waiting).toEqual({ code: "closed", message: "This client was closed" });
  });
});
