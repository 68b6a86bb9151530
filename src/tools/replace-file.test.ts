import { mkdirSync, readdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { until } from "../testing/scripted.ts";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { fileState, replaceFile } from "./replace-file.ts";
import { targetOf } from "./workspace-path.ts";

const workspace = temporaryWorkspaces();

describe("a file's place is not taken", () => {
  test("when someone else changed the file since it was read", async () => {
    const at = workspace().files({ "a.txt": "one" });
    const target = await targetOf("a.txt", at.context, { writes: true });
    const before = await fileState(target);
    at.files({ "a.txt": "two" });
    await expect(replaceFile(target, before, Buffer.from("three"))).rejects.toMatchObject({
      code: "conflict",
      message: "a.txt was changed by someone else in the meantime. Read it again.",
    });
    expect(at.text("a.txt")).toBe("two");
    expect(readdirSync(at.path)).toEqual(["a.txt"]);
  });

  test("when someone else made the file since it was found missing", async () => {
    const at = workspace();
    const target = await targetOf("a.txt", at.context, { writes: true });
    const before = await fileState(target);
    at.files({ "a.txt": "theirs" });
    await expect(replaceFile(target, before, Buffer.from("ours"))).rejects.toMatchObject({ code: "conflict" });
    expect(at.text("a.txt")).toBe("theirs");
  });

  test("when someone else changes the file while the new content is written", async () => {
    const at = workspace().files({ "a.txt": "one" });
    const target = await targetOf("a.txt", at.context, { writes: true });
    const replaced = replaceFile(target, await fileState(target), Buffer.alloc(9_000_000, "x"));
    const outcome = expect(replaced).rejects.toMatchObject({ code: "conflict" });
    await until(() => readdirSync(at.path).length > 1);
    at.files({ "a.txt": "two" });
    await outcome;
    expect(at.text("a.txt")).toBe("two");
    expect(readdirSync(at.path)).toEqual(["a.txt"]);
  });

  test("when a folder above it leads elsewhere since it was read", async () => {
    const at = workspace().files({ "sub/a.txt": "inside" });
    const target = await targetOf("sub/a.txt", at.context, { writes: true });
    const before = await fileState(target);
    mkdirSync(join(at.around, "out"));
    renameSync(join(at.path, "sub"), join(at.path, "moved"));
    symlinkSync("../out", join(at.path, "sub"));
    writeFileSync(join(at.around, "out/a.txt"), "outside");
    await expect(replaceFile(target, before, Buffer.from("x"))).rejects.toMatchObject({
      code: "conflict",
      message: "sub/a.txt leads elsewhere than when this was asked for. Look at it again.",
    });
    expect(readdirSync(join(at.around, "out"))).toEqual(["a.txt"]);
  });

  test("nor are folders made for it where it was not meant to be", async () => {
    const at = workspace();
    mkdirSync(join(at.around, "out"));
    const target = await targetOf("sub/new/a.txt", at.context, { writes: true });
    symlinkSync("../out", join(at.path, "sub"));
    await expect(replaceFile(target, {}, Buffer.from("x"))).rejects.toMatchObject({ code: "conflict" });
    expect(readdirSync(join(at.around, "out"))).toEqual([]);
  });
});
