import { mkdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, test } from "vitest";
import { bundledChild } from "../testing/bundled-child.ts";
import { doorOf } from "../testing/faces/face.ts";
import { startOnLive } from "../testing/faces/live-face.ts";
import { ServeProcess } from "../testing/serve-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import type { WireMessage } from "../testing/ui-wire.ts";
import type { WireEnd } from "../testing/wire-end.ts";

// Clients of `live` that do not do their part, on a real server in a process of its own: they cost it little, and the others nothing.

const folder = temporaryFolder();
let script = "";
beforeAll(async () => {
  script = await bundledChild("rough-child", folder.path);
});

let places = 0;
const launched: ServeProcess[] = [];
const open: WireEnd[] = [];
afterEach(async () => {
  for (const wire of open.splice(0)) wire.close();
  for (const server of launched.splice(0)) {
    server.child.stdin.end();
    expect(await server.exit).toBe(0);
    expect(server.log.filter(({ level }) => level === "error")).toEqual([]);
  }
});

const MOST_MORE_MB = 60;
/**
 * So many that a server which kept what waits for the client would show it: it would have some 230 MB more. What a server that keeps
 * nothing has more is the garbage of so much work, 66 to 105 MB of it where that was measured. With fewer events the two are too near.
 */
const EVENTS = 150_000;
const MOST_MORE_AFTER_ALL_MB = 160;
/** Each wait is patient by itself as long as something comes. */
const LONG_MS = 300_000;

async function launch() {
  const place = join(folder.path, String(places++));
  const workspace = join(place, "workspace");
  mkdirSync(workspace, { recursive: true });
  const server = new ServeProcess({ home: join(place, "home"), workspace }, [], {}, [script]);
  launched.push(server);
  await server.ready();
  const door = doorOf(server, server.token);
  const wire = async () => {
    const opened = await door.wire("/live");
    open.push(opened);
    return opened;
  };
  return { server, wire };
}

const memoryOf = ({ child }: ServeProcess) =>
  Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1]) / 1024;

const isError = (code: string) => (m: WireMessage) => m.type === "error" && m.data.error_code === code;
const isEnd = (m: WireMessage) => m.type === "status_update" && m.data.kind === "run" && m.data.status === "completed";

/** A well-behaved client has a run of its own done, however the others behave. */
async function isServed(wire: () => Promise<WireEnd>): Promise<void> {
  const polite = await wire();
  await startOnLive(polite, "say 20");
  await polite.message(isEnd, "the end of the run of the others");
}

test(
  "a client that grants no credit is told so, and costs no memory however much there is to say",
  async () => {
    const { server, wire } = await launch();
    await isServed(wire);
    const silent = await wire();
    const before = memoryOf(server);
    silent.send({ type: "user_input", data: { content: `say ${EVENTS}` } });
    const { data } = await silent.message((m) => m.type === "backpressure_alert", "the alert");
    expect(data).toMatchObject({ available_capacity: 0, message: expect.stringContaining("flow_control") });
    const paid = silent.messages.filter((m) => !["backpressure_alert", "heartbeat", "user_input"].includes(m.type));
    expect(paid).toHaveLength(10);
    await isServed(wire);
    const reader = await wire();
    reader.send({ type: "flow_control", data: { available_capacity: 1_000_000 } });
    reader.send({ type: "session_start", session_id: silent.messages[0].session_id, data: {} });
    await reader.message(isEnd, "the end of the long run");
    expect(memoryOf(server) - before).toBeLessThan(MOST_MORE_AFTER_ALL_MB);
    expect(silent.messages.filter((m) => m.type === "content_block_delta").length).toBeLessThan(10);
    silent.send({ type: "flow_control", data: { available_capacity: 5 } });
    await silent.until(() => silent.messages.filter((m) => m.seq !== undefined).length >= 15, "what it granted");
  },
  LONG_MS,
);

test("a client that never acknowledges is asked three times more, told, and left", async () => {
  const { wire } = await launch();
  const deaf = await wire();
  deaf.send({ type: "user_input", data: { content: "ask" } });
  const other = await wire();
  const { session_id, data } = await deaf.message((m) => m.type === "tool_call_confirmation", "the question");
  other.send({ type: "session_start", session_id, data: {} });
  await isServed(wire);
  const { data: error } = await deaf.message(isError("CONNECTION_LOST"), "the error");
  expect(error).toMatchObject({ severity: "fatal" });
  await deaf.until(() => deaf.closed, "the end of the connection");
  expect(deaf.messages.filter((m) => m.type === "tool_call_confirmation")).toHaveLength(4);
  const answer = { input_type: "operation_confirmation", call_id: data.call_id, content: "approve" };
  other.send({ type: "user_input", session_id, data: answer });
  await other.message(isEnd, "the end of the run that another one answered");
});

describe("a client that sends 10 000 messages a second", () => {
  test.each([
    ["heartbeats", () => ({ type: "heartbeat", data: {} })],
    ["nonsense", () => ({ type: "nonsense" })],
    ["requests for the state", (session_id: string) => ({ type: "session_state", session_id, data: {} })],
  ])("is slowed down and told so: %s", async (_, message) => {
    const { server, wire } = await launch();
    const fast = await wire();
    const { sessionId } = await startOnLive(fast, "say 5");
    await fast.message(isEnd, "the end of its own run");
    await isServed(wire);
    const before = memoryOf(server);
    const text = message(sessionId);
    for (let second = 0; second < 3; second++) {
      for (let sent = 0; sent < 10_000; sent++) fast.send(text);
      await isServed(wire);
    }
    const { data } = await fast.message(isError("INPUT_BUFFER_OVERFLOW"), "the error");
    expect(data).toMatchObject({ severity: "warning", retriable: true });
    expect(memoryOf(server) - before).toBeLessThan(MOST_MORE_MB);
    expect(fast.closed).toBe(false);
  });
});
