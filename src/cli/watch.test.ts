import { describe, expect, test } from "vitest";
import { cliFixture } from "../testing/cli-fixture.ts";
import { endOf } from "../testing/cli-process.ts";
import { ofType } from "../testing/one-session.ts";

// A run in one process, watched from another.

const cli = cliFixture();
const us = { dialect: "terminal", client: "watch" };

test("shows a session from its beginning, and goes on while another process works on it", async () => {
  await cli.piped("answer", ["run", "What is it?"]);
  const watching = cli.terminal("answer", ["watch"]);
  await watching.sees("Forty-two.");
  await watching.sees("waits for the next run");
  const running = cli.terminal("approve", ["run", "Add bread", "--continue"]);
  await watching.sees("› Add bread");
  await watching.sees("? Write notes.txt?");
  await watching.sees("waits for your answer · context 87% left · c cancels · t thinking · q leaves");
  await running.sees("y yes");
  running.type("n");
  await watching.sees("→ no · by run");
  await watching.sees('Told: {"ok":false}');
  watching.type("q");
  expect(await watching.exitCode).toBe(0);
  expect(watching.text).not.toContain("waits for");
});

test("says in a pipe too that an answer is waited for, and ends with a signal", async () => {
  const running = cli.terminal("approve", ["run", "Add bread"]);
  await running.sees("y yes");
  const watching = cli.start("answer", ["watch"]);
  watching.stdout.on("data", (data) => String(data).includes("waits for an answer") && watching.kill("SIGINT"));
  const { code, stdout, stderr } = await endOf(watching);
  expect({ code, stderr }).toEqual({ code: 130, stderr: "" });
  expect(
    stdout
      .replace(/[0-9a-f]{8}$/m, "01234567")
      .split("\n")
      .slice(1),
  ).toEqual([
    "",
    "› Add bread",
    "",
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
    "  waits for an answer: dragoman answer 01234567",
    "",
  ]);
});

test("says nothing of an answer in a pipe where it was given long ago", async () => {
  await cli.piped("approve", ["run", "Add bread"], "y\n");
  const watching = cli.start("answer", ["watch"]);
  watching.stdout.on("data", (data) => String(data).includes("Told:") && watching.kill("SIGINT"));
  const { code, stdout } = await endOf(watching);
  expect(code).toBe(130);
  expect(stdout).toContain("? Write notes.txt?");
  expect(stdout).not.toContain("waits for an answer");
});

describe("a run of another process", () => {
  test("is answered by keys, and both see who did", async () => {
    const running = cli.terminal("approve", ["run", "Add bread"]);
    await running.sees("y yes");
    const watching = cli.terminal("answer", ["watch"]);
    await watching.sees(` · in run (pid ${running.pid})`);
    await watching.sees("y yes");
    expect(watching.text).toContain("  +bread\n");
    watching.type("r");
    await watching.sees("Because:");
    watching.type("not today\r");
    await watching.sees('Told: {"ok":false,"reason":"not today"}');
    expect(watching.text).toContain("? Write notes.txt? → no: not today\n");
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain("? Write notes.txt? → no: not today · by watch\n");
    await watching.sees("waits for the next run");
    watching.type("q");
    expect(await watching.exitCode).toBe(0);
    expect(ofType(await cli.latestLog(), "ask.closed")).toHaveLength(1);
  });

  test("is answered by lines on a dumb terminal", async () => {
    const running = cli.terminal("approve", ["run", "Add bread"]);
    await running.sees("y yes");
    const watching = cli.terminal("answer", ["watch"], undefined, { TERM: "dumb" });
    await watching.sees("y yes · n no · n and a reason");
    watching.type("n not today\r");
    await watching.sees('Told: {"ok":false,"reason":"not today"}');
    expect(watching.raw).not.toContain("\u001b");
    expect(await running.exitCode).toBe(0);
    watching.type("\u0003");
    expect(await watching.exitCode).toBe(130);
  });

  test("has someone to ask while it is watched at a keyboard", async () => {
    await cli.piped("answer", ["run", "Begin"]);
    const watching = cli.terminal("answer", ["watch"]);
    await watching.sees("waits for the next run");
    const running = cli.piped("approve", ["run", "Add bread", "--continue"]); // whose stdin has ended
    await watching.sees("y yes");
    watching.type("y");
    const { code, stdout } = await running;
    expect({ code, said: stdout.includes('Told: {"ok":true}') }).toEqual({ code: 0, said: true });
  });

  test("has nobody to ask where it is only looked at", async () => {
    await cli.piped("answer", ["run", "Begin"]);
    const watching = cli.start("answer", ["watch", "--json"]);
    await new Promise((resolve) => watching.stdout.once("data", resolve));
    const { stdout } = await cli.piped("approve", ["run", "Add bread", "--continue"]);
    expect(stdout).toContain("! Denied, because no one is attached who could answer");
    watching.kill("SIGTERM");
  });

  test("is cancelled by c, when it is hit twice", async () => {
    const running = cli.terminal("long tool", ["run", "Test it"]);
    await running.sees("test 30 passed");
    const watching = cli.terminal("answer", ["watch"]);
    await watching.sees(/running · \d+ s · c cancels · q leaves/);
    watching.type("c");
    await watching.sees(/running · \d+ s · c again cancels the run/);
    watching.type("c");
    await watching.sees("✗ cancelled: by dragoman watch");
    expect(await running.exitCode).toBe(1);
    expect((await cli.latestLog()).findLast((event) => event.type === "run.cancelling")).toMatchObject({ by: us });
  });

  test.each([
    ["q", 0],
    ["\u0003", 130],
  ])("goes on when whoever watches leaves by %j", async (key, code) => {
    const running = cli.terminal("approve", ["run", "Add bread"]);
    await running.sees("y yes");
    const watching = cli.terminal("answer", ["watch"]);
    await watching.sees("y yes");
    watching.type(key);
    expect(await watching.exitCode).toBe(code);
    running.type("y");
    expect(await running.exitCode).toBe(0);
  });

  test("is seen to end when its process is killed", async () => {
    const running = cli.terminal("long tool", ["run", "Test it"]);
    await running.sees("test 30 passed");
    const watching = cli.terminal("answer", ["watch"]);
    await watching.sees(/running · \d+ s · c cancels/);
    running.kill();
    await watching.sees("✗ failed: The process that ran this was lost before the end. Start it again.");
    await watching.sees("waits for the next run");
  });
});

test("begins with the last runs when it is told so, as events too", async () => {
  for (const prompt of ["One", "Two", "Three"]) {
    await cli.piped("answer", ["run", prompt, ...(prompt === "One" ? [] : ["--continue"])]);
  }
  const watching = cli.start("answer", ["watch", "--tail", "2", "--json"]);
  let lines = "";
  watching.stdout.on("data", (data) => {
    lines += data;
    if (lines.split("run.completed").length > 2) watching.kill("SIGTERM");
  });
  const { stdout } = await endOf(watching);
  const events = stdout
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
  expect(events).toEqual((await cli.latestLog()).slice(-4));
});

test("a session that is not there, or a tail that is no number, is told as such", async () => {
  expect(await cli.piped("answer", ["watch"])).toEqual({
    code: 1,
    stdout: "",
    stderr: 'dragoman: There is no session yet. Start one: dragoman run "<prompt>"\n',
  });
  expect((await cli.piped("answer", ["watch", "abc"])).stderr).toContain("`dragoman sessions --all` lists them");
  expect((await cli.piped("answer", ["watch", "--tail", "two"])).stderr).toContain("--tail takes a number of runs.");
});
