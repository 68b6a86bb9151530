import { chmodSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { GitRepo } from "./git-repo.ts";

/** A repository and its remote, of which the branch is checked out, that has all that git would run when it receives. */
export function trappedRemote(folder: string) {
  const repo = new GitRepo(folder).files({ "a.txt": "a\n", ".gitattributes": "* filter=evil\n" }).commit();
  const remote = new GitRepo(folder, { init: false });
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
  repo.git("remote", "add", "origin", remote.path);
  /** What was run. */
  const evil = () => readdirSync(repo.path).filter((name) => name.startsWith("evil"));
  return { repo, remote, evil };
}
