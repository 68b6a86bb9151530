import { chmodSync, mkdirSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { presetNames } from "../../config/agents-schema.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { agentEnvironment } from "../agent-environment.ts";
import { aboutMissing } from "./about-missing.ts";
import type { Surroundings } from "./find-agents.ts";
import { type AgentSettings, type ConfiguredAgent, knownAgents } from "./known-agents.ts";
import { agentPresets } from "./presets.ts";

const folder = temporaryFolder();
let around: Surroundings;
let count = 0;

beforeEach(() => {
  const root = join(realpathSync(folder.path), String(count++));
  const workspace = join(root, "work");
  for (const path of [workspace, join(root, "bin")]) mkdirSync(path, { recursive: true });
  const env = { PATH: `${join(workspace, "node_modules", ".bin")}:${join(root, "bin")}` };
  const execPath = join(root, "node", "bin", "node");
  around = { workspace, trusted: false, env, home: root, packageFolder: join(root, "dragoman"), execPath };
});

function program(...path: string[]): string {
  const file = join(around.home, ...path);
  writeFileSync(file, "#!/bin/sh\n");
  chmodSync(file, 0o755);
  return file;
}

const configured = (name: string, value: Partial<AgentSettings>, idle?: string): ConfiguredAgent => ({
  name,
  source: "user",
  value: { env: {}, passEnv: [], ...value },
  ...(idle !== undefined && { idle }),
});

const known = (...agents: ConfiguredAgent[]) =>
  new Map(knownAgents(agents, around).map((agent) => [agent.name, agent]));

test("the presets are those that a configuration may name", () => {
  expect(Object.keys(agentPresets)).toEqual([...presetNames]);
});

test.each(Object.entries(agentPresets))("%s gets the variables that it may log in with, and no others", (_, preset) => {
  const given = Object.fromEntries(
    [...preset.login.variables, "SOME_OTHER_API_KEY", "DRAGOMAN_X"].map((name) => [name, "x"]),
  );
  const passed = agentEnvironment(preset.passEnv, preset.env, given);
  expect(preset.login.variables.filter((name) => passed[name] === undefined)).toEqual([]);
  expect(passed).not.toHaveProperty("SOME_OTHER_API_KEY");
  expect(passed).not.toHaveProperty("DRAGOMAN_X");
});

test("what a user has set to be asked nothing does not hold here", () => {
  const given = {
    COPILOT_ALLOW_ALL: "true",
    OPENCODE_PERMISSION: '{"bash":"allow"}',
    INITIAL_AGENT_MODE: "agent",
    IS_SANDBOX: "1",
  };
  const { "copilot-cli": copilot, codex, opencode, claude } = agentPresets;
  const presets = [copilot, codex, opencode, claude];
  const seen = presets.map((preset) => agentEnvironment(preset?.passEnv ?? [], preset?.env, given));
  expect(seen[0]).toMatchObject({ COPILOT_ALLOW_ALL: "false" });
  expect(seen[1]).toMatchObject({ INITIAL_AGENT_MODE: "read-only" });
  expect(JSON.parse(seen[2]?.OPENCODE_PERMISSION ?? "")).toMatchObject({ bash: "ask", edit: "ask" });
  expect(seen[3]).toMatchObject({ IS_SANDBOX: "" });
});

test("a preset is as it is, where nothing is configured", () => {
  const file = program("bin", "codex-acp");
  const codex = known().get("codex");
  expect(codex).toMatchObject({ title: "Codex", source: undefined, command: "codex-acp", args: [], mode: "read-only" });
  expect(codex?.find()).toBe(file);
  expect(known().get("gemini")?.find()).toBeUndefined();
});

test("a configured agent of a preset's name has of the preset what it does not say itself", () => {
  const mine = program("bin", "my-gemini");
  const value = { command: "my-gemini", env: { GEMINI_MODEL: "x" }, passEnv: ["CORP_KEY", "AWS_*"], mode: "plan" };
  const gemini = known(configured("gemini", value)).get("gemini");
  expect(gemini).toMatchObject({ title: "Gemini CLI", source: "user", args: ["--acp"], mode: "plan" });
  expect(gemini?.env).toMatchObject({ GEMINI_MODEL: "x" });
  expect(gemini?.passEnv.slice(-2)).toEqual(["CORP_KEY", /^AWS_/]);
  expect(gemini?.find()).toBe(mine);
});

test("one of another name may take a preset, or none", () => {
  const path = program("my-agent");
  const agents = known(
    configured("fast", { preset: "claude", args: ["-x"], model: "haiku" }),
    configured("mine", { command: path }),
  );
  expect(agents.get("fast")).toMatchObject({ title: "Claude Code", command: "claude-agent-acp", args: ["-x"] });
  expect(agents.get("mine")).toMatchObject({
    title: "mine",
    preset: undefined,
    args: [],
    passEnv: [],
    mode: undefined,
  });
  expect(agents.get("mine")?.find()).toBe(path);
  expect([...agents.keys()]).toEqual([...presetNames, "fast", "mine"]);
});

test("one without effect changes nothing", () => {
  const agents = known(
    configured("codex", { command: "evil" }, "It is not trusted."),
    configured("x", {}, "Nor this."),
  );
  expect(agents.get("codex")).toMatchObject({ source: undefined, command: "codex-acp" });
  expect(agents.has("x")).toBe(false);
});

test("in a folder that is not trusted an agent finds no programs of the folder, and leaves its settings there alone", () => {
  const { env } = known().get("opencode") ?? { env: {} };
  expect(env).toMatchObject({ PATH: join(around.home, "bin"), OPENCODE_DISABLE_PROJECT_CONFIG: "true" });
  const own = known(configured("opencode", { env: { PATH: "/own" } })).get("opencode"); // who says so means it
  expect(own?.env).toMatchObject({ PATH: "/own" });
  around.trusted = true;
  expect(known().get("opencode")?.env).not.toHaveProperty("PATH");
  expect(known().get("opencode")?.env).not.toHaveProperty("OPENCODE_DISABLE_PROJECT_CONFIG");
});

test("Gemini does not trust a folder that Dragoman does not, whatever it was told itself", () => {
  around.env.GEMINI_CLI_TRUST_WORKSPACE = "true";
  const seen = () => {
    const { env, passEnv } = known().get("gemini") ?? { env: {}, passEnv: [] };
    return agentEnvironment(passEnv, env, around.env).GEMINI_CLI_TRUST_WORKSPACE;
  };
  expect(seen()).toBe("false");
  around.trusted = true;
  expect(seen()).toBe("true");
});

describe("what an agent would run of a folder that is not trusted", () => {
  const risks = (name: string) => known().get(name)?.risk();
  const put = (...path: string[]) => mkdirSync(join(around.home, ...path), { recursive: true });

  beforeEach(() => {
    around.home = dirname(around.workspace);
    around.workspace = join(around.workspace, "clone", "packages", "one");
    put("work", "clone", "packages", "one");
  });

  test.each([
    ["codex", "Codex", ".codex"],
    ["copilot-cli", "GitHub Copilot CLI", ".github/hooks"],
    ["copilot-cli", "GitHub Copilot CLI", ".github/copilot/settings.json"],
    ["copilot-cli", "GitHub Copilot CLI", ".claude/settings.local.json"],
    ["copilot-cli", "GitHub Copilot CLI", ".mcp.json"],
    ["opencode", "opencode", ".opencode"],
  ])("is looked for before %s is started, in it and above it", (name, title, path) => {
    expect(risks(name)).toBeUndefined();
    put("work", "clone", path);
    expect(risks(name)).toBe(
      `${title} would run what ${join(around.home, "work", "clone", path)} says, and the folder is not trusted. ` +
        `Look at it, then trust the folder, in ${around.workspace}: dragoman trust`,
    );
    expect(risks("claude")).toBeUndefined();
    around.trusted = true;
    expect(risks(name)).toBeUndefined();
  });

  test("is named whole, wherever it lies", () => {
    const [here, above] = [join(around.workspace, ".codex"), join(around.home, "work", "clone", ".codex")];
    for (const path of [here, above]) mkdirSync(path, { recursive: true });
    expect(risks("codex")).toBe(
      `Codex would run what ${here} and ${above} say, and the folder is not trusted. ` +
        `Look at them, then trust the folder, in ${around.workspace}: dragoman trust`,
    );
  });

  test.each([
    ".codex",
    ".github/hooks",
    ".opencode",
    "opencode.json",
    ".claude/settings.json",
    ".gemini/settings.json",
  ])("is %s, too, for one of which Dragoman knows nothing", (path) => {
    const mine = known(configured("mine", { command: "my-agent" })).get("mine");
    expect(mine?.risk()).toBeUndefined();
    put("work", "clone", path);
    expect(mine?.risk()).toContain(`mine might run what ${join(around.home, "work", "clone", path)} says, and`);
    const fast = known(configured("fast", { preset: "claude" })).get("fast");
    expect(fast?.risk()).toBeUndefined();
  });

  test("is not what the user has in their own folder, or above it", () => {
    put(".codex");
    put("..", ".codex");
    expect(risks("codex")).toBeUndefined();
    around.workspace = around.home;
    expect(risks("codex")).toBeUndefined();
  });
});

describe("of an engine that is not here is told", () => {
  test("how to install it, where Dragoman knows it", () => {
    expect(aboutMissing("codex", { agents: [] }, around)).toBe(
      "Codex (codex) is not installed here. Install it: npm install -g @agentclientprotocol/codex-acp\n" +
        "All agents, and what they lack: dragoman agents",
    );
    expect(aboutMissing("copilot", { agents: [] }, around)).toContain(
      "Install it where Dragoman is installed: npm install @github/copilot-sdk",
    );
    expect(aboutMissing("acp", { agents: [] }, around)).toContain("DRAGOMAN_ACP_COMMAND");
    expect(aboutMissing("model", { agents: [] }, around)).toContain("DRAGOMAN_MODEL_BASE_URL");
  });

  test("why it has no effect, where it is configured", () => {
    const agents = [configured("mine", {}, "The folder is not trusted.")];
    expect(aboutMissing("mine", { agents }, around)).toBe(
      "The agent mine is configured, but without effect. The folder is not trusted.",
    );
  });

  test("that its program is not there, where it counts", () => {
    const agents = [configured("mine", {}, "The folder is not trusted."), configured("mine", { command: "my-agent" })];
    expect(aboutMissing("mine", { agents }, around)).toContain("cannot be started: there is no program my-agent.");
    program("bin", "my-agent");
    expect(aboutMissing("mine", { agents }, around)).toBeUndefined();
  });

  test("nothing, where it is here after all, whatever else is configured under its name", () => {
    program("bin", "codex-acp");
    expect(aboutMissing("codex", { agents: [configured("codex", {}, "It is not trusted.")] }, around)).toBeUndefined();
    const modelEndpoint = { value: { baseUrl: "http://127.0.0.1:1/v1", apiKeyVariable: "MY_KEY" } };
    expect(aboutMissing("model", { agents: [], modelEndpoint }, around)).toBeUndefined();
  });

  test("nothing, where nobody knows it", () => {
    expect(["gpt5", "__proto__", "builtin"].map((name) => aboutMissing(name, { agents: [] }, around))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });
});
