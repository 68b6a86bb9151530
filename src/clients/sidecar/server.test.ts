import { execFile } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { isAlive } from "../../testing/cli-process.ts";
import { cuttingProxies } from "../../testing/cutting-proxy.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import {
  CallbackServer,
  type CallbackServerOptions,
  type EventData,
  findSidecar,
  SidecarClient,
  type SidecarError,
  type SidecarEvent,
  type StartedSidecar,
  startSidecar,
  type ToolContext,
} from "./index.ts";

// The command as a user has it, over real connections.

const run = promisify(execFile);
const folder = temporaryFolder();
const proxied = cuttingProxies();
const soon = { baseMs: 5, maxMs: 50 };

let [home, workspace] = ["", ""];
beforeEach(() => {
  const at = folder.newPath();
  [home, workspace] = [join(at, "home"), join(at, "workspace")];
  mkdirSync(workspace, { recursive: true });
  workspace = realpathSync(workspace);
  writeFileSync(join(workspace, "main.ts"), "export const answer = 42;\n");
});

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((one) => one.close()));
});

async function start(): Promise<StartedSidecar> {
  const env = { ...process.env, DRAGOMAN_HOME: home };
  const server = await startSidecar({ command: builtCommand, workspace, env });
  open.push(server);
  return server;
}

async function listen(options: Omit<CallbackServerOptions, "token">, { token }: StartedSidecar) {
  const callbacks = await CallbackServer.listen({ token, ...options });
  open.push(callbacks);
  return callbacks;
}

/** Everything until the run that was sent last says its last word. */
async function untilDone(stream: AsyncIterable<SidecarEvent>): Promise<SidecarEvent[]> {
  const found: SidecarEvent[] = [];
  for await (const event of stream) {
    found.push(event);
    if (event.event === "timeline.message" && event.data.done) break;
  }
  return found;
}

async function all(events: AsyncIterable<SidecarEvent>): Promise<SidecarEvent[]> {
  const found: SidecarEvent[] = [];
  for await (const event of events) found.push(event);
  return found;
}

const lastWords = (events: SidecarEvent[]) => (events.at(-1) as { data: EventData<"timeline.message"> }).data.content;

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => expect.fail("it was not rejected"),
    ({ code, reason }: SidecarError) => ({ code, reason }),
  );

/** A tool that would take for ever. */
function untilCalledOff() {
  let context: ToolContext | undefined;
  const handler = (_: unknown, given: ToolContext) => {
    context = given;
    return new Promise(() => {});
  };
  return { handler, context: () => context };
}

test("starts, creates, sends, streams, approves, closes, and leaves no process", async () => {
  const server = await start();
  const client = new SidecarClient(server);
  expect(await findSidecar({ home, workspace })).toMatchObject({ url: server.url, token: server.token, workspace });
  expect(await client.models()).not.toEqual([]);
  const { sessionId } = await client.createSession();
  const sent = await client.send({ sessionId, prompt: "write a file notes.txt with the text hello" });
  expect(sent.streamUrl).toBe(`/stream/${sessionId}`);

  const events: SidecarEvent[] = [];
  for await (const event of client.stream(sessionId, { reconnect: soon })) {
    events.push(event);
    if (event.event === "tool.approval" && event.data.requiresApproval) {
      const { askId } = event.data;
      expect(await client.approve({ sessionId, askId, approved: true })).toEqual({ accepted: true });
      expect(await failure(client.approve({ sessionId, askId, approved: true }))).toEqual({
        code: -32602,
        reason: "ask_closed",
      });
    }
    if (event.event === "timeline.message" && event.data.done) await client.closeSession(sessionId);
  }
  expect(readFileSync(join(workspace, "notes.txt"), "utf8").trim()).toBe("hello");
  expect(events[0]).toMatchObject({ event: "timeline.message", data: { messageId: sent.messageId, role: "user" } });
  expect(lastWords(events)).toContain("Session closed");
  expect(await all(client.stream(sessionId, { reconnect: soon }))).toEqual(events);
  expect(await client.sessions()).toMatchObject([{ sessionId, status: "closed" }]);
  await server.close();
  expect(isAlive(server.pid)).toBe(false);
  expect(await findSidecar({ home, workspace })).toBeUndefined();
});

test("a prompt that is sent twice under one name is one run", async () => {
  const client = new SidecarClient(await start());
  const { sessionId } = await client.createSession();
  const messageId = crypto.randomUUID();
  const params = { sessionId, prompt: "list the files", messageId };
  const [first, second] = await Promise.all([client.send(params), client.send(params)]);
  expect([first, second, (await client.send(params)).messageId]).toEqual([first, first, messageId]);
  const events = await untilDone(client.stream(sessionId));
  expect(events.filter(({ event, data }) => event === "timeline.message" && data.role === "user")).toHaveLength(1);
});

test("a stream that is cut a hundred times tells every event of the log once and in order", async () => {
  const server = await start();
  const direct = new SidecarClient(server);
  const { sessionId } = await direct.createSession();
  const proxy = await proxied({ port: Number(new URL(server.url).port), cuts: 100, maxBytes: 3000, seed: 11 });
  const cut = new SidecarClient({ url: proxy.url, token: server.token });
  const send = () => direct.send({ sessionId, prompt: "list the files" });

  const found: SidecarEvent[] = [];
  await send();
  for await (const event of cut.stream(sessionId, { reconnect: soon })) {
    found.push(event);
    if (event.event !== "timeline.message" || !event.data.done) continue;
    if (proxy.cuts < 100) await send();
    else await direct.closeSession(sessionId);
  }
  expect(proxy.cuts).toBe(100);
  expect(found).toEqual(await all(direct.stream(sessionId, { reconnect: soon })));
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
}, 120_000);

test("a client goes on with the same session when its server is killed and another one started", async () => {
  const first = await start();
  const client = new SidecarClient({ ...first, relocate: () => findSidecar({ home, workspace }) });
  const { sessionId } = await client.createSession();
  const stream = client.stream(sessionId, { reconnect: soon });
  const found: SidecarEvent[] = [];
  let second: StartedSidecar | undefined;

  await client.send({ sessionId, prompt: "list the files" });
  for await (const event of stream) {
    found.push(event);
    if (event.event !== "timeline.message" || !event.data.done) continue;
    if (second) await client.closeSession(sessionId);
    else {
      process.kill(first.pid, "SIGKILL");
      await first.ended;
      second = await start();
      await client.send({ sessionId, prompt: "list the files again" });
    }
  }
  expect(client.address.url).toBe(`${second?.url}/`);
  const prompts = found.filter(({ event, data }) => event === "timeline.message" && data.role === "user");
  expect(prompts.map(({ data }) => (data as EventData<"timeline.message">).content)).toEqual([
    "list the files",
    "list the files again",
  ]);
  expect(found).toEqual(await all(client.stream(sessionId, { reconnect: soon })));
});

test("a stream whose token is revoked ends with that within seconds", async () => {
  const server = await start();
  const admin = new SidecarClient(server);
  const { sessionId } = await admin.createSession();
  await admin.send({ sessionId, prompt: "list the files" });
  const env = { ...process.env, DRAGOMAN_HOME: home };
  const token = (...args: string[]) => run(process.execPath, [builtCommand, "token", ...args], { env });
  const { stdout } = await token("create", "viewer", "--role", "observe");
  const viewer = new SidecarClient({ url: server.url, token: /drg_\S+/.exec(stdout)?.[0] });
  const stream = viewer.stream(sessionId, { reconnect: soon });
  await untilDone({ [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) });
  expect(await failure(viewer.send({ sessionId, prompt: "more" }))).toMatchObject({ reason: "forbidden" });
  const next = failure(stream.next());
  await token("revoke", "viewer");
  expect(await next).toEqual({ code: "unauthorized", reason: "unauthorized" });
});

test("a tool of the plugin is executed by the plugin, once a person there agreed", async () => {
  const server = await start();
  const client = new SidecarClient(server);
  const asked: unknown[] = [];
  const callbacks = await listen(
    {
      handlers: {
        "fs.write": ({ path, content }) => writeFileSync(join(workspace, `${path}.by-plugin`), `${content}`),
      },
      approve: ({ toolName, args }) => {
        asked.push([toolName, args]);
        return asked.length === 1 || { approved: false, userMessage: "Not that one" };
      },
    },
    server,
  );
  const { sessionId } = await client.createSession({ ...callbacks.params, permissions: { "fs.write": "ask" } });
  const stream = client.stream(sessionId);
  const events = { [Symbol.asyncIterator]: () => ({ next: () => stream.next() }) };
  await client.send({ sessionId, prompt: "write a file a.txt with the text hello" });
  const first = await untilDone(events);
  await client.send({ sessionId, prompt: "write a file b.txt with the text hello" });
  const second = await untilDone(events);
  await stream.return();

  expect(asked).toEqual([
    ["fs.write", { path: "a.txt", content: expect.stringContaining("hello") }],
    ["fs.write", { path: "b.txt", content: expect.stringContaining("hello") }],
  ]);
  const ends = (told: SidecarEvent[]) =>
    told.flatMap(({ event, data }) =>
      event === "timeline.toolCall" && data.status !== "running" ? [data.status] : [],
    );
  expect([ends(first), ends(second)]).toEqual([["done"], ["failed"]]);
  expect(lastWords(second)).toContain("Not that one");
  expect(
    ["a.txt", "a.txt.by-plugin", "b.txt", "b.txt.by-plugin"].map((name) => existsSync(join(workspace, name))),
  ).toEqual([false, true, false, false]);
});

test("a call that is under way in the plugin is called off with the run", async () => {
  const server = await start();
  const client = new SidecarClient(server);
  const { handler, context } = untilCalledOff();
  const callbacks = await listen({ handlers: { "fs.write": handler }, limits: { graceMs: 10 } }, server);
  const { sessionId } = await client.createSession(callbacks.params);
  await client.send({ sessionId, prompt: "write a file a.txt with the text hello" });
  await vi.waitFor(() => expect(context()?.signal.aborted).toBe(false), 10_000);
  expect(await client.cancel({ sessionId })).toEqual({ cancelled: true });
  await vi.waitFor(() => expect(context()?.signal.aborted).toBe(true), 10_000);
  expect(lastWords(await untilDone(client.stream(sessionId)))).toContain("Cancelled");
});

test("a call whose server dies is called off, and the next server says what became of the run", async () => {
  const first = await start();
  const client = new SidecarClient({ ...first, relocate: () => findSidecar({ home, workspace }) });
  const { handler, context } = untilCalledOff();
  const callbacks = await listen({ handlers: { "fs.write": handler }, limits: { graceMs: 10 } }, first);
  const { sessionId } = await client.createSession(callbacks.params);
  await client.send({ sessionId, prompt: "write a file a.txt with the text hello" });
  await vi.waitFor(() => expect(context()?.signal.aborted).toBe(false), 10_000);
  process.kill(first.pid, "SIGKILL");
  await vi.waitFor(() => expect(context()?.signal.aborted).toBe(true), 10_000);
  await first.ended;
  await start();
  const told = await untilDone(client.stream(sessionId, { reconnect: soon }));
  expect(told.flatMap(({ event, data }) => (event === "error" ? [data] : []))).toMatchObject([
    { code: -32002, data: { code: "owner_lost" } },
  ]);
});
