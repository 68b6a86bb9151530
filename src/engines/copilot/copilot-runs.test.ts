import { mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { allowing, type CopilotSession, copilotWorld } from "../../testing/copilot-world.ts";
import { tools } from "../../tools/index.ts";

const world = copilotWorld();

let lasting: CopilotSession;

beforeAll(async () => {
  lasting = await world.session({ lasts: true, ruleBook: allowing("shell") });
});

describe("what Copilot says", () => {
  test("is told piece by piece, and is the same in the result", async () => {
    const told = await lasting.run("[[think They want a greeting.]] [[say Hello there, how are you?]]");
    expect(told.text).toBe("Hello there, how are you?");
    expect(told.of("text.delta").length).toBeGreaterThan(1);
    const joined = (type: "text.delta" | "thinking.delta") =>
      told
        .of(type)
        .map(({ text }) => text)
        .join("");
    expect(joined("text.delta")).toBe(told.text);
    expect(joined("thinking.delta")).toBe("They want a greeting.");
  });

  test("before and after a call is two paragraphs", async () => {
    const told = await lasting.run("[[say I will look.]] [[run echo found]] [[say I have seen it.]]");
    expect(told.text).toBe("I will look.\n\nI have seen it.");
  });

  test("has a price: tokens of all its calls, and the context as it is", async () => {
    const usages = (await lasting.run("[[run echo a]]")).of("usage.updated");
    expect(usages).toHaveLength(2);
    const [first, second] = usages;
    expect(second?.input).toBeGreaterThan((first?.input ?? 0) * 1.5);
    expect(second?.output).toBeGreaterThan(first?.output ?? 0);
    expect(second?.contextUsed).toBeGreaterThan(1000);
    expect(second?.contextSize).toBe(128_000);
  });

  test("is said with what was said before in mind, by another model too", async () => {
    const { run } = await world.session();
    await run("My name is Ada.");
    const told = await run("[[recall]]", [], "stub-model-2");
    expect(told.text).toContain("My name is Ada.");
    expect(world.stub.requests.at(-1)?.body).toMatchObject({ model: "stub-model-2" });
    await run("And back again.");
    expect(world.stub.requests.at(-1)?.body).toMatchObject({ model: "stub-model" });
  });

  test("is about what the user looks at", async () => {
    const context = [{ path: "src/a.ts", startLine: 3, endLine: 9, content: "const a = 1;" }];
    await lasting.run({ text: "What is this? [[say This.]]", context });
    expect(world.lastRequest()).toContain("src/a.ts, line 3-9\\n```\\nconst a = 1;\\n```\\n\\nWhat is this?");
  });

  test("goes on after failures of the model that pass, of which the user is told", async () => {
    const told = await lasting.run("[[fail 503 Too busy x1]] [[say Here I am.]]");
    expect(told.notes).toEqual(["The model answered 503 (Too busy). Trying again."]);
    expect(told.text).toBe("Here I am.");
  });

  test("is planned: the list of what it has to do is a plan", async () => {
    const query =
      "INSERT INTO todos (id, title, description, status) VALUES ('a', 'Read', '', 'done'), ('b', 'Write', '', 'in_progress'), ('c', 'Test', '', 'pending')";
    const told = await lasting.run(`[[call sql ${JSON.stringify({ description: "Plan", query })}]] [[say Planned.]]`);
    expect(told.of("plan.updated").at(-1)).toMatchObject({
      planId: "copilot",
      steps: [
        { stepId: "a", description: "Read", status: "done" },
        { stepId: "b", description: "Write", status: "running" },
        { stepId: "c", description: "Test", status: "pending" },
      ],
    });
  });

  test("is not mixed with what its sub-agents say", async () => {
    const task = {
      description: "Look",
      prompt: "[[run echo inner]] [[say Seen by the other.]]",
      agent_type: "task",
      name: "scout",
    };
    const told = await lasting.run(`[[call task ${JSON.stringify(task)}]] [[say Done by both.]]`);
    expect(told.text).toBe("Done by both.");
    expect(told.of("tool.requested").map(({ tool }) => tool)).toEqual(["task", "bash"]);
    const [taskCall] = told.of("tool.requested");
    const [finished] = told.of("tool.finished").filter(({ callId }) => callId === taskCall?.callId);
    expect(finished).toMatchObject({ result: { text: "Seen by the other." } });
    expect(told.notes).toEqual([]);
  });
});

describe("a question of Copilot's", () => {
  test("is put to the user, and the answer goes back", async () => {
    const told = await lasting.run("[[ask Which colour?]]", [{ value: "Blue." }]);
    expect(told.of("ask.opened")).toMatchObject([{ kind: "prompt", title: "Copilot asks", message: "Which colour?" }]);
    expect(told.text).toBe("The tool said: User responded: Blue.");
  });

  test("with choices is a pick, which may be answered in other words", async () => {
    const picked = await lasting.run("[[ask Which colour? | red | blue]]", [{ ids: ["1"] }]);
    expect(picked.of("ask.opened")).toMatchObject([
      {
        kind: "pick",
        items: [
          { id: "0", label: "red" },
          { id: "1", label: "blue" },
        ],
        allowText: true,
      },
    ]);
    expect(picked.text).toContain("blue");
    const said = await lasting.run("[[ask Which colour? | red | blue]]", [{ ids: [], text: "neither" }]);
    expect(said.text).toContain("neither");
  });

  test("that nobody can answer does not keep it", async () => {
    const { run } = await world.session({ alone: true });
    expect((await run("[[ask Which colour?]]")).text).toContain("Nobody answered.");
  });
});

describe("the client's own tools", () => {
  test("are called by Copilot, and told of once", async () => {
    const { start, ended, see, answer } = await world.session({ clientTools: ["my.lookup"] });
    const runId = await start('[[call my_lookup {"q":"x"}]]');
    const ask = await see("ask.opened");
    expect(ask).toMatchObject({ kind: "tool", tool: "my.lookup", args: { q: "x" } });
    await answer(ask.askId, { success: true, result: { found: 42 } });
    const told = await ended(runId);
    expect(told.of("tool.requested").map(({ tool }) => tool)).toEqual(["my.lookup"]);
    expect(told.of("tool.finished")).toHaveLength(1);
    expect(told.text).toBe('The tool said: {"found":42}');
  });

  test("that are refused without a word end the turn like others", async () => {
    const { run } = await world.session({ clientTools: ["lookup"] });
    const told = await run("[[call lookup {}]] [[say I go on.]]", [{ success: false, denied: true }]);
    expect(told.of("tool.finished")).toMatchObject([{ error: { code: "denied" } }]);
    expect(told.text).toBe("I stopped, because you said no to this: use lookup");
    expect((await run("[[say Still here.]]")).text).toBe("Still here.");
  });

  test("take the place of Copilot's, also in a session that is under way", async () => {
    const { run, session } = await world.session({ tools, ruleBook: allowing("shell") });
    await run("[[run echo mine]]");
    expect(world.lastTools()).toContain("bash");
    await session.update({ clientTools: { tools: ["shell"], timeoutMs: 60_000 } });
    const told = await run('[[call shell {"command":"ls"}]]', [{ success: true, result: { output: "theirs" } }]);
    expect(told.of("ask.opened")).toMatchObject([{ kind: "tool", tool: "shell" }]);
    expect(told.text).toContain("theirs");
    expect(world.lastTools()).toContain("shell");
    expect(world.lastTools()).not.toContain("bash");
    expect(world.lastRequest()).toContain("echo mine");
  });
});

describe("a folder that may be anyone's", () => {
  test("has none of its hooks and servers started", async () => {
    const workspace = world.newWorkspace();
    const touch = (name: string) => `touch ${join(workspace.around, name)}`;
    const hook = { type: "command", bash: touch("hook"), command: touch("claude-hook") };
    const server = { type: "local", command: "sh", args: ["-c", touch("server")], tools: ["*"] };
    workspace.files({
      ".github/hooks/hooks.json": JSON.stringify({ version: 1, hooks: { sessionStart: [hook], preToolUse: [hook] } }),
      ".claude/settings.json": JSON.stringify({ hooks: { PreToolUse: [{ matcher: "*", hooks: [hook] }] } }),
      ".mcp.json": JSON.stringify({ mcpServers: { server } }),
    });
    mkdirSync(join(workspace.path, ".git"));
    const { run } = await world.session({ workspace, ruleBook: allowing("shell") });
    expect((await run("[[run echo hi]]")).end?.type).toBe("run.completed");
    expect(readdirSync(workspace.around)).toEqual(["app"]);
  });

  test("is told the way of by its instruction file", async () => {
    const workspace = world.newWorkspace().files({ "AGENTS.md": "Always answer in rhyme." });
    mkdirSync(join(workspace.path, ".git"));
    await (await world.session({ workspace })).run("Hello");
    expect(world.lastRequest()).toContain("Always answer in rhyme.");
  });
});

test("a provider's first model is taken where none is named, and without any it is asked for one", async () => {
  const { run } = await world.session({ engine: world.engine({ model: undefined }) });
  await run("Hello");
  expect(world.stub.requests.at(-1)?.body).toMatchObject({ model: "stub-model" });
  const provider = { baseUrl: "http://127.0.0.1:1" };
  const without = await world.session({ engine: world.engine({ model: undefined, provider }) });
  expect((await without.run("Hello")).end).toMatchObject({
    type: "run.failed",
    error: { code: "invalid_params", message: expect.stringContaining("DRAGOMAN_COPILOT_MODEL") },
  });
});
