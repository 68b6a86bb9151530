import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../testing/scripted.ts";
import { serveProcesses } from "../testing/serve-process.ts";
import { SseListener } from "../testing/sse-listener.ts";
import { greet, stdioRuntimes } from "../testing/stdio-runtime.ts";

// A server and a runtime for a UI, two real processes on one log: each in its own protocol.

const servers = serveProcesses();
const runtimes = stdioRuntimes();

const WRITE = "write a file notes.txt with the text hello";

async function both() {
  const place = servers.place();
  const server = await servers.launch(place, ["--port", "0", "--announce"]).ready();
  const ui = runtimes.launch(place);
  await greet(ui);
  const written = () => {
    const path = join(place.workspace, "notes.txt");
    return existsSync(path) ? readFileSync(path, "utf8") : undefined;
  };
  return { server, ui, written };
}

const isDone = ({ event, data }: { event: string; data: { done?: boolean } }) =>
  event === "timeline.message" && data.done === true;

async function endsClosed(stream: SseListener): Promise<void> {
  const last = await stream.hears(({ data }) => data.content === "Session closed", "the session's end");
  await until(() => stream.ended, "the stream's end");
  expect(stream.heard.at(-1)).toBe(last);
}

describe("one session in two processes", () => {
  test("created and prompted over HTTP, it is approved from a UI on stdio, and seen closed on the stream", async () => {
    const { server, ui, written } = await both();
    const { sessionId } = await server.result("session.create");
    const { messageId, streamUrl } = await server.result("session.send", { sessionId, prompt: WRITE });
    expect(streamUrl).toBe(`/stream/${sessionId}`);
    const stream = await SseListener.open(server, sessionId);
    const opened = await stream.hears(({ event }) => event === "tool.approval", "the ask");
    expect(opened.data).toMatchObject({ toolName: "fs.write", requiresApproval: true });
    expect(written()).toBe(undefined);

    await ui.result("session.history", { session_id: sessionId });
    const asked = await ui.message((m) => m.method === "ui.confirm.request", "the request");
    expect(asked.id).toBe(opened.data.askId);
    ui.send({ jsonrpc: "2.0", id: asked.id, result: { ok: true } });

    const closed = await stream.hears(({ data }) => data.outcome !== undefined, "the ask's end");
    expect(closed.data).toMatchObject({
      askId: asked.id,
      outcome: "answered",
      approved: true,
      requiresApproval: false,
    });
    await stream.hears(isDone, "the end of the run");
    await ui.message((m) => m.method === "run.status" && m.params.status === "completed", "the end of the run");
    expect(written()).toBe("hello\n");

    const late = await server.rpc("session.approve", { sessionId, askId: asked.id, approved: false });
    expect(late.error).toMatchObject({ code: -32602, message: "Invalid params", data: { code: "ask_closed" } });
    expect(await server.result("session.close", { sessionId })).toEqual({ closed: true });
    await endsClosed(stream);
    const [first] = stream.heard;
    expect(first).toMatchObject({ event: "timeline.message", data: { messageId, role: "user", content: WRITE } });
    const numbers = stream.heard.map(({ id }) => id.split(".").map(Number));
    expect(numbers).toEqual([...numbers].sort(([a = 0, b = 0], [c = 0, d = 0]) => a - c || b - d));
  });

  test("started by a UI on stdio, it is watched on the stream and approved over HTTP", async () => {
    const { server, ui, written } = await both();
    const { session_id: sessionId, run_id: runId } = await ui.result("run.start", {
      input: { type: "text", text: WRITE },
    });
    const stream = await SseListener.open(server, sessionId);
    const opened = await stream.hears(({ event }) => event === "tool.approval", "the ask");
    const asked = await ui.message((m) => m.method === "ui.confirm.request", "the request");
    expect(asked.id).toBe(opened.data.askId);
    const { callId } = opened.data;
    expect(await server.result("session.approve", { sessionId, callId, approved: true })).toEqual({ accepted: true });
    await stream.hears(isDone, "the end of the run");
    const end = await ui.message((m) => m.method === "run.status" && m.params.status === "completed", "the end");
    expect(end.params.run_id).toBe(runId);
    expect(written()).toBe("hello\n");
    const { sessions } = await server.result("session.list");
    expect(sessions).toMatchObject([{ sessionId }]);
    expect(await server.result("session.close", { sessionId })).toEqual({ closed: true });
    await endsClosed(stream);
  });

  test("a prompt over HTTP to a session that the other process has is done there, and cancelled from here", async () => {
    const { server, ui } = await both();
    const { session_id: sessionId } = await ui.result("run.start", { input: { type: "text", text: "list the files" } });
    await ui.message((m) => m.method === "run.status" && m.params.status === "completed", "the end");
    const stream = await SseListener.open(server, sessionId);
    await stream.hears(isDone, "the run before");
    const { messageId } = await server.result("session.send", { sessionId, prompt: WRITE });
    await stream.hears(({ event }) => event === "tool.approval", "the ask");
    await server.result("session.cancel", { sessionId, messageId });
    const end = await stream.hears((heard) => isDone(heard) && heard.data.content.startsWith("Cancelled"), "the end");
    expect(end.data.content).toMatch(/^Cancelled: /);
    await stream.hears(({ data }) => data.outcome === "withdrawn", "the ask's end");
  });
});
