import type { PermissionRequest } from "@github/copilot-sdk";
import { describe, expect, test } from "vitest";
import { actionOf, shownAction } from "./copilot-permission.ts";

const asked = (request: object) => actionOf(request as PermissionRequest, "/w");

/** As Copilot writes it, with whole paths. */
const copilotDiff = (from: string, to: string, change: string) =>
  `\ndiff --git a${from} b${to}\nindex 0000000..0000000 100644\n--- a${from}\n+++ b${to}\n${change}\n`;

describe("what Copilot asks to be allowed is", () => {
  test("a command, from the folder that it would run in", () => {
    const shell = {
      kind: "shell",
      fullCommandText: "npm test",
      resolvedWorkingDirectory: "/w/app",
      intention: "Test it",
    };
    expect(asked(shell)).toEqual({ does: "run", command: "npm test", cwd: "/w/app", description: "Test it" });
  });

  test("a change of a file, with its diff as our own tools give it", () => {
    const diff = copilotDiff("/w/a.txt", "/w/a.txt", "@@ -1,1 +1,1 @@\n-a\n+b\n");
    expect(asked({ kind: "write", fileName: "/w/a.txt", diff })).toEqual({
      does: "write",
      paths: ["/w/a.txt"],
      diff: "--- a/a.txt\n+++ b/a.txt\n@@ -1,1 +1,1 @@\n-a\n+b\n",
    });
  });

  test("a file that goes away, or to another place, which the diff alone tells", () => {
    const gone = copilotDiff("/w/a.txt", "/dev/null", "@@ -1,1 +0,0 @@\n-a\n");
    expect(asked({ kind: "write", fileName: "/w/a.txt", diff: gone })).toEqual({
      does: "write",
      how: "delete",
      paths: ["/w/a.txt"],
      diff: "--- a/a.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-a\n",
    });
    expect(asked({ kind: "write", fileName: "/w/b.txt", diff: gone })).toMatchObject({
      how: "delete",
      paths: ["/w/a.txt", "/w/b.txt"],
    });
    const moved = copilotDiff("/w/a.txt", "/w/b.txt", "@@ -1,1 +1,1 @@\n a\n");
    expect(asked({ kind: "write", fileName: "/w/b.txt", diff: moved })).toEqual({
      does: "write",
      how: "move",
      paths: ["/w/a.txt", "/w/b.txt"],
      diff: "--- a/a.txt\n+++ b/b.txt\n@@ -1,1 +1,1 @@\n a\n",
    });
  });

  test("a change that is told in another way, as it is told", () => {
    expect(asked({ kind: "write", fileName: "a", diff: " b for a\n" })).toMatchObject({ diff: "b for a" });
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
      { does: "other", tool: "copilot:tracker/close", args: { id: 1 }, detail: '{"id":1}' },
    ],
    [
      { kind: "memory", subject: "style", fact: "tabs" },
      { does: "other", tool: "copilot:memory", args: { subject: "style", fact: "tabs" }, detail: "style: tabs" },
    ],
    [
      { kind: "custom-tool", toolName: "lookup", args: { q: "x" } },
      { does: "other", tool: "copilot:lookup", args: { q: "x" }, detail: '{"q":"x"}' },
    ],
    [
      { kind: "hook", toolName: "bash", hookMessage: "Really?" },
      { does: "other", tool: "copilot:bash", args: {}, detail: "Really?" },
    ],
    [
      { kind: "extension-management", operation: "reload", extensionName: "x" },
      {
        does: "other",
        tool: "copilot:extension",
        args: { operation: "reload", extensionName: "x" },
        detail: "reload x",
      },
    ],
    [
      { kind: "extension-permission-access", extensionName: "x", capabilities: ["read", "write"] },
      {
        does: "other",
        tool: "copilot:extension",
        args: { extensionName: "x", capabilities: ["read", "write"] },
        detail: "x wants read, write",
      },
    ],
    [
      { kind: "extension-env-access", extensionName: "x", environmentVariables: ["KEY"] },
      {
        does: "other",
        tool: "copilot:extension",
        args: { extensionName: "x", environmentVariables: ["KEY"] },
        detail: "x wants KEY",
      },
    ],
    [
      { kind: "factory", operation: "run", name: "all", description: "Does all." },
      {
        does: "other",
        tool: "copilot:factory",
        args: { operation: "run", name: "all", description: "Does all." },
        detail: "run all: Does all.",
      },
    ],
  ])("as it is: %j", (request, action) => {
    expect(asked(request)).toEqual(action);
  });

  test("asked about under its own name where it is new to us", () => {
    const request = { kind: "teleport", to: "Mars" };
    const detail = JSON.stringify(request);
    expect(asked(request)).toEqual({ does: "other", tool: "copilot:teleport", args: request, detail });
  });
});

test("what was refused is told in the words that the user knows", () => {
  expect(shownAction({ does: "run", command: "ls" }, "/w")).toBe("run ls");
  expect(shownAction({ does: "write", paths: ["/w/a/b.txt"] }, "/w")).toBe("write a/b.txt");
  expect(shownAction({ does: "read", paths: ["../c.txt", "/etc/hosts"] }, "/w")).toBe("read ../c.txt, /etc/hosts");
  expect(shownAction({ does: "write", how: "delete", paths: ["/w/a.txt"] }, "/w")).toBe("delete a.txt");
  expect(shownAction({ does: "write", how: "move", paths: ["/w/a.txt", "/w/b.txt"] }, "/w")).toBe(
    "move a.txt to b.txt",
  );
  expect(shownAction({ does: "run", command: `ls\n\u001b[2K${"x".repeat(100)}` }, "/w")).toBe(
    `run ls ${"x".repeat(72)}…`,
  );
  expect(shownAction({ does: "fetch", url: "https://example.org/" }, "/w")).toBe("fetch https://example.org/");
  expect(shownAction({ does: "other", tool: "copilot:x" }, "/w")).toBe("use x");
});
