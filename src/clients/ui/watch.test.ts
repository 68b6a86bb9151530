import { afterEach, describe, expect, test } from "vitest";
import type { Origin } from "../../core/events.ts";
import { MemoryRuntime } from "../../testing/memory-ui-link.ts";
import { confirm, type Script } from "../../testing/one-session.ts";
import { scripted } from "../../testing/scripted.ts";
import { uiSocketServers } from "../../testing/ui-socket-server.ts";
import { LinkedUiClient } from "./client.ts";
import type { ClientOptions } from "./client-options.ts";
import type { AgentEventNotify } from "./protocol.ts";
import { webSocketLink } from "./web-socket-link.ts";

// Sessions in which others work, over the real server and with a runtime in the test's own hands.

const newServer = uiSocketServers();
const clients: LinkedUiClient[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
});

async function started(
  options: Partial<ClientOptions> & Pick<ConstructorParameters<typeof LinkedUiClient>[0], "connect">,
) {
  const client = new LinkedUiClient({ client: { name: "test", version: "1" }, restart: false, ...options });
  clients.push(client);
  await client.start();
  return client;
}

const live: Origin = { dialect: "live", client: "agent" };

async function servedSession(script: Script) {
  const server = await newServer({ engines: [scripted(script)] });
  const session = await server.runtime.create({ workspace: "/w", engine: "scripted", by: live });
  const work = (text: string) => session.prompt({ kind: "prompt", input: { text }, by: live, whenBusy: "queue" });
  const connect = async (name: string) =>
    webSocketLink({ url: server.address, token: await server.token(name, "prompt", "approve") });
  return { server, session, work, connect };
}

describe("a session that is watched", () => {
  test("is heard of, answered and cancelled as one's own, and says where to go on", async () => {
    const { session, work, connect, server } = await servedSession(async (turn, io) => {
      await io.ask(confirm);
      return turn.input.text;
    });
    const asked: unknown[] = [];
    const client = await started({
      connect: await connect("ada"),
      handlers: {
        confirm: ({ session_id, log_seq }) => {
          asked.push([session_id, log_seq]);
          return { ok: true };
        },
      },
    });
    const ends: string[] = [];
    client.on("status", ({ run_id, status }) => status === "completed" && ends.push(run_id));
    expect(await client.watch(session.id)).toEqual({ session_id: session.id, last_seq: 1, engine: "scripted" });
    expect(client.lastSeq(session.id)).toBe(1);
    const { runId } = await work("theirs");
    await expect.poll(() => ends).toEqual([runId]);
    expect(asked).toEqual([[session.id, 3]]);
    const { lastSeq } = (await server.runtime.store.session(session.id)) ?? {};
    expect(client.lastSeq(session.id)).toBe(lastSeq);
    expect(await client.unwatch(session.id)).toBe(true);
    expect(await client.unwatch(session.id)).toBe(false);
  });

  test("goes on elsewhere after what one client has, and together they have everything once", async () => {
    const { session, work, connect, server } = await servedSession(async (_, io) => {
      for (const number of [0, 1, 2])
        await io.emit({ type: "step.started", stepId: String(number), title: "s", number });
      return "done";
    });
    const told = async (name: string, after: number, runs: number) => {
      const client = await started({ connect: await connect(name) });
      const events: AgentEventNotify[] = [];
      let ends = 0;
      client.on("event", (event) => events.push(event));
      client.on("status", ({ status }) => status === "completed" && ends++);
      await client.watch(session.id, { after });
      await expect.poll(() => ends).toBe(runs);
      return { client, events };
    };
    await work("one");
    const first = await told("ada", 0, 1);
    await first.client.unwatch(session.id);
    await work("two");
    const second = await told("bob", first.client.lastSeq(session.id) ?? -1, 1);
    const whole = await told("eve", 0, 2);
    expect([...first.events, ...second.events]).toEqual(whole.events);
    expect(whole.client.lastSeq(session.id)).toBe((await server.runtime.store.session(session.id))?.lastSeq);
  });

  test("that cannot be watched rejects, and is not watched later either", async () => {
    const { session, connect } = await servedSession(async () => "");
    const client = await started({ connect: await connect("ada") });
    await expect(client.watch(session.id, { after: 7 })).rejects.toMatchObject({ code: -32602 });
    await expect(client.watch("nope")).rejects.toMatchObject({ code: -32004 });
    expect([client.lastSeq(session.id), client.lastSeq("nope")]).toEqual([undefined, undefined]);
  });
});

describe("the place in the log", () => {
  const place = (log_seq: number) => ({ run_id: "r", session_id: "s", log_seq });

  test("is told when every message of an event has come for certain: with the next event, or the end of the run", async () => {
    const runtime = new MemoryRuntime();
    const client = await started({ connect: runtime.connect });
    const heard: number[] = [];
    client.on("logSeq", ({ last_seq }) => heard.push(last_seq));
    runtime.tell("run.status", { ...place(2), status: "running" });
    const event = { type: "text", content: "a", timestamp: 0 };
    runtime.tell("agent.event", { ...place(5), seq: 0, event });
    runtime.tell("todos.update", { ...place(5), todos: [] });
    runtime.say({ id: "ask", method: "ui.confirm.request", params: { ...place(7), title: "?", message: "" } });
    runtime.tell("run.status", { ...place(9), status: "completed" });
    runtime.tell("run.status", { run_id: "r", status: "running" }); // of a runtime that tells no places
    expect([heard, client.lastSeq("s")]).toEqual([[1, 4, 6, 9], 9]);
  });

  test("is where a runtime that was started again goes on", async () => {
    const runtime = new MemoryRuntime();
    const client = await started({ connect: runtime.connect, restart: { delaysMs: [0, 0] } });
    for (const session of ["s", "unwatched"]) {
      const watching = client.watch(session, { after: 3 });
      runtime.answer("session.watch", { session_id: session, last_seq: 3 });
      await watching;
    }
    const leaving = client.unwatch("unwatched");
    runtime.answer("session.unwatch", { ok: true });
    await leaving;
    runtime.tell("run.status", { ...place(9), status: "running" });
    runtime.sent.length = 0;
    runtime.end();
    await expect
      .poll(() => runtime.sent.map(({ method, params }) => [method, params?.session_id, params?.after]))
      .toEqual([
        ["initialize", undefined, undefined],
        ["session.watch", "s", 8],
      ]);
  });
});
