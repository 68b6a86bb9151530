import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { ChaosProxy, type Mishap } from "../../testing/chaos-proxy.ts";
import { chromiumFixture, describeInChromium } from "../../testing/chromium.ts";
import { until } from "../../testing/scripted.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import { connectLive } from "./connect-live.ts";
import type { LiveClient } from "./live-client.ts";
import type { LiveError } from "./live-error.ts";
import type { LiveMessage } from "./protocol.ts";

// The client over WebSockets: the bundled command serves, and a browser loads the client as it was built.

const { place, launch } = serveProcesses();
const clients: LiveClient[] = [];
const ends: (() => void)[] = [];
afterEach(async () => {
  await Promise.all(clients.splice(0).map((client) => client.close()));
  for (const end of ends.splice(0)) end();
});

const failure = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: LiveError) => error,
  );
const builtClient = (name: string) => join(dirname(builtCommand), "clients", name);

/** The first connections are cut, some before they are open. */
function* cuts(random: () => number, number: number): Iterable<Mishap> {
  if (number < 12) yield { afterBytes: Math.ceil(20_000 ** random()), do: "cut" };
}

/** What was lost is tried again. */
async function untilDone<T>(attempt: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if ((error as LiveError).code !== "CONNECTION_LOST") throw error;
    }
  }
}

describe("over a WebSocket", () => {
  test("a token opens it, from the address of the server or of the socket, and a wrong one does not", async () => {
    const server = await launch(place()).ready();
    const { url, token } = server;
    for (const address of [url, `${url}/`, `${url.replace("http", "ws")}/live`]) {
      const client = await connectLive({ url: address, token });
      clients.push(client);
      expect(await client.sessions()).toEqual([]);
    }
    expect(await failure(connectLive({ url, token: "drg_wrong" }))).toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringMatching(
        /does not let us in: What was sent is not a valid token.*Give a token that is good\.$/,
      ),
    });
    expect(await failure(connectLive({ url }))).toMatchObject({
      code: "PERMISSION_DENIED",
      message: expect.stringMatching(/does not let us in: This takes a token.*Give a token, or sign in\.$/),
    });
    expect(await failure(connectLive({ url: "http://127.0.0.1:1" }))).toMatchObject({ code: "CONNECTION_LOST" });
    expect(await failure(connectLive({ url: "ftp://here" }))).toMatchObject({ code: "INVALID" });
    expect(server.stderr).not.toContain(token);
  });

  test("cuts cost no message, no answer and no run", async () => {
    const proxy = await ChaosProxy.listen({ seed: 3, mishaps: cuts });
    ends.push(() => proxy.close());
    const server = await launch(place(), ["--port", "0", "--allow-host", proxy.host]).ready();
    proxy.leadTo(server.port);
    const options = { reconnect: { delaysMs: [20] } };
    const client = await untilDone(() => connectLive({ url: proxy.url, token: server.token }, options));
    clients.push(client);
    const session = await untilDone(() => client.open());
    const seen: LiveMessage[] = [];
    session.onMessage((message) => seen.push(message));
    session.onConfirmation(({ ask_id }) => {
      void untilDone(() => session.approve(ask_id)).catch(() => {}); // the first of two may have been the one that counts
    });
    for (const name of ["a", "b", "c", "d"]) {
      const { ended } = await untilDone(() => session.prompt(`write a file ${name}.txt with the text ${name}`));
      expect((await ended).status).toBe("completed");
    }
    proxy.calm();
    const direct = await connectLive({ url: server.url, token: server.token });
    clients.push(direct);
    const whole = await direct.attach(session.id, { after: 0 });
    const all: LiveMessage[] = [];
    whole.onMessage((message) => all.push(message));
    const isLast = ({ type, seq }: LiveMessage) => type === "status_update" && seq === whole.view.last_seq;
    await until(() => all.some(isLast) && seen.some(isLast));
    const placesOf = (messages: LiveMessage[]) =>
      messages.filter(({ seq }) => seq !== undefined).map(({ seq, k = 0 }) => `${seq}.${k}`);
    expect(placesOf(seen)).toEqual(placesOf(all));
    expect({ ...session.view, addresses: undefined }).toEqual({ ...whole.view, addresses: undefined });
    expect(proxy.done.cut).toBeGreaterThan(3);
  });
});

test.each(["live", "studio", "ui"])("what is built of %s takes nothing of Node that is not asked for", (name) => {
  const built = readFileSync(builtClient(`${name}.js`), "utf8");
  const imports = [...built.matchAll(/^\s*(?:import|export)\b.*\bfrom\b.*|\bimport\([^)]*\)/gm)].map(
    ([found]) => found,
  );
  expect([...new Set(imports)]).toEqual(['import("ws")', `import("./${name}-node.js")`]);
  expect(built).not.toMatch(/\b(process|Buffer|require)\b[.(]/);
});

describeInChromium("the client of live in a browser", () => {
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
      return route.fulfill({ path: builtClient(name), contentType: "text/javascript" });
    });
    await page.goto(`${server.url}/`);
    const run = async (target: object) =>
      page.evaluate(`(async () => {
        const { connectLive } = await import("/clients/live.js");
        const live = await connectLive(${JSON.stringify(target)});
        const session = await live.open();
        session.onConfirmation(({ ask_id }) => session.approve(ask_id));
        const types = new Set();
        session.onMessage(({ type }) => types.add(type));
        const { ended } = await session.prompt("write a file notes.txt with the text hello");
        const { status } = await ended;
        await live.close();
        return { status, types: [...types].filter((type) => type.startsWith("tool_call")), view: session.view.status };
      })()`);
    const refused = async (target: object) =>
      page.evaluate(`import("/clients/live.js").then(({ connectLive }) => connectLive(${JSON.stringify(target)}))
        .catch(({ code, message }) => [code, message])`);
    expect(await refused({ url: server.url })).toEqual([
      "PERMISSION_DENIED",
      expect.stringContaining("does not let us in: This takes a token"),
    ]);
    expect(await refused({})).toEqual(["INVALID", expect.stringContaining("only in Node")]);
    const expected = {
      status: "completed",
      types: ["tool_call_request", "tool_call_confirmation", "tool_call_response"],
      view: "idle",
    };
    expect(await run({ url: server.url, token: server.token })).toEqual(expected);
    const { url } = (await (await server.fetch("/auth/links", { method: "POST" })).json()) as { url: string };
    await page.goto(url);
    expect(await run({ url: server.url })).toMatchObject({ status: "completed" });
    expect([problems, loaded.filter((path) => path.includes("node"))]).toEqual([[], []]);
  });
});
