import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { WebSocket as Ws } from "ws";
import { builtCommand } from "../../testing/built-command.ts";
import { ChaosProxy, type Mishap } from "../../testing/chaos-proxy.ts";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { confirm, type Script } from "../../testing/one-session.ts";
import { scripted, until } from "../../testing/scripted.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import { uiSocketServers } from "../../testing/ui-socket-server.ts";
import type { SocketConstructor } from "../web-socket.ts";
import { type ClientOptions, type ServerOptions, type StateChange, UiClient, type UiError } from "./index.ts";
import type { AgentEventNotify } from "./protocol.ts";

// The client over WebSockets: with the real server, with connections that are cut, and in a browser as it was built.

const { place, launch } = serveProcesses();
const newServer = uiSocketServers();
const about = { client: { name: "test", version: "1" } };
const clients: UiClient[] = [];
const ends: (() => void)[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const end of ends.splice(0)) end();
});

function client(options: ServerOptions & Partial<ClientOptions>): UiClient {
  const made = new UiClient({ ...about, ...options });
  clients.push(made);
  return made;
}

async function connected(options: ServerOptions & Partial<ClientOptions>): Promise<UiClient> {
  const made = await UiClient.connect({ ...about, ...options });
  clients.push(made);
  return made;
}

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    ({ code, message }: UiError) => ({ code, message }),
  );

async function serving(script: Script) {
  const server = await newServer({ engines: [scripted(script)] });
  return { server, url: server.address, token: await server.token("ada", "prompt", "approve") };
}

/** The usual sockets, at hand. */
function recorded() {
  const opened: Ws[] = [];
  class WebSocket extends Ws {
    constructor(url: string) {
      super(url);
      opened.push(this);
    }
  }
  return { opened, WebSocket: WebSocket as unknown as SocketConstructor };
}

const echo: Script = async ({ input }) => input.text;

describe("a server", () => {
  test("lets in whoever has a token, at its address or that of the socket, and nobody else", async () => {
    const server = await launch(place()).ready();
    const { url, token } = server;
    for (const address of [url, `${url}/`, `${url.replace("http", "ws")}/ui`]) {
      const made = await connected({ url: address, token });
      expect([made.server?.server.name, await made.sessions()]).toEqual(["dragoman", []]);
    }
    expect(await failure(connected({ url, token: "drg_wrong" }))).toEqual({
      code: "unauthorized",
      message: expect.stringMatching(
        /does not let us in: What was sent is not a valid token.*Give a token that is good\.$/,
      ),
    });
    expect(await failure(connected({ url }))).toEqual({
      code: "unauthorized",
      message: expect.stringMatching(/does not let us in: This takes a token.*Give a token, or sign in\.$/),
    });
    expect(await failure(connected({ url: "http://127.0.0.1:1" }))).toMatchObject({ code: "closed" });
    for (const nowhere of [{ url: "ftp://here" }, {} as ServerOptions]) {
      expect(await failure(connected(nowhere))).toMatchObject({ code: "invalid" });
    }
    expect(server.stderr).not.toContain(token);
  });

  test("runs what it is asked to, and asks", async () => {
    const { url, token } = await serving(async (_, io) => JSON.stringify(await io.ask(confirm)));
    const made = await connected({ url, token, handlers: { confirm: () => ({ ok: true }) } });
    const run = await made.startRun({ text: "go" });
    const { status, final = "" } = await run.done;
    expect([status, JSON.parse(final)]).toEqual(["completed", { outcome: "answered", answer: { ok: true } }]);
  });

  test("is not kept waiting by who reads slowly, and all of it comes", async () => {
    const { url, token } = await serving(async (_, io) => {
      for (let n = 0; n < 3000; n++) await io.emit({ type: "text.delta", text: `${n}\n`, of: "answer" });
      return "done";
    });
    const made = await connected({ url, token });
    const run = await made.startRun({ text: "go" });
    const iterator = run.events[Symbol.asyncIterator]();
    await iterator.next();
    await run.done; // nothing is taken until then
    let text = "";
    for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
      if (next.value.type === "event" && next.value.event.type === "text") text += next.value.event.content;
    }
    expect(text).toBe(Array.from({ length: 3000 }, (_, n) => `${n}\n`).join(""));
  });

  test("takes no message that is too large, which fails by itself", async () => {
    const { url, token } = await serving(echo);
    const made = await connected({ url, token });
    const text = "ü".repeat(600 * 1024);
    expect(await failure(made.startRun({ text }))).toMatchObject({ code: "overflow" });
    expect((await (await made.startRun({ text: "hi" })).done).final).toBe("hi");
  });

  test("that takes the token back is not tried again", async () => {
    const { server, url, token } = await serving(echo);
    const made = client({ url, token, restart: { delaysMs: [0] } });
    const changes: StateChange[] = [];
    made.on("state", (change) => changes.push(change));
    await made.start();
    await server.book.revoke("ada");
    await until(() => made.state === "crashed");
    expect(changes.map(({ state, error, restartInMs }) => [state, error?.code, restartInMs])).toEqual([
      ["starting", undefined, undefined],
      ["running", undefined, undefined],
      ["crashed", "unauthorized", undefined],
    ]);
    expect(await failure(made.sessions())).toMatchObject({ code: "unauthorized" });
  });
});

describe("the session that is named", () => {
  test.each(["options", "address"])("in the %s is watched from the start, after a number of its log", async (where) => {
    const { server, url, token } = await serving(echo);
    const first = await connected({ url, token });
    const { sessionId = "", done } = await first.startRun({ text: "one" });
    await done;
    const { lastSeq = 0 } = (await server.runtime.store.session(sessionId)) ?? {};
    await (await first.startRun({ text: "two", sessionId })).done;
    const target = { session: sessionId, after: lastSeq };
    const query = new URLSearchParams({ session: sessionId, after: String(lastSeq) });
    const second = client(where === "options" ? { url, token, ...target } : { url: `${url}?${query}`, token });
    const finals: string[] = [];
    second.on("event", ({ event }) => event.type === "final" && finals.push(event.content));
    await second.start();
    await expect.poll(() => finals).toEqual(["two"]);
  });

  test("and is not there is told so, and nothing is left", async () => {
    const { url, token } = await serving(echo);
    const { WebSocket, opened } = recorded();
    expect(await failure(connected({ url, token, session: "nope", WebSocket }))).toMatchObject({ code: -32004 });
    expect(opened.map(({ readyState }) => readyState)).toEqual([Ws.CLOSED]);
  });
});

describe("a connection that is cut", () => {
  /** The first connections are cut, some before they are open. */
  function* cuts(random: () => number, number: number): Iterable<Mishap> {
    if (number < 12) yield { afterBytes: Math.ceil(20_000 ** random()), do: "cut" };
  }

  test("is made again, and what is watched goes on where it was", async () => {
    const proxy = await ChaosProxy.listen({ seed: 7, mishaps: cuts });
    ends.push(() => proxy.close());
    const server = await launch(place(), ["--port", "0", "--allow-host", proxy.host]).ready();
    proxy.leadTo(server.port);
    const { token } = server;
    const approve = { confirm: () => ({ ok: true }) };
    const direct = await connected({ url: server.url, token, handlers: approve });
    const prompt = (name: string) => `write a file ${name}.txt with the text ${name}`;
    const { sessionId = "", done } = await direct.startRun({ text: prompt("a") });
    await done;
    const watching = client({ url: proxy.url, token, session: sessionId, after: 0, restart: { delaysMs: [20] } });
    const seen = new Map<string, AgentEventNotify>();
    watching.on("event", (event) => seen.set(`${event.run_id} ${event.seq}`, event));
    while (await failure(watching.start())); // the first connection is not tried for again by itself
    for (const name of ["b", "c", "d", "e"]) {
      const run = await direct.startRun({ text: prompt(name), sessionId });
      expect((await run.done).status).toBe("completed");
    }
    proxy.calm();
    const { last_seq } = (await direct.sessions()).find(({ session_id }) => session_id === sessionId) ?? {};
    await until(() => watching.lastSeq(sessionId) === last_seq);
    const whole = await direct.history(sessionId);
    const told = whole.events.filter(({ seq }) => seq >= 0).map(({ run_id, seq }) => `${run_id} ${seq}`);
    expect([...seen.keys()]).toEqual(told);
    expect(proxy.done.cut).toBeGreaterThan(3);
  });

  test("ends the runs that were asked for over it, and their session says what became of them", async () => {
    let goOn = () => {};
    const { url, token } = await serving(async ({ input }) => {
      await new Promise<void>((resolve) => (goOn = resolve));
      return input.text;
    });
    const { WebSocket, opened } = recorded();
    const made = await connected({ url, token, WebSocket, restart: { delaysMs: [0] } });
    const run = await made.startRun({ text: "mine" });
    const finals: string[] = [];
    made.on("event", ({ event }) => event.type === "final" && finals.push(event.content));
    await made.watch(run.sessionId ?? "");
    opened[0]?.terminate();
    expect(await run.done).toMatchObject({ status: "error", code: "connection_lost" });
    await until(() => made.state === "running");
    goOn();
    await expect.poll(() => finals).toEqual(["mine"]);
  });
});

test("what a socket does not get rid of waits, and goes out when it does", async () => {
  const { url, token } = await serving(echo);
  const { WebSocket, opened } = recorded();
  const made = await connected({ url, token, WebSocket });
  const [socket] = opened as [Ws];
  Object.defineProperty(socket, "bufferedAmount", { configurable: true, value: 2 * 1024 * 1024 });
  await made.sessions(); // the first that finds it full is still sent
  const sent: unknown[] = [];
  const send = socket.send.bind(socket);
  socket.send = (text: string) => {
    sent.push(JSON.parse(text).method);
    send(text);
  };
  const waiting = made.sessions();
  const aborted = new AbortController();
  const withdrawn = failure(made.call("todos.list", {}, { signal: aborted.signal }));
  aborted.abort();
  expect([await withdrawn, sent]).toMatchObject([{ code: "aborted" }, []]);
  Reflect.deleteProperty(socket, "bufferedAmount");
  expect([await waiting, sent]).toEqual([[], ["session.list"]]);
});

describeInChromium("the client of ui in a browser", () => {
  const { newPage } = chromiumFixture();

  test("is loaded as it was built, prompts, approves, and streams, by a token and by the page's own sign-in", async () => {
    const server = await launch(place()).ready();
    const page = await newPage();
    const problems: string[] = [];
    const loaded: string[] = [];
    page.on("pageerror", ({ message }) => problems.push(message));
    page.on("request", (request) => loaded.push(new URL(request.url()).pathname));
    await page.route("**/clients/*.js", (route) => {
      const name = new URL(route.request().url()).pathname.split("/").at(-1) ?? "";
      const path = join(dirname(builtCommand), "clients", name);
      return route.fulfill({ path, contentType: "text/javascript" });
    });
    await page.goto(`${server.url}/`);
    const run = (target: object) =>
      page.evaluate(`(async () => {
        const { UiClient } = await import("/clients/ui.js");
        const asked = [];
        const client = await UiClient.connect({
          ...${JSON.stringify({ ...about, ...target })},
          handlers: { confirm: ({ title }) => ({ ok: asked.push(title) > 0 }) },
        });
        const run = await client.startRun({ text: "write a file notes.txt with the text hello" });
        const types = new Set();
        for await (const update of run.events) types.add(update.type);
        const { status } = await run.done;
        await client.close();
        return { asked, types: [...types], status, state: client.state };
      })()`);
    expect(await run({ url: server.url, token: server.token })).toEqual({
      asked: ["Write notes.txt?"],
      types: expect.arrayContaining(["status", "event"]),
      status: "completed",
      state: "closed",
    });
    const { url } = (await (await server.fetch("/auth/links", { method: "POST" })).json()) as { url: string };
    await page.goto(url);
    expect(await run({ url: server.url })).toMatchObject({ status: "completed" });
    const spawning = `import("/clients/ui.js").then(({ UiClient }) => UiClient.spawn(${JSON.stringify(about)})).catch(String)`;
    expect(await page.evaluate(spawning)).toContain("only in Node can a runtime be started");
    expect([problems, loaded.filter((path) => path.includes("node"))]).toEqual([[], []]);
  });
});
