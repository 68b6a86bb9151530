import { rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitIdentity } from "../testing/git-identity.ts";
import type { GitRepo } from "../testing/git-repo.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { trappedRemote } from "../testing/trapped-remote.ts";
import { gitPush } from "./git-push.ts";

const folder = temporaryFolder();
gitIdentity(folder);

function trap() {
  const trapped = trappedRemote(folder.path);
  trapped.repo.files({ "a.txt": "b\n" }).commit("second");
  return trapped;
}

async function push(repo: GitRepo, branch: string) {
  const args = gitPush.args.parse({ branch });
  return gitPush.run(args, { workspace: repo.path, trusted: false }, quietIo());
}

test("where it is received nothing is run, and no branch moves that is checked out there", async () => {
  const { repo, remote, evil } = trap();
  const [branch, tip] = [repo.git("branch", "--show-current"), remote.git("rev-parse", "HEAD")];
  const message = expect.stringContaining("refusing to update checked out branch");
  await expect(push(repo, branch)).rejects.toMatchObject({ message });
  expect([evil(), remote.git("rev-parse", "HEAD"), remote.text("a.txt")]).toEqual([[], tip, "a\n"]);
});

test("where it is received nothing is run for a branch that is not checked out there", async () => {
  const { repo, remote, evil } = trap();
  repo.git("branch", "other");
  await push(repo, "other");
  expect([evil(), remote.git("rev-parse", "other")]).toEqual([[], repo.git("rev-parse", "other")]);
});

test("the trap does spring for whoever pushes without care", () => {
  const { repo, evil } = trap();
  repo.git("push", "--quiet", "origin", "HEAD");
  expect(evil()).toContain("evil-push-to-checkout");
  for (const name of evil()) rmSync(join(repo.path, name));
});
