import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { beforeAll, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { bundledChild } from "../../testing/bundled-child.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";
const PROCESSES = 4;
const ROUNDS = 6;
let child = "";

beforeAll(async () => {
  child = await bundledChild("feature-child", folder.path);
});

async function childOf(repo: GitRepo, who: number): Promise<{ saved: string[]; refused: Record<string, number> }> {
  const { stdout } = await promisify(execFile)(process.execPath, [child, repo.path, F, String(who), String(ROUNDS)]);
  return JSON.parse(stdout);
}

test.each(["checked out", "not checked out"])(
  "of processes that save at the same time on a branch that is %s, each version has one winner and nothing is lost",
  async (where) => {
    const repo = new GitRepo(folder.path).files({ "a.txt": "a\n" }).commit();
    repo.git("switch", "--quiet", "-c", F);
    repo.files({ [`specs/${F}/spec.md`]: "", [`specs/${F}/plan.md`]: "", [`specs/${F}/task.md`]: "" }).commit("base");
    if (where === "not checked out") repo.git("switch", "--quiet", "main");
    const told = await Promise.all(Array.from({ length: PROCESSES }, (_, who) => childOf(repo, who)));
    const documents = await featureStore(repo.path, {}).read(F);
    const lines = documents.flatMap(({ name, content }) =>
      content
        .trimEnd()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => `${name} ${line}`),
    );
    const saved = told.flatMap((one) => one.saved);
    expect(saved.toSorted()).toEqual(lines.toSorted());
    expect(saved.length).toBeGreaterThan(PROCESSES);
    for (const { refused } of told) {
      expect(Object.keys(refused).filter((code) => code !== "conflict" && code !== "precondition_failed")).toEqual([]);
    }
    expect(repo.git("log", "--format=%s", F).split("\n")).toHaveLength(saved.length + 2);
    expect(repo.git("status", "--porcelain")).toBe("");
    expect(repo.git("fsck", "--no-dangling")).toBe("");
  },
);

test("of those who save upon the same version at once, one wins", async () => {
  const repo = new GitRepo(folder.path).files({ [`specs/${F}/spec.md`]: "# One\n" }).commit();
  const store = featureStore(repo.path, {});
  const [before] = await store.read(F);
  const outcomes = await Promise.all(
    Array.from({ length: 6 }, async (_, who) => {
      const change = { name: "spec" as const, content: `# ${who}\n`, ifMatch: before?.etag };
      try {
        await store.save(F, [change], { message: `${who}` });
        return "saved";
      } catch (error) {
        return error instanceof DragomanError ? error.code : error;
      }
    }),
  );
  expect(outcomes.filter((one) => one === "saved")).toHaveLength(1);
  expect(outcomes.filter((one) => one !== "saved" && one !== "conflict" && one !== "precondition_failed")).toEqual([]);
});
