import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { announceServer } from "../access/running-servers.ts";
import { TokenBook } from "../access/token-book.ts";
import { builtCommand } from "../testing/built-command.ts";
import { endOf } from "../testing/cli-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// The bundled binary, as a user has it.

const folder = temporaryFolder();
const closing: (() => void)[] = [];
let [home, workspace] = ["", ""];

beforeEach(() => {
  home = folder.newPath();
  workspace = join(realpathSync(folder.path), "work");
  mkdirSync(workspace, { recursive: true });
});
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

function start(args: string[]): ChildProcessWithoutNullStreams {
  const env = { ...process.env, DRAGOMAN_HOME: home, NO_COLOR: "1" };
  const child = spawn(process.execPath, [builtCommand, "token", ...args], { cwd: workspace, env });
  child.stdin.end();
  return child;
}
const token = (...args: string[]) => endOf(start(args));

async function openBook() {
  const opened = await TokenBook.open(home);
  closing.push(() => opened.book.close());
  return { book: opened.book, admin: opened.firstToken ?? "" };
}

const names = () =>
  JSON.parse(readFileSync(join(home, "tokens.json"), "utf8")).tokens.map((one: { name: string }) => one.name);

test("makes a token, shows it once on stdout and lists what it may do", async () => {
  const made = await token("create", "my ci", "--role", "prompt,observe", "--expires", "30d");
  expect(made).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^drg_[\w-]{43}\n$/),
    stderr: expect.stringMatching(
      /^Made the admin token: it is in .*\/token\nMade the token "my ci" \([0-9a-f]{16}\), roles observe, prompt, until .* UTC\. It is shown this once, and kept nowhere\.\n$/,
    ),
  });
  const time = String.raw`\d{4}-\d\d-\d\d \d\d:\d\d UTC`;
  const row = (...cells: string[]) => `${cells.join(" {2,}")}\n`;
  expect(await token("list")).toEqual({
    code: 0,
    stderr: "",
    stdout: expect.stringMatching(
      new RegExp(
        `^${row("NAME", "ID", "ROLES", "MADE", "EXPIRES")}${row("admin", "[0-9a-f]{16}", "admin", time, "never")}${row("my ci", "[0-9a-f]{16}", "observe, prompt", time, time)}$`,
      ),
    ),
  });
  const json = (await token("list", "--json")).stdout.trimEnd().split("\n");
  const id = expect.stringMatching(/^[0-9a-f]{16}$/);
  const createdAt = expect.any(String);
  expect(json.map((line) => JSON.parse(line))).toEqual([
    { id, name: "admin", roles: ["admin"], createdAt },
    { id, name: "my ci", roles: ["observe", "prompt"], createdAt, expiresAt: expect.any(String) },
  ]);
  const { book } = await openBook();
  expect(book.verify(made.stdout.trim())?.caller).toEqual({ id, name: "my ci", roles: ["observe", "prompt"] });
  const texts = readdirSync(home).map((name) => readFileSync(join(home, name), "utf8"));
  expect(texts.join("")).not.toContain(made.stdout.trim().slice(4));
});

test("revokes by name or id, and not the admin token", async () => {
  const { book } = await openBook();
  const { info } = await book.create({ name: "ci", roles: ["observe"] });
  const said = `Revoked the token "ci" (${info.id}). What was open with it closes.\n`;
  expect(await token("revoke", info.id)).toEqual({ code: 0, stdout: said, stderr: "" });
  expect(await token("revoke", "ci")).toEqual({
    code: 1,
    stdout: "",
    stderr: 'dragoman: There is no token "ci". Give its name or its id, as dragoman token list shows them.\n',
  });
  expect(await token("revoke", "admin")).toEqual({
    code: 1,
    stdout: "",
    stderr: expect.stringContaining("To have another one in its place: dragoman token rotate admin\n"),
  });
});

test.each<[string[], string]>([
  [["create", "ci"], "error: required option '--role <roles>' not specified"],
  [["create", "ci", "--role", "root"], "It takes observe, prompt, approve, admin, with commas between: observe,prompt"],
  [["create", "ci", "--role", "observe", "--expires", "0d"], "It takes a time of less than 100 years."],
  [["create", "ci", "--role", "observe", "--expires", "1m"], "It takes a whole number and min, h, d or w"],
  [["create", "\u001b[2J", "--role", "observe"], "dragoman: The name of a token is 1 to 64 letters"],
])("says what is wrong with %j, and makes nothing", async (args, message) => {
  await openBook();
  expect(await token(...args)).toEqual({ code: 1, stdout: "", stderr: expect.stringContaining(message) });
  expect(names()).toEqual(["admin"]);
});

describe("among several processes", () => {
  test("all changes that are made at once are kept, and one admin token is made", async () => {
    const wanted = Array.from({ length: 8 }, (_, n) => `t${n}`);
    const made = await Promise.all(wanted.map((name) => token("create", name, "--role", "observe")));
    expect(made.map(({ code }) => code)).toEqual(wanted.map(() => 0));
    expect(made.filter(({ stderr }) => stderr.includes("Made the admin token"))).toHaveLength(1);
    expect(names().sort()).toEqual(["admin", ...wanted]);
    const { book } = await openBook();
    const verified = made.map(({ stdout }) => book.verify(stdout.trim())?.caller.name);
    expect(verified).toEqual(wanted);
    expect(book.verify(readFileSync(book.tokenFile, "utf8").trim())?.caller.name).toBe("admin");
  });

  test("a rotation by another one ends the old token and all that is open with it", async () => {
    const { book, admin } = await openBook();
    const grant = book.verify(admin);
    if (!grant) throw new Error("it is not valid");
    const ended = once(grant.revoked, "abort"); // of itself: nobody asks the book meanwhile
    const { code, stdout, stderr } = await token("rotate", "admin");
    expect({ code, stderr }).toEqual({
      code: 0,
      stderr: expect.stringMatching(
        /It is in .*\/token too\.\nThe old one is void, and what was open with it closes\.\n$/,
      ),
    });
    await ended;
    expect(book.verify(admin)).toBeUndefined();
    expect(readFileSync(book.tokenFile, "utf8")).toBe(stdout);
    expect(book.verify(stdout.trim())?.caller).toEqual(grant.caller);
  });

  test("a revocation is seen by the next look, with no time between", async () => {
    const { book } = await openBook();
    const made = await book.create({ name: "ci", roles: ["observe"] });
    expect(book.verify(made.token)?.caller.name).toBe("ci");
    await token("revoke", "ci");
    expect(book.verify(made.token)).toBeUndefined();
  });
});

describe("link", () => {
  interface Asked {
    method?: string;
    url?: string;
    authorization?: string;
  }
  const asked: Asked[] = [];
  const link = { url: "http://127.0.0.1:1/sign-in?code=abc", expiresInSeconds: 600 };

  async function serve(answer: { status: number; body: unknown } = { status: 200, body: link }): Promise<string> {
    asked.length = 0;
    const server: Server = createServer((request: IncomingMessage, response) => {
      const { method, url, headers } = request;
      asked.push({ method, url, authorization: headers.authorization });
      response.writeHead(answer.status, { "content-type": "application/json", location: "http://127.0.0.1:9/" });
      response.end(JSON.stringify(answer.body));
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    closing.push(() => server.close());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  const announce = (url: string, at = workspace) =>
    announceServer(home, { url, pid: process.pid, workspace: at, version: "0", startedAt: new Date().toISOString() });

  test("asks the running server in the name of the admin", async () => {
    const { admin } = await openBook();
    await announce(await serve());
    expect(await token("link")).toEqual({
      code: 0,
      stdout: "http://127.0.0.1:1/sign-in?code=abc\n",
      stderr: "Open it in your browser. It signs in once, within 10 minutes.\n",
    });
    expect(asked).toEqual([{ method: "POST", url: "/auth/links", authorization: `Bearer ${admin}` }]);
  });

  test("says what to do where there is no server, or none at that address, and tells nobody else the token", async () => {
    await openBook();
    const url = await serve();
    expect((await token("link")).stderr).toBe("dragoman: No server is running. Start one: dragoman serve\n");
    expect((await token("link", url)).stderr).toBe("dragoman: No server is running. Start one: dragoman serve\n");
    await announce("http://127.0.0.1:1");
    expect(await token("link", url)).toEqual({
      code: 1,
      stdout: "",
      stderr: `dragoman: No server of ours is running at ${url}. These are:\n  http://127.0.0.1:1  ${workspace}\n`,
    });
    expect(asked).toEqual([]);
  });

  test.each<[string, { status: number; body: unknown }, string]>([
    ["does not know us", { status: 401, body: {} }, "does not know the token in "],
    [
      "refuses",
      { status: 403, body: { error: { code: "x", message: "not\u001b[2J now" } } },
      "gave no link (403): not\ufffd[2J now",
    ],
    ["sends us elsewhere", { status: 307, body: link }, "does not answer: "],
    ["answers nonsense", { status: 200, body: { url: "javascript:alert(1)" } }, "gave no link (200): it said nothing"],
  ])("says so when the server %s", async (_, answer, message) => {
    await openBook();
    const url = await serve(answer);
    await announce(url);
    expect(await token("link")).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringContaining(`dragoman: The server at ${url} ${message}`),
    });
  });

  test("says so when the server does not answer, or the admin token is not there", async () => {
    await openBook();
    await announce("http://127.0.0.1:1");
    expect((await token("link")).stderr).toMatch(
      /^dragoman: The server at http:\/\/127\.0\.0\.1:1 does not answer: .*If it hangs, end it and start it anew\.\n$/,
    );
    rmSync(join(home, "token"));
    expect((await token("link")).stderr).toMatch(/^dragoman: .*\/token is not there\. Start the server anew/);
  });

  test("takes the server of this folder, or the one that is named", async () => {
    await openBook();
    const url = await serve();
    const forge = (pid: number, at: string, other: string) => {
      const announced = JSON.parse(readFileSync(join(home, "servers", `${process.pid}.json`), "utf8"));
      const text = JSON.stringify({ ...announced, pid, url: other, workspace: at });
      writeFileSync(join(home, "servers", `${pid}.json`), text, { mode: 0o600 });
    };
    await announce(url);
    forge(1, "/elsewhere", "http://127.0.0.1:2");
    expect((await token("link")).code).toBe(0);
    forge(2, workspace, "http://127.0.0.1:3");
    const several = await token("link");
    expect(several.stderr).toMatch(
      /^dragoman: Several servers are running\. Say which one: dragoman token link <address>\n/,
    );
    expect(several.stderr.split("\n").slice(1, -1).sort()).toEqual(
      [`  ${url}  ${workspace}`, "  http://127.0.0.1:2  /elsewhere", `  http://127.0.0.1:3  ${workspace}`].sort(),
    );
    expect((await token("link", `${url}/`)).code).toBe(0);
  });
});
