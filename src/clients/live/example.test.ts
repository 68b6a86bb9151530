import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test, vi } from "vitest";
import { installPackage } from "../../testing/installed-package.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

// The example as someone has it who installed the package.

const folder = temporaryFolder();
const { place, launch } = serveProcesses();
beforeAll(() => void installPackage(folder.path, "live-client.mjs"));

function example(where: { home: string; workspace: string }, ...args: string[]) {
  const env = { ...process.env, DRAGOMAN_HOME: where.home };
  const child = spawn(process.execPath, [join(folder.path, "live-client.mjs"), ...args], { cwd: where.workspace, env });
  const said = { stdout: "", stderr: "" };
  child.stdout.on("data", (data) => (said.stdout += data));
  child.stderr.on("data", (data) => (said.stderr += data));
  const code = new Promise((resolve) => child.on("close", resolve));
  const hears = (text: string) => vi.waitFor(() => expect(said.stderr).toContain(text), 20_000);
  return { child, said, code, hears };
}

const prompt = "write a file notes.txt with the text hello";

test("the example starts the package's own runtime, shows the diff, hears a yes, and prints what was said", async () => {
  const where = place();
  const { child, said, code, hears } = example(where, prompt);
  await hears("y or n: ");
  expect(said.stderr).toContain("+hello");
  child.stdin.write("y\n");
  expect([await code, said.stdout.trim() === ""]).toEqual([0, false]);
  expect(readFileSync(join(where.workspace, "notes.txt"), "utf8").trim()).toBe("hello");
  expect(said.stderr).toMatch(/^• Write notes.txt\n.* {2}done in \d+ ms\n--- \/dev\/null\n/s);
});

test("the example goes on with a session of a server, and a no is a no", async () => {
  const where = place();
  const socket = join(where.workspace, "..", "live.sock");
  const server = await launch(where, ["--port", "0", "--live-socket", socket]).ready();
  const first = example(where, "--socket", socket, "list TypeScript files");
  first.child.stdin.end();
  expect([await first.code, first.said.stdout]).toEqual([0, expect.stringContaining("src/main.ts")]);
  const session = /\(session (\S+)\)/.exec(first.said.stderr)?.[1] ?? "";
  const at = ["--url", server.url, "--token-file", join(where.home, "token"), "--session", session];
  const second = example(where, ...at, prompt);
  await second.hears("y or n: ");
  second.child.stdin.write("n\n");
  await second.code;
  expect(() => readFileSync(join(where.workspace, "notes.txt"))).toThrow("ENOENT");
});

test("the example says what is wrong", async () => {
  const { said, code } = example(place(), "--socket", "/nowhere/at/all", "hello");
  expect([await code, said.stdout, said.stderr]).toEqual([1, "", expect.stringContaining("(CONNECTION_LOST)")]);
});
