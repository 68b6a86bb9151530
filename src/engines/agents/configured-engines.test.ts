import { chmodSync, mkdirSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { Runtime } from "../../core/runtime.ts";
import { memoryStore } from "../../stores/memory.ts";
import { prompt } from "../../testing/one-session.ts";
import { readAll } from "../../testing/read-all.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { configuredEngines, copilotOptions, modelOptions } from "./configured-engines.ts";
import type { Surroundings } from "./find-agents.ts";
import type { ConfiguredAgent } from "./known-agents.ts";

const folder = temporaryFolder();
let around: Surroundings;
let trusted: Set<string>;
let count = 0;

beforeEach(() => {
  const home = join(realpathSync(folder.path), String(count++));
  const workspace = join(home, "work");
  for (const path of [workspace, join(home, "other")]) mkdirSync(path, { recursive: true });
  const bins = ["other/node_modules/.bin", "work/node_modules/.bin", "bin"].map((path) => join(home, path));
  const env = { PATH: bins.join(":"), npm_config_prefix: join(home, "npm") };
  around = { workspace, trusted: false, env, home, packageFolder: join(home, "dragoman") };
  trusted = new Set();
});

function file(path: string, text: string): string {
  const whole = join(around.home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, 0o755);
  return whole;
}

const agent = (name: string, command: string, idle?: string): ConfiguredAgent => ({
  name,
  source: "user",
  value: { command, env: {}, passEnv: [] },
  ...(idle !== undefined && { idle }),
});

const engines = (...agents: ConfiguredAgent[]) =>
  configuredEngines({ agents }, around, async (workspace) => ({ workspace, trusted: trusted.has(workspace) }));
const names = (...agents: ConfiguredAgent[]) => engines(...agents).map(({ name }) => name);

/** Says in its answer how it was started, and what came with its session. */
const telling = `#!${process.execPath}
let told;
require("node:readline").createInterface({ input: process.stdin }).on("line", (line) => {
  const { id, method, params } = JSON.parse(line);
  const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
  if (method === "session/new") told = { program: process.argv[1], path: process.env.PATH, meta: params._meta };
  if (method === "session/prompt") {
    const content = { type: "text", text: JSON.stringify(told) };
    send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
  }
  const modes = { currentModeId: "default", availableModes: [{ id: "default", name: "Default" }] };
  send({ id, result: { protocolVersion: 1, agentCapabilities: {}, sessionId: "s", modes, stopReason: "end_turn" } });
});
`;

test("there is nothing where nothing is installed or configured", () => {
  expect(names()).toEqual([]);
});

test("there are Copilot where its SDK is, the presets that are found, and all that are configured", () => {
  file("dragoman/node_modules/@github/copilot-sdk/package.json", '{"version":"1.0.14"}');
  for (const program of ["gemini", "copilot"]) file(`bin/${program}`, "#!/bin/sh\n");
  const agents = [agent("mine", "gone"), agent("theirs", "gemini", "It is not trusted."), agent("codex", "gone")];
  expect(names(...agents)).toEqual(["copilot", "copilot-cli", "codex", "gemini", "mine"]);
});

test("one whose program is not there says so when it is used, and is looked for again the next time", async () => {
  const path = file("bin/gemini", "#!/bin/sh\n");
  const [gemini] = engines();
  rmSync(path);
  await expect(gemini?.models()).rejects.toMatchObject({
    code: "engine_unavailable",
    message:
      "Gemini CLI (gemini) cannot be started: there is no program gemini. Install it: npm install -g @google/gemini-cli\n" +
      "All agents, and what they lack: dragoman agents",
  });
  const [mine] = engines(agent("mine", "/nowhere/agent"));
  await expect(mine?.models()).rejects.toThrow("The agent mine cannot be started: there is no program /nowhere/agent.");
  file("bin/gemini", "#!/bin/sh\n");
  expect(await gemini?.models()).toEqual([]);
});

test("one that would run what an untrusted folder brings along is not started there", async () => {
  file("bin/codex-acp", telling);
  file("work/.codex/config.toml", "");
  const [codex] = engines();
  await expect(codex?.models()).rejects.toMatchObject({
    code: "precondition_failed",
    message: expect.stringContaining(`Codex would run what ${join(around.workspace, ".codex")} says`),
  });
  trusted.add(around.workspace);
  expect(await codex?.models()).toEqual([]);
});

test("one that was never used is left without being looked for", async () => {
  const [mine] = engines(agent("mine", "/nowhere/agent"));
  expect(await mine?.leave?.("session")).toBeUndefined();
});

test("Copilot is as it is configured, with the key of the variable, and runs nothing of a folder that is not trusted", () => {
  const settings = { baseUrl: "https://models.test/v1", wireApi: "responses" as const, apiKeyVariable: "MY_KEY" };
  around.env.MY_KEY = "key";
  const provider = { baseUrl: settings.baseUrl, wireApi: "responses", apiKey: "key", type: undefined };
  const others = { model: "m", models: ["m", "n"], home: "/copilot" };
  const bins = (around.env.PATH ?? "").split(":");
  expect(copilotOptions({ ...settings, ...others }, around)).toEqual({
    provider,
    ...others,
    trusted: false,
    env: { PATH: bins.filter((bin) => !bin.startsWith(around.workspace)).join(":") },
  });
  around.trusted = true;
  expect(copilotOptions({ apiKeyVariable: "MY_KEY", home: "/copilot" }, around)).toEqual({
    home: "/copilot",
    trusted: true,
    env: {},
  });
});

test("a model without an agent is there where its endpoint is configured, with the key of the variable", async () => {
  const value = { baseUrl: "http://127.0.0.1:1/v1", apiKeyVariable: "MY_KEY", model: "m", contextWindow: 8000 };
  const judge = async (workspace: string) => ({ workspace, trusted: false });
  const [model, ...others] = configuredEngines({ agents: [], modelEndpoint: { value } }, around, judge);
  expect([model?.name, others]).toEqual(["model", []]);
  expect(await model?.models()).toEqual([{ id: "m", name: "m", contextWindow: 8000 }]);
  expect(modelOptions(value, around)).toEqual({ ...value, apiKey: undefined });
  around.env.MY_KEY = "key";
  expect(modelOptions(value, around)).toEqual({ ...value, apiKey: "key" });
});

describe("in the folder of a session", () => {
  const at = (...path: string[]) => join(around.home, ...path);
  const binOf = (name: string) => at(name, "node_modules", ".bin");
  const warned = { claudeCode: { options: { settingSources: ["user"] } } };
  let runtime: Runtime;

  beforeEach(() => {
    for (const place of ["bin", "work/node_modules/.bin", "other/node_modules/.bin"]) {
      file(`${place}/claude-agent-acp`, telling);
    }
    return () => runtime.stop(0);
  });

  /** Of a process that was started for `work`. */
  async function session(workspace: string) {
    runtime = new Runtime({ store: memoryStore(), engines: engines() });
    const opened = await runtime.create({ workspace: at(workspace), engine: "claude" });
    return async () => {
      await prompt(opened, "go");
      await opened.settled();
      const log = await readAll(runtime.store, opened.id);
      return JSON.parse(log.findLast((event) => event.type === "text.delta")?.text ?? "{}");
    };
  }

  test("an agent is told to leave alone what a clone brings along, whatever else is trusted", async () => {
    [around.trusted, trusted] = [true, new Set([at("work")])];
    const told = await (await session("other"))();
    expect(told).toEqual({
      program: join(binOf("work"), "claude-agent-acp"),
      path: [binOf("work"), at("bin")].join(":"),
      meta: warned,
    });
  });

  test("nothing is run of the one that Dragoman was started for, unless that is trusted, too", async () => {
    trusted = new Set([at("other")]);
    expect(await (await session("other"))()).toEqual({
      program: join(binOf("other"), "claude-agent-acp"),
      path: [binOf("other"), at("bin")].join(":"),
    });
    await runtime.stop(0);
    trusted = new Set();
    expect(await (await session("other"))()).toEqual({
      program: at("bin", "claude-agent-acp"),
      path: at("bin"),
      meta: warned,
    });
  });

  test("trust that is given or taken counts from the next prompt on", async () => {
    rmSync(at("other"), { recursive: true });
    const tell = await session("work");
    expect(await tell()).toMatchObject({ program: at("bin", "claude-agent-acp"), meta: warned });
    trusted.add(at("work"));
    const told = await tell();
    expect(told).toMatchObject({ program: join(binOf("work"), "claude-agent-acp") });
    expect(told).not.toHaveProperty("meta");
    trusted.clear();
    expect(await tell()).toMatchObject({ program: at("bin", "claude-agent-acp"), meta: warned });
  });
});
