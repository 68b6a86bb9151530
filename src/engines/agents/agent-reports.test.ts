import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, expect, test } from "vitest";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { type AgentReport, agentReports } from "./agent-reports.ts";
import type { AgentsConfiguration } from "./configured-engines.ts";
import type { Surroundings } from "./find-agents.ts";

const folder = temporaryFolder();
let around: Surroundings;
let count = 0;

beforeEach(() => {
  const home = join(realpathSync(folder.path), String(count++));
  const workspace = join(home, "work");
  mkdirSync(workspace, { recursive: true });
  const env = { PATH: join(home, "bin") };
  const packageFolder = join(home, "dragoman");
  around = { workspace, trusted: false, env, home, packageFolder, execPath: join(home, "node", "bin", "node") };
});

function file(path: string, text: string, mode = 0o644): string {
  const whole = join(around.home, path);
  mkdirSync(dirname(whole), { recursive: true });
  writeFileSync(whole, text);
  chmodSync(whole, mode);
  return whole;
}

async function reports(configuration: Partial<AgentsConfiguration> = {}): Promise<Map<string, AgentReport>> {
  const all = await agentReports({ agents: [], ...configuration }, around);
  return new Map(all.map((report) => [report.name, report]));
}

test("one that is not installed says what installs it", async () => {
  const all = await reports();
  expect([...all.keys()]).toEqual(["copilot", "copilot-cli", "codex", "claude", "gemini", "opencode"]);
  expect(all.get("codex")).toEqual({
    name: "codex",
    title: "Codex",
    source: "dragoman",
    found: false,
    missing: ["not installed"],
    connect: "npm install -g @agentclientprotocol/codex-acp",
  });
  expect(all.get("copilot")).toMatchObject({ found: false, connect: "npm install @github/copilot-sdk" });
});

test("one that is found says where and which, and how to log in where nothing is seen of that", async () => {
  const path = file("bin/codex-acp", "#!/bin/sh\necho codex-acp 2.6.0\n", 0o755);
  expect((await reports()).get("codex")).toEqual({
    name: "codex",
    title: "Codex",
    source: "dragoman",
    found: true,
    version: "2.6.0",
    path,
    missing: ["no login is found: codex-acp login, or set CODEX_API_KEY or OPENAI_API_KEY"],
    connect: 'dragoman run --engine codex "<prompt>"',
  });
});

test("one that would run what an untrusted folder brings along says so", async () => {
  file("bin/codex-acp", "#!/bin/sh\n", 0o755);
  file("work/.codex/config.toml", "");
  expect((await reports()).get("codex")?.missing).toEqual([
    expect.stringMatching(/^Codex would run what .* says, and the folder is not trusted/),
    expect.stringContaining("no login"),
  ]);
});

test("Codex with a model of its user's own needs no login", async () => {
  file("bin/codex-acp", "#!/bin/sh\n", 0o755);
  const config = file(".codex/config.toml", 'model = "m"\n');
  expect((await reports()).get("codex")?.missing).toEqual([expect.stringContaining("no login")]);
  file(".codex/config.toml", 'model = "m"\nmodel_provider = "mine"\n');
  expect((await reports()).get("codex")).toMatchObject({ login: config, missing: [] });
});

test.each<[string, string, string]>([
  ["codex", "codex-acp", ".codex/auth.json"],
  ["claude", "claude-agent-acp", ".claude/.credentials.json"],
  ["gemini", "gemini", ".gemini/oauth_creds.json"],
  ["opencode", "opencode", ".local/share/opencode/auth.json"],
])("the login of %s is seen by its file, and a variable goes before", async (name, program, login) => {
  file(`bin/${program}`, "#!/bin/sh\n", 0o755);
  const path = file(login, "{}");
  expect((await reports()).get(name)).toMatchObject({ login: path, missing: [] });
  const [variable = ""] = { codex: ["CODEX_API_KEY"], claude: ["ANTHROPIC_API_KEY"] }[name] ?? ["GEMINI_API_KEY"];
  around.env[variable] = "secret-canary";
  const report = (await reports()).get(name);
  expect(report).toMatchObject({ login: variable, missing: [] });
  expect(JSON.stringify(report)).not.toContain("canary");
});

test("Copilot's login is known to Copilot only, but for a token and a model of one's own", async () => {
  file("dragoman/node_modules/@github/copilot-sdk/package.json", '{"version":"1.0.14"}');
  expect((await reports()).get("copilot")).toMatchObject({
    found: true,
    version: "1.0.14",
    missing: [expect.stringContaining("known to Copilot only")],
  });
  around.env.GH_TOKEN = "x";
  expect((await reports()).get("copilot")).toMatchObject({ login: "GH_TOKEN", missing: [] });
  const copilot = { value: { baseUrl: "http://127.0.0.1:4010/v1?key=canary", apiKeyVariable: "KEY" } };
  expect((await reports({ copilot })).get("copilot")).toMatchObject({
    login: "the model at http://127.0.0.1:4010",
    missing: [],
  });
});

test("a model without an agent is one where its endpoint is configured, and says which key is sent where", async () => {
  const value = { baseUrl: "https://models.test/v1", apiKeyVariable: "MY_KEY" };
  const report = {
    name: "model",
    title: "A model without an agent",
    source: "dragoman",
    found: true,
    connect: 'dragoman run --engine model "<prompt>"',
  };
  expect((await reports()).get("model")).toBeUndefined();
  expect((await reports({ modelEndpoint: { value } })).get("model")).toEqual({
    ...report,
    missing: ["https://models.test is asked without a key, since MY_KEY is not set"],
  });
  around.env.MY_KEY = "secret-canary";
  expect((await reports({ modelEndpoint: { value } })).get("model")).toEqual({
    ...report,
    login: "MY_KEY at https://models.test",
    missing: [],
  });
});

test("configured ones say who configured them, and what is wrong with them", async () => {
  const path = file("my agent", "#!/bin/sh\n", 0o755);
  const settings = { env: {}, passEnv: [] };
  const all = await reports({
    agents: [
      { name: "acp", source: "environment", value: { ...settings, command: path } },
      { name: "gone", source: "user", value: { ...settings, command: "gone-agent" } },
      { name: "theirs", source: "project", value: { ...settings, command: "x" }, idle: "It is not trusted." },
    ],
  });
  expect(all.get("acp")).toMatchObject({ source: "environment", found: true, path, missing: [] });
  expect(all.get("gone")).toMatchObject({
    found: false,
    missing: ["there is no program gone-agent"],
    connect: "mend agents.gone.command in your dragoman.json",
  });
  expect(all.get("theirs")).toMatchObject({
    found: false,
    missing: ["without effect: It is not trusted."],
    connect: "dragoman trust",
  });
});
