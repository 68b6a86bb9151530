import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterEach, beforeAll, expect, test } from "vitest";
import { installPackage } from "../../testing/installed-package.ts";
import { serveProcesses } from "../../testing/serve-process.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";

// The example as someone has it who installed the package: real processes, and the built-in agent.

const folder = temporaryFolder();
const at = (...names: string[]) => join(folder.path, ...names);
const { place, launch } = serveProcesses();

beforeAll(() => {
  installPackage(folder.path, "studio-client.mjs");
  mkdirSync(at("workspace"));
  writeFileSync(at("workspace", "a.ts"), "export const a = 1;\n");
  execFileSync("git", ["init", "--quiet"], { cwd: at("workspace") });
});

const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill();
});

/** What is asked is answered when it is asked: who types ahead of a question is not heard. */
async function example(args: string[], answer = "") {
  const env = { ...process.env, DRAGOMAN_HOME: at("home") };
  const child = spawn(process.execPath, [at("studio-client.mjs"), ...args], { cwd: at("workspace"), env });
  children.push(child);
  child.stderr.on("data", (said) => String(said).includes("y or n: ") && child.stdin.write(`${answer}\n`));
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  return { stdout, stderr, code };
}

const sessionIn = (stderr: string) => /^\[session (\S+)\]$/m.exec(stderr)?.[1] ?? "";

test("the example starts a runtime, is answered, and does what was agreed to", async () => {
  const listed = await example(["list TypeScript files"]);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("a.ts")]);
  const written = await example(["write a file notes.txt with the text hello"], "y");
  expect([written.code, written.stderr]).toEqual([0, expect.stringContaining("Write notes.txt?")]);
  expect(readFileSync(at("workspace", "notes.txt"), "utf8")).toBe("hello\n");
});

test("a session goes on in another process, and a no is a no", async () => {
  const first = await example(["list TypeScript files"]);
  const session = sessionIn(first.stderr);
  const denied = await example(["--session", session, "write a file other.txt with the text hello"], "n");
  expect([sessionIn(denied.stderr), existsSync(at("workspace", "other.txt"))]).toEqual([session, false]);
});

test("the example talks to a server, and says what is wrong", async () => {
  const server = await launch(place()).ready();
  const where = ["--server", server.url, "--token", server.token];
  const listed = await example([...where, "list TypeScript files"]);
  expect([listed.code, listed.stdout]).toEqual([0, expect.stringContaining("main.ts")]);
  const lost = await example([...where, "--session", "gone", "hello"]);
  expect([lost.code, lost.stdout, lost.stderr]).toEqual([1, "", expect.stringContaining("(-32005)")]);
});
