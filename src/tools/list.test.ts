import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { list } from "./list.ts";

const workspace = temporaryWorkspaces();

describe("list", () => {
  test("lists a folder with the kinds and sizes of what is in it", async () => {
    const at = workspace().files({ "a.txt": "hello", "src/b.ts": "" });
    symlinkSync("a.txt", join(at.path, "link"));
    expect(await at.run(list, {})).toEqual({
      result: {
        path: ".",
        entries: [
          { path: "a.txt", type: "file", bytes: 5 },
          { path: "link", type: "symlink" },
          { path: "src", type: "directory" },
        ],
        truncated: false,
      },
    });
  });

  test("lists deeper when it is asked to, and no more than the limit", async () => {
    const at = workspace().files({ "a/b/c.txt": "", "a/d.txt": "" });
    expect(await at.run(list, { path: "a", depth: 2, limit: 2 })).toEqual({
      result: {
        path: "a",
        entries: [
          { path: "a/b", type: "directory" },
          { path: "a/b/c.txt", type: "file", bytes: 0 },
        ],
        truncated: true,
      },
    });
    expect(await at.run(list, { path: "a", depth: 2, limit: 3 })).toMatchObject({ result: { truncated: false } });
  });

  test("leaves out what git ignores", async () => {
    const at = workspace().files({ ".gitignore": "node_modules\n", "node_modules/x": "", ".git/config": "" });
    expect(await at.run(list, { depth: 9 })).toMatchObject({ result: { entries: [{ path: ".gitignore" }] } });
  });

  test("says when it is no folder, or not there", async () => {
    const at = workspace().files({ "a.txt": "" });
    await expect(at.run(list, { path: "a.txt" })).rejects.toMatchObject({
      code: "tool_failed",
      message: "a.txt is a file, not a folder. Use read to see what is in it.",
    });
    await expect(at.run(list, { path: "nope" })).rejects.toMatchObject({
      code: "tool_failed",
      message: "There is no nope. Use list or glob to find what there is.",
    });
  });

  test("names the folder", async () => {
    const at = workspace().files({ "src/a": "" });
    expect(await at.intent(list, {})).toMatchObject({ title: "List ." });
    expect(await at.intent(list, { path: ".." })).toMatchObject({ title: "List ..", targets: [{ outside: true }] });
  });
});
