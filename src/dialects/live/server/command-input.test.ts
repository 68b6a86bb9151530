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
    text: 'review: slow\nfile_path: a.ts\nfiles: ["b.ts","a.ts",3]\ndepth: 2\nflags: {"deep":true}',
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
    text: 'fix: it leaks\nline: 3\ncontext: {"file":"a.c"}',
    args: { arguments: args },
    context: [{ path: "a.c" }],
  });
  expect(commandInput("command", { parameters: "just this" }).text).toBe("parameters: just this");
});
