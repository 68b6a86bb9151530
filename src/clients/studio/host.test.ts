import { describe, expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import { answered, failure, memoryHosts, outcome, spec } from "../../testing/studio-host-world.ts";

// Times are those of a clock in the test's hands, in seconds from when the host was made.

const { held, running } = memoryHosts();

describe("requests", () => {
  test("that are made while there is no runtime wait for it, in their order, and their time begins with it", async () => {
    const { host, runtimes, crash, pass, times } = held();
    runtimes.greet = false;
    void host.start();
    const early = [host.chat("1"), host.generate(spec), host.chat("2")].map(outcome);
    await settle(3);
    await pass(9);
    runtimes.last.answer(1, { serverName: "slow", serverVersion: "1" });
    await settle(3);
    expect(runtimes.last.sent.slice(1).map(({ method, at }) => [method, at])).toEqual([
      ["chat", 9000],
      ["generate", 9000],
      ["chat", 9000],
    ]);
    for (const id of [2, 3, 4]) runtimes.last.answer(id, answered);
    runtimes.greet = true;
    await crash(0);
    const later = outcome(host.chat("3"));
    await pass(5);
    expect([times("chat").at(-1), early.map(({ is }) => is)]).toEqual([14, Array(3).fill(answered)]);
    runtimes.last.answer(2, answered);
    await settle(3);
    expect(later.is).toEqual(answered);
  });

  test("may be a hundred, those that wait included; the next is refused at once", async () => {
    const { host, runtimes, crash, pass } = await running();
    const first = Array.from({ length: 60 }, () => outcome(host.chat("under way")));
    await settle(3);
    await crash(0);
    const more = Array.from({ length: 40 }, () => outcome(host.chat("waiting")));
    expect(await failure(host.chat("one more"))).toMatchObject({ code: -32004 });
    await pass(5);
    expect(runtimes.last.calls("chat")).toHaveLength(100);
    for (const { id } of runtimes.last.calls("chat")) runtimes.last.answer(id, answered);
    await settle(3);
    expect([...first, ...more].every(({ is }) => is === undefined)).toBe(false);
    expect(outcome(host.chat("again"))).toEqual({});
  });

  test("are refused at once when it is stopped, and say what to do", async () => {
    const { host } = held();
    const refusal = { code: "closed", message: "The host is stopped. start() starts its runtime." };
    expect(await failure(host.chat("hi"))).toMatchObject(refusal);
    await host.start();
    await host.stop();
    expect(await failure(host.chat("hi"))).toMatchObject(refusal);
  });

  test("are given up by stop(), wherever they are, and their runs are cancelled before the exit", async () => {
    const { host, runtimes, crash, pass, clock } = await running();
    const waits = [outcome(host.chat("waits for its retry"))];
    await settle(3);
    await pass(15);
    waits.push(outcome(host.chat("under way")));
    await settle(3);
    await host.stop();
    expect(runtimes.last.sent.slice(1).map(({ method }) => method)).toEqual([
      "chat",
      "cancel",
      "chat",
      "cancel",
      "exit",
    ]);
    await host.start();
    await crash(0);
    waits.push(outcome(host.chat("waits for the runtime")));
    await settle(3);
    await host.stop();
    await settle(3);
    expect(waits.map(({ is }) => is)).toEqual(Array(3).fill("closed: The host was stopped before there was an answer"));
    expect(clock.pending).toBe(0);
  });

  test("are given up by their signal, wherever they are", async () => {
    const { host, runtimes, crash, pass, clock } = await running();
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const made = [outcome(host.chat("waits for its retry", { signal }))];
    await settle(3);
    await pass(15);
    made.push(outcome(host.chat("under way", { signal })));
    await settle(3);
    giveUp.abort();
    await settle(3);
    made.push(outcome(host.chat("too late", { signal })));
    await crash(0);
    const other = new AbortController();
    made.push(outcome(host.chat("waits for the runtime", { signal: other.signal })));
    other.abort();
    await settle(3);
    expect(made.map(({ is }) => is)).toEqual(Array(4).fill("aborted: chat was given up"));
    expect([runtimes.last.sent.map(({ method }) => method), clock.pending]).toEqual([
      ["initialize", "chat", "cancel", "chat", "cancel"],
      1, // the restart
    ]);
  });

  test("have as long as they need while the user is asked", async () => {
    const { host, runtimes, pass, times } = await running();
    const it = outcome(host.chat("hi"));
    await settle(3);
    const tell = (kind: string, askId: string, requestId = 2) =>
      runtimes.last.tell(`ask/${kind}`, { askId, requestId, runId: "r", sessionId: "s" });
    await pass(5);
    tell("opened", "a");
    await pass(100);
    tell("opened", "b");
    tell("opened", "of another", 7);
    tell("closed", "a");
    await pass(100);
    tell("closed", "b");
    tell("closed", "b");
    await pass(9.999);
    expect([it, times("cancel")]).toEqual([{}, []]);
    await pass(0.001);
    expect(times("cancel")).toEqual([215]);
  });

  test("are written no further while the pipe is full, and what is given up before it is written never is", async () => {
    const { host, runtimes, pass } = await running();
    runtimes.last.fill();
    const made = ["1", "2", "3"].map((text) => outcome(host.chat(text)));
    const giveUp = new AbortController();
    made.push(outcome(host.chat("4", { signal: giveUp.signal })));
    await settle(3);
    giveUp.abort();
    await settle(3);
    const written = () => runtimes.last.sent.slice(1).map(({ method, params }) => params.message ?? method);
    expect([written(), made[3]?.is]).toEqual([["1"], "aborted: chat was given up"]);
    runtimes.last.drain();
    expect(written()).toEqual(["1", "2", "3"]);
    runtimes.last.fill();
    void host.chat("5").catch(() => {});
    void host.chat("6").catch(() => {});
    await settle(3);
    await pass(15);
    runtimes.last.drain();
    expect(written()).toEqual(["1", "2", "3", "5", "cancel", "cancel", "cancel", "cancel"]);
    await pass(3);
    expect(written().slice(8).sort()).toEqual(["1", "2", "3", "5", "6"]);
  });
});

describe("the session of a tab", () => {
  test("is gone on with by the next runtime", async () => {
    const { host, runtimes, crash } = await running();
    const chat = async (message: string, context?: Record<string, string>) => {
      const it = host.chat(message, { context });
      await settle(3);
      const { id, params } = runtimes.last.calls("chat").at(-1) ?? {};
      const sessionId = (params?.context?.sessionId as string | undefined) ?? `of ${context?.tabId ?? "none"}`;
      runtimes.last.tell("run/started", { requestId: id, runId: `run ${id}`, sessionId, prompt: message });
      runtimes.last.answer(id, answered);
      await it;
      return params?.context;
    };
    expect(await chat("a", { tabId: "1" })).toEqual({ tabId: "1" });
    expect(await chat("b")).toBeUndefined();
    expect(await chat("c", { sessionId: "for once" })).toEqual({ sessionId: "for once" });
    await crash(5);
    expect(await chat("d", { tabId: "1", model: "m" })).toEqual({ tabId: "1", model: "m", sessionId: "of 1" });
    expect(await chat("e", { tabId: "2" })).toEqual({ tabId: "2" });
    expect(await chat("f")).toEqual({ sessionId: "of none" });
    expect(await chat("g", { tabId: "2", sessionId: "x" })).toEqual({ tabId: "2", sessionId: "x" });
    expect(await chat("h", { tabId: "2" })).toEqual({ tabId: "2", sessionId: "x" });
    void host.updateSession({ tabId: "1", title: "t" }).catch(() => {});
    await settle(3);
    expect(runtimes.last.sent.at(-1)?.params).toEqual({ tabId: "1", title: "t", sessionId: "of 1" });
    const revert = { version: 1, context: { tabId: "2" } };
    void host.call("version/revert", revert).catch(() => {});
    await settle(3);
    expect(runtimes.last.sent.at(-1)?.params).toEqual({ ...revert, sessionId: "x" });
  });

  test.each([-32005, -32006])("that is gone (%d) is replaced by a new one", async (number) => {
    const { host, runtimes } = await running();
    const first = host.chat("a", { context: { tabId: "1" } });
    await settle(3);
    runtimes.last.tell("run/started", { requestId: 2, runId: "r", sessionId: "s", prompt: "a" });
    runtimes.last.answer(2, answered);
    await first;
    const second = host.chat("b", { context: { tabId: "1" } });
    await settle(3);
    runtimes.last.refuse(3, number);
    await settle(3);
    runtimes.last.answer(4, answered);
    expect(await second).toEqual(answered);
    expect(runtimes.last.calls("chat").map(({ params }) => params.context)).toEqual([
      { tabId: "1" },
      { tabId: "1", sessionId: "s" },
      { tabId: "1" },
    ]);
    const third = failure(host.chat("c", { context: { sessionId: "mine" } }));
    await settle(3);
    runtimes.last.refuse(5, number);
    expect(await third).toMatchObject({ code: number });
  });
});

describe("what a debug console shows", () => {
  test("is what the runtime says beside the protocol, and what happens to it and to requests", async () => {
    const { host, runtimes, crash, pass } = held();
    const heard: string[] = [];
    host.on("log", ({ text }) => heard.push(text));
    host.on("state", () => {
      throw new Error("mine");
    });
    await host.start();
    runtimes.last.log("\u001b[31mred\u001b[0m\u0007 alert");
    runtimes.last.say({ method: "progress" });
    void host.chat("hi", { onRetry: () => expect.fail("his") }).catch(() => {});
    await settle(3);
    await pass(15);
    await crash(0);
    expect(host.log.map(({ at, from, text }) => [at / 1000, from, text])).toEqual([
      [0, "host", "starting: start() was called"],
      [0, "host", "a listener of state failed: Error: mine"],
      [0, "host", "running: memory 1 is there"],
      [0, "host", "a listener of state failed: Error: mine"],
      [0, "runtime", "red alert"],
      [0, "host", "A message could not be used: progress without params"],
      [15, "host", "chat was not answered within 15 s; try 2 of 3 in 3 s"],
      [15, "host", expect.stringContaining("a listener failed: AssertionError: his")],
      [15, "host", "crashed: The runtime ended: exit code 1"],
      [15, "host", "a listener of state failed: Error: mine"],
      [15, "host", "restarting: restart 1 of 5 in 5 s"],
      [15, "host", "a listener of state failed: Error: mine"],
    ]);
    expect(heard).toEqual(host.log.map(({ text }) => text));
  });
});

test("listeners hear of every notification, of whichever runtime", async () => {
  const { host, runtimes, crash } = await running();
  const told: unknown[] = [];
  const stop = host.on("run/started", ({ sessionId }) => told.push(sessionId));
  runtimes.last.tell("run/started", { runId: "r", sessionId: "1", prompt: "" });
  await crash(5);
  runtimes.last.tell("run/started", { runId: "r", sessionId: "2", prompt: "" });
  stop();
  runtimes.last.tell("run/started", { runId: "r", sessionId: "3", prompt: "" });
  expect(told).toEqual(["1", "2"]);
});
