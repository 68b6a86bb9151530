import { describe, expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import { answered, make, memoryHosts, outcome, requestMethods, spec } from "../../testing/studio-host-world.ts";
import type { HostRequestOptions } from "./index.ts";

// Times are those of a clock in the test's hands, in seconds from when the host was made.

const { running } = memoryHosts();

describe("a request that is never answered", () => {
  test.each([
    ["generate", [0, 60], [60, 120], 120],
    ["customize", [0, 30], [30, 60], 60],
    ["chat", [0, 18, 39], [15, 33, 54], 54],
    ["session/list", [0], [30], 30],
  ])("%s is made at %j, cancelled at %j and given up at %d", async (method, made, cancelled, end) => {
    const { host, pass, times, clock } = await running();
    const it = outcome(make(method, host));
    for (let second = 0; second < end; second++) {
      expect(it).toEqual({});
      await pass(1);
    }
    expect([times(method), times("cancel"), clock.pending]).toEqual([made, cancelled, 0]);
    const each = `${method} was not answered within ${cancelled[0]} s`;
    const all = `${method} failed ${made.length} times in ${end} s, the last time so: ${each}`;
    expect(it.is).toBe(`timeout: ${made.length === 1 ? each : all}`);
  });

  test("is cancelled by its number before it is made again", async () => {
    const { host, pass, runtimes } = await running();
    void host.generate(spec).catch(() => {});
    await settle(3);
    await pass(60);
    expect(runtimes.last.sent.slice(1).map(({ method, id, params }) => [method, id, params.requestId])).toEqual([
      ["generate", 2, undefined],
      ["cancel", undefined, 2],
      ["generate", 3, undefined],
    ]);
  });

  test("has other times where the host says so", async () => {
    const { host, pass, times } = await running({ table: { chat: { timeoutMs: 300_000, waitsMs: [] } } });
    const it = outcome(host.chat("hi"));
    await settle(3);
    await pass(299.999);
    expect(it).toEqual({});
    await pass(0.001);
    expect([times("chat"), it.is]).toEqual([[0], "timeout: chat was not answered within 300 s"]);
  });
});

describe("an answer", () => {
  test("counts in the last moment, and too late it does not", async () => {
    const { host, runtimes, pass } = await running();
    const first = outcome(host.chat("one"));
    await settle(3);
    await pass(14.999);
    runtimes.last.answer(2, answered);
    await settle(3);
    expect(first.is).toEqual(answered);
    const second = outcome(host.chat("two"));
    await settle(3);
    await pass(15);
    runtimes.last.answer(3, { message: "late", suggestions: [] });
    await pass(3);
    expect(second).toEqual({});
    runtimes.last.answer(3, { message: "late", suggestions: [] });
    runtimes.last.answer(4, answered);
    await settle(3);
    expect(second.is).toEqual(answered);
  });

  test.each([-32700, -32600, -32601, -32602, -32603, -32000, -32001, -32002, -32003, -32800])(
    "that is the error %d is final",
    async (number) => {
      const { host, runtimes, pass } = await running();
      const made = requestMethods.map((method) => outcome(make(method, host)));
      await settle(3);
      for (const { id } of runtimes.last.sent.slice(1)) runtimes.last.refuse(id, number, "so it is");
      await pass(100);
      expect([made.map(({ is }) => is), runtimes.last.sent.length]).toEqual([Array(4).fill(`${number}: so it is`), 5]);
    },
  );

  test("that there were too many is waited out where the document has a backoff, and final elsewhere", async () => {
    const { host, runtimes, pass, times } = await running();
    const made = ["generate", "customize", "chat"].map((method) => outcome(make(method, host)));
    await settle(3);
    const refuseAll = async (seconds: number) => {
      for (const { id } of runtimes.last.sent.slice(1)) runtimes.last.refuse(id, -32004, "slowly");
      await settle(3);
      await pass(seconds);
    };
    await refuseAll(3);
    await refuseAll(6);
    expect([times("generate"), times("customize"), times("chat"), times("cancel"), made[2]]).toEqual([
      [0],
      [0],
      [0, 3, 9],
      [],
      {},
    ]);
    await refuseAll(0);
    expect(made.map(({ is }) => is)).toEqual(Array(3).fill("-32004: slowly"));
  });
});

describe("the pieces of an answer", () => {
  test("are thrown away with the try that they are of, and never mixed", async () => {
    const { host, runtimes, pass } = await running();
    const told: unknown[] = [];
    const options: HostRequestOptions = {
      onChunk: (chunk) => told.push(chunk),
      onRetry: ({ error, ...retry }) => told.push({ ...retry, code: error.code }),
      onRequestId: (id) => told.push(id),
    };
    const it = host.generate(spec, options);
    await settle(3);
    runtimes.last.chunk(2, 0, "a");
    await pass(60);
    runtimes.last.chunk(2, 1, "b");
    runtimes.last.chunk(3, 0, "A");
    runtimes.last.answer(2, { code: "ab" });
    runtimes.last.answer(3, { code: "A" });
    expect(await it).toEqual({ code: "A" });
    expect(told).toEqual([2, "a", { method: "generate", tries: 1, of: 2, inMs: 0, code: "timeout" }, 3, "A"]);
  });

  test("that have a gap fail the try, which is cancelled and made again", async () => {
    const { host, runtimes, pass, times } = await running();
    const it = outcome(host.chat("hi"));
    await settle(3);
    for (const [try_, wait] of [3, 6, 0].entries()) {
      runtimes.last.chunk(2 + try_, 0, "a");
      runtimes.last.chunk(2 + try_, 2, "c");
      await settle(3);
      await pass(wait);
    }
    expect([times("chat"), times("cancel")]).toEqual([
      [0, 3, 9],
      [0, 3, 9],
    ]);
    expect(it.is).toBe("protocol: chat failed 3 times in 9 s, the last time so: Chunk 1 is missing: 2 came instead");
  });
});

describe("a runtime that crashes under a request", () => {
  test("costs it a try, and the next one is asked again", async () => {
    const { host, runtimes, crash, times } = await running();
    const retries: unknown[] = [];
    const it = host.generate(spec, { onRetry: ({ error }) => retries.push(error.message) });
    await settle(3);
    await crash(5);
    expect([times("generate"), retries]).toEqual([[0, 5], ["The runtime ended: exit code 1"]]);
    runtimes.last.answer(2, { code: "x" });
    expect(await it).toEqual({ code: "x" });
  });

  test("is asked no more often than the table has it", async () => {
    const { host, crash, times } = await running();
    const made = ["generate", "customize", "chat", "session/list"].map((method) => outcome(make(method, host)));
    await settle(3);
    for (const seconds of [5, 10, 30]) await crash(seconds);
    expect([times("generate"), times("customize"), times("chat"), times("session/list")]).toEqual([
      [0, 5],
      [0, 5],
      [0, 5, 15],
      [0],
    ]);
    expect(made.map(({ is }) => is)).toEqual([
      "closed: generate failed 2 times in 5 s, the last time so: The runtime ended: exit code 1",
      "closed: customize failed 2 times in 5 s, the last time so: The runtime ended: exit code 1",
      "closed: chat failed 3 times in 15 s, the last time so: The runtime ended: exit code 1",
      "closed: The runtime ended: exit code 1",
    ]);
  });

  test("and is not started again ends it at once, whatever it waits for", async () => {
    const { host, crash, pass, clock } = await running();
    for (const seconds of [5, 10, 30, 30, 30]) await crash(seconds);
    const made = [outcome(host.chat("waits for its retry"))];
    await pass(15);
    made.push(outcome(host.chat("under way")), outcome(host.sessions()));
    await crash(0);
    expect(host.state).toBe("crashed");
    const words = "closed: The runtime ended: exit code 1, and 5 restarts were in vain. start() tries again.";
    expect([made.map(({ is }) => is), clock.pending]).toEqual([Array(3).fill(words), 0]);
  });

  test("leaves a run that the next one is told to cancel, since it would go on with it", async () => {
    const { host, runtimes, crash } = await running();
    void host.chat("hi").catch(() => {});
    await settle(3);
    runtimes.last.tell("progress", { requestId: 2, runId: "r", sessionId: "s", kind: "queued", message: "" });
    await crash(5);
    expect(runtimes.last.sent.slice(1)).toMatchObject([
      { method: "cancel", params: { runId: "r", sessionId: "s" } },
      { method: "chat", params: { message: "hi", context: { sessionId: "s" } } },
    ]);
  });
});
