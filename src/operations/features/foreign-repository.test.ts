import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DragomanError } from "../../core/errors.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
const newRepo = () => new GitRepo(folder.path);
const failure = (work: Promise<unknown>) =>
  work.then(
    () => "none",
    (error: DragomanError) => error.code,
  );
const contents = async (path: string, settings = {}) =>
  (await featureStore(path, settings).read(F)).map(({ content }) => content);

describe("a folder that leads git to another repository is not worked with until it is trusted", () => {
  const mine = () =>
    newRepo()
      .files({ [SPEC]: "# Secret\n" })
      .commit();
  const plain = () => new GitRepo(folder.path, { init: false });

  /** Of a repository "inner" within another; gives where git keeps it. */
  function submodule(): string {
    const around = newRepo().files({ "a.txt": "a" }).commit();
    around.git("-c", "protocol.file.allow=always", "submodule", "--quiet", "add", mine().path, "inner");
    return join(around.path, ".git", "modules", "inner");
  }

  test.each<[string, () => GitRepo]>([
    ["by a file", () => plain().files({ ".git": `gitdir: ${mine().path}/.git\n` })],
    [
      "by a link",
      () => {
        const lure = plain();
        symlinkSync(join(mine().path, ".git"), join(lure.path, ".git"));
        return lure;
      },
    ],
    [
      "by a link within",
      () => {
        const lure = newRepo().files({ "a.txt": "a" }).commit();
        rmSync(join(lure.path, ".git", "refs", "heads"), { recursive: true });
        const { path } = mine();
        symlinkSync(join(path, ".git", "refs", "heads"), join(lure.path, ".git", "refs", "heads"));
        writeFileSync(join(lure.path, ".git", "HEAD"), "ref: refs/heads/main\n");
        return lure;
      },
    ],
    [
      "by naming a submodule whose configuration has lost its folder",
      () => {
        const gitDir = submodule();
        const lure = plain().files({ ".git": `gitdir: ${gitDir}\n` });
        lure.git("config", "--file", join(gitDir, "config"), "--unset", "core.worktree");
        return lure;
      },
    ],
  ])("%s", async (_, lured) => {
    const repo = lured();
    const store = featureStore(repo.path, {});
    const save = () => store.save(F, [{ name: "spec", content: "# Two\n" }], { message: "Save" });
    expect([await failure(store.read(F)), await failure(save())]).toEqual(["forbidden", "forbidden"]);
  });

  test("which is worked with then", async () => {
    const repo = plain().files({ ".git": `gitdir: ${mine().path}/.git\n` });
    expect(await contents(repo.path, { trusted: true })).toEqual(["# Secret\n"]);
  });

  test("a submodule in its own folder is nobody else's", async () => {
    const inner = join(submodule(), "..", "..", "..", "inner");
    expect(await contents(inner)).toEqual(["# Secret\n"]);
  });
});
