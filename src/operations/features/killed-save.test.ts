import { spawnSync } from "node:child_process";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { bundledChild } from "../../testing/bundled-child.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
let child = "";
let template: GitRepo;

beforeAll(async () => {
  template = new GitRepo(folder.path).files({ "a.txt": "a\n" }).commit();
  template.git("switch", "--quiet", "-c", F);
  template.files({ [SPEC]: OLD.spec }).commit("base");
  child = await bundledChild("killed-save-child", folder.path);
});

/** Whether it was killed at that step; it has ended well if not. */
function isKilled(workspace: string, step: number): boolean {
  const { signal, status, stderr } = spawnSync(process.execPath, [child, workspace, F, String(step)], {
    encoding: "utf8",
  });
  if (signal !== "SIGKILL") expect([status, stderr]).toEqual([0, ""]);
  return signal === "SIGKILL";
}

const contents = async (path: string) =>
  Object.fromEntries((await featureStore(path, {}).read(F)).map(({ name, content }) => [name, content]));
const OLD = { spec: "# One\n" };
const NEW = { spec: "# Two\n", plan: "# Plan\n" };

function leftovers(path: string): string[] {
  const folders = ["", ".git", "specs", `specs/${F}`].map((name) => join(path, name));
  const all = folders.flatMap((name) => {
    try {
      return readdirSync(name);
    } catch {
      return [];
    }
  });
  return all.filter((name) => /^\.?dragoman|\.lock$/.test(name));
}

describe("a process that is killed while it saves on the branch that is checked out", () => {
  test("leaves the documents whole wherever it was, and the next who looks clears up after it", async () => {
    const seen = { old: 0, new: 0 };
    for (let step = 1; ; step++) {
      const repo = template.copy();
      const killed = isKilled(repo.path, step);
      const found = await contents(repo.path);
      const isNew = repo.git("log", "-1", "--format=%s", F) === "Killed";
      expect([step, found]).toEqual([step, isNew ? NEW : OLD]);
      expect([step, repo.git("status", "--porcelain"), leftovers(repo.path)]).toEqual([step, "", []]);
      await featureStore(repo.path, {}).save(F, [{ name: "spec", content: "# Three\n" }], { message: "After" });
      expect([step, repo.git("status", "--porcelain"), leftovers(repo.path)]).toEqual([step, "", []]);
      expect(repo.git("fsck", "--no-dangling")).toBe("");
      seen[isNew ? "new" : "old"] += 1;
      if (!killed) break;
    }
    expect(seen).toEqual({ old: expect.any(Number), new: expect.any(Number) });
    expect([seen.old > 8, seen.new > 8]).toEqual([true, true]);
  }, 180_000);

  test("leaves what the user has written since, and the next save need not wait", async () => {
    let edited = 0;
    for (let step = 12; ; step++) {
      const repo = template.copy();
      const killed = isKilled(repo.path, step);
      if (!killed) break;
      if (repo.git("log", "-1", "--format=%s", F) !== "Killed") continue;
      edited++;
      writeFileSync(join(repo.path, SPEC), "# Mine\n");
      const change = { name: "plan" as const, content: "# Another plan\n" };
      await featureStore(repo.path, {}).save(F, [change], { message: "After" });
      expect([step, await contents(repo.path)]).toEqual([step, { spec: "# Mine\n", plan: "# Another plan\n" }]);
      expect([step, repo.git("status", "--porcelain"), leftovers(repo.path)]).toEqual([step, ` M ${SPEC}`, []]);
      if (edited > 4) break;
    }
    expect(edited).toBeGreaterThan(4);
  }, 180_000);
});

test("who looks from another folder of the repository ends it where it was begun", async () => {
  let ended = 0;
  for (let step = 12; ended < 3; step++) {
    const repo = new GitRepo(folder.path).files({ "a.txt": "a\n", [SPEC]: "# Another\n" }).commit();
    repo.git("switch", "--quiet", "-c", F);
    repo.files({ [`apps/web/${SPEC}`]: OLD.spec }).commit("base");
    expect(isKilled(join(repo.path, "apps/web"), step)).toBe(true);
    if (repo.git("log", "-1", "--format=%s", F) !== "Killed") continue;
    ended++;
    expect(await contents(repo.path)).toEqual({ spec: "# Another\n" });
    expect([step, repo.git("status", "--porcelain"), leftovers(repo.path)]).toEqual([step, "", []]);
    expect(repo.text(`apps/web/${SPEC}`)).toBe(NEW.spec);
  }
}, 60_000);

test("a process that is killed while it saves in a folder without git leaves the documents whole, too", async () => {
  const seen = { old: 0, new: 0 };
  for (let step = 1; ; step++) {
    const path = join(folder.path, `plain-${step}`);
    mkdirSync(join(path, "specs", F), { recursive: true });
    writeFileSync(join(path, SPEC), OLD.spec);
    const killed = isKilled(path, step);
    const found = await contents(path);
    const isNew = found.spec === NEW.spec;
    expect([step, found, leftovers(path)]).toEqual([step, isNew ? NEW : OLD, []]);
    await featureStore(path, {}).save(F, [{ name: "spec", content: "# Three\n" }], { message: "After" });
    expect([step, (await contents(path)).spec, leftovers(path)]).toEqual([step, "# Three\n", []]);
    seen[isNew ? "new" : "old"] += 1;
    if (!killed) break;
  }
  expect([seen.old > 5, seen.new > 3]).toEqual([true, true]);
}, 60_000);
