import { join } from "node:path";
import { afterEach, describe, expect, test, vi } from "vitest";
import { settle, until } from "../../testing/scripted.ts";
import { hostChildren, isAlive } from "../../testing/studio-host-children.ts";
import { CountedClock } from "../../testing/studio-host-memory.ts";
import { aboutHost, failure, outcome } from "../../testing/studio-host-world.ts";
import { type HostCommand, type HostTarget, StudioHost } from "./index.ts";
import type { Connect } from "./link.ts";
import { hostLink } from "./node-links.ts";

// Real processes and real pipes, and time in the test's hands; see src/testing/studio-host-runtime.ts for what the chats do.

const { folder, command, keep } = hostChildren();
afterEach(() => void vi.unstubAllEnvs());

function hostOf(target: HostTarget) {
  const clock = new CountedClock();
  const host = keep(new StudioHost(aboutHost, target, { clock }));
  const pids: number[] = [];
  host.on("log", ({ text }) => {
    const pid = /^pid (\d+)$/.exec(text)?.[1];
    if (pid) pids.push(Number(pid));
  });
  const muttered = (text: string) => host.log.filter((entry) => entry.from === "runtime" && entry.text === text).length;
  const hears = (text: string, times = 1) => until(() => muttered(text) >= times, text);
  const becomes = (state: string) => until(() => host.state === state, state);
  const pass = async (seconds: number) => {
    clock.advance(seconds * 1000);
    await settle(3);
  };
  return { host, clock, pids, hears, becomes, pass };
}

async function running(target: HostTarget = command()) {
  const world = hostOf(target);
  await world.host.start();
  return world;
}

describe("a runtime that", () => {
  test("does as it should is started, answers, and is gone after stop()", async () => {
    const { host, pids, clock } = await running();
    expect(await host.chat("say hello")).toEqual({ message: "hello", suggestions: [] });
    expect([host.server?.serverVersion, pids.map(isAlive)]).toEqual([String(pids[0]), [true]]);
    await host.stop();
    expect([host.state, pids.map(isAlive), clock.pending]).toEqual(["stopped", [false], 0]);
  });

  test("is slow is asked again and given up, and each time it is told to cancel", async () => {
    const { host, hears, pass } = await running();
    const it = outcome(host.chat("never"));
    for (const [requestId, wait] of [
      [2, 3],
      [3, 6],
      [4, 0],
    ] as const) {
      await hears(`got chat ${requestId}`);
      await pass(15);
      await hears(`got cancel ${requestId}`);
      await pass(wait);
    }
    await settle();
    expect(it.is).toBe("timeout: chat failed 3 times in 54 s, the last time so: chat was not answered within 15 s");
    expect(await host.chat("say still")).toMatchObject({ message: "still" });
  });

  test("is silent is ended after four greetings, and started again", async () => {
    const { host, pids, pass, becomes } = hostOf(command("--silent"));
    void host.start().catch(() => {});
    await until(() => pids.length === 1, "the process");
    for (const seconds of [10, 2, 10, 5, 10, 10, 10]) await pass(seconds);
    expect(host.state).toBe("restarting");
    await until(() => !isAlive(pids[0] ?? 0), "its end");
    await pass(5);
    await until(() => pids.length === 2, "the next one");
    await becomes("starting");
    await host.stop();
    expect(pids.map(isAlive)).toEqual([false, false]);
  });

  test("crashes at once is started five times more, and that is told", async () => {
    const { host, becomes, pass } = hostOf(command("--fail"));
    const starting = failure(host.start());
    for (const seconds of [5, 10, 30, 30, 30]) {
      await becomes("restarting");
      await pass(seconds);
    }
    const ended = `The runtime (${process.execPath}) ended: exit code 3: cannot start: no luck`;
    expect(await starting).toMatchObject({
      code: "closed",
      message: `${ended}, and 5 restarts were in vain. start() tries again.`,
    });
    expect([host.state, await failure(host.chat("hi"))]).toEqual(["crashed", await starting]);
  });

  test("crashes under a request is asked again when it is there again", async () => {
    const { host, pids, becomes, pass } = await running();
    const retries: string[] = [];
    const file = join(folder.path, "crashed");
    const it = host.chat(`crash-once ${file}`, { onRetry: ({ error }) => retries.push(error.message) });
    await becomes("restarting");
    await pass(5);
    expect(await it).toMatchObject({ message: "not again" });
    expect([retries, pids.map(isAlive)]).toEqual([
      [`The runtime (${process.execPath}) ended: exit code 7: I am dying`],
      [false, true],
    ]);
  });

  test("is killed under many requests leaves none of them hanging", async () => {
    const { host, pids, hears, becomes, pass } = await running();
    const all = Array.from({ length: 100 }, (_, n) =>
      host.chat(n % 2 ? "never" : `say ${n}`).catch(({ code }) => code),
    );
    await hears("got chat 101");
    const kill = () => process.kill(pids.at(-1) ?? 0, "SIGKILL");
    kill();
    for (const [restart, seconds] of [5, 10].entries()) {
      await becomes("restarting");
      await pass(seconds);
      await hears("got chat 51", restart + 2);
      kill();
    }
    const ends = await Promise.all(all);
    expect(ends.filter((end) => end === "closed")).toHaveLength(50);
    expect(ends.filter((end) => end.message?.length > 0)).toHaveLength(50);
  });

  test("floods is read to its end, and every piece comes in its order", async () => {
    const { host } = await running();
    let [count, next] = [0, 0];
    const onChunk = (text: string) => {
      count++;
      if (Number(text) === next) next++;
    };
    expect(await host.chat("flood 100000", { onChunk })).toMatchObject({ message: "flooded" });
    expect([count, next]).toEqual([100_000, 100_000]);
  });

  test("leaves out a piece is asked again", async () => {
    const { host, hears, pass } = await running();
    const told: string[] = [];
    const it = host.chat("gap-once", { onChunk: (text) => told.push(text), onRetry: () => told.splice(0) });
    await hears("got cancel 2");
    await pass(3);
    expect([await it, told]).toEqual([{ message: "whole", suggestions: [] }, ["0 ", "1 "]]);
  });

  test("writes what is no protocol is heard out", async () => {
    const { host } = await running();
    expect(await host.chat("garbage")).toMatchObject({ message: "after all" });
    const notes = host.log.filter(
      ({ from, text }) => from === "host" && text.startsWith("A message could not be used"),
    );
    expect(notes.length).toBeGreaterThanOrEqual(4);
  });

  test("mutters is remembered, but not all of it", async () => {
    const { host, hears } = await running();
    await host.chat("mutter 5000");
    await hears("line 4999");
    expect(host.log).toHaveLength(1000);
    expect(host.log.at(-1)).toMatchObject({ from: "runtime", text: "line 4999" });
  });

  test("ends for nothing is killed in the end", async () => {
    const { host, pids } = await running({ ...command("--stubborn"), closeMs: 0 });
    await host.stop();
    expect([host.state, pids.map(isAlive)]).toEqual(["stopped", [false]]);
  });

  test("cannot be started is told at once", async () => {
    const { host } = hostOf({ command: "/no/such/program" });
    const message =
      "The runtime (/no/such/program) ended: it could not be started (spawn /no/such/program ENOENT). start() tries again.";
    expect(await failure(host.start())).toMatchObject({ code: "closed", message });
    expect(host.state).toBe("crashed");
  });
});

test("a runtime that does not read gets no more than its pipe takes, and the rest when it reads again", async () => {
  let writes = 0;
  let [last, drains] = [true, 0];
  const connect: Connect = (events) => {
    const drain = () => {
      drains++;
      events.drain();
    };
    const link = hostLink(command())({ ...events, drain });
    const write = (text: string) => {
      expect(last || drains > 0).toBe(true);
      writes++;
      last = link.write(text);
      drains = 0;
      return last;
    };
    return { write, pause: () => {}, resume: () => {}, close: (options) => link.close(options) };
  };
  const { host, pids, hears } = await running({ connect });
  const deaf = host.chat("deaf");
  await hears("deaf");
  writes = 0;
  const long = "x".repeat(32 * 1024);
  const chats = Array.from({ length: 99 }, (_, n) => host.chat(`say ${n} ${long}`));
  expect(await failure(host.chat("say 100"))).toMatchObject({ code: -32004 });
  await settle();
  const before = writes;
  expect(before).toBeLessThan(10);
  process.kill(pids[0] ?? 0, "SIGUSR2");
  expect(await deaf).toMatchObject({ message: "I hear again" });
  const said = (await Promise.all(chats)).map(({ message }) => Number(message));
  expect([said, writes]).toEqual([Array.from({ length: 99 }, (_, n) => n), 99]);
});

describe("the environment of a runtime", () => {
  const environmentOf = async (env?: HostCommand["env"]) => {
    const { host } = await running({ ...command(), env });
    return JSON.parse((await host.chat("env")).message);
  };

  test("has nothing of ours that is not named", async () => {
    vi.stubEnv("CANARY_TOKEN", "tweet");
    vi.stubEnv("OPENAI_API_KEY", "sk-canary");
    vi.stubEnv("DRAGOMAN_ENGINE", "builtin");
    const env = await environmentOf();
    expect(JSON.stringify(env)).not.toMatch(/canary|tweet/i);
    expect(env).toMatchObject({ PATH: process.env.PATH, HOME: process.env.HOME, DRAGOMAN_ENGINE: "builtin" });
  });

  test("has what the host names, and what it sets", async () => {
    vi.stubEnv("CANARY_TOKEN", "tweet");
    vi.stubEnv("OPENAI_API_KEY", "sk-canary");
    const env = await environmentOf({ allow: ["OPENAI_*"], set: { MODE: "desktop", HOME: "/elsewhere" } });
    expect(env).toMatchObject({ OPENAI_API_KEY: "sk-canary", MODE: "desktop", HOME: "/elsewhere" });
    expect(env).not.toHaveProperty("CANARY_TOKEN");
  });
});
