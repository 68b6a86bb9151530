import { expect, test } from "vitest";
import { aboutCall } from "./copilot-own-tools.ts";

test.each([
  ["bash", { command: "npm  test" }, "execute", "Run npm test"],
  ["create", { path: "/w/src/a.ts" }, "edit", "Write src/a.ts"],
  ["view", { path: "/etc/hosts" }, "read", "Read /etc/hosts"],
  ["view", { path: "/w" }, "read", "Read ."],
  ["grep", { pattern: "TODO" }, "search", "Search for TODO"],
  ["rg", { pattern: "TODO" }, "search", "Search for TODO"],
  ["web_fetch", { url: "https://example.org/" }, "fetch", "Fetch https://example.org/"],
  ["apply_patch", "*** Begin Patch", "edit", "Change files"],
  ["bash", { command: 7 }, "execute", "Run"],
  ["sql", { query: "SELECT 1" }, "other", undefined],
])("a call of %s with %j has a title that says what it does", (tool, args, kind, title) => {
  expect(aboutCall(tool, args, "/w")).toEqual({ tool, args, kind, title });
});
