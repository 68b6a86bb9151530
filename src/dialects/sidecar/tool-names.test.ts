import { describe, expect, test } from "vitest";
import { tools } from "../../tools/index.ts";
import { coreResult, coreTool, wireCall, wireResult } from "./tool-names.ts";

test.each([
  ["git_status", {}, "git.status", {}],
  ["git_commit", { type: "feat", description: "a" }, "git.commit", { type: "feat", description: "a" }],
  ["git_push", { setUpstream: true }, "git.push", { setUpstream: true }],
  ["git_branch", { action: "create", name: "x", from: "main" }, "git.createBranch", { name: "x", from: "main" }],
  ["git_branch", { action: "switch", name: "x" }, "git.switchBranch", { name: "x" }],
  ["git_branch", { name: "x" }, "git.branch", { name: "x" }],
  ["git_branch", "x", "git.branch", "x"],
  ["git_diff", {}, "git.diff", {}],
  ["git_log", { limit: 1 }, "git.log", { limit: 1 }],
  ["git_branches", {}, "git.branches", {}],
  ["read", { path: "a" }, "fs.read", { path: "a" }],
  ["list", {}, "fs.list", {}],
  ["glob", { pattern: "*" }, "fs.glob", { pattern: "*" }],
  ["search", { query: "a" }, "fs.search", { query: "a" }],
  ["write", { path: "a", content: "" }, "fs.write", { path: "a", content: "" }],
  ["edit", { path: "a", find: "b", replace: "c" }, "fs.edit", { path: "a", find: "b", replace: "c" }],
  ["shell", { command: "ls" }, "exec.run", { command: "ls" }],
  ["mcp__jira__create", { a: 1 }, "mcp__jira__create", { a: 1 }],
  ["constructor", {}, "constructor", {}],
])("%s with %j is %s", (tool, args, toolName, wireArgs) => {
  expect(wireCall(tool, args)).toEqual({ toolName, args: wireArgs });
  expect(coreTool(toolName)).toBe(tool);
});

test("every tool of ours has a name of the wire", () => {
  expect(tools.filter(({ name }) => wireCall(name, {}).toolName === name)).toEqual([]);
});

describe("a commit", () => {
  test("of ours is told in the words of the document, too", () => {
    expect(wireResult("git.commit", { hash: "abc", subject: "feat: a", files: ["a"] })).toEqual({
      commitSha: "abc",
      message: "feat: a",
      hash: "abc",
      subject: "feat: a",
      files: ["a"],
    });
  });

  test("of a plugin is understood in the words of the document", () => {
    expect(
      coreResult("git_commit", { commitSha: "abc123...", message: "feat(api): add user endpoint\n\nMore" }),
    ).toEqual({
      commitSha: "abc123...",
      message: "feat(api): add user endpoint\n\nMore",
      hash: "abc123...",
      subject: "feat(api): add user endpoint",
    });
  });

  test.each([null, undefined, "done", 7, ["a"], {}])("that is told as %j stays as it is", (result) => {
    expect(wireResult("git.commit", result)).toEqual(result);
    expect(coreResult("git_commit", result)).toEqual(result);
  });
});

test("other results stay as they are", () => {
  const result = { hash: "a", commitSha: "b", message: "c" };
  expect(wireResult("git.push", result)).toBe(result);
  expect(coreResult("git_push", result)).toBe(result);
});
