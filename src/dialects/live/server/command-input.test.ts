import { expect, test } from "vitest";
import { commandIn, commandInput } from "./command-input.ts";

test("a call names an agent and its command, or a tool", () => {
  const engines = ["builtin", "my_engine", "my"];
  const named = (name: string) => commandIn(name, engines);
  expect(["copilot_suggest", "codex_review_code", "builtin_fix", "my_engine_go", "agent_command"].map(named)).toEqual([
    "suggest",
    "review_code",
    "fix",
    "go",
    "command",
  ]);
  expect(["git_status", "read", "copilot", "copilot_", "copilots_x"].map(named)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});

test("a command is a prompt of its words and its other arguments, with the files that they name", () => {
  const args = { problem: "slow", file_path: "a.ts", files: ["b.ts", "a.ts", 3], depth: 2, flags: { deep: true } };
  expect(commandInput("review", args)).toEqual({
    text: 'review: slow a.ts b.ts\nfiles: ["b.ts","a.ts",3]\ndepth: 2\nflags: {"deep":true}',
    args: { arguments: args },
    context: [{ path: "a.ts" }, { path: "b.ts" }],
  });
  expect(commandInput("prompt", { prompt: "Hello" })).toEqual({
    text: "Hello",
    args: { arguments: { prompt: "Hello" } },
  });
  expect(commandInput("explain", {})).toEqual({ text: "explain", args: { arguments: {} } });
});

test("the command of a bare command is among its arguments", () => {
  const args = { command: "fix", parameters: { problem: "it leaks", line: 3 }, context: { file: "a.c" } };
  expect(commandInput("command", args)).toEqual({
    text: "fix: it leaks a.c\nline: 3",
    args: { arguments: args },
    context: [{ path: "a.c" }],
  });
  expect(commandInput("command", { parameters: "just this" }).text).toBe("parameters: just this");
});

test("paths are named once, beside the command, and in no line of their own", () => {
  const textOf = (command: string, args: Record<string, unknown>) => commandInput(command, args).text;
  expect(textOf("explain", { file_path: "list.txt" })).toBe("explain list.txt");
  expect(textOf("explain", { files: ["a.ts", "b.ts"], path: "a.ts" })).toBe("explain a.ts b.ts");
  expect(textOf("fix", { problem: "the leak in a.c", file: "a.c" })).toBe("fix: the leak in a.c");
  const around = { command: "fix", context: { file: "a.c", line: 3 } };
  expect(textOf("command", around)).toBe('fix a.c\ncontext: {"line":3}');
});

test("what was to be written is not added to by the files beside it", () => {
  const args = { prompt: "write a file notes.txt with the text hello", file_path: "list.txt" };
  expect(commandInput("prompt", args)).toEqual({
    text: args.prompt,
    args: { arguments: args },
    context: [{ path: "list.txt" }],
  });
});

test("an object or a list with nothing in it adds nothing", () => {
  const args = { command: "explain", parameters: { file_path: "list.txt", flags: {} }, context: {}, tags: [] };
  expect(commandInput("command", args).text).toBe("explain list.txt");
});
