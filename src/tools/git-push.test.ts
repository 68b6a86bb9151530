import { chmodSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { gitIdentity } from "../testing/git-identity.ts";
import { GitRepo } from "../testing/git-repo.ts";
import { quietIo } from "../testing/quiet-io.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { gitPush } from "./git-push.ts";

const folder = temporaryFolder();
gitIdentity(folder);

/** A remote of which the branch is checked out, that has all that git would run when it receives. */
function trap() {
  const repo = new GitRepo(folder.path).files({ "a.txt": "a\n", ".gitattributes": "* filter=evil\n" }).commit();
  const remote = new GitRepo(folder.path, { init: false });
  remote.git("clone", "--quiet", repo.path, ".");
  const touch = (name: string) => `touch '${repo.path}/evil-${name}'`;
  remote.git("config", "filter.evil.smudge", `${touch("smudge")}; cat`);
  remote.git("config", "filter.evil.clean", `${touch("clean")}; cat`);
  remote.git("config", "receive.denyCurrentBranch", "updateInstead");
  remote.git("config", "core.fsmonitor", touch("fsmonitor"));
  for (const hook of ["pre-receive", "update", "post-receive", "post-update", "push-to-checkout"]) {
    remote.files({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${touch(hook)}\n` });
    chmodSync(join(remote.path, `.git/hooks/${hook}`), 0o755);
  }
  const evil = () => readdirSync(repo.path).filter((name) => name.startsWith("evil"));
  repo.git("remote", "add", "origin", remote.path);
  return { repo: repo.files({ "a.txt": "b\n" }).commit("second"), remote, evil };
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
