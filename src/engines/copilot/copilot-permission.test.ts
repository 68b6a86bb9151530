import type { PermissionRequest } from "@github/copilot-sdk";
import { describe, expect, test } from "vitest";
import { actionOf, shownAction, shownDiff } from "./copilot-permission.ts";

const asked = (request: object) => actionOf(request as PermissionRequest, "/w");

describe("what Copilot asks to be allowed is", () => {
  test("a command, from the folder that it would run in", () => {
    expect(asked({ kind: "shell", fullCommandText: "npm test", resolvedWorkingDirectory: "/w/app" })).toEqual({
      does: "run",
      command: "npm test",
      cwd: "/w/app",
    });
  });

  test("a change of a file, with its diff by the paths that the user knows", () => {
    const diff = "\ndiff --git a/w/a.txt b/w/a.txt\n--- a/w/a.txt\n+++ b/w/a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n";
    expect(asked({ kind: "write", fileName: "/w/a.txt", diff })).toEqual({
      does: "write",
      paths: ["/w/a.txt"],
      diff: "diff --git a/a.txt b/a.txt\n--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n",
    });
  });

  test.each([
    [
      { kind: "read", path: "/etc/hosts" },
      { does: "read", paths: ["/etc/hosts"] },
    ],
    [
      { kind: "url", url: "https://example.org/" },
      { does: "fetch", url: "https://example.org/" },
    ],
    [
      { kind: "mcp", serverName: "tracker", toolName: "tracker-close", args: { id: 1 } },
      { does: "other", tool: "copilot:tracker/close", detail: '{"id":1}' },
    ],
    [
      { kind: "memory", subject: "style", fact: "tabs" },
      { does: "other", tool: "copilot:memory", detail: "style: tabs" },
    ],
    [
      { kind: "custom-tool", toolName: "lookup", args: { q: "x" } },
      { does: "other", tool: "copilot:lookup", detail: '{"q":"x"}' },
    ],
    [
      { kind: "hook", toolName: "bash", hookMessage: "Really?" },
      { does: "other", tool: "copilot:bash", detail: "Really?" },
    ],
    [
      { kind: "extension-management", operation: "reload", extensionName: "x" },
      { does: "other", tool: "copilot:extension", detail: "reload x" },
    ],
    [
      { kind: "extension-permission-access", extensionName: "x", capabilities: ["read", "write"] },
      { does: "other", tool: "copilot:extension", detail: "x wants read, write" },
    ],
    [
      { kind: "extension-env-access", extensionName: "x", environmentVariables: ["KEY"] },
      { does: "other", tool: "copilot:extension", detail: "x wants KEY" },
    ],
    [
      { kind: "factory", operation: "run", name: "all", description: "Does all." },
      { does: "other", tool: "copilot:factory", detail: "run all: Does all." },
    ],
  ])("as it is: %j", (request, action) => {
    expect(asked(request)).toEqual(action);
  });

  test("asked about under its own name where it is new to us", () => {
    const request = { kind: "teleport", to: "Mars" };
    expect(asked(request)).toEqual({ does: "other", tool: "copilot:teleport", detail: JSON.stringify(request) });
  });

  test("not told at any length", () => {
    const action = asked({ kind: "mcp", serverName: "a", toolName: "b", args: "x".repeat(100_000) });
    expect(JSON.stringify(action).length).toBeLessThan(5000);
  });
});

test("what was refused is told in the words that the user knows", () => {
  expect(shownAction({ does: "run", command: "ls" }, "/w")).toBe("run ls");
  expect(shownAction({ does: "write", paths: ["/w/a/b.txt"] }, "/w")).toBe("write a/b.txt");
  expect(shownAction({ does: "read", paths: ["../c.txt", "/etc/hosts"] }, "/w")).toBe("read ../c.txt, /etc/hosts");
  expect(shownAction({ does: "fetch", url: "https://example.org/" }, "/w")).toBe("fetch https://example.org/");
  expect(shownAction({ does: "other", tool: "copilot:x" }, "/w")).toBe("use x");
});

test("a path elsewhere stays whole in a diff", () => {
  expect(shownDiff("diff --git a/elsewhere/a b/elsewhere/a\n", "/w")).toBe("diff --git a/elsewhere/a b/elsewhere/a\n");
});
