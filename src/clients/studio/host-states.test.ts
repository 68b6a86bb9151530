import { describe, expect, test } from "vitest";
import { settle } from "../../testing/scripted.ts";
import { aboutHost, failure, memoryHosts, outcome } from "../../testing/studio-host-world.ts";
import { type StateChange, StudioHost } from "./index.ts";

// Times are those of a clock in the test's hands, in seconds from when the host was made.

const { held, running } = memoryHosts();

describe("the state of a host", () => {
  test("goes from stopped over starting to running, and back to stopped", async () => {
    const { host, states, runtimes, clock } = held();
    expect(host.state).toBe("stopped");
    const starting = host.start();
    expect(host.state).toBe("starting");
    await starting;
    expect([host.state, host.server?.serverName, runtimes.last.sent]).toEqual([
      "running",
      "memory",
      [{ at: 0, jsonrpc: "2.0", id: 1, method: "initialize", params: aboutHost }],
    ]);
    await host.stop();
    expect([states, runtimes.last.sent.at(-1)?.method, runtimes.last.isOver, clock.pending]).toEqual([
      ["starting at 0", "running at 0", "stopped at 0"],
      "exit",
      true,
      0,
    ]);
  });

  test("after a crash waits 5, 10 and 30 s, and stays crashed after the fifth restart", async () => {
    const { host, states, runtimes, pass } = await running();
    const changes: StateChange[] = [];
    host.on("state", (change) => changes.push(change));
    for (const seconds of [5, 10, 30, 30, 30]) {
      runtimes.last.end("The runtime ended: signal SIGSEGV");
      await pass(seconds - 0.001);
      expect(host.state).toBe("restarting");
      await pass(0.001);
      expect(host.state).toBe("running");
    }
    runtimes.last.end("The runtime ended: signal SIGSEGV");
    await pass(3600);
    const restart = (from: number, wait: number) => [
      `crashed at ${from}`,
      `restarting at ${from}`,
      `starting at ${from + wait}`,
      `running at ${from + wait}`,
    ];
    expect(states).toEqual([
      ...["starting at 0", "running at 0"],
      ...[restart(0, 5), restart(5, 10), restart(15, 30), restart(45, 30), restart(75, 30)].flat(),
      "crashed at 105",
    ]);
    expect([changes[0], changes[1], changes[2]?.reason]).toMatchObject([
      { state: "crashed", reason: "The runtime ended: signal SIGSEGV", error: { code: "closed" } },
      { state: "restarting", reason: "restart 1 of 5 in 5 s", restart: { number: 1, of: 5, inMs: 5000 } },
      "restart 1 of 5",
    ]);
    const words = "The runtime ended: signal SIGSEGV, and 5 restarts were in vain. start() tries again.";
    expect(changes.at(-1)).toMatchObject({ reason: words, error: { code: "closed", message: words } });
    expect(await failure(host.chat("hi"))).toBe(changes.at(-1)?.error);
  });

  test("is given all its restarts again by start(), and by a minute of running", async () => {
    const { host, runtimes, crash, pass } = await running();
    const restarts: unknown[] = [];
    host.on("state", ({ restart }) => restart && restarts.push(restart.number));
    for (const seconds of [5, 10, 30, 30, 30, 0]) await crash(seconds);
    expect(host.state).toBe("crashed");
    await host.start();
    await crash(5);
    await pass(59.999);
    await crash(10);
    await pass(60);
    await crash(5);
    expect([restarts, runtimes.all.length]).toEqual([[1, 2, 3, 4, 5, 1, 2, 1], 10]);
  });

  test.each<[string, (world: ReturnType<typeof held>) => Promise<unknown>]>([
    ["stopped", async () => {}],
    [
      "starting",
      async ({ host, runtimes }) => {
        runtimes.greet = false;
        void host.start().catch(() => {});
        await settle(3);
      },
    ],
    ["running", ({ host }) => host.start()],
    [
      "restarting",
      async ({ host, crash }) => {
        await host.start();
        await crash(0);
      },
    ],
    [
      "crashed",
      async ({ host, crash }) => {
        await host.start();
        for (const seconds of [5, 10, 30, 30, 30, 0]) await crash(seconds);
      },
    ],
  ])("is stopped by stop() when it is %s, and nothing is left", async (state, arrive) => {
    const world = held();
    await arrive(world);
    expect(world.host.state).toBe(state);
    await world.host.stop();
    const started = world.runtimes.all.length;
    await world.pass(3600);
    expect([world.host.state, world.clock.pending, world.runtimes.all.length]).toEqual(["stopped", 0, started]);
    expect(world.runtimes.all.every(({ isOver }) => isOver)).toBe(true);
    world.runtimes.greet = true;
    await world.host.start();
    expect(world.host.state).toBe("running");
  });

  test.each(["starting", "running", "crashed", "restarting"])(
    "can be stopped by who hears that it is %s",
    async (at) => {
      const { host, runtimes, pass, clock } = held();
      host.on("state", ({ state }) => void (state === at && host.stop()));
      void host.start().catch(() => {});
      await settle(3);
      if (host.state === "running") runtimes.last.end();
      await pass(100);
      expect([host.state, clock.pending, runtimes.all.every(({ isOver }) => isOver)]).toEqual(["stopped", 0, true]);
    },
  );

  test("can be started by who hears that it has crashed", async () => {
    const { host, runtimes, crash } = await running();
    const stop = host.on("state", ({ state }) => {
      if (state !== "crashed") return;
      stop();
      void host.start();
    });
    await crash(0);
    expect([host.state, runtimes.all.length]).toEqual(["running", 2]);
  });

  test("starts no process while the one before is not gone", async () => {
    const { host, runtimes } = await running();
    let release = () => {};
    runtimes.closing = new Promise((resolve) => (release = resolve));
    const stopping = host.stop();
    const starting = host.start();
    await settle();
    expect([host.state, runtimes.all.length]).toEqual(["starting", 1]);
    release();
    await Promise.all([stopping, starting]);
    expect([host.state, runtimes.all.length]).toEqual(["running", 2]);
  });

  test("is one start, however often it is asked for", async () => {
    const { host, runtimes } = held();
    await Promise.all([host.start(), host.start()]);
    await host.start();
    expect(runtimes.all).toHaveLength(1);
  });

  test("is crashed at once where there is nothing to start, with the reason; later that is a crash like any other", async () => {
    const { host, runtimes, states, crash } = held();
    runtimes.greet = false;
    const starting = failure(host.start());
    await settle(3);
    runtimes.last.end("The runtime (x) ended: it could not be started (spawn x ENOENT)", true);
    expect(await starting).toMatchObject({
      code: "closed",
      message: "The runtime (x) ended: it could not be started (spawn x ENOENT). start() tries again.",
    });
    expect(states).toEqual(["starting at 0", "crashed at 0"]);
    runtimes.greet = true;
    await host.start();
    runtimes.greet = false;
    await crash(5);
    runtimes.last.end("The runtime (x) ended: it could not be started (spawn x ENOENT)", true);
    expect(host.state).toBe("restarting");
  });

  test("is refused what cannot be started", async () => {
    expect(() => new StudioHost(aboutHost, { comand: "x" } as never)).toThrow(/There is nothing to start: "comand"/);
    const host = new StudioHost(aboutHost, { env: { PATH: "/bin" } as never });
    const words =
      'The runtime cannot be started: env has "allow" and "set"; "PATH" belongs into one of them. start() tries again.';
    expect(await failure(host.start())).toMatchObject({ code: "invalid", message: words });
    expect(host.state).toBe("crashed");
  });
});

describe("the handshake", () => {
  test("has 10 s, and is made again after 2, 5 and 10 s; then the runtime is ended and counts as crashed", async () => {
    const { host, runtimes, states, pass, times } = held();
    runtimes.greet = false;
    const starting = outcome(host.start());
    await settle(3);
    for (const seconds of [10, 2, 10, 5, 10, 10, 9.999]) await pass(seconds);
    expect([times("initialize"), times("cancel"), states]).toEqual([[0, 12, 27, 47], [10, 22, 37], ["starting at 0"]]);
    await pass(0.001);
    expect([runtimes.last.isOver, states]).toEqual([true, ["starting at 0", "crashed at 57", "restarting at 57"]]);
    expect(host.log.filter(({ from }) => from === "host").map(({ text }) => text)).toContain(
      "crashed: initialize failed 4 times in 57 s, the last time so: initialize was not answered within 10 s",
    );
    runtimes.greet = true;
    await pass(5);
    expect([host.state, "is" in starting, runtimes.all.length]).toEqual(["running", true, 2]);
  });

  test("that is answered late is not the one that is waited for", async () => {
    const { host, runtimes, pass } = held();
    runtimes.greet = false;
    void host.start();
    await settle(3);
    await pass(10);
    runtimes.last.answer(1, { serverName: "late", serverVersion: "1" });
    await settle(3);
    expect(host.state).toBe("starting");
    await pass(2);
    runtimes.last.answer(3, { serverName: "in time", serverVersion: "2" });
    await settle(3);
    expect([host.state, host.server?.serverName]).toEqual(["starting", undefined]);
    runtimes.last.answer(2, { serverName: "in time", serverVersion: "2" });
    await settle(3);
    expect([host.state, host.server?.serverName]).toEqual(["running", "in time"]);
  });

  test("that is refused ends the runtime, too", async () => {
    const { host, runtimes, states } = held();
    runtimes.greet = false;
    void host.start().catch(() => {});
    await settle(3);
    runtimes.last.refuse(1, -32601, "No initialize here");
    await settle(3);
    expect([runtimes.last.isOver, states.at(-1)]).toEqual([true, "restarting at 0"]);
  });
});
