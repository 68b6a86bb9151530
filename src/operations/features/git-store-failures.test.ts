import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { afterEach, describe, expect, test } from "vitest";
import type { DragomanError } from "../../core/errors.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { takeLock } from "./exclusive-lock.ts";
import { type Change, featureStore, type SaveOptions } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
const MOST_CALLS = 60;

const changes: Change[] = [
  { name: "spec", content: "# Two\n" },
  { name: "plan", content: "# Plan\n" },
];

function checkedOut(): GitRepo {
  const repo = new GitRepo(folder.path).files({ "a.txt": "a\n" }).commit();
  repo.git("switch", "--quiet", "-c", F);
  return repo
    .files({ [SPEC]: "# One\n" })
    .commit()
    .files({ "a.txt": "mine\n" });
}

function onMain(): GitRepo {
  const repo = checkedOut().commit();
  repo.git("switch", "--quiet", "main");
  return repo.files({ [`specs/${F}/task.md`]: "- [ ] T001\n" });
}

const save = (repo: GitRepo, more: Partial<SaveOptions> = {}) =>
  featureStore(repo.path, {}).save(F, changes, { message: "Save", ...more });
const failure = (work: Promise<unknown>) =>
  work.then(
    () => undefined,
    (error: DragomanError) => ({ code: error.code, message: error.message }),
  );

const path = process.env.PATH;
afterEach(() => {
  process.env.PATH = path;
  delete process.env.BROKEN_AT;
});

/** A git that fails at its n-th call, or does something before or after a call of one kind. */
function brokenGit(script: string): string {
  const bin = join(folder.path, `bin-${readdirSync(folder.path).length}`);
  mkdirSync(bin);
  const real = `PATH='${path}' git`;
  const count = `n=$(cat '${bin}/count' 2>/dev/null || echo 0); n=$((n+1)); echo $n > '${bin}/count'`;
  writeFileSync(join(bin, "git"), `#!/bin/sh\n${count}\n${script.replaceAll("REAL", real)}\nexec env ${real} "$@"\n`);
  chmodSync(join(bin, "git"), 0o755);
  process.env.PATH = `${bin}${delimiter}${path}`;
  return join(bin, "count");
}

describe.each([
  ["checked out", checkedOut],
  ["not checked out", onMain],
])("a branch that is %s", (_, make) => {
  test("is as it was, with files and index, whichever call of git fails", async () => {
    const count = brokenGit(`[ "$n" = "$BROKEN_AT" ] && { echo broken >&2; exit 128; }`);
    let [repo, failures] = [make(), 0];
    for (let at = 1; ; at++) {
      const before = repo.state();
      rmSync(count, { force: true });
      process.env.BROKEN_AT = String(at);
      const failed = await failure(save(repo));
      delete process.env.BROKEN_AT;
      const calls = Number(readFileSync(count, "utf8"));
      expect(leftovers(repo)).toEqual([]);
      if (calls < at) break;
      if (failed) expect([at, repo.state()]).toEqual([at, before]);
      else repo = make(); // whom git takes the committer for is a question that may fail
      failures += failed ? 1 : 0;
    }
    expect(failures).toBeGreaterThan(8);
    expect(repo.git("show", `${F}:${SPEC}`)).toBe("# Two");
  });

  test("is as it was, wherever it is called off", async () => {
    const repo = make();
    const before = repo.state();
    for (let at = 0; at <= MOST_CALLS; at++) {
      const failed = await failure(save(repo, { signal: abortedAtLook(at) }));
      if (!failed) break;
      expect([at, failed.code, repo.state()]).toEqual([at, "cancelled", before]);
    }
    expect(repo.git("show", `${F}:${SPEC}`)).toBe("# Two");
    expect(leftovers(repo)).toEqual([]);
  });

  test("is left alone while someone holds it", async () => {
    const repo = make();
    const lock = join(repo.path, `.git/refs/heads/${F}.lock`);
    writeFileSync(lock, "");
    const before = repo.state();
    expect(await failure(save(repo))).toEqual({
      code: "conflict",
      message: `Someone holds the branch ${F}: ${lock} is there. Try again; if no git runs, take that file away.`,
    });
    expect(repo.state()).toEqual(before);
  });

  test("that moves meanwhile is caught up with, as long as nobody touches the documents", async () => {
    const repo = make();
    brokenGit(`case "$*" in *" update-ref -m"*) [ "$n" -lt 40 ] && {
      REAL -C '${repo.path}' update-ref refs/heads/${F} $(REAL -C '${repo.path}' commit-tree -p ${F} -m other ${F}^{tree}); }; esac`);
    await save(repo);
    process.env.PATH = path;
    const log = repo.git("log", "--format=%s", F).split("\n");
    expect(log[0]).toBe("Save");
    expect(log).toContain("other");
    expect(repo.git("diff", "--name-only", F, "--", SPEC)).toBe(repo.git("branch", "--show-current") === F ? "" : SPEC);
  });
});

test("a document that someone edits at the last moment is theirs, and the branch goes back", async () => {
  const repo = checkedOut();
  const tip = repo.git("rev-parse", F);
  brokenGit(
    `case "$*" in *" update-ref -m"*) env REAL "$@"; code=$?; printf 'edited' > '${repo.path}/${SPEC}'; exit $code;; esac`,
  );
  expect(await failure(save(repo))).toEqual({
    code: "conflict",
    message: "The spec was changed by someone else while it was saved. Read it again.",
  });
  process.env.PATH = path;
  expect(repo.git("rev-parse", F)).toBe(tip);
  expect(repo.text(SPEC)).toBe("edited");
  expect(repo.git("status", "--porcelain")).toBe(` M a.txt\n M ${SPEC}`);
  expect(leftovers(repo)).toEqual([]);
});

test("a document that someone makes at the last moment is theirs, and those before it go back", async () => {
  const repo = checkedOut();
  const before = repo.state() as { refs: string; index: string };
  const plan = `${repo.path}/specs/${F}/plan.md`;
  brokenGit(`case "$*" in *" update-ref -m"*) printf 'made' > '${plan}';; esac`);
  expect(await failure(save(repo))).toMatchObject({ code: "conflict" });
  process.env.PATH = path;
  expect(repo.state()).toMatchObject({ refs: before.refs, index: before.index });
  expect([repo.text(SPEC), readFileSync(plan, "utf8")]).toEqual(["# One\n", "made"]);
});

describe("a branch of which git ends in the midst of moving it", () => {
  const unknown = `It is not known whether the documents of ${F} are saved. Look at the branch ${F} before you try again.`;
  const ending = (before: string, more = "") =>
    brokenGit(`case "$*" in ${more}*" update-ref -m"*) ${before} kill -9 $$;; esac`);

  test.each([
    ["checked out", checkedOut],
    ["not checked out", onMain],
  ])("is looked at: it has moved, %s", async (_, make) => {
    const repo = make();
    ending(`env REAL "$@";`);
    await save(repo);
    process.env.PATH = path;
    expect(repo.git("show", `${F}:${SPEC}`)).toBe("# Two");
    expect(leftovers(repo)).toEqual([]);
  });

  test.each([
    ["checked out", checkedOut],
    ["not checked out", onMain],
  ])("is looked at: it has not, %s", async (_, make) => {
    const repo = make();
    const before = repo.state();
    ending("");
    expect(await failure(save(repo))).toEqual({
      code: "tool_failed",
      message: `The branch ${F} cannot be written: it did not say why`,
    });
    process.env.PATH = path;
    expect(repo.state()).toEqual(before);
  });

  test("may be saved or not, if it cannot be looked at either", async () => {
    const repo = onMain();
    ending("", `*" show-ref --verify"*) echo broken >&2; exit 128;; `);
    expect(await failure(save(repo))).toEqual({ code: "timeout", message: unknown });
  });

  test("and that cannot be taken back is told of", async () => {
    const repo = checkedOut();
    const plan = `${repo.path}/specs/${F}/plan.md`;
    brokenGit(
      `case "$*" in *" update-ref -m dragoman: undone"*) exit 128;; *" update-ref -m"*) printf 'made' > '${plan}';; esac`,
    );
    expect(await failure(save(repo))).toEqual({ code: "timeout", message: unknown });
    expect(leftovers(repo)).toEqual([]);
  });
});

test("who waits for a lock can be called off", async () => {
  const lock = join(folder.path, "held.lock");
  writeFileSync(lock, "");
  const controller = new AbortController();
  const waiting = failure(takeLock(lock, made(lock), { signal: controller.signal }));
  controller.abort();
  expect(await waiting).toMatchObject({ code: "cancelled" });
});

const made = (lock: string) => async () => writeFileSync(lock, "", { flag: "wx" });

test("a lock that stays is told of by its name", async () => {
  const lock = join(folder.path, "some.lock");
  writeFileSync(lock, "");
  expect(await failure(takeLock(lock, made(lock), { longestWaitMs: 1 }))).toEqual({
    code: "conflict",
    message: `Someone else is at work here: ${lock} is there. Try again; if no git runs, take that file away.`,
  });
});

/** Files that should be gone when all is over. */
function leftovers(repo: GitRepo): string[] {
  const all = [...readdirSync(join(repo.path, "specs", F)), ...readdirSync(join(repo.path, ".git"))];
  return all.filter((name) => name.startsWith(".dragoman") || name.endsWith(".lock"));
}

/** A signal that is found aborted when it is looked at for the n-th time. */
function abortedAtLook(at: number): AbortSignal {
  let looks = 0;
  const signal = new AbortController().signal;
  return Object.defineProperty(signal, "aborted", { get: () => looks++ >= at });
}
