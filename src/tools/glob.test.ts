import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { glob } from "./glob.ts";

const workspace = temporaryWorkspaces();

describe("glob", () => {
  const tree = {
    ".gitignore": "dist\n",
    "a.ts": "",
    "b.js": "",
    "src/c.ts": "",
    "src/deep/d.tsx": "",
    ".github/ci.yml": "",
    "dist/e.ts": "",
  };

  test.each<[string, string[]]>([
    ["*.ts", ["a.ts"]],
    ["./*.ts", ["a.ts"]],
    ["**/*.ts", ["a.ts", "src/c.ts"]],
    ["**/*.{ts,tsx}", ["a.ts", "src/c.ts", "src/deep/d.tsx"]],
    ["src/**", ["src/c.ts", "src/deep/d.tsx"]],
    ["**/*.yml", [".github/ci.yml"]],
    ["[ab].?s", ["a.ts", "b.js"]],
    ["src", []],
  ])("finds by %s", async (pattern, files) => {
    expect(await workspace().files(tree).run(glob, { pattern })).toEqual({ result: { files, truncated: false } });
  });

  test("takes the pattern from the folder that is given", async () => {
    const at = workspace().files(tree);
    expect(await at.run(glob, { pattern: "*.ts", path: "src" })).toEqual({
      result: { files: ["src/c.ts"], truncated: false },
    });
  });

  test("finds a link to a file, not one to a folder", async () => {
    const at = workspace().files({ "AGENTS.md": "", "docs/x.md": "" });
    symlinkSync("AGENTS.md", join(at.path, "CLAUDE.md"));
    symlinkSync("docs", join(at.path, "docs.md"));
    expect(await at.run(glob, { pattern: "*.md" })).toEqual({
      result: { files: ["AGENTS.md", "CLAUDE.md"], truncated: false },
    });
  });

  test("gives no more than the limit", async () => {
    const at = workspace().files({ a: "", b: "", c: "" });
    expect(await at.run(glob, { pattern: "*", limit: 2 })).toEqual({ result: { files: ["a", "b"], truncated: true } });
    expect(await at.run(glob, { pattern: "*", limit: 3 })).toMatchObject({ result: { truncated: false } });
  });

  test.each(["../*", "/etc/*", "a/../../b"])("refuses %s, which would lead out of the folder", async (pattern) => {
    await expect(workspace().intent(glob, { pattern })).rejects.toMatchObject({
      code: "invalid_tool_args",
      message: `The pattern ${pattern} leads out of the folder. Give a pattern for what is in it, and the folder as path.`,
    });
  });

  test("is not kept busy by a pattern that has too many ways to match", async () => {
    const at = workspace().files({ ["a".repeat(200)]: "" });
    const pattern = `${"*a".repeat(30)}b`;
    await expect(at.run(glob, { pattern })).rejects.toMatchObject({ code: "tool_timeout" });
  });

  test("says what it looks for and where", async () => {
    const at = workspace().files({ "src/a": "" });
    expect(await at.intent(glob, { pattern: "**/*.ts" })).toMatchObject({ title: "Find **/*.ts" });
    expect(await at.intent(glob, { pattern: "*.ts", path: "src" })).toMatchObject({ title: "Find *.ts in src" });
  });
});
