import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, rmSync } from "node:fs";
import { type AddressInfo, createServer } from "node:net";
import { join } from "node:path";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { trappedRemote } from "../../testing/trapped-remote.ts";
import { defaultLimits } from "../../transports/http/limits.ts";
import { type FeatureSettings, featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";

function withRemote(): { repo: GitRepo; remote: GitRepo } {
  const remote = new GitRepo(folder.path, { init: false });
  remote.git("init", "--quiet", "--bare");
  const repo = new GitRepo(folder.path).files({ "a.txt": "a\n" }).commit();
  repo.git("remote", "add", "origin", remote.path);
  return { repo, remote };
}

/** A folder on this machine is pushed to from one that is trusted only. */
const save = (repo: GitRepo, content: string, settings: FeatureSettings = {}, push?: boolean) =>
  featureStore(repo.path, { trusted: true, ...settings }).save(F, [{ name: "spec", content }], {
    message: "Save",
    push,
  });
const shown = (saved: { pushed?: boolean; warning?: string }) => ({ pushed: saved.pushed, warning: saved.warning });

test("nothing is pushed unless someone says so, and who saves has the last word", async () => {
  const { repo, remote } = withRemote();
  expect(shown(await save(repo, "1"))).toEqual({});
  expect(shown(await save(repo, "2", { push: true }, false))).toEqual({});
  expect(remote.git("for-each-ref")).toBe("");
  expect(shown(await save(repo, "3", { push: true }))).toEqual({ pushed: true });
  expect(remote.git("rev-parse", F)).toBe(repo.git("rev-parse", F));
  expect(shown(await save(repo, "4", {}, true))).toEqual({ pushed: true });
  expect(remote.git("for-each-ref", "--format=%(refname)")).toBe(`refs/heads/${F}`);
});

test("without the remote the commit stays, and it is said what to do", async () => {
  const { repo } = withRemote();
  expect(shown(await save(repo, "1", { push: true, remote: "upstream" }))).toEqual({
    pushed: false,
    warning: `Saved on the branch ${F}, but not pushed: there is no remote "upstream". Add it: git remote add upstream <address>`,
  });
  expect(repo.git("show", `${F}:specs/${F}/spec.md`)).toBe("1");
});

test("what the remote has and we have not is never pushed over; once it is taken over, the same save pushes", async () => {
  const { repo, remote } = withRemote();
  await save(repo, "1", {}, true);
  const other = new GitRepo(folder.path, { init: false });
  other.git("clone", "--quiet", "--branch", F, remote.path, ".");
  other.files({ "b.txt": "b\n" }).commit().git("push", "--quiet", "origin", F);
  expect(shown(await save(repo, "2", {}, true))).toEqual({
    pushed: false,
    warning: `Saved on the branch ${F}, but not pushed: origin has commits that are not here. Take them over first: git fetch origin, then merge or rebase ${F}`,
  });
  expect(remote.git("rev-parse", F)).toBe(other.git("rev-parse", F));
  repo.git("fetch", "--quiet", "origin");
  repo.git("switch", "--quiet", F);
  repo.git("merge", "--quiet", "-m", "merge", `origin/${F}`);
  expect(await save(repo, "2", {}, true)).toMatchObject({ pushed: true, unchanged: true });
  expect(remote.git("rev-parse", F)).toBe(repo.git("rev-parse", F));
});

test("a remote that cannot be reached is told of without its password", async () => {
  const { repo } = withRemote();
  repo.git("remote", "set-url", "origin", "http://ada:hunter2@127.0.0.1:1/x.git");
  const { pushed, warning } = await save(repo, "1", { push: true });
  expect(pushed).toBe(false);
  expect(warning).toContain(`To send it: git push origin ${F}`);
  expect(warning).not.toContain("hunter2");
});

const LOCAL = `Saved on the branch ${F}, but not pushed: origin leads to a folder on this machine, whose configuration git would obey. Look at where it leads, then trust the folder: dragoman trust`;

describe("what is configured where it goes to is not run", () => {
  test.each(["path", "file://"])("by a folder that is not trusted nothing is pushed to a %s", async (form) => {
    const { repo, remote, evil } = trappedRemote(folder.path);
    if (form === "file://") repo.git("remote", "set-url", "origin", `file://${remote.path}`);
    const refs = remote.git("for-each-ref");
    expect(shown(await save(repo, "1", { push: true, trusted: false }))).toEqual({ pushed: false, warning: LOCAL });
    expect([remote.git("for-each-ref"), evil()]).toEqual([refs, []]);
  });

  test("by one that is trusted it is sent, without hooks", async () => {
    const { repo, remote, evil } = trappedRemote(folder.path);
    expect(shown(await save(repo, "1", { push: true }))).toEqual({ pushed: true });
    expect([remote.git("rev-parse", F), evil()]).toEqual([repo.git("rev-parse", F), []]);
  });

  test("by one that is trusted nothing is checked out there", async () => {
    const { repo, remote, evil } = trappedRemote(folder.path);
    await save(repo, "1", { push: true });
    remote.git("-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null", "switch", "--quiet", "-f", F);
    for (const name of evil()) rmSync(join(repo.path, name)); // what was run was run by the switch
    const { pushed, warning } = await save(repo, "2", { push: true });
    expect([pushed, evil()]).toEqual([false, []]);
    expect(warning).toContain("refusing to update checked out branch");
  });

  test("a remote that leads here and elsewhere at once is not pushed to", async () => {
    const { repo } = trappedRemote(folder.path);
    repo.git("remote", "set-url", "--add", "origin", "ssh://git@127.0.0.1:1/x.git");
    expect(shown(await save(repo, "1", { push: true }))).toEqual({
      pushed: false,
      warning: `Saved on the branch ${F}, but not pushed: origin leads to this machine and elsewhere at once. Make two remotes of it, or push it yourself.`,
    });
  });
});

test("hooks of the repository are not run, and what its configuration names only once it is trusted", async () => {
  const { repo, remote } = withRemote();
  const daemon = await serve(remote);
  repo.git("remote", "set-url", "origin", daemon);
  repo.files({ ".git/hooks/pre-push": `#!/bin/sh\ntouch '${repo.path}/evil'\n` });
  chmodSync(join(repo.path, ".git/hooks/pre-push"), 0o755);
  repo.git("config", "core.hooksPath", ".git/hooks");
  expect(shown(await save(repo, "1", { push: true, trusted: false }))).toEqual({ pushed: true });
  expect(remote.git("rev-parse", F)).toBe(repo.git("rev-parse", F));
  repo.git("config", "remote.origin.receivepack", `touch '${repo.path}/evil'; git-receive-pack`);
  expect(shown(await save(repo, "2", { push: true, trusted: false }))).toEqual({
    pushed: false,
    warning: `Saved on the branch ${F}, but not pushed: the repository's configuration has "remote.origin.receivepack", which git would obey. Look at it, then trust the folder: dragoman trust`,
  });
  expect(existsSync(join(repo.path, "evil"))).toBe(false);
  repo.git("remote", "set-url", "origin", remote.path);
  expect(shown(await save(repo, "3", { push: true }))).toEqual({ pushed: true });
  expect(existsSync(join(repo.path, "evil"))).toBe(true);
});

test.each([true, false])(
  "a transport that git would look for as a program is not used, trusted or not: %s",
  async (trusted) => {
    const { repo } = withRemote();
    for (const address of [`ext::sh -c touch% '${repo.path}/evil'`, "evil::x"]) {
      repo.git("remote", "set-url", "origin", address);
      const { pushed, warning } = await save(repo, address, { push: true, trusted });
      expect([pushed, warning]).toEqual([false, expect.stringMatching(/transport '(ext|evil)' not allowed/)]);
    }
    expect(existsSync(join(repo.path, "evil"))).toBe(false);
  },
);

test("a remote that says nothing is given up before whoever asked for it is cut off, and the commit stays", async () => {
  const { repo } = withRemote();
  const { address, called } = await silentServer();
  repo.git("remote", "set-url", "origin", address);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const saving = save(repo, "1", { push: true });
  await called;
  vi.advanceTimersByTime(25_000);
  expect(defaultLimits.stallMs).toBeGreaterThan(2 * 25_000);
  expect(shown(await saving)).toEqual({
    pushed: false,
    warning: `Saved on the branch ${F}, but not pushed: git push took longer than 25 s and was stopped. Try again. To send it: git push origin ${F}`,
  });
  expect(repo.git("show", `${F}:specs/${F}/spec.md`)).toBe("1");
});

/** Takes connections, and never says a word. */
async function silentServer() {
  let called = () => {};
  const call = new Promise<void>((resolve) => {
    called = resolve;
  });
  const server = createServer((socket) => {
    socket.on("error", () => {});
    called();
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return { address: `git://127.0.0.1:${(server.address() as AddressInfo).port}/x.git`, called: call };
}

/** The address at which git itself serves a repository, until the test is over. */
async function serve({ path }: GitRepo): Promise<string> {
  // Each connection is given a daemon of its own, so that no port has to be guessed.
  const server = createServer((socket) => {
    const args = ["daemon", "--inetd", "--export-all", "--enable=receive-pack", `--base-path=${path}`, path];
    const daemon = spawn("git", args, { stdio: ["pipe", "pipe", "ignore"] });
    socket.on("error", () => {}).pipe(daemon.stdin.on("error", () => {}));
    daemon.stdout.pipe(socket);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  return `git://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
