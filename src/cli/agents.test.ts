import { spawn } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import type { Configuration } from "../config/configuration.ts";
import type { AgentReport } from "../engines/agents/agent-reports.ts";
import { startStubModel } from "../stub-model/index.ts";
import { builtCommand } from "../testing/built-command.ts";
import { endOf } from "../testing/cli-process.ts";
import { memoryTerminal } from "../testing/memory-terminal.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { agents } from "./agents.ts";

const folder = temporaryFolder();
let root = "";
let count = 0;

beforeEach(() => {
  root = join(realpathSync(folder.path), String(count++));
  for (const name of ["work", "data", "user", "bin"]) mkdirSync(join(root, name), { recursive: true });
});

const at = (...path: string[]) => join(root, ...path);

function program(path: string, script = "echo 1.2.3"): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
  return path;
}

const configure = (where: "work" | "data", value: unknown) =>
  writeFileSync(at(where, "dragoman.json"), JSON.stringify(value));

/** The command as a user has it, with what they have installed. */
function dragoman(args: string[], env: Record<string, string> = {}) {
  const found = { PATH: at("bin"), npm_config_prefix: at("npm") }; // and none of those that are really installed here
  const own = { DRAGOMAN_HOME: at("data"), HOME: at("user"), NO_COLOR: "1", ...found };
  const child = spawn(process.execPath, [builtCommand, ...args], { cwd: at("work"), env: { ...own, ...env } });
  child.stdin.end();
  return endOf(child);
}

async function listed(env?: Record<string, string>): Promise<Map<string, AgentReport & { usual?: boolean }>> {
  const { stdout } = await dragoman(["agents", "--json"], env);
  const reports = stdout.trimEnd().split("\n");
  return new Map(reports.map((line) => JSON.parse(line)).map((report) => [report.name, report]));
}

describe("agents", () => {
  test("are listed with where they are and what they lack, and the one that works here with who chose it", async () => {
    program(at("user", "tools", "codex-acp"));
    const env = {
      PATH: at("user", "tools"),
      OPENAI_API_KEY: "secret-canary",
      DRAGOMAN_ENGINE: "codex",
    };
    const { code, stdout, stderr } = await dragoman(["agents"], env);
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^✓ builtin {6}\S+ +part of Dragoman$/m);
    expect(stdout).toContain(
      '✓ codex        1.2.3    ~/tools/codex-acp, logs in with OPENAI_API_KEY\n               → dragoman run --engine codex "<prompt>"\n',
    );
    expect(stdout).toContain(
      "✗ gemini       -        not installed\n               → npm install -g @google/gemini-cli\n",
    );
    expect(stdout).toContain("\nNew sessions here are with codex, by DRAGOMAN_ENGINE.\n");
    expect(stdout).not.toContain("canary");
  });

  test("are listed as JSON, a line each", async () => {
    const all = await listed();
    expect([...all.keys()]).toEqual(["builtin", "copilot", "copilot-cli", "codex", "claude", "gemini", "opencode"]);
    expect(all.get("builtin")).toMatchObject({ found: true, usual: true });
    expect(all.get("copilot")).toMatchObject({ found: true, version: "1.0.14" });
    expect(all.get("claude")).toMatchObject({ found: false, missing: ["not installed"] });
  });

  test("that are brought along by a folder, and configured in it, are found once it is trusted", async () => {
    const brought = program(at("work", "node_modules", ".bin", "gemini"));
    const theirs = program(at("work", "agent"));
    configure("work", { agents: { theirs: { command: "./agent" } } });
    const before = await listed({ PATH: at("work", "node_modules", ".bin") });
    expect(before.get("gemini")).toMatchObject({ found: false });
    expect(before.get("theirs")).toMatchObject({ found: false, missing: [expect.stringContaining("not trusted")] });
    expect((await dragoman(["agents"])).stdout.match(/without effect/g)).toHaveLength(1);
    expect((await dragoman(["run", "--engine", "theirs", "hello"])).stderr).toContain(
      "The agent theirs is configured, but without effect. The folder is not trusted.",
    );
    await dragoman(["trust", "--yes"]);
    const after = await listed();
    expect(after.get("gemini")).toMatchObject({ found: true, path: brought });
    expect(after.get("theirs")).toMatchObject({ found: true, path: theirs, source: "project" });
  });

  const chosen: [string, Partial<Configuration>, string][] = [
    ["nobody", {}, "New sessions here are with builtin, since nothing else is chosen."],
    [
      "the user",
      { engine: { value: "x", source: "user" } },
      "with x, by your dragoman.json, which is not here: none can",
    ],
  ];
  test.each(chosen)("say which is usual where %s chose", async (_, configuration, text) => {
    vi.stubEnv("DRAGOMAN_HOME", at("data"));
    const { terminal, written } = memoryTerminal();
    if (configuration.engine) configure("data", { engine: configuration.engine.value });
    const parts = { version: "1.0.0", agents: async () => [] };
    expect(await agents({ parts, workspace: at("work"), terminal, json: false })).toBe(0);
    vi.unstubAllEnvs();
    await vi.waitFor(() => expect(written.out).toContain(text));
  });
});

describe("an engine that is chosen and not here", () => {
  test.each([
    ["by a flag", ["run", "--engine", "codex", "hello"], {}],
    ["by a flag of stdio", ["stdio", "--engine", "codex"], {}],
    ["by a variable", ["run", "hello"], { DRAGOMAN_ENGINE: "codex" }],
    ["for serve", ["serve", "--port", "0", "--engine", "codex"], {}],
  ])("%s is told of with what installs it", async (_, args, env) => {
    const { code, stderr } = await dragoman(args, env);
    expect(code).toBe(1);
    expect(stderr).toContain(
      "Codex (codex) is not installed here. Install it: npm install -g @agentclientprotocol/codex-acp",
    );
    expect(stderr).toContain("dragoman agents");
  });

  test("and that nobody knows is told of with those there are", async () => {
    program(at("bin", "gemini"));
    const { stderr } = await dragoman(["run", "--engine", "gpt5", "hello"]);
    const there = 'There is no engine "gpt5" here. There is: builtin, copilot, gemini.';
    expect(stderr).toBe(`dragoman: ${there}\nAll agents, and what they lack: dragoman agents\n`);
  });

  test("is told of with who chose it, where the command did not", async () => {
    const { stderr } = await dragoman(["run", "hello"], { DRAGOMAN_ENGINE: "gpt5" });
    expect(stderr).toMatch(/^dragoman: The engine is chosen by DRAGOMAN_ENGINE\.\nThere is no engine "gpt5" here\. /);
  });

  test("nor is a model taken that the engine does not have", async () => {
    const { code, stderr } = await dragoman(["run", "hello"], { DRAGOMAN_MODEL: "gpt5" });
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: 'dragoman: There is no model "gpt5" here. There is: builtin.\n',
    });
  });

  test("because its program has gone says so when it is to work", async () => {
    configure("data", { agents: { mine: { command: "my-agent" } } });
    const { code, stdout, stderr } = await dragoman(["run", "--engine", "mine", "hello"]);
    expect(code).toBe(1);
    expect(stdout + stderr).toContain("The agent mine cannot be started: there is no program my-agent.");
    const examined = await dragoman(["doctor"], { DRAGOMAN_ENGINE: "mine" });
    expect(examined.code).toBe(1);
    expect(examined.stdout).toContain(
      "✗ engine         New sessions are to be with mine, by DRAGOMAN_ENGINE, and that",
    );
  });
});

test("a broken configuration is told to whoever needs it, and not before stdio is spoken", async () => {
  writeFileSync(at("data", "dragoman.json"), "{");
  const greeting = { protocol_version: "0", client: { name: "test", version: "0" } };
  const child = spawn(process.execPath, [builtCommand, "stdio", "--engine", "builtin"], {
    cwd: at("work"),
    env: { ...process.env, DRAGOMAN_HOME: at("data") },
  });
  child.stdin.end(`${JSON.stringify({ jsonrpc: "2.0", id: "1", method: "initialize", params: greeting })}\n`);
  const { stdout } = await endOf(child);
  expect(JSON.parse(stdout.split("\n")[0] ?? "")).toMatchObject({ id: "1", result: expect.anything() });
});

/** All bytes of the log; its journal may be gone. */
function textOfLog(): string {
  const files = ["log.db", "log.db-wal"].map((name) => at("data", name)).filter((path) => existsSync(path));
  return files.map((path) => readFileSync(path, "latin1")).join("");
}

/** An agent that says what it was started with, in its answer. */
const agent = `
import { createInterface } from "node:readline";
const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: "2.0", ...message }) + "\\n");
for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  const result = {
    initialize: { protocolVersion: 1, agentCapabilities: {} },
    "session/new": { sessionId: "s" },
    "session/prompt": { stopReason: "end_turn" },
  }[method];
  if (method === "session/prompt") {
    const { MY_SECRET_TOKEN, CORP_KEY, OTHER_TOKEN, PLAIN, OPENCODE_DISABLE_PROJECT_CONFIG: careful } = process.env;
    const text = JSON.stringify({ args: process.argv.slice(2), MY_SECRET_TOKEN, CORP_KEY, OTHER_TOKEN, PLAIN, careful });
    const content = { type: "text", text };
    send({ method: "session/update", params: { sessionId: "s", update: { sessionUpdate: "agent_message_chunk", content } } });
  }
  if (id !== undefined) send(result ? { id, result } : { id, error: { code: -32601, message: "no" } });
}
`;

describe("an agent of one's own", () => {
  beforeEach(() => {
    writeFileSync(at("agent.mjs"), agent);
  });

  test("works by a variable alone", async () => {
    const env = { DRAGOMAN_ACP_COMMAND: `"${process.execPath}" ${at("agent.mjs")} 'a b'` };
    const { code, stdout } = await dragoman(["run", "--quiet", "--engine", "acp", "hello"], env);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '{"args":["a b"]}\n' });
  });

  test("gets what is configured for it and no other secret, and none of that is in the log", async () => {
    const mine = {
      command: process.execPath,
      args: [at("agent.mjs")],
      env: { MY_SECRET_TOKEN: "canary-of-file", PLAIN: "not-secret" },
      passEnv: ["CORP_*"],
    };
    configure("data", { engine: "mine", agents: { mine } });
    const env = { CORP_KEY: "canary-of-variable", OTHER_TOKEN: "canary-of-others" };
    const { code, stdout } = await dragoman(["run", "--quiet", "hello"], env);
    expect(code).toBe(0);
    const said = JSON.parse(stdout);
    expect(said).toEqual({
      args: [],
      PLAIN: "not-secret",
      MY_SECRET_TOKEN: expect.not.stringContaining("canary"),
      CORP_KEY: expect.not.stringContaining("canary"),
    });
    expect(textOfLog()).toContain("not-secret");
    expect(textOfLog()).not.toContain("canary-of");
  });
});

test("a session in a folder that is not trusted is not trusted either where one goes on with it from a folder that is", async () => {
  writeFileSync(at("agent.mjs"), agent);
  const mine = { preset: "opencode", command: process.execPath, args: [at("agent.mjs")] };
  configure("data", { engine: "mine", agents: { mine } });
  mkdirSync(at("clone"));
  const begun = await dragoman(["run", "--quiet", "--workspace", at("clone"), "hello"]);
  const [, session = ""] = /^session (\S+)/.exec(begun.stderr) ?? [];
  await dragoman(["trust", "--yes"]);
  const answers = [begun, await dragoman(["run", "--quiet", "--session", session, "hello"])];
  expect(answers.map(({ stdout }) => JSON.parse(stdout).careful)).toEqual(["true", "true"]);
  expect(JSON.parse((await dragoman(["run", "--quiet", "hello"])).stdout)).not.toHaveProperty("careful");
});

test("a folder that is not trusted has no word masked by calling it a secret", async () => {
  configure("work", { agents: { theirs: { command: "x", env: { THEIR_TOKEN: "everything" } } } });
  const { stdout } = await dragoman(["run", "--quiet", "write a file a.txt with the text everything"]);
  expect(stdout + textOfLog()).toContain("everything");
});

test("Copilot's key is in a variable of any name: its model is sent it, and the log has none of it", async () => {
  const model = await startStubModel({ pieceMs: 0 });
  try {
    const copilot = { baseUrl: `${model.url}/v1`, apiKeyVariable: "CORP_MODELS", model: "stub-model", home: "copilot" };
    configure("data", { engine: "copilot", copilot });
    const run = ["run", "--quiet", "[[say It is canary-of-models]]"];
    const { code, stdout, stderr } = await dragoman(run, { CORP_MODELS: "canary-of-models" });
    expect({ code, stdout }, stderr).toEqual({ code: 0, stdout: expect.stringMatching(/^It is (?!canary)/) });
    const shown = model.requests.filter(({ headers }) => headers.authorization === "Bearer canary-of-models");
    expect(shown.length).toBeGreaterThan(0);
    expect(textOfLog()).toContain("It is ");
    expect(textOfLog()).not.toContain("canary-of");
  } finally {
    await model.close();
  }
});
