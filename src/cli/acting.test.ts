import { describe, expect, test } from "vitest";
import { Runtime } from "../core/runtime.ts";
import { memoryStore } from "../stores/memory.ts";
import { cliFixture } from "../testing/cli-fixture.ts";
import { ofType, prompt } from "../testing/one-session.ts";
import { scripted, until } from "../testing/scripted.ts";
import { answer } from "./answer.ts";

// A run in one process, answered and cancelled by commands in another.

const cli = cliFixture();
const us = { dialect: "terminal", client: "answer" };

/** A run that someone at a terminal has before them. */
async function asking(script: string, sign: string) {
  const running = cli.terminal(script, ["run", "Go"]);
  await running.sees(sign);
  const { stdout } = await cli.piped("answer", ["sessions", "--json"]);
  const { sessionId, asks } = JSON.parse(stdout);
  const answer = (words: string[], input = "") =>
    cli.piped("answer", ["answer", sessionId.slice(0, 8), ...words], input);
  return { running, sessionId, id: sessionId.slice(0, 8), asks, answer };
}

const done = (line: string) => ({ code: 0, stdout: `${line}\n`, stderr: "" });
const refused = (line: string) => ({ code: 1, stdout: "", stderr: `dragoman: ${line}\n` });

describe("an answer", () => {
  test("is given to what the session asks, and whoever was asked sees it", async () => {
    const { running, answer } = await asking("approve", "y yes");
    expect(await answer(["yes"])).toEqual(done("answered: Write notes.txt?"));
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain("? Write notes.txt? → yes · by answer\n");
    expect(ofType(await cli.latestLog(), "ask.closed")).toMatchObject([{ answer: { ok: true }, by: us }]);
  });

  test("can be a no with a reason", async () => {
    const { running, answer } = await asking("approve", "y yes");
    expect((await answer(["yes", "--reason", "x"])).stderr).toBe("dragoman: --reason goes with a no.\n");
    expect((await answer(["no", "--reason", "not today"])).code).toBe(0);
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain('Told: {"ok":false,"reason":"not today"}');
  });

  test("can be choices, a text, or a secret that comes from stdin alone", async () => {
    const { running, answer } = await asking("questions", "Enter or a number picks");
    expect((await answer(["cobol"])).stderr).toBe(
      "dragoman: Language\n  1. TypeScript (ts)\n  2. JavaScript (js)\n  3. Rust (rs)\n" +
        "Behind the session's id say a number, an id or a label.\n",
    );
    expect(await answer(["javascript"])).toEqual(done("answered: Language"));
    await running.sees("Space or a number marks");
    expect(await answer(["ts,", "3"])).toEqual(done("answered: Targets"));
    await running.sees("> my-app");
    expect(await answer(["two", "words"])).toEqual(done("answered: Name"));
    await running.sees("what you type is not shown");
    expect((await answer(["hunter2!"])).stderr).toContain("It is a secret: give it on stdin");
    expect((await answer([])).stderr).toBe("dragoman: There was nothing on stdin.\n");
    expect(await answer([], "hunter2!\n")).toEqual(done("answered: Key"));
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain('[{"ids":["js"]},{"ids":["ts","rs"]},{"value":"two words"}] and a key of 8');
    expect(JSON.stringify(await cli.latestLog())).not.toContain("hunter");
  });

  test("can be in one's own words, where the question allows that", async () => {
    const { running, answer } = await asking("own words", "Enter or a number picks");
    const ids = ofType(await cli.latestLog(), "ask.opened").map(({ askId }) => askId);
    const [first = "", second = ""] = ids;
    const refused = await answer(["--ask", first, "7"]);
    expect(refused.stderr).toContain("say a number, an id or a label, or it in your own words.\n");
    const long = await answer(["--ask", first, "w".repeat(2001)]);
    expect(long.stderr).toBe("dragoman: A text has at most 2000 characters, and this one 2001. Say it shorter.\n");
    expect(await answer(["--ask", first, "4 eyes"])).toEqual(done("answered: Who may see it?"));
    expect(await answer(["--ask", second, "leave it open"])).toEqual(done("answered: Who may change it?"));
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain('{"ids":[],"text":"4 eyes"} {"ids":["skip"]}');
  });

  test("that is a secret is typed at a terminal, and seen nowhere", async () => {
    const { running, id } = await asking("secret", "what you type is not shown");
    const typing = cli.terminal("answer", ["answer", id]);
    await typing.sees("The answer, in one line, which is not shown:");
    typing.type("hunterX\u007f2!\r");
    expect(await typing.exitCode).toBe(0);
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain("a key of 8");
    expect(typing.raw).not.toContain("hunter");
    expect(typing.text).toBe("The answer, in one line, which is not shown:\nanswered: Key");
  });

  test("of several needs to be told which it is for", async () => {
    const { running, id, asks, answer } = await asking("two asks", "y yes");
    const list = asks
      .map((ask: { askId: string; title: string }) => `  ${ask.askId.slice(0, 8)}  ${ask.title}\n`)
      .join("");
    expect((await answer(["yes"])).stderr).toBe(
      `dragoman: Which one? Say it with --ask and the beginning of its id:\n${list}`,
    );
    expect((await answer(["yes", "--ask", "zzz"])).stderr).toBe(
      `dragoman: There is no open ask zzz in session ${id}:\n${list}`,
    );
    expect((await answer(["yes", "--ask", asks[1].askId.slice(0, 8)])).code).toBe(0);
    expect((await answer(["no"])).code).toBe(0);
    expect(await running.exitCode).toBe(0);
    expect(running.text).toContain('{"ok":false} and {"ok":true}');
  });

  test("to nothing is refused", async () => {
    await cli.piped("answer", ["run", "Go"]);
    const { sessionId } = JSON.parse((await cli.piped("answer", ["sessions", "--json"])).stdout);
    const id = sessionId.slice(0, 8);
    expect(await cli.piped("answer", ["answer", id, "yes"])).toEqual(
      refused(`Nothing is running in session ${id}: there is nothing to answer.`),
    );
    expect((await cli.piped("answer", ["answer", "zzz", "yes"])).stderr).toContain('There is no session "zzz"');
  });

  test("that comes too late is refused, and told who was faster", async () => {
    const store = memoryStore();
    const secret = { kind: "prompt" as const, title: "Key", message: "", secret: true };
    const engine = scripted(async (_, io) => (await io.ask(secret)).outcome);
    const session = await new Runtime({ store, engines: [engine] }).create({ workspace: "/w", engine: "scripted" });
    session.attach(["prompt"]);
    await prompt(session, "go");
    await until(async () => (await store.session(session.id))?.asks.length === 1, "the ask");
    const { askId = "" } = (await store.session(session.id))?.asks[0] ?? {};
    const readSecret = async () => {
      await session.answer(askId, { value: "mine" }, { dialect: "ui", user: "Ada" });
      return "later";
    };
    const runtime = new Runtime({ store, engines: [] });
    const late = answer({
      runtime,
      session: session.id,
      words: [],
      readSecret,
      say: () => {},
      note: () => {},
      signals: {},
    });
    await expect(late).rejects.toThrow("The ask was already answered by Ada.");
  });
});

describe("a cancel", () => {
  test("ends the run in the other process before it returns", async () => {
    const { running, sessionId, id } = await asking("long tool", "test 30 passed");
    expect(await cli.piped("answer", ["cancel", id, "--reason", "too long"])).toEqual(done(`cancelled: ${id} Go`));
    expect(await running.exitCode).toBe(1);
    expect(running.text).toContain("✗ cancelled: too long");
    expect((await cli.latestLog()).at(-1)).toMatchObject({ type: "run.cancelled", reason: "too long" });
    expect(await cli.piped("answer", ["cancel", sessionId])).toEqual(refused(`Nothing is running in session ${id}.`));
  });

  test("of a run whose process was killed ends it, and says why", async () => {
    const { running, id } = await asking("long tool", "test 30 passed");
    running.kill();
    await running.exitCode;
    expect(await cli.piped("answer", ["cancel", id])).toEqual(
      done(`ended: ${id} Go (the process that ran it was lost)`),
    );
    expect((await cli.latestLog()).at(-1)).toMatchObject({ type: "run.failed", error: { code: "owner_lost" } });
  });
});
