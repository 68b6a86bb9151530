import { chmodSync, writeFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DragomanError } from "../core/errors.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { withRights } from "./store-rights.ts";

const folder = temporaryFolder();

test("what cannot be opened because of its rights is told with them; anything else stays as it is", () => {
  const path = folder.newPath();
  writeFileSync(path, "");
  chmodSync(path, 0o444);
  const failed = new DragomanError("store_failed", "attempt to write a readonly database");
  const told = withRights(failed, path, (each) => each !== path);
  expect(told).toMatchObject({ code: "store_failed" });
  expect(String(told)).toContain(`you may not write to ${path} (its rights are 444)`);
  expect(String(told)).toContain("dragoman doctor");
  expect(withRights(failed, path, () => true)).toBe(failed);
  const damaged = new DragomanError("store_corrupt", "damaged");
  expect(withRights(damaged, path, () => false)).toBe(damaged);
});
