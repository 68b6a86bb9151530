import { mkdirSync, readFileSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { faultsOf } from "../../testing/check-log.ts";
import { allowing, type CopilotSession, copilotWorld, isRunning, type Told } from "../../testing/copilot-world.ts";
import { settle, until } from "../../testing/scripted.ts";

const world = copilotWorld();
const cancelled = { type: "run.cancelled", reason: "enough" };

const failures = [
  [400, "Not like this.", "engine_failed", "Copilot: 400 Not like this.", 0],
  [401, "No such key.", "engine_auth", "Check the key in DRAGOMAN_COPILOT_API_KEY.", 2],
  [500, "Out of order.", "engine_failed", "Out of order.", 5],
] as const;
const failing = new Map<number, { session: CopilotSession; run: Promise<Told> }>();

// Copilot tries again for up to 15 seconds, in which the others are tested.
beforeAll(async () => {
  for (const [status, message] of failures) {
    const session = await world.session({ lasts: true });
    failing.set(status, { session, run: session.run(`[[fail ${status} ${message}]]`) });
  }
});

describe("a cancel", () => {
  test("ends a command with all that it started, and nothing else: the next prompt is answered by the same runtime", async () => {
    const session = await world.session({ ruleBook: allowing("shell") });
    const runId = await session.start("[[run trap '' TERM; setsid sleep 1234321 & sleep 1234322; echo never]]");
    await until(async () => (await isRunning("sleep 1234321")) && (await isRunning("sleep 1234322")), "the command");
    const before = await session.runtimes();
    await session.cancel(runId);
    const told = await session.ended(runId);
    expect(told.end).toMatchObject(cancelled);
    expect(told.of("tool.finished")).toMatchObject([{ error: { code: "cancelled" } }]);
    expect([await isRunning("sleep 1234321"), await isRunning("sleep 1234322")]).toEqual([false, false]);
    expect((await session.run("[[say Still here.]]")).text).toBe("Still here.");
    expect(await session.runtimes()).toEqual(before);
    expect(faultsOf(await session.log(), { ended: true })).toEqual([]);
  });

  test("of the first run leaves the user's own MCP servers, which were started with it", async () => {
    const engine = world.engine();
    const mine = { type: "local", command: process.execPath, args: ["-e", mcpServer], tools: ["*"] };
    writeFileSync(join(engine.home, "mcp-config.json"), JSON.stringify({ mcpServers: { mine } }));
    const session = await world.session({ engine, ruleBook: allowing("shell", "copilot:mine/look") });
    const runId = await session.start("[[run sleep 1234325]]");
    await until(() => isRunning("sleep 1234325"), "the command");
    await session.cancel(runId);
    await session.ended(runId);
    expect(await isRunning("sleep 1234325")).toBe(false);
    expect((await session.run("[[call mine-look {}]]")).text).toBe("The tool said: seen");
  });

  describe("in the middle of", () => {
    let lasting: CopilotSession;

    beforeAll(async () => {
      lasting = await world.session({ lasts: true });
    });

    test.each([
      ["its very beginning", "[[say Hello]]", "session.updated"],
      ["a question about a call", "[[write notes.txt hello]]", "ask.opened"],
      ["a question of the model", "[[ask Which colour?]]", "ask.opened"],
      ["its thoughts", "[[think Hm.]] [[wait 60000]]", "thinking.delta"],
      ["its words", "[[say Well,]] [[wait 60000]]", "text.delta"],
    ] as const)("%s ends the run, and the next one goes on", async (_, prompt, seen) => {
      const earlier = (await lasting.log()).length;
      const runId = await lasting.start(prompt);
      await lasting.see(seen, ({ seq }) => seq > earlier);
      const runtimes = await lasting.runtimes();
      const cancelledAt = performance.now();
      await Promise.all([lasting.cancel(runId), lasting.cancel(runId)]);
      const told = await lasting.ended(runId);
      expect(performance.now() - cancelledAt).toBeLessThan(3000);
      expect(told.end).toMatchObject(cancelled);
      const before = (await lasting.log()).length;
      await settle();
      expect((await lasting.log()).length).toBe(before);
      expect((await lasting.run("[[say Still here.]]")).text).toBe("Still here.");
      expect(await lasting.runtimes()).toEqual(runtimes);
      expect(faultsOf(await lasting.log(), { ended: true })).toEqual([]);
    });
  });
});

test("Copilot that is not logged in says how to do that, or how to do without", async () => {
  const { run } = await world.session({ engine: world.engine({ provider: undefined, useLogin: false }) });
  expect((await run("Hello")).end).toMatchObject({
    type: "run.failed",
    error: {
      code: "engine_auth",
      message:
        "Copilot is not logged in. Log in with `npx @github/copilot login`, or set GH_TOKEN, or give it a model of your own with DRAGOMAN_COPILOT_BASE_URL and DRAGOMAN_COPILOT_MODEL. See also: dragoman agents",
    },
  });
});

describe("a runtime", () => {
  test.each([
    ["a command", "[[run echo on; setsid sleep 1234326]]", "tool.output"],
    ["a question", "[[write notes.txt hello]]", "ask.opened"],
  ] as const)(
    "that dies in the middle of %s fails the run, and the next prompt goes on with what was said",
    async (_, prompt, seen) => {
      const session = await world.session({ ruleBook: allowing("shell") });
      await session.run("My name is Ada.");
      const runId = await session.start(prompt);
      await session.see(seen);
      const [pid = 0] = await session.runtimes();
      process.kill(pid, "SIGKILL");
      const told = await session.ended(runId);
      expect(told.end).toMatchObject({
        type: "run.failed",
        error: { code: "engine_failed", message: expect.stringMatching(/ended by SIGKILL in the middle of its work/) },
      });
      expect(await isRunning("sleep 1234326")).toBe(false);
      expect((await session.run("[[recall]]")).text).toContain("My name is Ada.");
      expect(faultsOf(await session.log(), { ended: true })).toEqual([]);
    },
  );

  test("is ended when the session is left, with what it runs in the background", async () => {
    const engine = world.engine();
    const { run, session, runtimes } = await world.session({ engine, ruleBook: allowing("shell") });
    await run('[[call bash {"command":"sleep 1234323","description":"Wait","mode":"async","detach":true}]]');
    expect(await isRunning("sleep 1234323")).toBe(true);
    const leftAt = performance.now();
    await engine.leave?.(session.id);
    expect(performance.now() - leftAt).toBeLessThan(2000);
    expect(await isRunning("sleep 1234323")).toBe(false);
    expect(await runtimes()).toEqual([]);
  });

  test("is ended when nobody has used it for a while", async () => {
    const clock = new ManualClock();
    const { run, runtimes } = await world.session({ engine: world.engine({ clock, idleMs: 60_000 }) });
    await run("[[say Hello]]");
    clock.advance(59_000);
    expect(await runtimes()).toHaveLength(1);
    clock.advance(1000);
    await until(async () => (await runtimes()).length === 0, "its end");
  });

  test("that waits for what it has started in the background says so", async () => {
    const { start, see, cancel, ended } = await world.session({ ruleBook: allowing("shell") });
    const runId = await start('[[call bash {"command":"sleep 1234324","description":"Wait","mode":"async"}]]');
    await see("note", ({ text }) => text.startsWith("Copilot waits for what it has started in the background."));
    await cancel(runId);
    expect((await ended(runId)).end).toMatchObject(cancelled);
    expect(await isRunning("sleep 1234324")).toBe(false);
  });
});

describe("what Copilot knew", () => {
  test("is found again by another runtime, and when it is gone that is said", async () => {
    const engine = world.engine();
    const { run, session, home } = await world.session({ engine });
    await run("My name is Ada.");
    await engine.leave?.(session.id);
    expect((await run("[[recall]]")).text).toContain("My name is Ada.");
    await engine.leave?.(session.id);
    rmSync(join(home, "session-state"), { recursive: true });
    const told = await run("[[recall]]");
    expect(told.notes).toMatchObject([
      expect.stringMatching(/^What Copilot knew of this session is lost \(.*not found.*\)/),
    ]);
    expect(told.text).toBe("You said nothing before.");
  });

  test("and cannot be read now fails the run, and is found again when it can", async () => {
    const engine = world.engine();
    const { run, session, home } = await world.session({ engine });
    await run("My name is Ada.");
    await engine.leave?.(session.id);
    const file = join(home, "session-state", session.id, "events.jsonl");
    renameSync(file, `${file}.away`);
    mkdirSync(file);
    expect((await run("[[recall]]")).end).toMatchObject({
      type: "run.failed",
      error: { code: "engine_failed", message: expect.stringContaining("I/O error") },
    });
    rmdirSync(file);
    renameSync(`${file}.away`, file);
    expect((await run("[[recall]]")).text).toContain("My name is Ada.");
  });

  test("and is damaged is left where it is, and begun anew elsewhere", async () => {
    const engine = world.engine();
    const { run, session, home } = await world.session({ engine });
    await run("My name is Ada.");
    await engine.leave?.(session.id);
    const file = join(home, "session-state", session.id, "events.jsonl");
    writeFileSync(file, "no event\n");
    const told = await run("[[recall]]");
    expect(told.notes).toMatchObject([expect.stringContaining(file)]);
    expect(told.text).toBe("You said nothing before.");
    expect(readFileSync(file, "utf8")).toBe("no event\n");
    expect((await run("[[recall]]")).notes).toEqual([]); // and so it goes on
  });
});

test.each(failures)(
  "a failure of the model is that of the run, with its status: %i %s",
  async (status, _, code, message, retries) => {
    const { session, run } = failing.get(status) ?? {};
    const told = await run;
    expect(told?.end).toMatchObject({
      type: "run.failed",
      error: { code, message: expect.stringContaining(message), data: { status } },
    });
    const again = (retry: number) => (retry === 1 ? "Trying again." : `Trying again, retry ${retry}.`);
    const reason = expect.stringContaining(`The model answered ${status} (`);
    expect(told?.notes).toEqual(Array(retries).fill(reason));
    expect(told?.notes.map((text) => text.slice(text.indexOf("Trying")))).toEqual(
      Array.from({ length: retries }, (_, at) => again(at + 1)),
    );
    expect((await session?.run("[[say Better now.]]"))?.text).toBe("Better now.");
  },
);

/** A server with one tool, which has seen something. */
const mcpServer = `
  const answers = {
    initialize: ({ protocolVersion }) => ({ protocolVersion, capabilities: { tools: {} }, serverInfo: { name: "mine", version: "1" } }),
    "tools/list": () => ({ tools: [{ name: "look", description: "Looks.", inputSchema: { type: "object" } }] }),
    "tools/call": () => ({ content: [{ type: "text", text: "seen" }] }),
  };
  require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
    const { id, method, params } = JSON.parse(line);
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result: answers[method]?.(params) ?? {} }));
  });
`;
