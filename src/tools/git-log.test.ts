import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { gitLog } from "./git-log.ts";

const newWorkspace = temporaryWorkspaces();

function repository() {
  const workspace = newWorkspace();
  const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace.path, stdio: "ignore" });
  git("init", "-q", "-b", "main");
  git("config", "user.name", "Ada");
  git("config", "user.email", "ada@example.com");
  const commit = (file: string, subject: string) => {
    workspace.files({ [file]: subject });
    git("add", ".");
    git("commit", "-q", "-m", `${subject}\n\nA body.`);
  };
  const log = async (given: Record<string, unknown> = {}) => {
    const { result } = await workspace.run(gitLog, given);
    return (result as { commits: { hash: string; author: string; date: string; subject: string }[] }).commits;
  };
  return { workspace, git, commit, log };
}

test("lists the latest commits, the newest first, of everything or of a file", async () => {
  const { commit, log } = repository();
  commit("a.txt", "feat: one");
  commit("b.txt", "fix: two");
  commit("a.txt", "docs: three");
  const commits = await log();
  expect(commits.map(({ author, subject }) => [author, subject])).toEqual([
    ["Ada", "docs: three"],
    ["Ada", "fix: two"],
    ["Ada", "feat: one"],
  ]);
  expect(commits[0]).toEqual({
    hash: expect.stringMatching(/^[0-9a-f]{7,}$/),
    author: "Ada",
    date: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
    subject: "docs: three",
  });
  expect((await log({ limit: 1 })).map(({ subject }) => subject)).toEqual(["docs: three"]);
  expect((await log({ path: "b.txt" })).map(({ subject }) => subject)).toEqual(["fix: two"]);
});

test("of a repository without commits there is nothing to list", async () => {
  expect(await repository().log()).toEqual([]);
});

test("runs nothing that the repository names to check signatures with", async () => {
  const { workspace, git, commit, log } = repository();
  commit("a.txt", "feat: one");
  const canary = `${workspace.path}/canary`;
  workspace.files({ "gpg.sh": `#!/bin/sh\ntouch ${canary}\n` });
  execFileSync("chmod", ["+x", `${workspace.path}/gpg.sh`]);
  git("config", "gpg.program", `${workspace.path}/gpg.sh`);
  git("config", "log.showSignature", "true");
  expect(await log()).toHaveLength(1);
  expect(() => execFileSync("ls", [canary], { stdio: "ignore" })).toThrow();
});

test("takes a path for a path, whatever it looks like", async () => {
  const { commit, log } = repository();
  commit("a.txt", "feat: one");
  expect(await log({ path: "--output=x" })).toEqual([]);
});
