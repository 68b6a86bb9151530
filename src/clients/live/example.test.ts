import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { exampleProcesses } from "../../testing/example-process.ts";
import { type Place, serveProcesses } from "../../testing/serve-process.ts";

// What all examples do alike is in `../examples.test.ts`.

const { place, launch } = serveProcesses();
const start = exampleProcesses("live-client.mjs");
const example = (where: Place, ...args: string[]) => start("live-client.mjs", where, ...args);

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
  const session = /\(completed; session (\S+)\)/.exec(first.said.stderr)?.[1] ?? "";
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
