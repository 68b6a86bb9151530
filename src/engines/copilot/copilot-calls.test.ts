import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { allowing, type CopilotSession, copilotWorld, rules } from "../../testing/copilot-world.ts";

const world = copilotWorld();
const yes = { ok: true };

describe("a call", () => {
  let asking: CopilotSession;
  let allowed: CopilotSession;

  beforeAll(async () => {
    asking = await world.session({ lasts: true });
    allowed = await world.session({ lasts: true, ruleBook: allowing("shell") });
  });

  test("is asked about with what it would do, and done after a yes", async () => {
    const told = await asking.run("[[write notes.txt hello]]", [yes]);
    expect(asking.workspace.text("notes.txt")).toBe("hello");
    const [requested] = told.of("tool.requested");
    expect(requested).toMatchObject({
      tool: "create",
      kind: "edit",
      title: "Write notes.txt",
      args: { path: "notes.txt", file_text: "hello" },
    });
    expect(told.of("ask.opened")).toMatchObject([
      { kind: "confirm", title: "Write notes.txt?", path: "notes.txt", callId: requested?.callId },
    ]);
    expect(told.of("ask.opened")[0]?.diff).toMatch(/\+\+\+ b\/notes\.txt\n.*\n\+hello/);
    const [finished] = told.of("tool.finished");
    expect(finished).toMatchObject({
      callId: requested?.callId,
      result: { text: expect.stringContaining("notes.txt") },
    });
    expect(finished?.diff).toMatch(/^--- \/dev\/null\n\+\+\+ b\/notes\.txt\n@@/);
  });

  test("of a command tells its output while it runs, each piece once", async () => {
    const told = await allowed.run("[[run echo one; sleep 0.3; echo two; exit 3]]");
    const output = told.of("tool.output").map(({ text }) => text);
    expect(output.length).toBeGreaterThan(1);
    expect(output.join("")).toBe("one\ntwo\n");
    expect(told.of("tool.finished")).toMatchObject([{ result: { exitCode: 3 } }]);
  });

  test("with more output than Copilot shows is told as far as it is, also when that is not all", async () => {
    const waitFor = (file: string) => `until [ -e ${file} ]; do sleep 0.02; done`;
    const runId = await allowed.start(`[[run seq 5000; ${waitFor("go")}; echo the last; ${waitFor("end")}]]`);
    const outputSeen = (isIt: (text: string) => boolean) =>
      allowed.see("tool.output", (event) => event.runId === runId && isIt(event.text));
    await outputSeen(() => true);
    allowed.workspace.files({ go: "" });
    await outputSeen((text) => text.includes("the last"));
    allowed.workspace.files({ end: "" });
    expect((await allowed.ended(runId)).of("tool.finished")).toMatchObject([{ result: { exitCode: 0 } }]);
  });

  test("that is refused with a reason is not made, and the model goes on with the reason", async () => {
    const told = await asking.run("[[write other.txt hello]]", [{ ok: false, reason: "Call it readme.txt." }]);
    expect(told.of("tool.finished")).toMatchObject([{ error: { code: "denied", message: "Call it readme.txt." } }]);
    expect(existsSync(join(asking.workspace.path, "other.txt"))).toBe(false);
    expect(world.lastRequest()).toContain("Call it readme.txt.");
    expect(told.text).toMatch(/^The tool said: .*Call it readme\.txt\./s);
  });

  test("that is refused without a word ends the turn, and the answer says why", async () => {
    const told = await asking.run("[[write other.txt hello]] [[say I go on.]]", [{ ok: false }]);
    expect(told.text).toBe("I stopped, because you said no to this: write other.txt");
    expect(told.notes).toEqual([]);
    expect((await asking.run("[[say Still here.]]")).text).toBe("Still here.");
  });

  test("in a sub-agent that is refused without a word ends the whole turn", async () => {
    const task = { description: "Look", prompt: "[[run touch x]] [[say Inner.]]", agent_type: "task", name: "scout" };
    const told = await asking.run(`[[call task ${JSON.stringify(task)}]] [[say Outer.]]`, [{ ok: false }]);
    expect(told.text).toBe("I stopped, because you said no to this: run touch x");
  });

  test("is not asked about again once the answer is to be remembered", async () => {
    const { run } = await world.session({ ruleBook: rules([]) });
    await run("[[run npm --version]]", [{ ok: true, remember: true }]);
    const told = await run("[[run npm --version]]");
    expect(told.of("ask.opened")).toEqual([]);
    expect(told.of("tool.finished")).toMatchObject([{ result: { exitCode: 0 } }]);
  });

  test("that a rule denies is not made, and nobody is asked", async () => {
    const { run } = await world.session({ ruleBook: rules([], [{ tool: "shell", command: "touch" }]) });
    const told = await run("[[run touch x]]");
    expect(told.of("ask.opened")).toEqual([]);
    expect(told.of("tool.finished")).toMatchObject([{ error: { code: "denied" } }]);
    expect(told.end?.type).toBe("run.completed");
  });

  test("of several files is asked about one by one, those that go away or elsewhere as what they are", async () => {
    const workspace = world.newWorkspace().files({ "old.txt": "bye\n", "here.txt": "a\n", "change.txt": "1\n" });
    const { run } = await world.session({ engine: world.engine({ model: "gpt-5.1-codex" }), workspace });
    const patch = [
      "*** Update File: change.txt\n@@\n-1\n+2",
      "*** Delete File: old.txt",
      "*** Update File: here.txt\n*** Move to: there.txt\n@@\n-a\n+b",
      "*** Add File: new.txt\n+hello",
    ];
    const prompt = `[[call apply_patch *** Begin Patch\n${patch.join("\n")}\n*** End Patch]]`;
    const told = await run(prompt, [yes, yes, yes, yes]);
    expect(told.of("ask.opened").map(({ title, tool }) => [title, tool])).toEqual([
      ["Change change.txt?", "edit"],
      ["Delete old.txt?", "edit"],
      ["Move here.txt to there.txt?", "edit"],
      ["Write new.txt?", "write"],
    ]);
    expect(told.of("tool.finished")[0]?.diff?.match(/^(?:---|\+\+\+) .*/gm)).toEqual([
      "--- a/change.txt",
      "+++ b/change.txt",
      "--- a/old.txt",
      "+++ /dev/null",
      "--- a/here.txt",
      "+++ b/there.txt",
      "--- /dev/null",
      "+++ b/new.txt",
    ]);
  });

  test("of a file outside is asked about once", async () => {
    const path = join(asking.workspace.around, "secret.txt");
    writeFileSync(path, "secret");
    const told = await asking.run(`[[call view ${JSON.stringify({ path })}]]`, [yes]);
    expect(told.of("ask.opened")).toHaveLength(1);
    expect(told.text).toBe("The tool said: secret");
  });

  test("of what Copilot wrote down for itself needs nobody's yes", async () => {
    await allowed.run("[[run seq 50000]]");
    const path = join(allowed.home, "session-state", allowed.session.id, "files");
    const told = await allowed.run(`[[call view ${JSON.stringify({ path })}]]`);
    expect(told.of("ask.opened")).toEqual([]);
    expect(told.text).toContain("copilot-tool-output");
  });

  test("that the user once allowed Copilot itself in this folder is judged by our rules all the same", async () => {
    const engine = world.engine();
    const workspace = world.newWorkspace();
    const file = join(engine.home, "permissions-config.json");
    const content = JSON.stringify({ locations: { [workspace.path]: { tool_approvals: [{ kind: "write" }] } } });
    writeFileSync(file, content);
    const { run, session } = await world.session({ engine, workspace });
    expect((await run("[[write notes.txt hello]]", [yes])).of("ask.opened")).toHaveLength(1);
    await engine.leave?.(session.id);
    expect(readFileSync(file, "utf8")).toBe(content); // with Copilot itself they hold as before
  });
});
