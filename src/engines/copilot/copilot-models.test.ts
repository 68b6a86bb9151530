import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import { answeringServers, json } from "../../testing/answering-server.ts";
import { until } from "../../testing/scripted.ts";
import { CopilotModels, namedFirst } from "./copilot-models.ts";
import type { CopilotOptions } from "./copilot-options.ts";

const serve = answeringServers();
const listed = { data: [{ id: "small" }, { id: "large", name: "The large one" }, { id: 7 }, "no model"] };

const modelsOf = (baseUrl: string, options: CopilotOptions = {}) =>
  new CopilotModels({ provider: { baseUrl }, ...options });

test("a provider is asked for its models, and the one of the configuration comes first", async () => {
  const { url, requests } = await serve((_, response) => json(response, listed));
  expect(await modelsOf(`${url}/v1/`, { model: "large" }).list()).toEqual([
    { id: "large", name: "The large one" },
    { id: "small", name: "small" },
  ]);
  expect(requests).toMatchObject([{ method: "GET", url: "/v1/models" }]);
});

test("the one of the configuration comes first with all that is told of it, and also where nobody tells of it", () => {
  const [small, large] = [
    { id: "small", name: "Small" },
    { id: "large", name: "Large", contextWindow: 100 },
  ];
  expect(namedFirst([{ id: "large", name: "large" }], [small, large])).toEqual([large, small]);
  expect(namedFirst([{ id: "own", name: "own" }], [small])).toEqual([{ id: "own", name: "own" }, small]);
});

test.each([
  [undefined, "authorization", "Bearer key"],
  ["anthropic", "x-api-key", "key"],
  ["azure", "api-key", "key"],
] as const)("it is asked with the key, as a provider of its type wants it (%s)", async (type, header, value) => {
  const { url, requests } = await serve((_, response) => json(response, listed));
  await new CopilotModels({ provider: { baseUrl: url, type, apiKey: "key" } }).list();
  expect(requests[0]?.headers).toMatchObject({ [header]: value });
});

test("nobody is asked for models that the configuration names", async () => {
  const { url, requests } = await serve((_, response) => json(response, listed));
  const models = modelsOf(url, { model: "b", models: ["a", "b"] });
  expect((await models.list()).map(({ id }) => id)).toEqual(["b", "a"]);
  expect(requests).toEqual([]);
});

test("what was found holds for five minutes", async () => {
  const clock = new ManualClock();
  const { url, requests } = await serve((_, response) => json(response, listed));
  const models = modelsOf(url, { clock });
  await Promise.all([models.list(), models.list()]);
  clock.advance(299_000);
  await models.list();
  expect(requests).toHaveLength(1);
  clock.advance(1000);
  await models.list();
  expect(requests).toHaveLength(2);
});

test.each([
  ["refuses", () => serve((_, response) => json(response, {}, 401))],
  ["talks nonsense", () => serve((_, response) => void response.end("<html>"))],
  ["has something else there", () => serve((_, response) => json(response, { data: "none" }))],
  ["sends elsewhere", () => serve((_, response) => json(response, {}, 302, { Location: "http://127.0.0.1:1/" }))],
])("a provider that %s has no models, and is asked again the next time", async (_, open) => {
  const { url, requests } = await open();
  const models = modelsOf(url);
  expect([await models.list(), await models.list()]).toEqual([[], []]);
  expect(requests).toHaveLength(2);
});

test("a provider that cannot tell has the model of the configuration, and is asked again the next time", async () => {
  let isThere = false;
  const { url } = await serve((_, response) => json(response, listed, isThere ? 200 : 503));
  const models = modelsOf(url, { model: "large" });
  expect(await models.list()).toEqual([{ id: "large", name: "large" }]);
  isThere = true;
  expect((await models.list()).map(({ id }) => id)).toEqual(["large", "small"]);
});

test("a provider that does not answer is not waited for", async () => {
  const clock = new ManualClock();
  const { url, requests } = await serve(() => {});
  const listing = modelsOf(url, { clock }).list();
  await until(() => requests.length > 0);
  clock.advance(3000);
  expect(await listing).toEqual([]);
});

test("without a provider and a login there are none", async () => {
  expect(await new CopilotModels({ useLogin: false }).list()).toEqual([]);
});
