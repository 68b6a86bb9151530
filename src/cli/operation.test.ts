import { execFileSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { featureSessionId } from "../operations/feature-session.ts";
import { builtCommand } from "../testing/built-command.ts";
import { endOf, type Piped, pipedProcess, TerminalProcess } from "../testing/cli-process.ts";
import { SIGN_IN_SPEC } from "../testing/sign-in-spec.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// The commands as a user has them, on a real terminal and without one, in a real repository.

const folder = temporaryFolder();
let places = 0;
let home = "";
let cwd = "";
const open: TerminalProcess[] = [];

const TASKS = `# Tasks

- [ ] T001 Sign in (FR-001) (2h)
- [ ] T002 End the session (FR-002) (3h), depends on T001
- [ ] T003 Show the name (1h), depends on T001, T004
- [ ] T004 Read the name (1h), depends on T003
`;

beforeEach(() => {
  const place = join(folder.path, `${places++}`);
  [home, cwd] = [join(place, "home"), join(place, "project")];
  mkdirSync(join(cwd, "specs/001-login"), { recursive: true });
  mkdirSync(home);
  write("specs/001-login/spec.md", SIGN_IN_SPEC);
  const git = (...args: string[]) => execFileSync("git", args, { cwd });
  git("init", "--quiet", "--initial-branch=001-login");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  git("add", "--all");
  git("commit", "--quiet", "--message=begin");
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});

const write = (name: string, text: string | Uint8Array) => writeFileSync(join(cwd, name), text);
const textOf = (name: string) => readFileSync(join(cwd, name), "utf8");
const launch = (args: string[]) => ({ child: builtCommand, home, cwd, args });

function terminal(...args: string[]): TerminalProcess {
  const opened = new TerminalProcess(launch(args), { cols: 160, rows: 40 });
  open.push(opened);
  return opened;
}

function piped(args: string[], input = ""): Promise<Piped> {
  const child = pipedProcess(launch(args));
  child.stdin.end(input);
  return endOf(child);
}

describe("clarify at a terminal", () => {
  test("puts one question after the other, and saves what was answered after a yes", async () => {
    const screen = terminal("clarify", "001-login");
    await screen.sees(/^\? FR-001.+ith which scopes\?$/m);
    await screen.sees("Enter or a number picks");
    expect(screen.text).not.toMatch(/^\? FR-002/m);
    screen.type("1");
    await screen.sees(/^\? FR-001.+ → .+\n\n\? FR-002.+ow long\?$/m);
    const list = await screen.sees(/\n\? FR-002.+[\s\S]+Enter or a number picks/);
    screen.type(
      list
        .match(/(\d)\. Something else/g)
        ?.at(-1)
        ?.charAt(0) ?? "",
    );
    await screen.sees("Esc goes back to the choices");
    screen.type("after a week\r");
    await screen.sees("y yes");
    screen.type("y");
    expect(await screen.exitCode).toBe(0);
    expect(screen.text).toMatch(/Wrote 2 answers into specs\/001-login\/spec\.md, commit [0-9a-f]{8} on 001-login\./);
    expect(textOf("specs/001-login/spec.md")).toContain("after a week");
    expect(execFileSync("git", ["status", "--short"], { cwd, encoding: "utf8" })).toBe("");
  });

  test("is cancelled by Ctrl-C, and nothing is changed", async () => {
    const screen = terminal("clarify", "specs/001-login/spec.md");
    await screen.sees("Enter or a number picks");
    screen.type("\u0003");
    expect(await screen.exitCode).toBe(130);
    expect(screen.text).toContain("✗ cancelled: interrupted");
    expect(textOf("specs/001-login/spec.md")).toBe(SIGN_IN_SPEC);
  });

  test("has each question with its choices in its turn for whoever watches too, and its answer with its name", async () => {
    const screen = terminal("clarify", "001-login");
    await screen.sees("Enter or a number picks");
    const watching = terminal("watch", featureSessionId(cwd, "001-login"));
    await watching.sees(/\n\? FR-001[\s\S]+Enter or a number picks/);
    expect(watching.text).not.toMatch(/^\? FR-002/m);
    screen.type("1");
    await watching.sees(/^\? FR-001.+ → .+ · by clarify\n\n\? FR-002[\s\S]+Enter or a number picks/m);
    const late = terminal("watch", featureSessionId(cwd, "001-login"));
    await late.sees(/^\? FR-001.+ → .+ · by clarify\n\n\? FR-002[\s\S]+Enter or a number picks/m);
    expect(late.text).toMatch(/^▸ 3\. Asking 2 questions$/m);
    expect(late.text).not.toContain("Generating");
  });

  test("says again what it asks when someone else answers another question", async () => {
    const screen = terminal("clarify", "001-login");
    await screen.sees("Enter or a number picks");
    const id = featureSessionId(cwd, "001-login").slice(0, 8);
    const { stdout } = await piped(["sessions", "--all", "--json"]);
    const ask = JSON.parse(stdout).asks.find(({ title }: { title: string }) => title.startsWith("FR-002")).askId;
    expect(await piped(["answer", id, "1", "--ask", ask])).toMatchObject({ code: 0 });
    await screen.sees(/^\? FR-002.+ → .+ · by answer\n\n\? FR-001.+ith which scopes\?\n❯ 1\. /m);
  });

  test("takes the answers of a run that was cancelled, if that is wanted", async () => {
    const first = terminal("clarify", "001-login");
    await first.sees("Enter or a number picks");
    first.type("2");
    await first.sees(/\n\? FR-002[\s\S]+Enter or a number picks/);
    first.type("\u0003");
    expect(await first.exitCode).toBe(130);
    const [, given = ""] = /^\? FR-001.+ → (.+)$/m.exec(first.text) ?? [];
    const saved = `The last clarify (session ${featureSessionId(cwd, "001-login").slice(0, 8)}) ended with 1 answer not saved`;
    const again = terminal("clarify", "001-login", "--reuse", "--yes");
    await again.sees(`${saved}: taken again.`);
    await again.sees(/^\? FR-001.+ → .+\n\n\? FR-002[\s\S]+Enter or a number picks/m);
    again.type("\u0003");
    expect(await again.exitCode).toBe(130);
    const last = await piped(["clarify", "001-login", "--reuse", "--yes"]);
    expect(last).toMatchObject({ code: 0, stderr: expect.stringContaining(`${saved}: taken again.`) });
    expect(last.stdout).toContain("Wrote 1 answer into specs/001-login/spec.md");
    expect(textOf("specs/001-login/spec.md")).toContain(given);
    const { stderr } = await piped(["clarify", "001-login", "--reuse"]);
    expect(stderr).toContain("There are no earlier answers to take: everything is asked.\n");
  });

  test("is the same session whether the feature or its document is named, and says so", async () => {
    const screen = terminal("clarify", "specs/001-login/spec.md");
    await screen.sees("specs/001-login/spec.md belongs to a feature: the same as dragoman clarify 001-login.");
    await screen.sees("Enter or a number picks");
    const second = await piped(["analyze", "001-login"]);
    const id = featureSessionId(cwd, "001-login").slice(0, 8);
    expect(second).toMatchObject({ code: 1, stderr: expect.stringContaining(`waits for an answer in session ${id}`) });
  });

  test("works in the session that a server has for the feature, one operation at a time", async () => {
    const screen = terminal("clarify", "001-login");
    await screen.sees("Enter or a number picks");
    const second = await piped(["analyze", "001-login"]);
    const id = featureSessionId(cwd, "001-login").slice(0, 8);
    expect(second).toMatchObject({ code: 1, stdout: "" });
    expect(second.stderr).toBe(
      [
        `dragoman: A run waits for an answer in session ${id}, in clarify (pid ${screen.pid}).`,
        `Answer it: dragoman watch ${id}`,
        `End it: dragoman cancel ${id}\n`,
      ].join("\n"),
    );
  });
});

describe("without a terminal", () => {
  test("questions are printed and left open, where stdin says nothing", async () => {
    const { code, stdout } = await piped(["clarify", "001-login"]);
    expect(code).toBe(0);
    expect(stdout).toMatch(/Open questions:\n- FR-001.+ith which scopes\? \(specs\/001-login\/spec\.md:21\)\n {2}- /);
    expect(textOf("specs/001-login/spec.md")).toBe(SIGN_IN_SPEC);
  });

  test("answers are lines of stdin, and --yes saves them", async () => {
    const { code, stdout } = await piped(["clarify", "001-login", "--yes"], "1\n2\n");
    expect(code).toBe(0);
    expect(stdout).toContain("Wrote 2 answers into specs/001-login/spec.md");
    expect(textOf("specs/001-login/spec.md")).not.toContain("NEEDS CLARIFICATION");
  });

  test("nothing is asked where stdin has ended: it waits for those who watch, as long as they do", async () => {
    await piped(["analyze", "001-login"]); // there is a session to watch
    const id = featureSessionId(cwd, "001-login").slice(0, 8);
    const watching = terminal("watch", id);
    await watching.sees("waits for the next run");
    const child = pipedProcess(launch(["clarify", "001-login", "--json"]));
    child.stdin.end();
    const ended = endOf(child);
    await watching.sees("Enter or a number picks");
    watching.type("1");
    await watching.sees(/\n\? FR-002[\s\S]+Enter or a number picks/);
    watching.type("\u0003");
    const { code, stdout, stderr } = await ended;
    expect(code).toBe(1); // nobody is left who could say yes to the save
    expect(stdout).toBe("");
    expect(stderr).not.toContain("Your choice");
    expect(stderr.match(/^Waits for an answer from elsewhere .+$/gm)).toEqual([
      `Waits for an answer from elsewhere (dragoman watch ${id}); Ctrl-C cancels.`,
    ]);
  });

  test("lines that are too few answer the first questions, and the others are not asked", async () => {
    const { code, stdout, stderr } = await piped(["clarify", "001-login", "--yes"], "1\n");
    expect(code).toBe(0);
    expect(stderr.match(/Your choice/g)).toHaveLength(1);
    expect(stdout).toContain("Wrote 1 answer into specs/001-login/spec.md");
    expect(stdout).toMatch(/^ {2}│ 1 file, \+\d+ −\d+$/m);
    expect(stdout).not.toContain("@@");
  });

  test("a feature that is not there leaves no session behind", async () => {
    const { code, stderr } = await piped(["analyze", "login"]);
    expect({ code, stderr }).toEqual({
      code: 1,
      stderr: "dragoman: There is no feature login. Did you mean 001-login?\n",
    });
    expect((await piped(["sessions", "--all", "--json"])).stdout).toBe("");
  });

  test("--json has the result and nothing else on stdout, and the progress on stderr", async () => {
    write("specs/001-login/task.md", TASKS);
    const { code, stdout, stderr } = await piped(["analyze", "001-login", "--json"]);
    expect(code).toBe(0);
    expect(JSON.parse(stdout)).toMatchObject({
      operation: "analyze",
      feature: "001-login",
      completeness_score: expect.any(Number),
      cycles: [["T003", "T004"]],
      dependencies: expect.arrayContaining([{ from: "T002", to: "T001" }]),
    });
    expect(stderr).toContain("Completeness Score:");
  });

  test("plan saves plan and tasks, and analyze draws what depends on what", async () => {
    const planned = await piped(["plan", "001-login", "--yes"]);
    expect(planned).toMatchObject({ code: 0 });
    const { stdout } = await piped(["analyze", "001-login"]);
    expect(stdout).toContain("Identified Circular Dependencies: None");
    expect(stdout).toMatch(/^Dependencies:\n[\s\S]*T001/m);
    const again = await piped(["plan", "001-login", "--yes"], "n\n");
    expect(again).toMatchObject({ code: 0 });
  });
});

describe("what cannot be done is told as such", () => {
  test.each<[string, string, string | Uint8Array | undefined, RegExp]>([
    ["a file that is missing", "gone.md", undefined, /^dragoman: There is no file gone\.md\. /],
    ["a folder", "specs", undefined, /^dragoman: specs is a folder, and no feature\. /],
    [
      "a feature that is missing",
      "002-none",
      undefined,
      /^dragoman: There is no feature 002-none\. There is: 001-login\.\n$/,
    ],
    ["an empty file", "empty.md", "", /failed: .*empty\.md is empty\. Describe there/],
    ["a binary file", "b.md", new Uint8Array([0, 159, 255, 0]), /failed: .*b\.md/],
    ["a file with NUL characters", "n.md", "\0\u0001", /failed: .*n\.md is not text: it has NUL characters in it/],
    ["a file that is too large", "big.md", "x\n".repeat(60_000), /failed: .*big\.md.*100/],
  ])("%s", async (_, name, content, says) => {
    if (content !== undefined) write(name, content);
    const { code, stderr } = await piped(["clarify", name]);
    expect(stderr).toMatch(says);
    expect(code).toBe(1);
  });
});
