import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, realpathSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { builtCommand } from "../../testing/built-command.ts";
import { endOf, isAlive, type Launch, pipedProcess, TerminalProcess } from "../../testing/cli-process.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { findSidecar, type StartedSidecar, startSidecar } from "./index.ts";

// The example as someone has it who installed the package, on a repository of his own.

const root = fileURLToPath(new URL("../../../", import.meta.url));
const folder = temporaryFolder();
gitIdentity(folder);
const at = (...names: string[]) => join(folder.path, ...names);

beforeAll(() => {
  mkdirSync(at("node_modules", "dragoman"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), at("node_modules", name));
  }
  cpSync(join(root, "package.json"), at("node_modules", "dragoman", "package.json"));
  cpSync(dirname(builtCommand), at("node_modules", "dragoman", "dist"), { recursive: true });
  cpSync(join(root, "examples", "ide-plugin"), at("ide-plugin"), { recursive: true });
});

let repositories = 0;
let [home, repository] = ["", ""];
beforeEach(() => {
  const place = at(`place-${repositories++}`);
  mkdirSync(join(place, "repository", "src"), { recursive: true });
  [home, repository] = [join(place, "home"), realpathSync(join(place, "repository"))];
  git("init", "--quiet");
  writeFileSync(join(repository, "src", "users.ts"), "export const users = [];\n");
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: repository, encoding: "utf8" }).trim();
const subjects = () => {
  const refs = git("for-each-ref", "--format=%(refname)");
  return refs === "" ? [] : git("log", "--format=%s").split("\n");
};

const prompt = "commit all as feat(api): add user endpoint";
const launch = (...args: string[]): Launch => ({
  child: at("ide-plugin", "plugin.mjs"),
  home,
  cwd: folder.path,
  args: ["--workspace", repository, ...args],
});

const terminals: TerminalProcess[] = [];
const servers: StartedSidecar[] = [];
afterEach(async () => {
  for (const terminal of terminals.splice(0)) terminal.kill();
  await Promise.all(servers.splice(0).map((server) => server.close()));
});

function onTerminal(...args: string[]): TerminalProcess {
  const terminal = new TerminalProcess(launch(...args), { cols: 120, rows: 40 });
  terminals.push(terminal);
  return terminal;
}

function piped(input: string, ...args: string[]) {
  const plugin = pipedProcess(launch(...args));
  plugin.stdin.end(input);
  return endOf(plugin);
}

test("the plugin shows what is to be committed, is told yes, and commits that", async () => {
  const terminal = onTerminal(prompt);
  await terminal.sees("y or n:");
  const shown = terminal.text;
  expect(subjects()).toEqual([]);
  terminal.type("y\r");
  expect(await terminal.exitCode).toBe(0);
  expect(shown).toMatch(/\? Commit feat\(api\): add user endpoint\?\n[^?]*src\/users\.ts/);
  expect(terminal.text).toMatch(/git\.commit done\n[\s\S]*Committed `[0-9a-f]{7}` `feat\(api\): add user endpoint`/);
  expect([subjects(), git("status", "--porcelain")]).toEqual([["feat(api): add user endpoint"], ""]);
});

test("the plugin is told no, and commits nothing", async () => {
  const terminal = onTerminal(prompt);
  await terminal.sees("y or n:");
  terminal.type("n\r");
  expect(await terminal.exitCode).toBe(1);
  expect(terminal.text).toContain("git.commit failed: User denied tool execution");
  expect(subjects()).toEqual([]);
});

test("the plugin commits without asking when it was told so beforehand", async () => {
  const { code, stdout, stderr } = await piped("", "--yes", prompt);
  expect([code, stderr]).toEqual([0, ""]);
  expect(stdout).toContain("Committed");
  expect(subjects()).toEqual(["feat(api): add user endpoint"]);
});

test("the plugin commits nothing where nobody can be asked", async () => {
  const { code, stdout } = await piped("", prompt);
  expect(code).toBe(1);
  expect(stdout).toContain("(there is no more input, so that is a no)");
  expect(stdout).toContain("User denied tool execution");
  expect(subjects()).toEqual([]);
});

test("the plugin asks for a message where the one that was said is none, and takes the one that is typed", async () => {
  const terminal = onTerminal("commit all as users are listed");
  await terminal.sees(/\? Commit message\n[\s\S]*\[.*users are listed\]:/);
  terminal.type("docs: tell of users\r");
  await terminal.sees("y or n:");
  terminal.type("y\r");
  expect(await terminal.exitCode).toBe(0);
  expect(subjects()).toEqual(["docs: tell of users"]);
});

test("the plugin does the other tools that are left to it, and runs no hook of the repository", async () => {
  const hook = join(repository, ".git", "hooks", "pre-commit");
  writeFileSync(hook, "#!/bin/sh\ntouch hooked\n", { mode: 0o755 });
  const { stdout } = await piped("", "--yes", "write a file notes.txt with the text hello");
  expect(stdout).toContain("fs.write done");
  await piped("", "--yes", "commit all as docs: add notes");
  await piped("", "--yes", "create a branch named topic");
  await piped("", "--yes", "run `cp notes.txt copy.txt`");
  expect([subjects(), git("branch", "--show-current"), git("status", "--porcelain")]).toEqual([
    ["docs: add notes"],
    "topic",
    "?? copy.txt",
  ]);
});

test("the plugin uses the server that is there, and leaves it running", async () => {
  const env = { ...process.env, DRAGOMAN_HOME: home };
  const server = await startSidecar({ command: builtCommand, workspace: repository, env });
  servers.push(server);
  expect((await piped("", "--yes", prompt)).code).toBe(0);
  expect([subjects(), isAlive(server.pid)]).toEqual([["feat(api): add user endpoint"], true]);
});

test("the plugin leaves no server of its own behind", async () => {
  await piped("", "--yes", prompt);
  expect(await findSidecar({ home })).toBeUndefined();
});

test("the plugin is told to stop by Ctrl-C, commits nothing, and says how it ended", async () => {
  const terminal = onTerminal(prompt);
  await terminal.sees("y or n:");
  terminal.type("\u0003");
  await terminal.sees("(cancelling; ");
  expect(await terminal.exitCode).toBe(130);
  expect(subjects()).toEqual([]);
});

test("the plugin says how it is used, and what it cannot use, in plain words", async () => {
  const ended = (...args: string[]) => {
    const plugin = pipedProcess({ ...launch(), args });
    plugin.stdin.end();
    return endOf(plugin);
  };
  const help = await ended("--help");
  expect(help).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Usage: node plugin\.mjs/), stderr: "" });
  const nowhere = "plugin: There is no folder /nope. Give --workspace one that is there.\n";
  expect(await ended("--workspace", "/nope")).toMatchObject({ code: 1, stdout: "", stderr: nowhere });
  const unknown = await ended("--frob");
  expect(unknown).toMatchObject({
    code: 1,
    stdout: "",
    stderr: expect.stringMatching(/^plugin: Unknown option '--frob'/),
  });
});

test("the plugin says why no server could be started", async () => {
  writeFileSync(join(repository, "dragoman.json"), "{");
  const { code, stdout, stderr } = await piped("", prompt);
  expect([code, stdout]).toEqual([1, ""]);
  expect(stderr).toMatch(/^plugin: .*dragoman\.json/);
  expect(stderr).not.toContain("    at ");
});
