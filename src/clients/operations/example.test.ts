import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { besideIt, exampleProcesses } from "../../testing/example-process.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { vagueSpec } from "../../testing/vague-spec.ts";

// The example on a repository of someone's own.

const folder = temporaryFolder();
gitIdentity(folder);
const start = exampleProcesses("operations-client.mjs");
const at = (...names: string[]) => join(folder.path, ...names);
const specFile = () => at("repository", "specs", "001-sign-in", "spec.md");

beforeAll(() => {
  mkdirSync(at("repository", "specs", "001-sign-in"), { recursive: true });
  writeFileSync(specFile(), vagueSpec);
  const git = (...args: string[]) => execFileSync("git", args, { cwd: at("repository") });
  git("init", "--quiet");
  git("add", ".");
  git("commit", "--quiet", "-m", "A spec");
});

const place = () => ({ home: at("home"), workspace: at("repository") });
const begun = (...args: string[]) => start("operations-client.mjs", place(), ...args);

async function example(...args: string[]) {
  const { child, said, code } = begun(...args);
  child.stdin.end();
  return { code: await code, ...said };
}

test("the example says what is wrong", async () => {
  const { stdout, stderr, code } = await example("002-nothing", "plan");
  expect([code, stdout, stderr]).toEqual([1, "", expect.stringMatching(/\((DOCUMENT_)?NOT_FOUND\)/)]);
});

test("an input that has ended cancels the operation, and is told of once", async () => {
  const { stdout, stderr, code } = await example("001-sign-in", "clarify");
  expect([code, stdout, stderr.split("(there is no more input, so the operation is cancelled)\n").length]).toEqual([
    1,
    "Cancelled.\n",
    2,
  ]);
  expect(stderr).not.toMatch(/\n {4}at |ERR_/);
});

test("Ctrl-C at a question cancels the operation, and ends with a code that says so", async () => {
  const { child, said, code, hears } = begun("001-sign-in", "clarify");
  await hears("Your answer, a letter or your own words: ");
  child.kill("SIGINT");
  expect([await code, said.stdout]).toEqual([1, "Cancelled.\n"]);
  expect(said.stderr).toContain("(cancelling; ");
  expect(said.stderr).not.toMatch(/\n {4}at |ERR_/);
});

test("a question that is answered elsewhere is closed, and the next one is asked", async () => {
  const { child, said, code, hears, times } = begun("001-sign-in", "clarify");
  await hears("Your answer, a letter or your own words: ");
  const sessions = (await besideIt(place(), "sessions", "--json")).trim().split("\n");
  const { sessionId, asks } = JSON.parse(sessions[0] ?? "");
  await besideIt(place(), "answer", sessionId, "--ask", asks[0].askId, "1");
  await hears("(that question is closed)");
  await expect.poll(() => times("Your answer, a letter or your own words: "), { timeout: 20_000 }).toBe(2);
  child.kill("SIGINT");
  expect([await code, times("Q1: "), times("Q2: ")]).toEqual([1, 1, 1]);
  expect(said.stderr).not.toMatch(/\n {4}at |ERR_/);
});

test("the example starts a server, clarifies with the first options, and prints the report", async () => {
  const { stdout, stderr, code } = await example("001-sign-in", "clarify", "--first");
  expect([code, stderr]).toEqual([0, expect.stringContaining("Q1: ")]);
  expect(stdout.trim()).not.toBe("");
  const shown = execFileSync("git", ["log", "--all", "-p", "--", "specs"], { cwd: at("repository"), encoding: "utf8" });
  expect([readFileSync(specFile(), "utf8") + shown]).toEqual([expect.stringContaining("## Clarifications")]);
});
