import { execFileSync, spawn } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { beforeAll, expect, test } from "vitest";
import { gitIdentity } from "../../testing/git-identity.ts";
import { installPackage } from "../../testing/installed-package.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { vagueSpec } from "../../testing/vague-spec.ts";

// The example as someone has it who installed the package, on a repository of his own.

const folder = temporaryFolder();
gitIdentity(folder);
const at = (...names: string[]) => join(folder.path, ...names);
const specFile = () => at("repository", "specs", "001-sign-in", "spec.md");

beforeAll(() => {
  installPackage(folder.path, "operations-client.mjs");
  mkdirSync(at("repository", "specs", "001-sign-in"), { recursive: true });
  writeFileSync(specFile(), vagueSpec);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: at("repository") });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "A spec");
});

async function example(...args: string[]) {
  const env = { ...process.env, DRAGOMAN_HOME: at("home") };
  const child = spawn(process.execPath, [at("operations-client.mjs"), ...args], { cwd: at("repository"), env });
  child.stdin.end();
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.once("close", resolve)),
  ]);
  return { stdout, stderr, code };
}

test("the example starts a server, clarifies with the first options, and prints the report", async () => {
  const { stdout, stderr, code } = await example("001-sign-in", "clarify", "--first");
  expect([code, stderr]).toEqual([0, expect.stringContaining("Q1: ")]);
  expect(stdout.trim()).not.toBe("");
  const shown = execFileSync("git", ["log", "--all", "-p", "--", "specs"], { cwd: at("repository"), encoding: "utf8" });
  expect([readFileSync(specFile(), "utf8") + shown]).toEqual([expect.stringContaining("## Clarifications")]);
});

test("the example says what is wrong", async () => {
  const { stdout, stderr, code } = await example("002-nothing", "plan");
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/\((DOCUMENT_)?NOT_FOUND\)/)]);
});
