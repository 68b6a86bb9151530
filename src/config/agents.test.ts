import { mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
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
const failure = (env?: NodeJS.ProcessEnv) => read(env).then(() => "it was read", messageOf);

async function trustIt(): Promise<void> {
  const { project: file } = await readSources({ workspace, home });
  await grantTrust(home, workspace, file?.sha256 ?? "absent", new Date(0));
}

const KEY = "DRAGOMAN_COPILOT_API_KEY";
const hint = () => `The folder is not trusted. To see what it would set, and to trust it: dragoman trust ${workspace}`;

describe("how Copilot works", () => {
  const local = { baseUrl: "http://127.0.0.1:4010/v1", model: "m" };

  test("is the user's to say, and a trusted project's, and never a mixture of both", async () => {
    user({ copilot: { ...local, apiKeyVariable: "MY_KEY", home: "copilot" } });
    project({ copilot: { baseUrl: "https://models.test/v1", wireApi: "responses" } });
    const ofUser = { ...local, apiKeyVariable: "MY_KEY", home: join(home, "copilot") };
    expect(await read()).toMatchObject({
      copilot: { value: ofUser, source: "user" },
      warnings: [{ message: `Without effect: how Copilot works. ${hint()}` }],
    });
    await trustIt();
    expect(await read()).toMatchObject({
      copilot: {
        value: { baseUrl: "https://models.test/v1", wireApi: "responses", apiKeyVariable: KEY },
        source: "project",
      },
      warnings: [],
    });
  });

  test("is changed by variables, and an empty one is none", async () => {
    user({ copilot: { ...local, apiKeyVariable: "MY_KEY" } });
    expect((await read({ DRAGOMAN_COPILOT_MODEL: "other", DRAGOMAN_COPILOT_BASE_URL: "" })).copilot).toEqual({
      value: { ...local, model: "other", apiKeyVariable: "MY_KEY" },
      source: "environment",
    });
    expect((await read({ DRAGOMAN_COPILOT_HOME: "/copilot" })).copilot?.value).toMatchObject({ home: "/copilot" });
  });

  test("with an address in a variable has nothing of a file but the folder: its key is for another address", async () => {
    user({ copilot: { ...local, type: "anthropic", apiKeyVariable: "MY_KEY", home: "/copilot", models: ["m"] } });
    const env = { DRAGOMAN_COPILOT_BASE_URL: "https://elsewhere.test/v1", DRAGOMAN_COPILOT_WIRE_API: "responses" };
    expect((await read(env)).copilot).toEqual({
      value: {
        baseUrl: "https://elsewhere.test/v1",
        wireApi: "responses",
        apiKeyVariable: KEY,
        home: "/copilot",
      },
      source: "environment",
    });
  });

  test("has no key that everyone on the way could read", async () => {
    const env = { DRAGOMAN_COPILOT_BASE_URL: "http://models.test/v1" };
    expect((await read(env)).copilot?.value.baseUrl).toBe("http://models.test/v1");
    expect(await failure({ ...env, [KEY]: "secret-canary" })).toBe(
      `The key in ${KEY} would be sent to http://models.test for everyone on the way to read. Use https, or a model on this machine, or unset the key.`,
    );
    expect((await read({ DRAGOMAN_COPILOT_BASE_URL: local.baseUrl, [KEY]: "secret" })).copilot).toBeDefined();
  });

  test.each([
    [{ DRAGOMAN_COPILOT_BASE_URL: "models" }, "DRAGOMAN_COPILOT_BASE_URL: is not an http or https address"],
    [{ DRAGOMAN_COPILOT_BASE_URL: "https://a:b@x.test/" }, "DRAGOMAN_COPILOT_BASE_URL: must have no user in it"],
    [{ DRAGOMAN_COPILOT_WIRE_API: "soap" }, /^DRAGOMAN_COPILOT_WIRE_API: .*"completions"\|"responses"/],
    [{ DRAGOMAN_COPILOT_HOME: "copilot" }, "DRAGOMAN_COPILOT_HOME is not the whole path of a folder."],
  ])("variables that cannot be, such as %j, are told of by name", async (env, message) => {
    expect(await failure(env)).toMatch(message);
  });

  test.each([
    [{ apiKeyVariable: "sk-12345" }, "copilot.apiKeyVariable: is not the name of a variable"],
    [{ home: "~/copilot" }, "copilot.home: is taken as it stands, so write the whole path"],
  ])("what cannot be in a file, such as %j, is told of with its place", async (copilot, message) => {
    user({ copilot });
    expect(await failure()).toContain(`/dragoman.json:1:`);
    expect(await failure()).toContain(message);
  });
});

describe("agents", () => {
  const mine = { command: "my-agent", args: ["--acp"] };
  const whole = { ...mine, env: {}, passEnv: [] };

  test("of a project count once its folder is trusted, and then before the user's", async () => {
    project({ agents: { mine: { command: "./bin/agent" }, codex: { mode: "read-only" } } });
    user({ agents: { mine, theirs: { preset: "claude" } } });
    const ofProject = { env: {}, passEnv: [], command: join(workspace, "bin/agent") };
    const ofUser = { name: "theirs", source: "user", value: { preset: "claude", env: {}, passEnv: [] } };
    expect(await read()).toMatchObject({
      agents: [
        { name: "mine", source: "project", value: ofProject, idle: hint() },
        { name: "codex", source: "project", idle: hint() },
        { name: "mine", source: "user", value: whole },
        ofUser,
      ],
      warnings: [{ message: `Without effect: 2 agents. ${hint()}` }],
    });
    await trustIt();
    expect((await read()).agents).toEqual([
      { name: "mine", source: "project", value: ofProject },
      { name: "codex", source: "project", value: { mode: "read-only", env: {}, passEnv: [] } },
      {
        name: "mine",
        source: "user",
        value: whole,
        idle: "The project's dragoman.json has an agent of the same name, which is used in its place.",
      },
      ofUser,
    ]);
  });

  test("one may be named by a variable, and goes before those of files", async () => {
    user({ agents: { acp: mine } });
    expect((await read({ DRAGOMAN_ACP_COMMAND: `"/opt/my agent" --acp` })).agents).toEqual([
      {
        name: "acp",
        source: "environment",
        value: { command: "/opt/my agent", args: ["--acp"], env: {}, passEnv: [] },
      },
      { name: "acp", source: "user", value: whole, idle: "What DRAGOMAN_ACP_COMMAND names is used in its place." },
    ]);
  });

  test.each([
    [
      "./agent",
      "DRAGOMAN_ACP_COMMAND names a program in whichever folder one is in. Give its name, or its whole path.",
    ],
    ['agent "x', "DRAGOMAN_ACP_COMMAND has a quote without an end."],
  ])("a variable that cannot be, such as %j, is told of", async (command, message) => {
    expect(await failure({ DRAGOMAN_ACP_COMMAND: command })).toBe(message);
  });

  test.each(["builtin", "copilot", "model", "replay"])("none takes the name %s, which is an engine's", async (name) => {
    user({ agents: { [name]: mine } });
    expect(await failure()).toContain(
      `agents.${name}: is the name of an engine of Dragoman itself; choose another one`,
    );
  });

  test.each([
    [{ mine: {} }, "agents.mine: needs a command, or a preset (copilot-cli, codex, claude, gemini, opencode)"],
    [{ "a b": mine }, "agents.a b: a name is up to 64 letters, digits, dots, dashes and underscores"],
    [{ mine: { preset: "cursor" } }, "agents.mine.preset: Invalid option"],
    [{ mine: { ...mine, passEnv: ["*"] } }, "agents.mine.passEnv[0]: is not the name of a variable"],
  ])("what cannot be, such as %j, is told of", async (agents, message) => {
    user({ agents });
    expect(await failure()).toContain(message);
  });
});
