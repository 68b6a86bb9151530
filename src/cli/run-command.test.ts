import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { builtCommand } from "../testing/built-command.ts";
import { isAlive, TerminalProcess } from "../testing/cli-process.ts";
import { until } from "../testing/scripted.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";

// The command as a user has it, with the builtin engine and real tools, on a real terminal in a real repository.

const folder = temporaryFolder();
let places = 0;
let home = "";
let cwd = "";
const open: TerminalProcess[] = [];

beforeEach(() => {
  const place = join(folder.path, `${places++}`);
  [home, cwd] = [join(place, "home"), join(place, "project")];
  mkdirSync(cwd, { recursive: true });
  mkdirSync(home);
  execFileSync("git", ["init", "--quiet", "--initial-branch=main"], { cwd });
  writeFileSync(join(cwd, "notes.txt"), "milk\n");
});
afterEach(() => {
  for (const terminal of open.splice(0)) terminal.kill();
});

function run(prompt: string, line?: (command: string) => string): TerminalProcess {
  const launch = { child: builtCommand, home, cwd, args: ["run", prompt], env: { DRAGOMAN_ENGINE: "builtin" }, line };
  const terminal = new TerminalProcess(launch, { cols: 80, rows: 24 });
  open.push(terminal);
  return terminal;
}

const textOf = (name: string) => readFileSync(join(cwd, name), "utf8");
/** What stays on the screen, without what differs from run to run. */
const screen = ({ text }: TerminalProcess) =>
  text
    .replace(/\d+(?:\.\d)? m?s$/gm, "0 ms")
    .replace(/session [0-9a-f]{8}/, "session 01234567")
    .split("\n");

describe("a write that is asked about", () => {
  const asked = [
    "▸ 1. Write new.txt",
    '● Write new.txt  write "hello\\n"',
    "",
    "? Write new.txt?",
    "  If remembered for this workspace: every write",
    "  --- /dev/null",
    "  +++ b/new.txt",
    "  @@ -0,0 +1,1 @@",
    "  +hello",
  ];
  const request = "write a file new.txt with the text hello";

  test("is done after y, and not before", async () => {
    const terminal = run(request);
    await terminal.sees("y yes");
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    expect(textOf("new.txt")).toBe("hello\n");
    const end = ["? Write new.txt? → yes", "  ✓ created · 6 bytes · 0 ms", "", "Created new.txt (6 bytes).", ""];
    expect(screen(terminal)).toEqual([...asked, ...end, "session 01234567 · builtin · 0 ms"]);
  });

  test("is left out after n", async () => {
    const terminal = run(request);
    await terminal.sees("y yes");
    terminal.type("n");
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    expect(screen(terminal).slice(asked.length)).toEqual([
      "? Write new.txt? → no",
      "",
      "Not done: Write new.txt. You said no.",
      "",
      "session 01234567 · builtin · 0 ms",
    ]);
  });

  test("is left out after r, and the reason is heard", async () => {
    const terminal = run(`${request}, then list files`);
    await terminal.sees("y yes");
    terminal.type("r");
    await terminal.sees("Because:");
    terminal.type("not now\r");
    expect(await terminal.exitCode).toBe(0);
    expect(existsSync(join(cwd, "new.txt"))).toBe(false);
    expect(terminal.text).toContain("? Write new.txt? → no: not now\n");
    expect(terminal.text).toContain("Not done: Write new.txt. The reason: not now\n");
    expect(terminal.text).toContain("- notes.txt\n"); // it went on
  });

  test("is done after a, and from then on without a question, in this folder", async () => {
    const first = run(request);
    await first.sees("a yes, and from now on");
    first.type("a");
    expect(await first.exitCode).toBe(0);
    const second = run("write a file other.txt with the text again");
    expect(await second.exitCode).toBe(0);
    expect([textOf("new.txt"), textOf("other.txt")]).toEqual(["hello\n", "again\n"]);
    expect(second.text).not.toContain("?");
  });
});

test("a long command is ended by Ctrl-C with all that it started, and the terminal is as it was", async () => {
  const terminal = run(
    "run `sleep 1000 & echo $! > pid; echo begun; wait`",
    (command) => `${command}; echo "code $?"; stty -a`,
  );
  await terminal.sees("y yes");
  terminal.type("y");
  await terminal.sees("│ begun");
  const pid = Number(textOf("pid"));
  expect(isAlive(pid)).toBe(true);
  const startedAt = Date.now();
  terminal.type("\u0003");
  await terminal.sees("✗ cancelled: interrupted");
  await until(() => !isAlive(pid), "the end of what it started");
  expect(Date.now() - startedAt).toBeLessThan(5000);
  await terminal.sees(/^code 130$[\s\S]* icanon [\s\S]* echo /m);
  expect(terminal.raw.lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.raw.lastIndexOf("\u001b[?25l"));
});

test("a run that Ctrl-C ended says so by its exit code, also while it asks", async () => {
  const terminal = run("write a file new.txt with the text hello");
  await terminal.sees("y yes");
  terminal.type("\u0003");
  expect(await terminal.exitCode).toBe(130);
  expect(existsSync(join(cwd, "new.txt"))).toBe(false);
});

const ESC = "\u001b";
/** Colours, the cursor's moves, erasing below it or its line, and whether it is seen and pastes are marked: all that draws. */
const drawing = new RegExp(`${ESC}\\[(?:\\d*(?:;\\d+)*m|\\d*[AC]|J|2K|\\?(?:25|2004)[hl])`, "g");
const unseen = new RegExp(`[${ESC}\\u0007\\u009b\\u202e]`);

test("escapes in a file's name and in what a command prints never reach the terminal", async () => {
  const title = "\u001b]0;owned\u0007";
  writeFileSync(join(cwd, `a${title}\u001b[2J\u202e.txt`), "");
  const listing = run("list files");
  expect(await listing.exitCode).toBe(0);
  expect(listing.text).toContain("- a.txt\n");
  const printing = run("run `printf 'x\\033]0;owned\\007\\033[2J\\033[31my\\n'`");
  await printing.sees("y yes");
  printing.type("y");
  expect(await printing.exitCode).toBe(0);
  expect(printing.text).toContain("  │ xy\n");
  for (const { raw } of [listing, printing]) {
    expect(raw.replace(drawing, "")).not.toMatch(unseen);
    expect(raw).not.toContain(`${ESC}[2J`);
  }
});
