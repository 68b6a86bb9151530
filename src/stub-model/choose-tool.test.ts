import { describe, expect, test } from "vitest";
import { callFor } from "./choose-tool.ts";
import type { OfferedTool } from "./conversation.ts";
import { isToolStep, stepsOf } from "./script.ts";

// The tools as the agents of 2026 offer them, without their descriptions.

const text = { type: "string" };
const tool = (name: string, properties: Record<string, object>, required = Object.keys(properties)): OfferedTool => ({
  name,
  form: "function",
  schema: { type: "object", properties, required },
});
const custom = (name: string): OfferedTool => ({ name, form: "custom", schema: {} });

function call(script: string, ...tools: OfferedTool[]) {
  const step = stepsOf(script).find(isToolStep);
  if (!step) throw new Error(`${script} calls nothing`);
  const made = callFor(step, tools);
  return "problem" in made ? made : { name: made.tool.name, input: made.input };
}

function inputOf(script: string, offered: OfferedTool): unknown {
  const made = call(script, offered);
  return "input" in made ? made.input : made;
}

const patch = "*** Begin Patch\n*** Add File: a/b.txt\n+one\n+two\n*** End Patch\n";

describe("a command is run", () => {
  test.each([
    [
      tool("bash", { command: text, description: text, mode: { enum: ["sync"] } }),
      { command: "ls", description: "Run ls", mode: "sync" },
    ],
    [tool("Bash", { command: text, timeout: { type: "number" } }, ["command"]), { command: "ls" }],
    [tool("exec_command", { cmd: text, tty: { type: "boolean" } }, ["cmd"]), { cmd: "ls" }],
    [tool("shell", { command: { type: "array", items: text } }), { command: ["bash", "-lc", "ls"] }],
    [{ name: "local_shell", form: "local_shell", schema: {} } as const, "ls"],
    [custom("exec"), 'text((await tools.exec_command({"cmd":"ls"})).output);'],
  ])("by %j", (offered, input) => {
    expect(call("[[run ls]]", tool("other", {}), offered)).toEqual({ name: offered.name, input });
  });
});

describe("a file is written", () => {
  const content = "one\ntwo";

  test.each([
    [tool("create", { path: text, file_text: text }), { path: "a/b.txt", file_text: content }],
    [tool("Write", { file_path: text, content: text }), { file_path: "a/b.txt", content }],
    [tool("write", { filePath: text, content: text }), { filePath: "a/b.txt", content }],
    [
      tool("str_replace_editor", { command: { enum: ["view", "create"] }, path: text, file_text: text }),
      { command: "create", path: "a/b.txt", file_text: content },
    ],
    [custom("apply_patch"), patch],
    [tool("apply_patch", { input: text }), { input: patch }],
    [tool("exec_command", { cmd: text }), { cmd: `apply_patch <<'EOF'\n${patch}EOF` }],
    [custom("exec"), `text(await tools.apply_patch(${JSON.stringify(patch)}));`],
  ])("by %j", (offered, input) => {
    expect(call(`[[write a/b.txt ${content}]]`, tool("other", {}), offered)).toEqual({ name: offered.name, input });
  });

  test("by its own tool rather than by a shell", () => {
    const tools = [tool("exec_command", { cmd: text }), tool("write_file", { file_path: text, content: text })];
    expect(call("[[write a b]]", ...tools)).toEqual({ name: "write_file", input: { file_path: "a", content: "b" } });
  });

  test("but not by any shell, for only Codex takes a patch for a command", () => {
    expect(call("[[write a b]]", tool("bash", { command: text }))).toEqual({
      problem: "No tool writes a file. There are: bash.",
    });
  });
});

describe("the user is asked", () => {
  const option = { type: "object", properties: { label: text, description: text }, required: ["label", "description"] };
  const asksList = (name: string, more: Record<string, object>, options: object) => {
    const properties = { question: text, header: text, options, ...more };
    const item = { type: "object", properties, required: Object.keys(properties) };
    return tool(name, { questions: { type: "array", items: item } });
  };
  const options = { type: "array", items: option, minItems: 2 };
  const labels = (...names: string[]) => names.map((name) => ({ label: name, description: name }));

  test("one question with choices that are texts", () => {
    const ask = tool("ask_user", { question: text, choices: { type: "array", items: text } }, ["question"]);
    expect(inputOf("[[ask Which? | red | blue]]", ask)).toEqual({ question: "Which?", choices: ["red", "blue"] });
    expect(inputOf("[[ask Which?]]", ask)).toEqual({ question: "Which?" });
  });

  test("a list of questions with choices that are objects", () => {
    const ask = asksList("AskUserQuestion", { multiSelect: { type: "boolean" } }, options);
    expect(inputOf("[[ask Which? | red | blue]]", ask)).toEqual({
      questions: [{ question: "Which?", header: "Question", options: labels("red", "blue"), multiSelect: false }],
    });
  });

  test("with yes and no where a tool insists on choices", () => {
    const ask = asksList("request_user_input", { id: text }, options);
    expect(inputOf("[[ask Really?]]", ask)).toEqual({
      questions: [{ id: "question", question: "Really?", header: "Question", options: labels("Yes", "No") }],
    });
  });
});

test("any tool is called by its name, with JSON or with the text that it takes", () => {
  expect(call('[[call look {"at":[1,[2]]}]]', tool("look", {}))).toEqual({ name: "look", input: { at: [1, [2]] } });
  expect(call("[[call look]]", tool("look", {}))).toEqual({ name: "look", input: {} });
  expect(call("[[call exec text(1)]]", custom("exec"))).toEqual({ name: "exec", input: "text(1)" });
});
