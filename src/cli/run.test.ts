import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { faultsOf } from "../testing/check-log.ts";
import { cliFixture } from "../testing/cli-fixture.ts";
import { endOf } from "../testing/cli-process.ts";
import { ofType } from "../testing/one-session.ts";
import { until } from "../testing/scripted.ts";

// Real processes on real terminals, seen through a terminal's eyes.

const cli = cliFixture();
const answersIn = async () =>
  ofType(await cli.latestLog(), "ask.closed").map(({ outcome, answer, by }) => ({ outcome, answer, by }));
const ESC = "\u001b";
const us = { dialect: "terminal", client: "run" };

describe("a question on a terminal", () => {
  test("is put with its diff, the status and the context below it, and y answers it", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"]);
    const asked = (await terminal.sees("waits for your answer"))
      .split("\n")
      .map((line) => line.replace(/ · \d+ s · /, " · 0 s · "));
    expect(asked).toEqual([
      "  thinking … (2 lines)",
      '● Write notes.txt  fs.write "milk\\nbread\\n"',
      "",
      "? Write notes.txt?",
      "  fs.write wants to change notes.txt",
      "  --- a/notes.txt",
      "  +++ b/notes.txt",
      "  @@ -1 +1,2 @@",
      "   milk",
      "  +bread",
      "  -butter",
      "y yes · n no · r no, because … · a yes, and from now on",
      "waits for your answer · context 87% left · 0 s · ctrl-c cancels · t thinking",
    ]);
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
    const lines = terminal.text.split("\n");
    expect(lines.slice(11, 15)).toEqual([
      "? Write notes.txt? → yes",
      '  ✓ The reply was {"ok":true} · 12 ms',
      "",
      'Told: {"ok":true}',
    ]);
    expect(lines.at(-1)).toMatch(/^session [0-9a-f]{8} · test · \d+ ms · context 87% left$/);
    expect(terminal.cursor).toEqual({ x: 0, line: "" });
    expect(await answersIn()).toEqual([{ outcome: "answered", answer: { ok: true }, by: us }]);
    expect(faultsOf(await cli.latestLog(), { ended: true })).toEqual([]);
  });

  test.each([
    ["n", { ok: false }],
    ["a", { ok: true, remember: true }],
  ])("is answered by %s", async (key, answer) => {
    const terminal = cli.terminal("approve", ["run", "Add bread"]);
    await terminal.sees("y yes");
    terminal.type(key);
    expect(await terminal.exitCode).toBe(0);
    expect(await answersIn()).toEqual([{ outcome: "answered", answer, by: us }]);
  });

  test("is not answered by letters that come together: those are words meant for something else", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"]);
    await terminal.sees("y yes");
    terminal.type("clear; yes");
    terminal.type("t"); // seen when all before it was taken
    await terminal.sees("The file has one line.");
    terminal.type("n");
    expect(await terminal.exitCode).toBe(0);
    expect(await answersIn()).toEqual([{ outcome: "answered", answer: { ok: false }, by: us }]);
  });

  test("is denied with a reason that is typed, after a change of mind", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"]);
    await terminal.sees("y yes");
    terminal.type("r");
    await terminal.sees("Because:");
    terminal.type("\u001b"); // back to the question
    await terminal.sees("y yes");
    terminal.type("r");
    await terminal.sees("Because:");
    terminal.type("\u001b[200~not\ttoday\u001b[201~ 漢字\u001b[D\u001b[D!");
    await terminal.sees("!漢字");
    terminal.type("\r");
    expect(await terminal.exitCode).toBe(0);
    expect(await answersIn()).toMatchObject([{ answer: { ok: false, reason: "not\ttoday !漢字" } }]);
  });

  test("is not answered by what was typed before it, nor by what is pasted", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"]);
    terminal.type("yyyy");
    await terminal.sees("y yes");
    terminal.type("\u001b[200~y\u001b[201~n");
    expect(await terminal.exitCode).toBe(0);
    expect(await answersIn()).toMatchObject([{ answer: { ok: false } }]);
  });

  test("goes when it is answered elsewhere, and tells who did", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"], undefined, { DRAGOMAN_OTHER: "Ada" });
    await terminal.sees("y yes");
    await terminal.sees("→ yes · by Ada");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.text).not.toContain("y yes");
  });

  test("shows the whole of a long diff when d is hit", async () => {
    const terminal = cli.terminal("long diff", ["run", "Write"], { cols: 60, rows: 16 });
    await terminal.sees("more lines; press d to see all");
    await terminal.sees("y yes");
    expect(terminal.text).not.toContain("+line 60");
    terminal.type("d");
    await terminal.sees("+line 60");
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
  });

  test("can be a choice, a text or a secret, and the secret is seen nowhere", async () => {
    const terminal = cli.terminal("questions", ["run", "Set up"]);
    await terminal.sees("Enter or a number picks");
    terminal.type("\u001b[B\r");
    await terminal.sees("Space or a number marks");
    terminal.type("1\u001b[B\u001b[B ");
    await terminal.sees("❯ 3. [x] Rust");
    terminal.type("\r");
    await terminal.sees("> my-app");
    terminal.type("\u0015bird\r");
    await terminal.sees("what you type is not shown");
    terminal.type("hunter2!\r");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.text).toContain('[{"ids":["js"]},{"ids":["ts","rs"]},{"value":"bird"}] and a key of 8');
    expect(terminal.raw).not.toContain("hunter");
    expect(JSON.stringify(await cli.latestLog())).not.toContain("hunter");
  });

  test("is answered in one's own words at once, in a field that opens in the place of the choices", async () => {
    const terminal = cli.terminal("own words", ["run", "Ask"]);
    await terminal.sees("Enter or a number picks");
    terminal.type("3 eyes"); // unmarked, as some terminals paste
    terminal.type("\u001b[B");
    await terminal.sees("❯ 2.");
    terminal.type("3");
    await terminal.sees("Esc goes back to the choices");
    terminal.type("4 eyes");
    await terminal.sees("> 4 eyes");
    terminal.type("\u001b");
    await terminal.sees("Enter or a number picks");
    terminal.type("3");
    await terminal.sees("> 4 eyes"); // what was typed is not lost
    terminal.type(`\u001b[200~${"x".repeat(2000)}\u001b[201~\r`);
    await terminal.sees("6 too many: at most 2000 characters");
    terminal.type("\u0015\r"); // nothing is no answer
    terminal.type("the owner, and who has 漢字\r");
    await terminal.sees("→ the owner, and who has 漢字");
    await terminal.sees(/\? Who may change it\?[\s\S]+Enter or a number picks/);
    terminal.type("2");
    expect(await terminal.exitCode).toBe(0);
    expect(await answersIn()).toEqual([
      { outcome: "answered", answer: { ids: [], text: "the owner, and who has 漢字" }, by: us },
      { outcome: "answered", answer: { ids: ["b"] }, by: us },
    ]);
  });

  test.each([
    [60, ["❯ 1. Nobody but the owner can see it until it was shared", "     with them by name  the safest"]],
    [110, ["❯ 1. Nobody but the owner can see it until it was shared with them by name  the safest"]],
  ])("shows its choices whole, in rows of %i columns", async (cols, first) => {
    const terminal = cli.terminal("own words", ["run", "Ask"], { cols, rows: 30 });
    const lines = (await terminal.sees("Enter or a number picks")).split("\n");
    const from = lines.findIndex((line) => line.startsWith("❯"));
    expect(lines.slice(from, from + first.length)).toEqual(first);
    expect(lines.some((line) => line.includes("…"))).toBe(false);
  });

  test("can be left without an answer", async () => {
    const terminal = cli.terminal("questions", ["run", "Set up"]);
    await terminal.sees("Enter or a number picks");
    terminal.type("\u001b");
    await terminal.sees("Space or a number marks");
    terminal.type("\u001b");
    await terminal.sees("> my-app");
    terminal.type("\u0015\u0004");
    await terminal.sees("what you type is not shown");
    terminal.type("\u001b");
    expect(await terminal.exitCode).toBe(0);
    expect((await answersIn()).map(({ answer }) => answer)).toEqual([
      { ids: [] },
      { ids: [] },
      { value: null },
      undefined,
    ]);
  });
});

describe("Ctrl-C", () => {
  test("cancels the run during a tool, whose output stays", async () => {
    const terminal = cli.terminal("long tool", ["run", "Test it"]);
    await terminal.sees("│ test 30 passed");
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.text).toContain("  │ test 30 passed\n  ✗ not finished\n\n✗ cancelled: interrupted\n");
    expect((await cli.latestLog()).at(-1)).toMatchObject({ type: "run.cancelled", reason: "interrupted" });
  });

  test("cancels the run during a question, and its keys are gone", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"]);
    await terminal.sees("y yes");
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.text).not.toContain("y yes");
    expect(await answersIn()).toEqual([{ outcome: "withdrawn", answer: undefined, by: undefined }]);
  });

  test("leaves the second time, and the terminal is as it was", async () => {
    const terminal = cli.terminal("deaf", ["run", "Go"]);
    await terminal.sees("I do not listen");
    terminal.type("\u0003");
    await terminal.sees("cancelling");
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.raw.lastIndexOf("\u001b[?25h")).toBeGreaterThan(terminal.raw.lastIndexOf("\u001b[?25l"));
    expect(terminal.raw).toContain("\u001b[?2004l");
  });
});

describe("the screen", () => {
  test("follows the size of the terminal", async () => {
    const terminal = cli.terminal("long tool", ["run", "Test it"], { cols: 80, rows: 24 });
    await terminal.sees("ctrl-c cancels");
    await terminal.sees("test 30 passed");
    terminal.resize(60, 12);
    await terminal.sees("ctrl-c cancels");
    terminal.resize(100, 30);
    await terminal.sees("ctrl-c cancels");
    terminal.type("\u0003");
    expect(await terminal.exitCode).toBe(130);
    expect(terminal.text.match(/● Run npm test/g)).toHaveLength(1);
    expect(terminal.text).not.toContain("ctrl-c cancels");
  });

  test("fits 40 columns", async () => {
    const terminal = cli.terminal("approve", ["run", "Add bread"], { cols: 40, rows: 16 });
    await terminal.sees("waits for your answer");
    const lines = terminal.text.split("\n");
    expect(lines.slice(-3)).toEqual([
      "y yes · n no · r no, because …",
      "a yes, and from now on",
      "waits for your answer · context 87% le…",
    ]);
    terminal.type("y");
    expect(await terminal.exitCode).toBe(0);
  });

  test("shows nothing that an agent could move the cursor with, or turn text around", async () => {
    const terminal = cli.terminal("hostile", ["run", "Go", "--thinking"]);
    await terminal.sees("y yes (redesreverx)");
    terminal.type("y");
    await terminal.sees("Enter sends it");
    terminal.type("\r");
    await terminal.sees("❯ 1. redesreverx");
    terminal.type("1");
    expect(await terminal.exitCode).toBe(1);
    expect(terminal.text).toContain("✗ failed: test: failed redesreverx");
    // Of the escapes that were written none are the agent's: those are colours, cursor and erasing.
    const ours = new RegExp(`${ESC}\\[(?:\\d+m|\\d*A|\\d*C|J|2K|\\?25[hl]|\\?2004[hl])`, "g");
    expect(terminal.raw.replace(ours, "")).not.toMatch(/[^\P{Cc}\r\n]|\p{Bidi_Control}/u);
  });

  test("has no colours where they are not wanted, and no cursor moves on a dumb terminal", async () => {
    const plain = cli.terminal("everything", ["run", "Go"], undefined, { NO_COLOR: "1" });
    expect(await plain.exitCode).toBe(0);
    expect(plain.raw).not.toMatch(new RegExp(`${ESC}\\[\\d+m`));
    const dumb = cli.terminal("approve", ["run", "Go"], undefined, { TERM: "dumb" });
    await dumb.sees("y yes · n no");
    dumb.type("y\r");
    expect(await dumb.exitCode).toBe(0);
    expect(dumb.raw).not.toContain("\u001b");
    expect(dumb.text).toContain('Told: {"ok":true}');
  });

  test("of a secret on a dumb terminal shows nothing either", async () => {
    const terminal = cli.terminal("questions", ["run", "Set up"], undefined, { TERM: "dumb" });
    await terminal.sees("Your choice, 1 to 3;");
    terminal.type("2\r");
    await terminal.sees("or several");
    terminal.type("1,3\r");
    await terminal.sees("Your answer, in one line");
    terminal.type("\r");
    await terminal.sees(/The key of the registry\n.*in one line/);
    terminal.type("hunterX\u007f2!\r");
    expect(await terminal.exitCode).toBe(0);
    expect(terminal.text).toContain('{"value":"my-app"}] and a key of 8');
    expect(terminal.raw).not.toContain("hunter");
  });
});

describe("without a terminal", () => {
  test("own words are a line, at once or after the choice that stands for them", async () => {
    const lines = ["7", "w".repeat(2001), "3", "", "3", "the owner", " whoever asks, 2 at most "];
    const { stdout, stderr } = await cli.piped("own words", ["run", "Ask"], `${lines.join("\n")}\n`);
    expect(stdout).toContain('{"ids":[],"text":"the owner"} {"ids":[],"text":"whoever asks, 2 at most"}');
    const hint = "Your choice, 1 to 4, or your own words; an empty line picks none:";
    const inWords = "In your own words, in one line; an empty line goes back to the choices:";
    expect(stderr.split("\n").filter((line) => / own words/.test(line))).toEqual([
      hint,
      `That is no answer to it. ${hint}`,
      "Your own words have at most 2000 characters. Say it shorter, in one line:",
      inWords,
      hint,
      inWords,
      hint,
    ]);
  });

  test("stdout is the run, all of its output included, and stderr the session", async () => {
    const { code, stdout, stderr } = await cli.piped("everything", ["run", "Go"]);
    expect(code).toBe(0);
    const lines = stdout.split("\n");
    expect(lines.filter((line) => line.startsWith("  │ test"))).toHaveLength(30);
    expect(lines.slice(-12)).toEqual([
      "! The cache is old.",
      "  ☑ Part 2 漢字 🦜",
      "  ☑ Part 3 漢字 🦜",
      "",
      "All of it is there. The quick brown fox jumps over the lazy dog, and then it comes back.",
      "",
      "```ts",
      "const a = 1;",
      "```",
      "",
      "Done: all 3 parts.",
      "",
    ]);
    expect(stderr).toMatch(/^session [0-9a-f]{8} · test · \d+ ms · context 87% left\n$/);
  });

  test("answers are lines, and the question is on stderr", async () => {
    const { code, stdout, stderr } = await cli.piped("approve", ["run", "Go"], "what?\nn too early\n");
    expect(code).toBe(0);
    expect(stdout).toContain("? Write notes.txt? → no: too early\n");
    expect(stderr).toContain("? Write notes.txt?\n  fs.write wants to change notes.txt\n");
    expect(stderr).toContain("That is no answer to it.");
  });

  test("nobody is asked when nobody can answer", async () => {
    const { code, stdout } = await cli.piped("approve", ["run", "Go"]);
    expect(code).toBe(0);
    expect(stdout).toContain("! Denied, because no one is attached who could answer: Write notes.txt?");
    expect(ofType(await cli.latestLog(), "ask.opened")).toEqual([]);
  });

  test("once the answers are used up, further questions are denied", async () => {
    const { code, stdout } = await cli.piped("questions", ["run", "Go"], "2\n");
    expect(code).toBe(0);
    expect(stdout).toContain('[{"ids":["js"]},"denied","denied"] and a key of -2');
  });

  test("--quiet gives the answer and nothing else", async () => {
    const session = expect.stringMatching(/^session [0-9a-f-]{36}\n$/);
    expect(await cli.piped("everything", ["run", "Go", "--quiet"])).toEqual({
      code: 0,
      stdout: "Done: all 3 parts.\n",
      stderr: session,
    });
    expect(await cli.piped("fail", ["run", "Go", "--quiet"])).toEqual({
      code: 1,
      stdout: "",
      stderr: expect.stringMatching(/^session [0-9a-f-]{36}\ndragoman: failed: test: the disk is on fire\n$/),
    });
  });

  test("--json gives the events of the run and nothing else, and its asks are answered by lines", async () => {
    const { code, stdout } = await cli.piped("approve", ["run", "Go", "--json"], "a\n");
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    const log = await cli.latestLog();
    expect(events).toEqual(log.filter((event) => event.type !== "session.created"));
    expect(ofType(log, "ask.closed")).toMatchObject([{ answer: { ok: true, remember: true } }]);
  });

  test("whoever stops reading ends it, without noise", async () => {
    const child = cli.start("everything", ["run", "Go"]);
    child.stdout.once("data", () => child.stdout.destroy());
    const { code, stderr } = await endOf(child);
    expect({ code, noise: stderr.includes("EPIPE") }).toEqual({ code: 0, noise: false });
  });

  test("a signal cancels the run, and its end is told", async () => {
    const child = cli.start("long tool", ["run", "Go"]);
    child.stdout.on("data", (data) => String(data).includes("test 30") && child.kill("SIGINT"));
    const { code, stdout, stderr } = await endOf(child);
    expect(code).toBe(130);
    expect(stdout.endsWith("\n✗ cancelled: interrupted\n")).toBe(true);
    expect(stderr).toMatch(/^✗ cancelled: interrupted · session [0-9a-f]{8} · .*\n$/);
    expect((await cli.latestLog()).at(-1)).toMatchObject({ type: "run.cancelled" });
  });

  test("a signal while it asks ends in events, and the session is told from the beginning", async () => {
    const child = cli.start("approve", ["run", "Go", "--json"]); // whose stdin stays open
    let told = "";
    child.stderr.on("data", (data) => (told += data));
    const ended = endOf(child);
    child.stdout.on("data", (data) => String(data).includes("ask.opened") && child.kill("SIGTERM"));
    child.stdout.once("data", () => expect(told).toMatch(/^session [0-9a-f-]{36}\n/));
    const { code, stdout } = await ended;
    expect(code).toBe(143);
    const events = stdout
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events.slice(-5).map(({ type }) => type)).toEqual([
      "run.cancelling",
      "ask.closed",
      "tool.finished",
      "text.delta",
      "run.cancelled",
    ]);
    expect(events).toEqual((await cli.latestLog()).slice(1));
  });

  test("a second signal leaves at once", async () => {
    const child = cli.start("deaf", ["run", "Go"]);
    const ended = endOf(child);
    let said = "";
    child.stdout.on("data", (data) => (said += data));
    await until(() => said.includes("I do not listen."));
    child.kill("SIGINT");
    await until(async () => (await cli.latestLog()).some(({ type }) => type === "run.cancelling"), "the first");
    child.kill("SIGTERM");
    expect((await ended).code).toBe(143);
  });
});

test("when stdout is a file, whoever sits at the terminal is asked all the same", async () => {
  const terminal = cli.terminal("approve", ["run", "Go"], undefined, {}, (command) => `${command} > out.txt`);
  await terminal.sees("  +bread");
  await terminal.sees("y yes");
  expect(terminal.text).not.toContain("●");
  terminal.type("y");
  expect(await terminal.exitCode).toBe(0);
  expect(terminal.text).not.toContain("y yes");
  expect(readFileSync(join(cli.folder.path, "out.txt"), "utf8")).toContain("? Write notes.txt? → yes\n");
});

describe("a session", () => {
  test("is gone on with by its id, a part of it, or as the latest of the folder", async () => {
    await cli.piped("answer", ["run", "One"]);
    const { stdout } = await cli.piped("answer", ["sessions", "--json"]);
    const { sessionId } = JSON.parse(stdout);
    await cli.piped("answer", ["run", "Two", "--session", sessionId.slice(0, 8)]);
    await cli.piped("answer", ["run", "Three", "--continue"]);
    expect(ofType(await cli.latestLog(), "run.started").map(({ input }) => input.text)).toEqual([
      "One",
      "Two",
      "Three",
    ]);
  });

  test("goes on with the engine and the model that the command names, or says that there are none like that", async () => {
    await cli.piped("answer", ["run", "One", "--model", "of a new one"]);
    const { stderr } = await cli.piped("answer", ["run", "Two", "--continue", "--model", "script-1"]);
    expect(stderr).toMatch(/^session [0-9a-f]{8} · test · script-1 · \d+ ms/);
    const refused = async (...named: string[]) =>
      (await cli.piped("answer", ["run", "No", "--continue", ...named])).stderr;
    expect(await refused("--model", "nope")).toBe('dragoman: There is no model "nope" here. There is: script-1.\n');
    expect(await refused("--engine", "nope")).toBe('dragoman: There is no engine "nope" here. There is: test.\n');
    const log = await cli.latestLog();
    expect(ofType(log, "run.started").map(({ input, model }) => [input.text, model])).toEqual([
      ["One", undefined],
      ["Two", "script-1"],
    ]);
  });

  test("that does not exist, or in which something runs, is told as such", async () => {
    expect((await cli.piped("answer", ["run", "Go", "--continue"])).stderr).toBe(
      'dragoman: There is no session in this folder yet. Start one: dragoman run "<prompt>"\n',
    );
    expect((await cli.piped("answer", ["run", "Go", "--session", "nope"])).stderr).toBe(
      'dragoman: There is no session "nope". `dragoman sessions --all` lists them.\n',
    );
    const running = cli.terminal("long tool", ["run", "Test it"]);
    await running.sees("test 30 passed");
    const refused = await cli.piped("answer", ["run", "Go", "--continue"]);
    expect({ ...refused, stderr: refused.stderr.replace(/[0-9a-f]{8}/g, "01234567") }).toEqual({
      code: 1,
      stdout: "",
      stderr:
        `dragoman: A run is under way in session 01234567, in run (pid ${running.pid}).\n` +
        "See it: dragoman watch 01234567\nEnd it: dragoman cancel 01234567\n",
    });
  });

  test("whose process was killed goes on at once, and its run is ended in the log", async () => {
    const killed = cli.terminal("long tool", ["run", "Test it"]);
    await killed.sees("test 30 passed");
    killed.kill();
    await killed.exitCode;
    expect(JSON.parse((await cli.piped("answer", ["sessions", "--json"])).stdout)).toMatchObject({
      run: { status: "running" },
      owner: { title: "run", pid: killed.pid, state: "gone" },
    });
    expect((await cli.piped("answer", ["sessions"])).stdout).toContain("  interrupted  ");
    expect(await cli.piped("answer", ["run", "Go", "--continue", "--quiet"])).toMatchObject({
      code: 0,
      stdout: "Forty-two.\n",
    });
    const log = await cli.latestLog();
    expect(ofType(log, "run.failed")).toMatchObject([{ error: { code: "owner_lost" } }]);
    expect(faultsOf(log, { ended: true })).toEqual([]);
  });

  test("whose killed process had asked something waits for the answer", async () => {
    const killed = cli.terminal("approve", ["run", "Add bread"]);
    await killed.sees("y yes");
    killed.kill();
    await killed.exitCode;
    const refused = await cli.piped("answer", ["run", "Go", "--continue"]);
    expect(refused.stderr.replace(/[0-9a-f]{8}/g, "01234567")).toBe(
      "dragoman: A run waits for an answer in session 01234567, and its process is gone.\n" +
        "Answer it: dragoman watch 01234567\nEnd it: dragoman cancel 01234567\n",
    );
  });
});
