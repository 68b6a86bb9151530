import { expect, test } from "vitest";
import { cliFixture } from "../testing/cli-fixture.ts";
import { endOf } from "../testing/cli-process.ts";

// A run in one process, watched from another.

const cli = cliFixture();

test("shows a session from its beginning, and goes on while another process works on it", async () => {
  await cli.piped("answer", ["run", "What is it?"]);
  const watching = cli.terminal("answer", ["watch"]);
  await watching.sees("Forty-two.");
  await watching.sees("waits for the next run");
  const running = cli.terminal("approve", ["run", "Add bread", "--continue"]);
  await watching.sees("› Add bread");
  await watching.sees("? Write notes.txt?");
  await watching.sees("waits for an answer: give it where the run was started");
  await running.sees("y yes");
  running.type("n");
  await watching.sees("→ no · by terminal");
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
  expect(stdout.split("\n").slice(1)).toEqual([
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
    "  waits for an answer: give it where the run was started",
    "",
  ]);
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
