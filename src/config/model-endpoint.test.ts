import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { messageOf } from "../core/errors.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { readConfiguration } from "./configuration.ts";
import { readSources } from "./sources.ts";
import { grantTrust } from "./trust.ts";

const folder = temporaryFolder();
let [workspace, home] = ["", ""];
let count = 0;

beforeEach(() => {
  const path = join(realpathSync(folder.path), String(count++));
  [workspace, home] = [join(path, "work"), join(path, "home")];
  for (const made of [workspace, home]) mkdirSync(made, { recursive: true });
});

const project = (value: unknown) => writeFileSync(join(workspace, "dragoman.json"), JSON.stringify(value));
const user = (value: unknown) => writeFileSync(join(home, "dragoman.json"), JSON.stringify(value));
const read = (env: NodeJS.ProcessEnv = {}) => readConfiguration({ workspace, home, env });
const endpoint = async (env?: NodeJS.ProcessEnv) => (await read(env)).modelEndpoint;
const failure = (env?: NodeJS.ProcessEnv) => read(env).then(() => "it was read", messageOf);

async function trustIt(): Promise<void> {
  const { project: file } = await readSources({ workspace, home });
  await grantTrust(home, workspace, file?.sha256 ?? "absent", new Date(0));
}

const KEY = "DRAGOMAN_MODEL_API_KEY";
const local = { baseUrl: "http://127.0.0.1:4010/v1", model: "m", contextWindow: 8000 };

test("where the model is asked, nobody has said at first, also not who names only a model or a key", async () => {
  expect(await endpoint()).toBeUndefined();
  expect(await endpoint({ DRAGOMAN_MODEL_NAME: "m", [KEY]: "key", DRAGOMAN_MODEL: "n" })).toBeUndefined();
});

test("is the user's to say, and a trusted project's, and never a mixture of both", async () => {
  user({ modelEndpoint: { ...local, apiKeyVariable: "MY_KEY" } });
  project({ modelEndpoint: { baseUrl: "https://models.test/v1", models: ["x"] } });
  const hint = `The folder is not trusted. To see what it would set, and to trust it: dragoman trust ${workspace}`;
  expect(await read()).toMatchObject({
    modelEndpoint: { value: { ...local, apiKeyVariable: "MY_KEY" }, source: "user" },
    warnings: [{ message: `Without effect: where the engine model asks. ${hint}` }],
  });
  await trustIt();
  expect(await read({ MY_KEY: "key" })).toMatchObject({
    modelEndpoint: {
      value: { baseUrl: "https://models.test/v1", models: ["x"], apiKeyVariable: KEY },
      source: "project",
    },
    warnings: [],
  });
});

test("by a project that nobody trusts is not said at all", async () => {
  project({ modelEndpoint: { baseUrl: "https://models.test/v1", apiKeyVariable: "GITHUB_TOKEN" } });
  expect(await endpoint({ GITHUB_TOKEN: "secret" })).toBeUndefined();
});

test("has another model by a variable, and an empty one is none", async () => {
  user({ modelEndpoint: { ...local, apiKeyVariable: "MY_KEY" } });
  expect(await endpoint({ DRAGOMAN_MODEL_NAME: "other", DRAGOMAN_MODEL_BASE_URL: "" })).toEqual({
    value: { ...local, model: "other", apiKeyVariable: "MY_KEY" },
    source: "environment",
  });
});

test("with an address in a variable has nothing of a file: its key is for another address", async () => {
  user({ modelEndpoint: { ...local, apiKeyVariable: "MY_KEY", models: ["m"] } });
  expect(await endpoint({ DRAGOMAN_MODEL_BASE_URL: "https://elsewhere.test/v1", MY_KEY: "key" })).toEqual({
    value: { baseUrl: "https://elsewhere.test/v1", apiKeyVariable: KEY },
    source: "environment",
  });
});

test("has nothing to do with the model of new sessions", async () => {
  user({ model: "n", modelEndpoint: local });
  expect(await read({ DRAGOMAN_MODEL_NAME: "other" })).toMatchObject({
    model: { value: "n", source: "user" },
    modelEndpoint: { value: { model: "other" } },
  });
});

test("gets no key that everyone on the way could read", async () => {
  const env = { DRAGOMAN_MODEL_BASE_URL: "http://models.test/v1" };
  expect((await endpoint(env))?.value.baseUrl).toBe("http://models.test/v1");
  expect(await failure({ ...env, [KEY]: "secret-canary" })).toBe(
    `The key in ${KEY} would be sent to http://models.test for everyone on the way to read. Use https, or a model on this machine, or unset the key.`,
  );
  expect(await endpoint({ DRAGOMAN_MODEL_BASE_URL: local.baseUrl, [KEY]: "secret" })).toBeDefined();
});

test.each([
  ["models", "DRAGOMAN_MODEL_BASE_URL: is not an http or https address"],
  ["https://a:b@x.test/", "DRAGOMAN_MODEL_BASE_URL: must have no user in it"],
  ["https://x.test/v1?key=a", "DRAGOMAN_MODEL_BASE_URL: must have nothing behind its path"],
])("cannot be at %s", async (url, message) => {
  expect(await failure({ DRAGOMAN_MODEL_BASE_URL: url })).toMatch(message);
});

test.each([
  [{ model: "m" }, "modelEndpoint.baseUrl: is not an http or https address"],
  [{ ...local, apiKeyVariable: "sk-12345" }, "modelEndpoint.apiKeyVariable: is not the name of a variable"],
  [{ ...local, contextWindow: 10 }, "modelEndpoint.contextWindow: "],
])("what cannot be in a file, such as %j, is told of with its place", async (modelEndpoint, message) => {
  user({ modelEndpoint });
  expect(await failure()).toContain("/dragoman.json:1:");
  expect(await failure()).toContain(message);
});
