import { existsSync, mkdirSync, rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DragomanError } from "../../core/errors.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { etagOf, type FeatureStore, featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
const PLAN = `specs/${F}/plan.md`;
const message = "Clarify it";
const newRepo = () => new GitRepo(folder.path);
const storeOf = (repo: GitRepo) => featureStore(repo.path, {});
const saving = (store: FeatureStore, content: string, ifMatch?: string | null) =>
  store.save(F, [{ name: "spec", content, ifMatch }], { message });
const contents = async (store: FeatureStore) =>
  Object.fromEntries((await store.read(F)).map(({ name, content }) => [name, content]));
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went well"),
    (error: DragomanError) => ({ code: error.code, message: error.message }),
  );

describe("where the feature's branch is checked out", () => {
  const checkedOut = () => {
    const repo = newRepo().files({ "a.txt": "a\n" }).commit();
    repo.git("switch", "--quiet", "-c", F);
    return repo.files({ [SPEC]: "# One\n" }).commit();
  };

  test("what is read is what the user sees, committed or not", async () => {
    const repo = checkedOut().files({ [SPEC]: "# Two\n", [PLAN]: "plan\n" });
    expect(await storeOf(repo).read(F)).toEqual([
      { name: "spec", path: SPEC, content: "# Two\n", etag: etagOf("# Two\n") },
      { name: "plan", path: PLAN, content: "plan\n", etag: etagOf("plan\n") },
    ]);
  });

  test("a save commits, writes the files and leaves everything else of the user alone", async () => {
    const repo = checkedOut().files({ "a.txt": "changed\n", "b.txt": "staged\n", [PLAN]: "mine\n" });
    repo.git("add", "b.txt");
    const parent = repo.git("rev-parse", "HEAD");
    const saved = await storeOf(repo).save(
      F,
      [
        { name: "spec", content: "# Two\n", ifMatch: etagOf("# One\n") },
        { name: "task", content: "- [ ] T001\n", ifMatch: null },
      ],
      { message: "Clarify it\n\nBecause.", by: "Jane <jane@example.com>" },
    );
    expect(saved).toEqual({
      documents: [
        { name: "spec", path: SPEC, etag: etagOf("# Two\n") },
        { name: "task", path: `specs/${F}/task.md`, etag: etagOf("- [ ] T001\n") },
      ],
      branch: F,
      commit: repo.git("rev-parse", `refs/heads/${F}`),
    });
    expect(repo.git("log", "-1", "--format=%P|%an <%ae>|%cn <%ce>|%B")).toBe(
      `${parent}|Jane <jane@example.com>|A B <a@example.com>|Clarify it\n\nBecause.`,
    );
    expect(repo.git("show", "--name-status", "--format=", "HEAD")).toBe(`M\t${SPEC}\nA\tspecs/${F}/task.md`);
    expect(repo.git("status", "--porcelain")).toBe(` M a.txt\nA  b.txt\n?? ${PLAN}`);
    expect(repo.text(SPEC)).toBe("# Two\n");
  });

  test("the same content is no commit, unless it was not committed yet", async () => {
    const repo = checkedOut();
    const before = repo.state();
    const documents = [{ name: "spec", path: SPEC, etag: etagOf("# One\n") }];
    expect(await saving(storeOf(repo), "# One\n")).toEqual({ documents, branch: F, unchanged: true });
    expect(repo.state()).toEqual(before);
    repo.files({ [SPEC]: "# Mine\n" });
    expect(await saving(storeOf(repo), "# Mine\n")).toMatchObject({ commit: repo.git("rev-parse", "HEAD") });
    expect(repo.git("status", "--porcelain")).toBe("");
  });

  test("an executable document stays one, and tasks.md keeps its name", async () => {
    const repo = checkedOut().files({ [`specs/${F}/tasks.md`]: "- [ ] T001\n" });
    repo.git("add", "--all");
    repo.git("update-index", "--chmod=+x", SPEC);
    repo.git("commit", "--quiet", "-m", "x");
    const changes = [
      { name: "spec" as const, content: "# Two\n" },
      { name: "task" as const, content: "- [x] T001\n" },
    ];
    await storeOf(repo).save(F, changes, { message });
    expect(repo.git("ls-tree", "-r", "--format=%(objectmode) %(path)", "HEAD", "specs")).toBe(
      `100755 ${SPEC}\n100644 specs/${F}/tasks.md`,
    );
  });

  test("before the first commit a save is the first commit", async () => {
    const repo = newRepo();
    repo.git("symbolic-ref", "HEAD", `refs/heads/${F}`);
    repo.files({ "a.txt": "a\n" }).git("add", "a.txt");
    await saving(storeOf(repo), "# One\n", null);
    expect(repo.git("show", "--name-status", "--format=parents:%P", "HEAD")).toBe(`parents:\n\nA\t${SPEC}`);
    expect(repo.git("status", "--porcelain")).toBe("A  a.txt");
  });

  test("a document with a merge conflict is not saved over", async () => {
    const repo = checkedOut();
    repo.git("switch", "--quiet", "-c", "other", "HEAD~1");
    repo.files({ [SPEC]: "# Other\n" }).commit();
    repo.git("switch", "--quiet", F);
    expect(() => repo.git("merge", "other")).toThrow();
    const before = repo.state();
    expect(await failure(saving(storeOf(repo), "# Two\n"))).toEqual({
      code: "conflict",
      message: `There is a merge conflict in ${SPEC}. Settle it, then try again.`,
    });
    expect(repo.state()).toEqual(before);
  });

  test("in a workspace below the top of the repository paths are those of the workspace", async () => {
    const repo = newRepo().files({ "apps/web/a.txt": "a\n" }).commit();
    repo.git("switch", "--quiet", "-c", F);
    repo.files({ [`apps/web/${SPEC}`]: "# Draft\n" });
    const store = featureStore(join(repo.path, "apps/web"), {});
    expect(await saving(store, "# One\n")).toMatchObject({ documents: [{ path: SPEC }] });
    expect(repo.git("ls-tree", "-r", "--name-only", "HEAD")).toBe(`apps/web/a.txt\napps/web/${SPEC}`);
    expect(await contents(store)).toEqual({ spec: "# One\n" });
    expect(repo.git("status", "--porcelain")).toBe("");
  });
});

describe("where the feature's branch is not checked out", () => {
  const onMain = () => {
    const repo = newRepo().files({ "a.txt": "a\n" }).commit();
    repo.git("switch", "--quiet", "-c", F);
    repo.files({ [SPEC]: "# One\n" }).commit();
    repo.git("switch", "--quiet", "main");
    return repo;
  };

  test("it is read and committed without a look of the working tree", async () => {
    const repo = onMain();
    const before = repo.state() as { files: unknown; index: unknown; head: unknown };
    expect(await contents(storeOf(repo))).toEqual({ spec: "# One\n" });
    const saved = await saving(storeOf(repo), "# Two\n", etagOf("# One\n"));
    expect(saved).toEqual({
      documents: [{ name: "spec", path: SPEC, etag: etagOf("# Two\n") }],
      branch: F,
      commit: repo.git("rev-parse", `refs/heads/${F}`),
    });
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Two\n" });
    expect(repo.state()).toMatchObject({ files: before.files, index: before.index, head: before.head });
    expect(repo.git("log", "--format=%s", F)).toBe(`${message}\nmore\nmore`);
  });

  test("HEAD may be detached", async () => {
    const repo = onMain();
    repo.git("switch", "--quiet", "--detach", "main");
    await saving(storeOf(repo), "# Two\n");
    expect(repo.git("show", `${F}:${SPEC}`)).toBe("# Two");
  });

  test("a copy in the working tree counts only if it is news to both branches", async () => {
    const repo = onMain();
    await saving(storeOf(repo), "# Two\n");
    repo.files({ [SPEC]: "# One\n" });
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Two\n" }); // it was on the branch before
    repo.files({ [SPEC]: "# Two\r\n" });
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Two\n" }); // but for its line ends
    repo.files({ [SPEC]: "# Committed on main\n" }).commit();
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Two\n" });
    repo.files({ [SPEC]: "# News\n" });
    expect(await contents(storeOf(repo))).toEqual({ spec: "# News\n" });
    await saving(storeOf(repo), "# Upon the news\n", etagOf("# News\n"));
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Upon the news\n" });
    expect(repo.git("log", "-2", "--format=%s", F)).toBe(
      `${message}\nTake the documents of ${F} as they are in the working tree`,
    );
    expect(repo.text(SPEC)).toBe("# News\n");
  });

  test("what is checked out in another working tree is read, and saved there only", async () => {
    const repo = onMain();
    const other = `${repo.path}-other`;
    repo.git("worktree", "add", "--quiet", other, F);
    expect(await contents(storeOf(repo))).toEqual({ spec: "# One\n" });
    expect(await failure(saving(storeOf(repo), "# Two\n"))).toEqual({
      code: "conflict",
      message: `The branch ${F} is checked out in ${other}. Save it there, or check out another branch there.`,
    });
    await saving(featureStore(other, {}), "# Two\n");
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Two\n" });
    rmSync(other, { recursive: true });
    await saving(storeOf(repo), "# Three\n"); // that working tree is gone
  });

  test("one that is being rebased is left alone", async () => {
    const repo = onMain();
    repo.files({ [SPEC]: "# Main\n" }).commit();
    expect(() => repo.git("rebase", "main", F)).toThrow();
    expect(await failure(saving(storeOf(repo), "# Two\n"))).toMatchObject({
      code: "conflict",
      message: expect.stringContaining("is being rebased"),
    });
  });

  test("one that only the remote has goes on from there", async () => {
    const origin = onMain();
    const repo = new GitRepo(folder.path, { init: false });
    repo.git("clone", "--quiet", origin.path, ".");
    expect(await contents(storeOf(repo))).toEqual({ spec: "# One\n" });
    await saving(storeOf(repo), "# Two\n", etagOf("# One\n"));
    expect(repo.git("rev-parse", `${F}~1`)).toBe(origin.git("rev-parse", F));
  });
});

describe("where there is no branch yet", () => {
  test("the files of the working tree are taken along, as they are", async () => {
    const repo = newRepo()
      .files({ "a.txt": "a\n", [SPEC]: "# One\n" })
      .commit();
    repo.files({ [SPEC]: "# Mine\n", [PLAN]: "mine too\n", "b.txt": "not mine to take\n" });
    const before = repo.state() as { files: unknown; index: unknown };
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Mine\n", plan: "mine too\n" });
    await saving(storeOf(repo), "# Clarified\n", etagOf("# Mine\n"));
    expect(repo.git("log", "--format=%s", F)).toBe(
      `${message}\nTake the documents of ${F} as they are in the working tree\nmore`,
    );
    expect(repo.git("diff", "--name-status", "main", F)).toBe(`A\t${PLAN}\nM\t${SPEC}`);
    expect(repo.state()).toMatchObject({ files: before.files, index: before.index });
    // The copy in the working tree is an older one now, not news.
    expect(await contents(storeOf(repo))).toEqual({ spec: "# Clarified\n", plan: "mine too\n" });
  });

  describe("and the branch that is checked out knows nothing of the documents", () => {
    const untracked = () =>
      newRepo()
        .files({ "a.txt": "a\n" })
        .commit()
        .files({ "a.txt": "mine\n", [SPEC]: "# One\n" });
    const advice = `The documents are committed on the branch ${F}. To work there: git add specs/${F} && git switch ${F}`;

    test("they are written in the working tree too, and the branch can be checked out as is said", async () => {
      const repo = untracked().files({ [PLAN]: "# Plan\n", [`specs/${F}/notes.md`]: "notes\n" });
      expect(await saving(storeOf(repo), "# Two\n", etagOf("# One\n"))).toMatchObject({ warning: advice });
      expect(await saving(storeOf(repo), "# Three\n", etagOf("# Two\n"))).toMatchObject({ warning: advice });
      expect([repo.text(SPEC), repo.git("show", `${F}:${SPEC}`)]).toEqual(["# Three\n", "# Three"]);
      expect(repo.git("status", "--porcelain")).toBe(" M a.txt\n?? specs/");
      repo.git("add", `specs/${F}`);
      repo.git("switch", "--quiet", F);
      expect(repo.git("status", "--porcelain")).toBe(` M a.txt\nA  specs/${F}/notes.md`);
      expect([repo.text("a.txt"), repo.text(SPEC), repo.text(PLAN)]).toEqual(["mine\n", "# Three\n", "# Plan\n"]);
    });

    test("an edit of what was written counts, and takes nothing back", async () => {
      const repo = untracked();
      await saving(storeOf(repo), "# One\nanswer\n", etagOf("# One\n"));
      repo.files({ [SPEC]: `${repo.text(SPEC)}mine\n` });
      expect(await contents(storeOf(repo))).toEqual({ spec: "# One\nanswer\nmine\n" });
    });

    test("a document that is new is written beside them", async () => {
      const repo = untracked();
      await storeOf(repo).save(F, [{ name: "plan", content: "# Plan\n", ifMatch: null }], { message });
      expect([repo.text(SPEC), repo.text(PLAN)]).toEqual(["# One\n", "# Plan\n"]);
    });

    test("an older copy is left alone, and it is said that it is another version", async () => {
      const repo = untracked();
      await saving(storeOf(repo), "# Two\n");
      repo.files({ [SPEC]: "# One\n" });
      expect(await saving(storeOf(repo), "# Three\n", etagOf("# Two\n"))).toMatchObject({
        warning: `What is saved is on the branch ${F}. In the working tree ${SPEC} is another version, and stays as it is. To see it: git show ${F}:${SPEC}`,
      });
      expect(repo.text(SPEC)).toBe("# One\n");
    });
  });

  test("without a folder the commit that is checked out counts", async () => {
    const repo = newRepo()
      .files({ [SPEC]: "# One\n" })
      .commit();
    rmSync(join(repo.path, "specs"), { recursive: true });
    expect(await contents(storeOf(repo))).toEqual({ spec: "# One\n" });
    expect(await saving(storeOf(repo), "# One\n")).toEqual({
      documents: [{ name: "spec", path: SPEC, etag: etagOf("# One\n") }],
      unchanged: true,
    });
    expect(repo.git("branch", "--list", F)).toBe("");
  });

  test("before the first commit the branch begins with the documents", async () => {
    const repo = newRepo().files({ [SPEC]: "# One\n", "a.txt": "a\n" });
    await saving(storeOf(repo), "# Two\n");
    expect(repo.git("ls-tree", "-r", "--name-only", F)).toBe(SPEC);
    expect(repo.git("status", "--porcelain", "--branch")).toBe("## No commits yet on main\n?? a.txt\n?? specs/");
  });

  test("a branch below its name is in its way", async () => {
    const repo = newRepo().commit();
    repo.git("branch", `${F}/part`);
    expect(await failure(saving(storeOf(repo), "# One\n"))).toEqual({
      code: "conflict",
      message: `git cannot have a branch ${F} beside ${F}/part. Rename that branch, or choose another feature name.`,
    });
  });
});

describe("what is refused", () => {
  test("an etag that differs, and a document that is not there or is", async () => {
    const repo = newRepo()
      .files({ [SPEC]: "# One\n" })
      .commit();
    const store = storeOf(repo);
    expect(await failure(saving(store, "x", "old"))).toEqual({
      code: "precondition_failed",
      message: "The spec has changed. Read it again, and change what is there now.",
    });
    expect(await failure(saving(store, "x", null))).toMatchObject({ code: "precondition_failed" });
    const plan = store.save(F, [{ name: "plan", content: "x", ifMatch: "old" }], { message });
    expect(await failure(plan)).toMatchObject({ code: "precondition_failed" });
  });

  test("names that cannot be a branch, and a feature that has nothing", async () => {
    const store = storeOf(newRepo().commit());
    for (const name of ["", ".x", "-x", "a/b", "a..b", "x.lock", "x.", "HEAD", "a b", "../x", "ä", "x".repeat(101)]) {
      expect(await failure(store.read(name))).toMatchObject({ code: "invalid_params" });
    }
    expect(await failure(store.read("none"))).toMatchObject({ code: "document_not_found" });
  });

  test("too much, half characters, nothing, and a document twice", async () => {
    const store = storeOf(newRepo().commit());
    expect(await failure(saving(store, "x".repeat(100_001)))).toMatchObject({ code: "too_large" });
    expect(await failure(saving(store, "\ud800"))).toMatchObject({ code: "invalid_params" });
    expect(await failure(store.save(F, [], { message }))).toMatchObject({ code: "invalid_params" });
    const twice = [1, 2].map(() => ({ name: "spec" as const, content: "x" }));
    expect(await failure(store.save(F, twice, { message }))).toMatchObject({ code: "invalid_params" });
  });

  test.each<[string, (repo: GitRepo) => void, object]>([
    ["a link for a document", (repo) => link(repo, "/etc/hostname", SPEC), { code: "forbidden" }],
    ["a link for the folder of all", (repo) => link(repo, "/etc", "specs"), { code: "forbidden" }],
    ["a folder for a document", (repo) => repo.files({ [`${SPEC}/x`]: "x" }), { code: "tool_failed" }],
    ["what is too large", (repo) => repo.files({ [SPEC]: "x".repeat(100_001) }), { code: "too_large" }],
    ["what is not UTF-8", (repo) => repo.files({ [SPEC]: Uint8Array.of(0xff, 0xfe) }), { code: "tool_failed" }],
    ["a file for the folder", (repo) => repo.files({ specs: "x" }), { code: "tool_failed" }],
  ])("%s, in the working tree and in a commit", async (_, make, expected) => {
    const repo = newRepo().commit();
    repo.git("switch", "--quiet", "-c", F);
    make(repo);
    const before = repo.state();
    expect(await failure(storeOf(repo).read(F))).toMatchObject(expected);
    expect(await failure(saving(storeOf(repo), "# Two\n"))).toMatchObject(expected);
    expect(repo.state()).toEqual(before);
    repo.commit();
    repo.git("switch", "--quiet", "main");
    const commits = repo.state();
    expect(await failure(saving(storeOf(repo), "# Two\n"))).toMatchObject({ message: expect.any(String) });
    expect(repo.state()).toEqual(commits);
  });

  const link = (repo: GitRepo, to: string, path: string) => {
    mkdirSync(join(repo.path, path, ".."), { recursive: true });
    symlinkSync(to, join(repo.path, path));
  };
});

test("whoever is nobody to git commits as Dragoman", async () => {
  const repo = newRepo().commit();
  const before = process.env.GIT_CONFIG_GLOBAL;
  process.env.GIT_CONFIG_GLOBAL = "/dev/null";
  try {
    await saving(storeOf(repo), "# One\n");
  } finally {
    process.env.GIT_CONFIG_GLOBAL = before;
  }
  expect(repo.git("log", "-1", "--format=%an <%ae>|%cn <%ce>", F)).toBe(
    "Dragoman <dragoman@localhost>|Dragoman <dragoman@localhost>",
  );
});

test("nothing that the repository names is run", async () => {
  const repo = newRepo()
    .files({ ".gitattributes": "*.md filter=evil diff=evil\n", [SPEC]: "# One\n" })
    .commit();
  repo.git("switch", "--quiet", "-c", F);
  const evil = `touch ${repo.path}/evil`;
  for (const hook of ["pre-commit", "post-commit", "reference-transaction", "post-index-change", "pre-push"]) {
    repo.files({ [`.git/hooks/${hook}`]: `#!/bin/sh\n${evil}\n` });
    repo.git("update-index", "--refresh");
  }
  const { chmodSync, readdirSync } = await import("node:fs");
  for (const hook of readdirSync(join(repo.path, ".git/hooks"))) chmodSync(join(repo.path, ".git/hooks", hook), 0o755);
  const settings = {
    "filter.evil.clean": evil,
    "filter.evil.smudge": evil,
    "diff.evil.textconv": evil,
    "core.fsmonitor": evil,
    "core.pager": evil,
    "core.editor": evil,
    "gpg.program": evil,
    "commit.gpgSign": "true",
  };
  for (const [key, value] of Object.entries(settings)) repo.git("config", key, value);
  const store = storeOf(repo);
  await store.read(F);
  await saving(store, "# Two\n");
  await store.list(10);
  expect(existsSync(join(repo.path, "evil"))).toBe(false);
});

test("features are listed from files, from the commit that is checked out, and from branches", async () => {
  const repo = newRepo().files({ "specs/a/spec.md": "# Feature Specification: A\n", "specs/b/plan.md": "b" }).commit();
  repo.git("switch", "--quiet", "-c", "c");
  repo.files({ "specs/c/spec.md": "\n# C\n", "specs/c/tasks.md": "c" }).commit();
  repo.git("switch", "--quiet", "-c", "empty", "main");
  repo.git("switch", "--quiet", "main");
  repo.files({ "specs/d/spec.md": "no heading", "specs/.hidden/spec.md": "x", "specs/e/other.md": "x" });
  rmSync(join(repo.path, "specs/b"), { recursive: true });
  const all = [
    { id: "a", title: "A", documents: ["spec"] },
    { id: "b", documents: ["plan"] },
    { id: "c", title: "C", branch: "c", documents: ["spec", "task"] },
    { id: "d", documents: ["spec"] },
  ];
  expect(await storeOf(repo).list(10)).toEqual(all);
  expect(await storeOf(repo).list(2)).toEqual(all.slice(0, 2));
  expect(await storeOf(newRepo()).list(10)).toEqual([]);
});
