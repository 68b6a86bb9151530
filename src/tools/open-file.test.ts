import { mkdirSync, renameSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { openFile } from "./open-file.ts";
import { targetOf } from "./workspace-path.ts";

const workspace = temporaryWorkspaces();

test("a file is not opened where a folder above it leads elsewhere since it was looked at", async () => {
  const at = workspace().files({ "sub/a.txt": "inside" });
  const target = await targetOf("sub/a.txt", at.context, { writes: false });
  mkdirSync(join(at.around, "out"));
  writeFileSync(join(at.around, "out/a.txt"), "outside");
  renameSync(join(at.path, "sub"), join(at.path, "moved"));
  symlinkSync("../out", join(at.path, "sub"));
  await expect(openFile(target)).rejects.toMatchObject({
    code: "conflict",
    message: "sub/a.txt leads elsewhere than when this was asked for. Look at it again.",
  });
});

test("a file is not opened by a link that took its place", async () => {
  const at = workspace().files({ "a.txt": "inside", "b.txt": "" });
  const target = await targetOf("a.txt", at.context, { writes: false });
  renameSync(join(at.path, "a.txt"), join(at.path, "moved.txt"));
  symlinkSync("b.txt", join(at.path, "a.txt"));
  await expect(openFile(target)).rejects.toMatchObject({ code: "conflict" });
});
