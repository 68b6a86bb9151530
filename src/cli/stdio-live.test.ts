import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { builtCommand } from "../testing/built-command.ts";
import { stdioProcesses } from "../testing/stdio-process.ts";
import type { WireMessage } from "../testing/ui-wire.ts";

// The bundled command on real pipes, in the dialects that came after `ui`.

const { place, launch } = stdioProcesses();
const live = ["--dialect", "live"];
const prompt = (content: string) => ({ type: "user_input", data: { content } });
const isAsk = (m: WireMessage) => m.type === "tool_call_confirmation";
const endOf = (messages: WireMessage[]) =>
  messages.findLast((m) => m.type === "status_update" && m.data.kind === "run")?.data.status;
const credited = new Set(["session_start", "status_update", "tool_call_request", "tool_call_response"]);

describe("`live` on stdio", () => {
  test("a prompt that is piped in is told to its end, whatever the credit, and the process ends well", () => {
    const { home, workspace } = place();
    writeFileSync(join(workspace, "long.txt"), "a line\n".repeat(200));
    const env = { ...process.env, DRAGOMAN_HOME: home, NODE: process.execPath, MAIN: builtCommand };
    const line = JSON.stringify(prompt("read long.txt, then list TypeScript files, then read src/main.ts"));
    const script = `echo '${line}' | "$NODE" "$MAIN" stdio --dialect live`;
    const { status, stdout, stderr } = spawnSync("sh", ["-c", script], { cwd: workspace, env, encoding: "utf8" });
    expect([status, stderr]).toEqual([0, ""]);
    const messages: WireMessage[] = stdout
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text));
    expect(messages.filter(({ type }) => credited.has(type) || type.includes("block")).length).toBeGreaterThan(10);
    const numbers = messages.filter(({ seq }) => seq !== undefined).map(({ seq, k = 0 }) => [seq, k]);
    expect(numbers[0]).toEqual([1, 0]);
    expect(numbers).toEqual([...numbers].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
    expect(new Set(numbers.map(String)).size).toBe(numbers.length);
    expect(messages.at(-1)).toMatchObject({ type: "status_update", data: { kind: "run", status: "completed" } });
    expect(messages.filter(({ type }) => type === "interrupt")).toEqual([]);
  });

  test("a call that asks is answered by whoever started it", async () => {
    const where = place();
    const { wire, end } = started(where);
    wire.send({ type: "flow_control", data: { available_capacity: 1000 } });
    wire.send(prompt("write a file notes.txt with the text hello"));
    const ask = await wire.message(isAsk, "the ask");
    wire.send({ type: "ack", session_id: ask.session_id, data: { seq: ask.seq } });
    wire.send({
      type: "tool_approval",
      session_id: ask.session_id,
      data: { call_id: ask.data.ask_id, approved: true },
    });
    await wire.until(() => endOf(wire.messages) === "completed", "the end of the run");
    expect(await end()).toEqual([0, ""]);
  });

  test("the death of the client is the end of the process, when its run has ended in the log", async () => {
    const where = place();
    const { child, wire, exit } = launch(where, ...live);
    wire.send(prompt("list TypeScript files"));
    const { session_id } = await wire.message((m) => m.type === "user_input", "the beginning of the run");
    child.stdin.destroy(); // as the system does for a process that is killed
    child.stdout.destroy();
    expect(await exit).toBe(0);
    const next = started(where);
    next.wire.send({ type: "session_list", correlation_id: "list" });
    const { data } = await next.wire.message((m) => m.correlation_id === "list", "the list");
    expect(data.sessions).toMatchObject([{ session_id, status: "idle", last_prompt: "list TypeScript files" }]);
    expect(data.sessions[0]).not.toHaveProperty("addresses");
  });

  test("a log that cannot be used is fatal: it is told, and the process ends with another code than 0", async () => {
    const where = place();
    mkdirSync(where.home);
    writeFileSync(join(where.home, "log.db"), "no database ".repeat(1000));
    const { wire, exit } = launch(where, ...live);
    wire.send({ type: "session_list" });
    expect(await exit).toBe(1);
    expect(wire.messages.at(-1)).toMatchObject({ type: "error", data: { severity: "fatal" } });
  });

  test("a signal is told as what it is, before the process ends", async () => {
    const { child, wire, exit } = launch(place(), ...live);
    wire.send(prompt("write a file notes.txt with the text hello"));
    await wire.message(isAsk, "the ask");
    child.kill("SIGTERM");
    expect(await exit).toBe(143);
    const told = wire.messages.filter(({ type }) => type === "interrupt").map(({ data }) => data);
    expect(told).toEqual([{ reason: "server_stopping" }]);
    expect(endOf(wire.messages)).toBe("cancelled");
  });
});

test("`studio` is spoken as well, and its exit ends the process", async () => {
  const { child, wire, exit } = launch(place(), "--dialect", "studio");
  expect(await wire.result("initialize", { clientName: "test", clientVersion: "1" })).toMatchObject({
    serverName: "dragoman",
  });
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", method: "exit" })}\n`);
  expect(await exit).toBe(0);
});

test("a dialect that is not spoken on stdio is named, with those that are", async () => {
  const nope = launch(place(), "--dialect", "sidecar");
  expect(await nope.exit).toBe(1);
  expect(nope.stderr).toBe(
    'error: there is no protocol "sidecar" on stdio. There are: ui, live and studio.\n' +
      "Run dragoman stdio --help to see what there is.\n",
  );
});

describe("what does the work", () => {
  // Which agents there are besides is a matter of what is installed.
  const noEngine = expect.stringMatching(
    /^dragoman: There is no engine "gpt5" here\. There is: builtin\b.*\.\nAll agents, and what they lack: dragoman agents\n$/,
  );
  const noModel = 'dragoman: There is no model "gpt" here. There is: builtin.\n';

  test.each([
    ["ui", ["--engine", "gpt5"], noEngine],
    ["live", ["--engine", "gpt5"], noEngine],
    ["studio", ["--engine", "builtin", "--model", "gpt"], noModel],
  ])("is looked for before %s is spoken, where the command names it", async (dialect, chosen, message) => {
    const started = launch(place(), "--dialect", dialect, ...chosen);
    expect([await started.exit, started.wire.messages, started.stderr]).toEqual([1, [], message]);
  });

  test("and is not there, by the configuration, fails the first that needs it, and ends the process", async () => {
    const where = place();
    mkdirSync(where.home);
    writeFileSync(join(where.home, "dragoman.json"), JSON.stringify({ engine: "gpt5" }));
    const started = launch(where, ...live);
    started.wire.send({ type: "session_list", correlation_id: "list" });
    const { data } = await started.wire.message((m) => m.correlation_id === "list", "the error");
    expect(data).toMatchObject({
      error_code: "CONNECTION_LOST",
      message: expect.stringMatching(
        /^The engine is chosen by your dragoman\.json\.\s+There is no engine "gpt5" here\. There is: builtin\b/,
      ),
      severity: "error",
      retriable: false,
    });
    const told = expect.stringMatching(/^dragoman: The engine is chosen by your dragoman\.json\.\nThere is no engine/);
    expect([await started.exit, started.stderr]).toEqual([1, told]);
  });
});

/** A process whose end is looked at whole. */
function started(where: ReturnType<typeof place>) {
  const one = launch(where, ...live);
  return { ...one, wire: one.wire, end: async () => [await one.end(), one.stderr] };
}
