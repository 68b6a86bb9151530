import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { openSqliteStore } from "../stores/sqlite.ts";
import { builtCommand } from "../testing/built-command.ts";
import { TerminalProcess } from "../testing/cli-process.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// `doctor` and `sessions prune` as a user has them.

const folder = temporaryFolder();
let homes = 0;
let home = "";

beforeEach(() => {
  home = join(folder.path, `home-${homes++}`);
});

function dragoman(...args: string[]) {
  const env = { ...process.env, DRAGOMAN_HOME: home };
  const { status, stdout, stderr } = spawnSync(process.execPath, [builtCommand, ...args], {
    cwd: folder.path,
    env,
    encoding: "utf8",
    input: "",
  });
  return { code: status, stdout, stderr };
}

const sessionsLeft = async () => {
  const store = await openSqliteStore(join(home, "log.db"));
  const sessions = await store.sessions({ limit: 9 });
  await store.close();
  return sessions.length;
};

describe("sessions prune", () => {
  test.each([
    [[], "error: say what is to go: --older-than 30d, --max-size 500MB, or both."],
    [["--json", "--max-size", "1MB"], "error: --json asks nothing: add --yes or --dry-run."],
    [["--older-than", "5m"], "argument '5m' is invalid. It takes a whole number and min, h, d or w"],
    [["--all", "--max-size", "1MB"], "error: unknown option '--all'"],
    [["now", "--max-size", "1MB"], "error: too many arguments for 'prune'"],
  ])("%j is refused with a word of what to do, before a log is made", (args, message) => {
    const { code, stderr } = dragoman("sessions", "prune", ...args);
    expect(code).toBe(1);
    expect(stderr).toContain(message);
    expect(existsSync(home)).toBe(false);
  });

  test("asks at a terminal, and leaves the options of sessions to sessions", async () => {
    mkdirSync(home);
    for (let n = 0; n < 3; n++) dragoman("run", "list files");
    const listed = dragoman("sessions", "--json", "--limit", "2").stdout.trim().split("\n");
    expect(listed.map((line) => JSON.parse(line).lastPrompt)).toEqual(["list files", "list files"]);
    const would = dragoman("sessions", "prune", "--json", "--dry-run", "--max-size", "0KB");
    expect(JSON.parse(would.stdout).sessions).toHaveLength(2);
    const args = ["sessions", "prune", "--older-than", "0d"];
    for (const [key, exit, sessions] of [
      ["n", 1, 3],
      ["\u0003", 130, 3],
      ["y", 0, 1],
    ] as const) {
      const terminal = new TerminalProcess({ child: builtCommand, home, cwd: folder.path, args });
      await terminal.sees("Forget that for good? y or n:");
      terminal.type(key);
      expect([key, await terminal.exitCode, await sessionsLeft()]).toEqual([key, exit, sessions]);
    }
  });
});

describe("doctor", () => {
  test("makes nothing where nothing is, and says what it looked at", () => {
    const { code, stdout, stderr } = dragoman("doctor");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^✓ data folder {4}.*is not there yet/);
    expect(stdout).toMatch(/dragoman \d+\.\d+\.\d+, node \d+\.\d+\.\d+, sqlite 3\.\d+\.\d+/);
    expect(stdout.trimEnd().endsWith("All is well.")).toBe(true);
    expect(existsSync(home)).toBe(false);
  });

  test("is JSON for a program, and finds the log that there is", () => {
    dragoman("run", "list files");
    const { code, stdout } = dragoman("doctor", "--json");
    expect(code).toBe(0);
    const { problems, findings } = JSON.parse(stdout);
    expect(problems).toBe(0);
    expect(findings).toContainEqual({
      about: "log",
      verdict: "ok",
      text: expect.stringMatching(/log\.db: 1 session, /),
    });
  });
});
