import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { readConfiguration } from "./configuration.ts";
import { readSources } from "./sources.ts";
import { grantTrust, revokeTrust } from "./trust.ts";

const folder = temporaryFolder();
let [workspace, home, projectFile, userFile] = ["", "", "", ""];
let count = 0;

beforeEach(() => {
  const path = join(realpathSync(folder.path), String(count++));
  [workspace, home] = [join(path, "work"), join(path, "home")];
  [projectFile, userFile] = [join(workspace, "dragoman.json"), join(home, "dragoman.json")];
  for (const made of [workspace, home]) mkdirSync(made, { recursive: true });
});

const project = (value: unknown) => writeFileSync(projectFile, text(value));
const user = (value: unknown) => writeFileSync(userFile, text(value));
const text = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value));
const read = (env: NodeJS.ProcessEnv = {}) => readConfiguration({ workspace, home, env });

async function trustIt(): Promise<void> {
  const { project } = await readSources({ workspace, home });
  await grantTrust(home, workspace, project?.sha256 ?? "absent", new Date(0));
}

async function failure(): Promise<{ code: string; message: string }> {
  const error = await read().catch((error: unknown) => error);
  if (!(error instanceof DragomanError)) throw new Error("it was read");
  return { code: error.code, message: error.message };
}

const untrusted = () => ({
  trusted: false,
  reason: "The folder is not trusted.",
  hint: `The folder is not trusted. To see what it would set, and to trust it: dragoman trust ${workspace}`,
});

const status = { tool: "shell", command: "git status" };
const remove = { tool: "shell", command: "rm" };
const push = { tool: "git_push" };
const stdio = { transport: "stdio", command: "node" } as const;
const stdioWhole = { ...stdio, args: [], env: {}, enabled: true, request_timeout_ms: 30_000 };
const serve = { callbackHosts: [] };
const features = {};

test("without a file nothing is configured", async () => {
  expect(await read()).toEqual({
    workspace,
    trust: untrusted(),
    allow: [],
    deny: [],
    servers: [],
    serve,
    features,
    agents: [],
    warnings: [],
  });
});

test("a trusted project goes before the user, and each part says where it is from", async () => {
  project({ engine: "acp", policy: { allow: [status], deny: [push] }, mcp: { servers: { a: stdio } } });
  user({
    $schema: "x",
    engine: "copilot",
    model: "m",
    policy: { deny: [remove] },
    mcp: { servers: { a: { transport: "http", url: "https://example.test/mcp", enabled: false } } },
  });
  await trustIt();
  expect(await read()).toEqual({
    workspace,
    trust: { trusted: true, since: "1970-01-01T00:00:00.000Z" },
    engine: { value: "acp", source: "project" },
    model: { value: "m", source: "user" },
    allow: [{ value: status, source: "project" }],
    deny: [
      { value: push, source: "project" },
      { value: remove, source: "user" },
    ],
    servers: [
      { id: "a", source: "project", value: stdioWhole },
      {
        id: "a",
        source: "user",
        value: {
          transport: "http",
          url: "https://example.test/mcp",
          headers: {},
          enabled: false,
          request_timeout_ms: 30_000,
        },
        idle: "The project's dragoman.json has a server of the same id, which is used in its place.",
      },
    ],
    serve,
    features,
    agents: [],
    warnings: [],
  });
});

test("variables go before both files, and an empty one is none", async () => {
  project({ engine: "acp", model: "m" });
  await trustIt();
  expect(await read({ DRAGOMAN_ENGINE: "model", DRAGOMAN_MODEL: "" })).toMatchObject({
    engine: { value: "model", source: "environment" },
    model: { value: "m", source: "project" },
  });
});

test("where serve has tools executed is the user's to say, and a trusted project's", async () => {
  project({ serve: { callback: "http://127.0.0.1:4000/tool-callback", callbackHosts: ["a.test"] } });
  user({ serve: { callback: "http://127.0.0.1:5000/", callbackHosts: ["b.test:8080", "[fe80::1]"] } });
  const ofUser = ["b.test:8080", "[fe80::1]"].map((value) => ({ value, source: "user" }));
  expect(await read()).toMatchObject({
    serve: { callback: { value: "http://127.0.0.1:5000/", source: "user" }, callbackHosts: ofUser },
    warnings: [{ message: `Without effect: where tools are executed. ${untrusted().hint}` }],
  });
  await trustIt();
  expect(await read()).toMatchObject({
    serve: {
      callback: { value: "http://127.0.0.1:4000/tool-callback", source: "project" },
      callbackHosts: [{ value: "a.test", source: "project" }, ...ofUser],
    },
    warnings: [],
  });
});

test("where features are saved is the user's to say, and a trusted project's", async () => {
  project({ features: { remote: "upstream", github: { repository: "ada/app", baseUrl: "https://git.test/api/v3" } } });
  user({ features: { push: true, remote: "origin" } });
  expect(await read()).toMatchObject({
    features: { push: true, remote: "origin" },
    warnings: [{ message: `Without effect: where features are saved. ${untrusted().hint}` }],
  });
  await trustIt();
  expect((await read()).features).toEqual({
    push: true,
    remote: "upstream",
    github: { repository: "ada/app", baseUrl: "https://git.test/api/v3", tokenVariable: "GITHUB_TOKEN" },
  });
});

test.each([
  [{ github: { repository: "ada" } }, "features.github.repository: is not an owner and a name with a slash between"],
  [
    { github: { repository: "a/b", baseUrl: "http://example.test/" } },
    "features.github.baseUrl: must be https; http is for this machine only, and no user may be in it",
  ],
  [{ github: { repository: "a/b", baseUrl: "api" } }, "features.github.baseUrl: is not an http or https address"],
  [
    { github: { repository: "a/b", tokenVariable: "a b" } },
    "features.github.tokenVariable: is not the name of a variable",
  ],
  [{ remote: "--upload-pack=x" }, "features.remote: is not the name of a remote"],
])("features that cannot be, such as %j, are told of", async (features, message) => {
  user({ features });
  expect((await failure()).message).toContain(message);
});

test("a token may be sent to this machine without encryption", async () => {
  user({ features: { github: { repository: "a/b", baseUrl: "http://[::1]:8080/api" } } });
  expect((await read()).features.github?.baseUrl).toBe("http://[::1]:8080/api");
});

describe("a folder that is not trusted", () => {
  beforeEach(() => {
    project({ engine: "acp", policy: { allow: [status], deny: [push] }, mcp: { servers: { a: stdio, b: stdio } } });
  });

  test("has a say in denials only, and says so", async () => {
    user({ mcp: { servers: { a: stdio } } });
    const { hint } = untrusted();
    expect(await read()).toEqual({
      workspace,
      trust: untrusted(),
      allow: [],
      deny: [{ value: push, source: "project" }],
      servers: [
        { id: "a", source: "project", value: stdioWhole, idle: hint },
        { id: "b", source: "project", value: stdioWhole, idle: hint },
        { id: "a", source: "user", value: stdioWhole },
      ],
      serve,
      features,
      agents: [],
      warnings: [
        {
          file: projectFile,
          line: 1,
          column: 1,
          message: `Without effect: its engine, 1 allow rule, and 2 MCP servers. ${hint}`,
        },
      ],
    });
  });

  test.each<[string, () => void, string]>([
    ["has changed", () => project({ policy: { allow: [{ tool: "shell" }] } }), "has changed"],
    ["is only written otherwise", () => writeFileSync(projectFile, " {}"), "has changed"],
    ["was removed", () => execFileSync("rm", [projectFile]), "was removed"],
  ])("is one whose file %s since it was trusted", async (_, change, says) => {
    await trustIt();
    change();
    const { trust, allow, servers } = await read();
    expect(trust).toMatchObject({ reason: `Its dragoman.json ${says} since the folder was trusted.` });
    expect({ allow, running: servers.filter(({ idle }) => !idle) }).toEqual({ allow: [], running: [] });
  });

  test("is one where a file was added to what was trusted without", async () => {
    execFileSync("rm", [projectFile]);
    await trustIt();
    expect((await read()).trust.trusted).toBe(true);
    project({});
    expect((await read()).trust).toMatchObject({ reason: "Its dragoman.json was added since the folder was trusted." });
  });

  test("is one whose trust was taken back", async () => {
    await trustIt();
    await revokeTrust(home, workspace);
    expect((await read()).trust).toEqual(untrusted());
  });
});

test("what it does not know it warns of, with the place; an allow rule with it does not count, a deny rule does", async () => {
  user(
    [
      "\ufeff{",
      '  "colour": "red",\r',
      '  "policy": {"allow": [{"tool": "shell", "comand": "git"}, {"tool": "read"}],',
      '             "deny": [{"tool": "shell", "comand": "rm"}]},',
      '  "mcp": {"servers": {"a": {"transport": "stdio", "command": "x", "url": "y"}, "__proto__": {"z": 1}}},',
      '  "__proto__": {"engine": "evil"}',
      "}",
    ].join("\n"),
  );
  const { allow, deny, servers, engine, warnings } = await read();
  expect({ engine, allow, deny, servers }).toEqual({
    engine: undefined,
    allow: [{ value: { tool: "read" }, source: "user" }],
    deny: [{ value: { tool: "shell" }, source: "user" }],
    servers: [{ id: "a", source: "user", value: { ...stdioWhole, command: "x" } }],
  });
  expect(warnings.map(({ line, column, message }) => `${line}:${column} ${message}`)).toEqual([
    "5:93 mcp.servers.__proto__ means nothing here, and is ignored.",
    "6:16 __proto__ means nothing here, and is ignored.",
    "2:13 colour means nothing here, and is ignored.",
    "3:52 policy.allow[0].comand means nothing here, so the rule does not count.",
    "4:51 policy.deny[0].comand means nothing here, so the rule counts without it.",
    "5:74 mcp.servers.a.url means nothing here, and is ignored.",
  ]);
  expect(({} as { engine?: string }).engine).toBeUndefined();
});

test("what means nothing is told of the project's file first, then what waits for trust, then of the user's", async () => {
  project({ colour: "red", policy: { allow: [status, push] }, mcp: { servers: { a: stdio } } });
  user({ size: 7 });
  expect((await read()).warnings.map(({ file, message }) => [file, message])).toEqual([
    [projectFile, "colour means nothing here, and is ignored."],
    [projectFile, `Without effect: 2 allow rules and 1 MCP server. ${untrusted().hint}`],
    [userFile, "size means nothing here, and is ignored."],
  ]);
  await trustIt();
  expect((await read()).warnings.map(({ file }) => file)).toEqual([projectFile, userFile]);
});

test("a file that is broken is named with the place and what to do", async () => {
  user('{\n  "engine": "acp",\n}');
  expect(await failure()).toEqual({
    code: "precondition_failed",
    message:
      `${userFile}:3:1: it is not valid JSON: expected the name of a key, in double quotes\n` +
      "Mend the file, or take it away.",
  });
});

test.each<[string, unknown, string]>([
  ["is no object", "[]", "1:1: Invalid input: expected object, received array"],
  ["has an engine without a name", { engine: "" }, "1:11: engine: Too small: expected string to have >=1 characters"],
  ["has a rule without a tool", { policy: { deny: [{}] } }, "1:20: policy.deny[0].tool: is missing; expected string"],
  ["has no transport", { mcp: { servers: { a: {} } } }, '1:24: mcp.servers.a.transport: must be "http" or "stdio"'],
  [
    "has another transport",
    { mcp: { servers: { a: { transport: "sse" } } } },
    '1:37: mcp.servers.a.transport: must be "http" or "stdio"',
  ],
  [
    "has no command",
    { mcp: { servers: { a: { transport: "stdio", url: "https://x.test" } } } },
    "1:24: mcp.servers.a.command: is missing; expected string",
  ],
  [
    "has a URL of another scheme",
    { mcp: { servers: { a: { transport: "http", url: "file:///etc/passwd" } } } },
    "1:50: mcp.servers.a.url: is not an http or https address",
  ],
  [
    "has a callback of another scheme",
    { serve: { callback: "file:///etc/passwd" } },
    "1:22: serve.callback: is not an http or https address",
  ],
  [
    "has a host with more than a name",
    { serve: { callbackHosts: ["a.test", "http://a.test/"] } },
    "1:37: serve.callbackHosts[1]: is not the name of a host, with or without a port",
  ],
  [
    "has an id that is none",
    { mcp: { servers: { "a b": stdio } } },
    "1:26: mcp.servers.a b: an id is up to 64 letters, digits, dots, dashes and underscores",
  ],
])("refuses a file that %s", async (_, value, message) => {
  project(value);
  expect(await failure()).toEqual({
    code: "precondition_failed",
    message: `${projectFile}:${message}\nMend the file, or take it away.`,
  });
});

test("an error never repeats what may be a secret", async () => {
  project({ mcp: { servers: { a: { transport: "http", url: "canary", headers: { a: ["canary"] } } } } });
  expect((await failure()).message).not.toContain("canary");
});

describe("a file that is none", () => {
  const makeFifo = (path: string) => execFileSync("mkfifo", [path]);

  test.each<[string, () => void, string]>([
    ["a fifo of the project", () => makeFifo(projectFile), "is not a regular file"],
    ["a fifo of the user", () => makeFifo(userFile), "is not a regular file"],
    ["a folder", () => mkdirSync(projectFile), "is not a regular file"],
    ["a link to an endless device", () => symlinkSync("/dev/zero", userFile), "is not a regular file"],
    ["a link of the project", () => symlinkSync("/etc/hostname", projectFile), "is a symbolic link"],
    ["a link to itself", () => symlinkSync(userFile, userFile), "is a link that leads nowhere"],
    ["a link to nothing", () => symlinkSync(join(home, "gone"), userFile), "is a link that leads nowhere"],
    ["larger than 1 MB", () => user(" ".repeat(1_000_001)), "is larger than 1000000 bytes"],
    ["no UTF-8", () => writeFileSync(userFile, Buffer.from('{"engine": "caf\xe9"}', "latin1")), "is not UTF-8 text"],
    ["nested too deep", () => project("[".repeat(999_999)), "nested deeper than 64 levels"],
  ])("is refused at once: %s", async (_, make, message) => {
    make();
    const start = performance.now();
    expect((await failure()).message).toContain(message);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

test("a link of the user's to a file of theirs is followed, as it may be kept elsewhere", async () => {
  writeFileSync(join(home, "kept.json"), '{"engine": "acp"}');
  symlinkSync(join(home, "kept.json"), userFile);
  expect((await read()).engine).toEqual({ value: "acp", source: "user" });
});

test("a file of the user that others may write to is refused", async () => {
  user({});
  chmodSync(userFile, 0o664);
  expect(await failure()).toEqual({
    code: "precondition_failed",
    message: `${userFile} can be changed by other users. Look at it, then run: chmod 600 ${userFile}.`,
  });
});

test("a workspace that is not there is told as such", async () => {
  execFileSync("rm", ["-r", workspace]);
  expect(await failure()).toEqual({
    code: "precondition_failed",
    message: `${workspace} is not a folder, or not any more. Name one that is there.`,
  });
});
