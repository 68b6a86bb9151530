import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { MemoryRuntime } from "../../testing/memory-ui-link.ts";
import { LinkedUiClient } from "./client.ts";
import type { Connect, LinkEvents } from "./link.ts";
import { UiError } from "./ui-error.ts";

let runtime: MemoryRuntime;
beforeEach(() => {
  runtime = new MemoryRuntime();
});
afterEach(() => {
  vi.useRealTimers();
});

async function started(connect: Connect = runtime.connect, onLog?: (line: string) => void): Promise<LinkedUiClient> {
  const client = new LinkedUiClient({ client: { name: "test", version: "1" }, restart: false, onLog, connect });
  await client.start();
  return client;
}

async function startRun(client: LinkedUiClient, runId = "r1") {
  const starting = client.startRun({ text: "go" });
  runtime.answer("run.start", { run_id: runId });
  return starting;
}

const event = (seq: number, run_id = "r1") =>
  runtime.tell("agent.event", { run_id, seq, event: { type: "text", content: "", timestamp: 0 } });
const events = (from: number, to: number) => {
  for (let seq = from; seq < to; seq++) event(seq);
};
const status = (to: string, run_id = "r1") => runtime.tell("run.status", { run_id, status: to });

describe("the runtime", () => {
  test("waits again when the call that made it speak is answered", async () => {
    const client = await started();
    const iterator = (await startRun(client)).events[Symbol.asyncIterator]();
    events(0, 1000);
    const todos = client.todos();
    expect(runtime.paused).toBe(false);
    runtime.answer("todos.list", { todos: [] });
    await todos;
    expect(runtime.paused).toBe(true);
    await iterator.return?.();
    events(1000, 5000); // nobody listens any more
    expect(runtime.paused).toBe(false);
  });

  test("does not wait any more when the client closes", async () => {
    const client = await started((given) => ({ ...runtime.connect(given), close: async () => {} }));
    (await startRun(client)).events[Symbol.asyncIterator]();
    events(0, 1000);
    expect(runtime.paused).toBe(true);
    await client.close();
    expect(runtime.paused).toBe(false);
    events(1000, 40_000);
    expect(runtime.paused).toBe(false);
  });
});

test("what a runtime says that cannot be made to wait is kept to a bound, and then it is told that there was more", async () => {
  const client = await started();
  const iterator = (await startRun(client)).events[Symbol.asyncIterator]();
  events(0, 64_000);
  events(64_000, 64_100);
  let heard = 0;
  const all = async () => {
    while (!(await iterator.next()).done) heard++;
  };
  await expect(all()).rejects.toMatchObject({ code: "overflow" });
  expect(heard).toBe(64_000);
});

test("an iteration that is ended while it waits gives what waits its end", async () => {
  const client = await started();
  const iterator = (await startRun(client)).events[Symbol.asyncIterator]();
  const next = iterator.next();
  await iterator.return?.();
  expect(await next).toEqual({ done: true, value: undefined });
  expect(await iterator.next()).toEqual({ done: true, value: undefined });
});

test("two that iterate by hand get each update once", async () => {
  const client = await started();
  const iterator = (await startRun(client)).events[Symbol.asyncIterator]();
  const both = [iterator.next(), iterator.next()];
  status("running");
  status("completed");
  expect((await Promise.all(both)).map(({ value }) => value)).toEqual([
    { type: "status", run_id: "r1", status: "running" },
    { type: "status", run_id: "r1", status: "completed" },
  ]);
});

describe("before it is known which run was started", () => {
  test("what 16 runs say is kept, and forgotten when nobody starts one any more", async () => {
    const client = await started();
    const starting = client.startRun({ text: "go" });
    for (let n = 1; n <= 17; n++) status("running", `r${n}`);
    runtime.answer("run.start", { run_id: "r16" });
    const run = await starting;
    const others = [await startRun(client, "r1"), await startRun(client, "r17")];
    for (const id of ["r1", "r16", "r17"]) status("completed", id);
    const statuses = async ({ events: updates }: typeof run) => {
      const found: string[] = [];
      for await (const update of updates) if (update.type === "status") found.push(update.status);
      return found;
    };
    expect(await Promise.all([run, ...others].map(statuses))).toEqual([
      ["running", "completed"],
      ["completed"],
      ["completed"],
    ]);
  });

  test("the 17th is not kept, so that the memory is bounded", async () => {
    const client = await started();
    const starting = client.startRun({ text: "go" });
    for (let n = 1; n <= 17; n++) status("running", `r${n}`);
    runtime.answer("run.start", { run_id: "r17" });
    const iterator = (await starting).events[Symbol.asyncIterator]();
    status("completed", "r17");
    expect((await iterator.next()).value).toMatchObject({ status: "completed" });
  });

  test("nothing is kept where none is being started", async () => {
    const client = await started();
    status("running");
    const iterator = (await startRun(client)).events[Symbol.asyncIterator]();
    status("completed");
    expect((await iterator.next()).value).toMatchObject({ status: "completed" });
  });

  test("a run that ended then is not lost with the runtime", async () => {
    const client = await started();
    const statuses: unknown[] = [];
    client.on("status", ({ status: to, code }) => statuses.push([to, code]));
    const starting = client.startRun({ text: "go" });
    status("completed");
    runtime.answer("run.start", { run_id: "r1" });
    const run = await starting;
    runtime.end();
    expect(await run.done).toEqual({ status: "completed" });
    expect(statuses).toEqual([["completed", undefined]]);
  });
});

describe("numbers that are missing", () => {
  test("are told when the runtime ends, and nothing waits any more", async () => {
    const client = await started();
    const gaps: unknown[] = [];
    client.on("gap", (gap) => gaps.push(gap));
    await startRun(client);
    vi.useFakeTimers();
    event(2);
    runtime.end();
    expect([gaps, vi.getTimerCount()]).toEqual([[{ run_id: "r1", missing: [0, 1] }], 0]);
  });

  test("are not told while it is we who do not read, nor when they were named beforehand", async () => {
    const client = await started();
    const gaps: unknown[] = [];
    client.on("gap", (gap) => gaps.push(gap));
    const iterator = (await startRun(client)).events[Symbol.asyncIterator]();
    vi.useFakeTimers();
    event(0);
    runtime.tell("run.lost", { lost: [{ run_id: "r1", seqs: [1, 2] }] });
    events(3, 1000);
    await vi.advanceTimersByTimeAsync(5000);
    expect(gaps).toEqual([]);
    event(1001);
    expect(runtime.paused).toBe(true);
    await vi.advanceTimersByTimeAsync(5000);
    expect(gaps).toEqual([]);
    await iterator.return?.();
    await vi.advanceTimersByTimeAsync(5000);
    expect(gaps).toEqual([{ run_id: "r1", missing: [1000] }]);
  });

  test("of a session's log, which were pruned, are told apart from those", async () => {
    const client = await started();
    const [gaps, pruned]: unknown[][] = [[], []];
    client.on("gap", (gap) => gaps?.push(gap));
    client.on("pruned", (gap) => pruned?.push(gap));
    const gap = { session_id: "s", from_seq: 1, to_seq: 40 };
    runtime.tell("session.gap", gap);
    runtime.tell("session.gap", { session_id: "s" });
    expect([gaps, pruned]).toEqual([[], [gap]]);
  });

  test("are waited for up to 10 000, and told at once beyond", async () => {
    const client = await started();
    const missing: number[][] = [];
    client.on("gap", (gap) => missing.push(gap.missing));
    await startRun(client);
    event(1_000_000_000);
    expect(missing).toEqual([Array.from({ length: 10_000 }, (_, seq) => seq)]);
  });
});

describe("listeners", () => {
  test("are told of what comes after they came and before they went", async () => {
    const client = await started();
    const heard: string[] = [];
    const off = client.on("status", () => {
      heard.push("first");
      off();
      client.on("status", () => heard.push("late"));
    });
    client.on("status", () => heard.push("second"));
    status("running");
    expect(heard).toEqual(["first", "second"]);
    status("completed");
    expect(heard).toEqual(["first", "second", "second", "late"]);
  });

  test("of the log that throw are not told of that by the log", async () => {
    let calls = 0;
    const client = await started(runtime.connect, () => {
      calls++;
      throw new Error("no more paper");
    });
    runtime.say({ id: {} });
    expect([calls, client.strays.badLines]).toEqual([1, 1]);
  });
});

test("a link that ends twice ends once, and of a line that cannot be used the beginning is logged", async () => {
  let link: LinkEvents | undefined;
  const [states, logged]: [unknown[], string[]] = [[], []];
  const client = await started(
    (given) => {
      link = given;
      return runtime.connect(given);
    },
    (line) => logged.push(line),
  );
  client.on("state", ({ state, error }) => states.push([state, error?.message]));
  link?.line("x".repeat(100_000));
  expect(logged[0]?.length).toBeLessThan(400);
  const run = await startRun(client);
  for (const reason of ["first", "second"]) link?.closed(new UiError("closed", reason));
  expect(await run.done).toMatchObject({ message: "first" });
  await vi.waitFor(() => expect(states).toEqual([["crashed", "first"]]));
});
