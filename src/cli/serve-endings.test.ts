import { spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openSqliteStore } from "../stores/sqlite.ts";
import { builtCommand } from "../testing/built-command.ts";
import { readAll } from "../testing/read-all.ts";
import { until } from "../testing/scripted.ts";
import { type Place, type ServeProcess, serveProcesses } from "../testing/serve-process.ts";

// How a server ends, with runs under way and with clients that listen. The bundled command and real signals.

const { place, launch } = serveProcesses();

/** A listener, and all that it was told. */
async function listener(server: ServeProcess, sessionId: string) {
  const response = await server.fetch(`/stream/${sessionId}`);
  const heard = { text: "", ended: false };
  void (async () => {
    const decoder = new TextDecoder();
    for await (const bytes of response.body ?? []) heard.text += decoder.decode(bytes, { stream: true });
    heard.ended = true;
  })().catch(() => {});
  return heard;
}

/** A session in which a command runs that someone has approved, and a listener to it. */
async function runningCommand(server: ServeProcess, command: string) {
  const { sessionId } = await server.result("session.create");
  const heard = await listener(server, sessionId);
  await server.result("session.send", { sessionId, prompt: `run \`echo begun; ${command}\`` });
  await until(() => heard.text.includes('"askId"'), "the ask");
  const [, askId] = /"askId":"([^"]+)"/.exec(heard.text) ?? [];
  await server.result("session.approve", { sessionId, askId, approved: true });
  await until(() => heard.text.includes('"output":"begun'), "the output of the command");
  return { sessionId, heard };
}

async function lastEvent({ home }: Place, sessionId: string) {
  const store = await openSqliteStore(join(home, "log.db"));
  try {
    return (await readAll(store, sessionId)).at(-1);
  } finally {
    await store.close();
  }
}

const stopping = (server: ServeProcess) =>
  server.logged(({ event }) => event === "server.stopping", "that the server stops");

describe("a server that is told to end", () => {
  test("lets a run end, takes nothing new, tells who listens, and ends well", async () => {
    const where = place();
    const server = await launch(where).ready();
    const { sessionId, heard } = await runningCommand(server, "while [ ! -e go ]; do sleep 0.05; done; echo went");
    server.child.kill("SIGTERM");
    await stopping(server);
    expect((await server.rpc("session.create")).error).toMatchObject({ code: -32603 });
    writeFileSync(join(where.workspace, "go"), "");
    expect(await server.exit).toBe(0);
    await until(() => heard.ended, "the end of the stream");
    expect(heard.text).toContain("went");
    const last = heard.text.trimEnd().split("\n\n").at(-1)?.split("\n");
    expect(last).toEqual([
      "event: timeline.message",
      expect.stringMatching(/^data: \{"messageId":"[^"]+","role":"system","content":"The server stops\. /),
    ]);
    expect(await lastEvent(where, sessionId)).toMatchObject({ type: "run.completed" });
    expect(server.log.at(-1)).toMatchObject({ event: "server.stopped" });
  });

  test("cancels a run that has not ended after ten seconds, in the log too", async () => {
    const where = place();
    const server = await launch(where).ready();
    const { sessionId, heard } = await runningCommand(server, "sleep 1000");
    const start = performance.now();
    server.child.kill("SIGTERM");
    expect(await server.exit).toBe(0);
    expect(performance.now() - start).toBeGreaterThan(9_000);
    await until(() => heard.ended, "the end of the stream");
    expect(heard.text).toContain("Cancelled: owner_stopped");
    expect(heard.text).toContain("The server stops.");
    expect(await lastEvent(where, sessionId)).toMatchObject({ type: "run.cancelled", reason: "owner_stopped" });
  });

  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 0],
    ["SIGHUP", 129],
  ] as const)(
    "twice, by %s, does not wait for a run, and has its end in the log all the same",
    async (signal, code) => {
      const where = place();
      const server = await launch(where).ready();
      const { sessionId, heard } = await runningCommand(server, "sleep 1000");
      const start = performance.now();
      server.child.kill(signal);
      await stopping(server);
      server.child.kill(signal);
      expect(await server.exit).toBe(code);
      expect(performance.now() - start).toBeLessThan(8_000);
      await until(() => heard.ended, "the end of the stream");
      expect(heard.text).toContain("Cancelled: owner_stopped");
      expect(await lastEvent(where, sessionId)).toMatchObject({ type: "run.cancelled", reason: "owner_stopped" });
    },
  );
});

test("one that was killed while a run asked: the next one tells the same, and goes on with the answer", async () => {
  const where = place();
  const first = await launch(where).ready();
  const { sessionId } = await first.result("session.create");
  const before = await listener(first, sessionId);
  await first.result("session.send", { sessionId, prompt: "write a file notes.txt with the text hello" });
  await until(() => before.text.includes('"askId"'), "the ask");
  first.child.kill("SIGKILL");
  await first.exit;
  const second = await launch(where).ready();
  const after = await listener(second, sessionId);
  await until(() => after.text.includes('"askId"'), "the ask, from the log");
  expect(after.text).toBe(before.text);
  const [, askId] = /"askId":"([^"]+)"/.exec(after.text) ?? [];
  await second.result("session.approve", { sessionId, askId, approved: true });
  await until(() => after.text.includes('"done":true'), "the end of the run");
  expect(readFileSync(join(where.workspace, "notes.txt"), "utf8")).toBe("hello\n");
});

describe("with --until-stdin-ends", () => {
  const args = ["--port", "0", "--announce", "--until-stdin-ends"];

  test("a start that fails late ends, though stdin is open", async () => {
    const where = place();
    mkdirSync(where.home, { recursive: true });
    writeFileSync(join(where.home, "servers"), "in the way of the list of servers");
    expect(await launch(where, args).exit).toBe(1);
  });

  test("it ends as by SIGTERM when whoever started it closes its stdin", async () => {
    const server = await launch(place(), args).ready();
    server.child.stdin.write("this is not read\n");
    expect((await fetch(`${server.url}/health`)).status).toBe(200);
    server.child.stdin.end();
    expect(await server.exit).toBe(0);
    expect(server.log.at(-1)).toMatchObject({ event: "server.stopped" });
  });

  test("it ends when stdin has ended before it was ready", async () => {
    const server = launch(place(), args);
    server.child.stdin.end();
    expect(await server.exit).toBe(0);
  });

  test("without it the end of stdin means nothing", async () => {
    const server = await launch(place(), ["--port", "0", "--announce"]).ready();
    server.child.stdin.end();
    await server.result("session.create");
    expect(server.child.exitCode).toBeNull();
  });
});

test("whoever started it and reads nothing does not stop it", async () => {
  const { home, workspace } = place();
  const args = [builtCommand, "serve", "--port", "0", "--announce", "--log-level", "debug"];
  const child = spawn(process.execPath, args, { cwd: workspace, env: { ...process.env, DRAGOMAN_HOME: home } });
  const said = await new Promise<string>((resolve) => child.stdout.once("data", (text) => resolve(String(text))));
  const [, port] = /SIDECAR_PORT=(\d+)/.exec(said) ?? [];
  const exit = new Promise((resolve) => child.on("exit", resolve));
  try {
    const health = async () => expect((await fetch(`http://127.0.0.1:${port}/health`)).status).toBe(200);
    // A line for each, together more than a pipe and all its buffers hold.
    for (let round = 0; round < 100; round++) await Promise.all(Array.from({ length: 50 }, health));
    child.kill("SIGTERM");
    expect(await exit).toBe(0);
  } finally {
    child.kill("SIGKILL");
  }
});
