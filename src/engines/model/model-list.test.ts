import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { type Answer, answeringServers, json } from "../../testing/answering-server.ts";
import { until } from "../../testing/scripted.ts";
import { ModelList } from "./model-list.ts";
import type { ModelOptions } from "./model-options.ts";

const newServer = answeringServers();

async function listOf(answer: Answer, options: Partial<ModelOptions> = {}) {
  const server = await newServer(answer);
  return { server, list: new ModelList({ baseUrl: `${server.url}/v1/`, apiKeyVariable: "MY_KEY", ...options }) };
}

const three = {
  data: [
    { id: "a", context_length: 4096 },
    { id: "b", name: "Bee", max_model_len: 8192 },
    { id: "c", context_window: "?" },
  ],
};

test("what the endpoint has is asked for with the key, once in five minutes", async () => {
  const clock = new ManualClock();
  const { server, list } = await listOf((_, response) => json(response, three), { apiKey: "key", clock });
  const models = [
    { id: "a", name: "a", contextWindow: 4096 },
    { id: "b", name: "Bee", contextWindow: 8192 },
    { id: "c", name: "c" },
  ];
  expect(await list.list()).toEqual(models);
  expect(await list.list()).toEqual(models);
  expect(server.requests).toMatchObject([
    { method: "GET", url: "/v1/models", headers: { authorization: "Bearer key" } },
  ]);
  clock.advance(5 * 60_000);
  await list.list();
  expect(server.requests.length).toBe(2);
});

test("the one of the configuration is the first, with what is told of it, and its window is what is configured", async () => {
  const { list } = await listOf((_, response) => json(response, three), { model: "b" });
  expect(list.windowOf("b")).toBeUndefined();
  expect((await list.list()).map(({ id }) => id)).toEqual(["b", "a", "c"]);
  expect([list.windowOf("b"), list.windowOf("c")]).toEqual([8192, undefined]);
  const { list: configured } = await listOf((_, response) => json(response, three), {
    model: "x",
    contextWindow: 2000,
  });
  expect((await configured.list()).map(({ id, contextWindow }) => [id, contextWindow])).toEqual([
    ["x", 2000],
    ["a", 2000],
    ["b", 2000],
    ["c", 2000],
  ]);
  expect(configured.windowOf("any")).toBe(2000);
});

test("those of the configuration are all there are, and nobody is asked", async () => {
  const { server, list } = await listOf((_, response) => json(response, three), { model: "x", models: ["y", "x"] });
  expect((await list.list()).map(({ id }) => id)).toEqual(["x", "y"]);
  expect(server.requests).toEqual([]);
});

test.each<[string, Answer]>([
  ["has no such list", (_, response) => response.writeHead(404).end()],
  ["says something else", (_, response) => response.end("<html>")],
  ["lists no models", (_, response) => json(response, { data: [{ name: "x" }] })],
])("a server that %s leaves the one of the configuration, and is asked again the next time", async (_, answer) => {
  const { server, list } = await listOf(answer, { model: "x" });
  expect(await list.list()).toEqual([{ id: "x", name: "x" }]);
  await list.list();
  expect(server.requests.length).toBe(2);
});

test("a server that does not say is not waited for", async () => {
  const clock = new ManualClock();
  const { server, list } = await listOf(() => {}, { model: "x", clock });
  const listing = list.list();
  await until(() => server.requests.length === 1, "the request");
  clock.advance(2500);
  expect(await listing).toEqual([{ id: "x", name: "x" }]);
});
