import { readdirSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { SignIns } from "../access/sign-ins.ts";
import { TokenBook } from "../access/token-book.ts";
import { featureStore } from "../operations/features/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { RawHttp, type RawRequest } from "../testing/raw-http.ts";
import { scripted } from "../testing/scripted.ts";
import { refusedUpgrade } from "../testing/socket-server.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { openNode } from "./open-node.ts";
import type { Parts } from "./parts.ts";
import { serveServer } from "./serve-server.ts";

// What is served, all of it and as it is composed for users, to those who may not have it.

const folder = temporaryFolder();
let served: Awaited<ReturnType<typeof serve>>;
let homes = 0;

beforeEach(async () => {
  served = await serve(join(folder.path, `home-${homes++}`));
});
afterEach(async () => {
  await served.end();
  vi.unstubAllEnvs();
});

const unused = () => Promise.reject(new Error("nobody asks for this"));

async function serve(home: string) {
  vi.stubEnv("DRAGOMAN_HOME", home);
  const store = memoryStore();
  const runs: string[] = [];
  const engine = scripted(async ({ input }) => {
    runs.push(input.text);
    return "done";
  });
  const parts: Parts = {
    version: "1.2.3",
    place: () => "memory",
    openStore: async () => store,
    engines: async () => [engine],
    missing: async () => undefined,
    agents: unused,
    examine: unused,
    recorded: unused,
  };
  const role = { title: "serve", startsQueued: true };
  const node = await openNode(parts, folder.path, { engine: engine.name }, role);
  const { book: tokens, firstToken: token = "" } = await TokenBook.open(home);
  const [workspace, signIns] = [folder.path, new SignIns({ keptIn: { home, tokens } })];
  const features = featureStore(workspace, {});
  const about = { node, workspace, features, tokens, signIns, version: "1.2.3", log: () => {} };
  const { http, plugins, operations } = serveServer(about);
  const { port } = await http.listen({ port: 0 });
  const ask = async (request: RawRequest) => {
    const client = new RawHttp(port);
    return (
      await client
        .send(request)
        .answer()
        .finally(() => client.socket.destroy())
    ).status;
  };
  const upgrade = async (path: string, headers: Record<string, string>) =>
    (await refusedUpgrade(`ws://127.0.0.1:${port}${path}`, headers)).status;
  const end = async () => {
    await node.runtime.stop(0);
    await plugins.close();
    operations.close();
    await http.close(0);
    await signIns.close();
    tokens.close();
  };
  return { http, store, runs, port, token, ask, upgrade, end };
}

const json = { "Content-Type": "application/json" };
/** What would make a session, at the one route that takes it. */
const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "session.create", params: {} });
const at = (path: string) => path.replaceAll(/:\w+/g, "x");
const nameOf = ({ method, path }: { method: string; path: string }) => `${method} ${path}`;

/** What every route and socket that is not among these answers. */
async function statuses(headers: Record<string, string>, besides: string[] = []): Promise<Record<string, number>> {
  const { http, ask, upgrade } = served;
  const answers: Record<string, number> = {};
  for (const { method, path } of http.routes) {
    if (besides.includes(nameOf({ method, path }))) continue;
    const sent = method === "POST" || method === "PUT" ? { headers: { ...json, ...headers }, body } : { headers };
    answers[nameOf({ method, path })] = await ask({ method, path: at(path), ...sent });
  }
  for (const { path } of http.sockets) answers[`socket ${path}`] = await upgrade(at(path), headers);
  return answers;
}

const each = (answers: Record<string, number>, status: number) =>
  Object.fromEntries(Object.keys(answers).map((name) => [name, status]));

const openRoutes = () => served.http.routes.filter(({ access }) => access === "open").map(nameOf);

const done = async () => ({ sessions: await served.store.sessions({ limit: 10 }), runs: served.runs });
const nothing = { sessions: [], runs: [] };

test("only the page's files, the health and the ways to sign in are open", () => {
  const isOfPage = (name: string) => /^GET \/(?:preview|page\/(?:preview\/)?[\w-]+\.(?:js|css))?$/.test(name);
  const files = ["", "preview/"]
    .flatMap((folder) => readdirSync(new URL(`../page/${folder}`, import.meta.url)))
    .filter((name) => /\.(?:js|css|html)$/.test(name));
  expect(openRoutes().filter(isOfPage)).toHaveLength(files.length);
  expect(openRoutes().filter((name) => !isOfPage(name))).toEqual([
    "GET /health",
    "GET /sign-in",
    "POST /auth/sign-in",
    "POST /auth/verify",
    "POST /api/v1/auth/verify",
  ]);
  expect(served.http.sockets.map(({ path }) => path)).toEqual(["/ui", "/ws", "/live", "/studio"]);
});

test("the rest answers 401 without a token or with a wrong one, sockets before they are any, and does nothing", async () => {
  for (const headers of [{}, { Authorization: `Bearer drg_${"x".repeat(43)}` }] as Record<string, string>[]) {
    const answers = await statuses(headers, openRoutes());
    expect(answers).toEqual(each(answers, 401));
    expect(Object.keys(answers)).toEqual(
      expect.arrayContaining(["POST /rpc", "POST /preview/request", "GET /stream/:sessionId", "socket /ui"]),
    );
  }
  expect(await done()).toEqual(nothing);
});

test.each([
  ["a foreign Host", { Host: "evil.test" }],
  ["a foreign Host with our port", { Host: "evil.test:$" }],
  ["a foreign Origin", { Origin: "https://evil.test" }],
  ["the Origin of another port", { Origin: "http://127.0.0.1:1" }],
  ["no Origin to speak of", { Origin: "null" }],
])("every one, open or not, answers 403 to %s, token or not, and does nothing", async (_, foreign) => {
  const { token, port } = served;
  const wrong = Object.fromEntries(
    Object.entries(foreign).map(([name, value]) => [name, value.replace("$", `${port}`)]),
  );
  for (const headers of [wrong, { ...wrong, Authorization: `Bearer ${token}` }]) {
    const answers = await statuses(headers);
    expect(answers).toEqual(each(answers, 403));
  }
  expect(await done()).toEqual(nothing);
});

test("the same call with the token makes a session", async () => {
  const headers = { ...json, Authorization: `Bearer ${served.token}` };
  expect(await served.ask({ method: "POST", path: "/rpc", headers, body })).toBe(200);
  expect((await done()).sessions).toHaveLength(1);
  for (const { path } of served.http.sockets.filter((one) => one.path !== "/ws")) {
    expect([path, await served.upgrade(path, headers)]).toEqual([path, 101]);
  }
});
