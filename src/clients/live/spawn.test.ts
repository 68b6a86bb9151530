import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { until } from "../../testing/scripted.ts";
import { type Place, serveProcesses } from "../../testing/serve-process.ts";
import { connectLive } from "./connect-live.ts";
import type { LiveClient, LiveOptions } from "./live-client.ts";
import type { LiveError } from "./live-error.ts";

// The client with a runtime that it starts: the bundled command on real pipes.

const { place } = serveProcesses();
const clients: LiveClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function started({ home, workspace }: Place, options: LiveOptions = {}): Promise<LiveClient> {
  const client = await connectLive(
    {
      command: process.execPath,
      args: [builtCommand, "stdio", "--dialect", "live"],
      cwd: workspace,
      env: { ...process.env, DRAGOMAN_HOME: home },
    },
    options,
  );
  clients.push(client);
  return client;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: LiveError) => error,
  );
const isGone = (pid: number) => {
  try {
    process.kill(pid, 0);
    return false;
  } catch {
    return true;
  }
};

/** A runtime that says who it is on its stderr, and then is the real one. */
function announced({ home, workspace }: Place): { command: string; args: string[]; cwd: string; env: object } {
  const script = join(workspace, "..", "announced.mjs");
  const imported = JSON.stringify(`file://${builtCommand}`);
  writeFileSync(script, `process.stderr.write("pid " + process.pid + "\\n");\nawait import(${imported});\n`);
  const env = { ...process.env, DRAGOMAN_HOME: home };
  return { command: process.execPath, args: [script, "stdio", "--dialect", "live"], cwd: workspace, env };
}

describe("a runtime that is started", () => {
  test("does what it is asked after a yes, and shows the diff before and the file after", async () => {
    const where = place();
    const session = await (await started(where)).open({ title: "Mine" });
    session.onConfirmation(({ ask_id, diff }) => {
      expect(diff).toContain("+hello");
      void session.approve(ask_id);
    });
    const { ended } = await session.prompt("write a file notes.txt with the text hello");
    expect((await ended).status).toBe("completed");
    expect(readFileSync(join(where.workspace, "notes.txt"), "utf8").trim()).toBe("hello");
    expect(session.view).toMatchObject({
      title: "Mine",
      status: "idle",
      files_touched: [expect.stringMatching(/notes.txt$/)],
    });
    expect(await session.call("read", { path: "notes.txt" })).toMatchObject({
      result: expect.anything(),
      execution_time_ms: expect.any(Number),
    });
    expect(await failure(session.call("read", { path: "nowhere.txt" }))).toMatchObject({ name: "LiveError" });
  });

  test("has a tool of the client's run by the client, with a yes of its own", async () => {
    const ran: unknown[] = [];
    const session = await (await started(place())).open({
      tools: {
        write: async (args) => {
          ran.push(args);
          return { path: "notes.txt", written: true };
        },
      },
      confirm: ({ name, executor }) => ran.push([name, executor]) > 0,
    });
    const { ended } = await session.prompt("write a file notes.txt with the text hello");
    expect((await ended).status).toBe("completed");
    expect(ran).toEqual([
      ["write", "client"],
      expect.objectContaining({ path: "notes.txt", content: expect.stringContaining("hello") }),
    ]);
  });

  test("is started again when it is killed, and the session goes on where it was", async () => {
    const pids: number[] = [];
    const { env, ...target } = announced(place());
    const client = await connectLive(
      { ...target, env: env as Record<string, string> },
      { reconnect: { delaysMs: [50] }, onLog: (line) => pids.push(Number(/^pid (\d+)$/.exec(line)?.[1])) },
    );
    clients.push(client);
    const session = await client.open();
    const numbers: number[] = [];
    session.onMessage(({ seq = 0 }) => numbers.push(seq));
    const asked = new Promise<string>((resolve) => session.onConfirmation(({ ask_id }) => resolve(ask_id)));
    const { ended } = await session.prompt("write a file notes.txt with the text hello");
    const askId = await asked;
    process.kill(pids[0] ?? 0, "SIGKILL");
    await until(() => client.status === "reconnecting" || pids.length > 1, "the loss");
    await session.approve(askId);
    expect((await ended).status).toBe("completed");
    expect(numbers).toEqual([...numbers].sort((a, b) => a - b));
    expect(pids).toHaveLength(2);
  });

  test("leaves nothing behind when it is closed", async () => {
    const pids: number[] = [];
    const { env, ...target } = announced(place());
    const onLog = (line: string) => pids.push(Number(/^pid (\d+)$/.exec(line)?.[1]));
    const client = await connectLive({ ...target, env: env as Record<string, string> }, { onLog });
    await client.close();
    expect(pids.map(isGone)).toEqual([true]);
  });

  test("that does not come up is said to, with its last words; five times in a row are enough", async () => {
    expect(await failure(connectLive({ command: "/nowhere/at/all" }))).toMatchObject({
      code: "CONNECTION_LOST",
      message: expect.stringContaining("could not be started"),
    });
    expect(await failure(connectLive({ command: "cat" }))).toMatchObject({
      code: "PROTOCOL",
      message: expect.stringContaining("repeats what it is told"),
    });
    const words = ["-e", 'process.stderr.write("no room\\n"); process.exitCode = 3'];
    expect(await failure(connectLive({ command: process.execPath, args: words }))).toMatchObject({
      message: expect.stringMatching(/exit code 3: no room$/),
    });
    const greeting = JSON.stringify({ type: "heartbeat", timestamp: "", session_id: "", data: {} });
    const short = [
      "-e",
      `process.stdin.once("data", () => { console.log('${greeting}'); process.exitCode = 4; process.stdin.destroy(); })`,
    ];
    const client = await connectLive({ command: process.execPath, args: short }, { reconnect: { delaysMs: [10] } });
    clients.push(client);
    let attempts = 0;
    client.onStatus(({ status }) => {
      if (status === "reconnecting") attempts++;
    });
    await until(() => client.status === "closed", "that it was given up");
    expect(attempts).toBe(5);
  });
});
