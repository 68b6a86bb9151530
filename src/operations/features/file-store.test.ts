import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DragomanError } from "../../core/errors.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { etagOf, fileStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);
const newFolder = () => new GitRepo(folder.path, { init: false });

const message = "Save";
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went well"),
    (error: DragomanError) => ({ code: error.code, message: error.message }),
  );
const read = async (place: GitRepo, file: string) =>
  (await fileStore(file, { from: place.path }).read()).map(({ name, path }) => `${name} ${path}`);

describe("which document a file is", () => {
  test.each<[string, string, string]>([
    ["doc/spec.md", "x", "spec doc/spec.md"],
    ["plan.md", "x", "plan plan.md"],
    ["task.md", "x", "task task.md"],
    ["tasks.md", "x", "task tasks.md"],
    ["my-feature.md", "# My feature\n", "spec my-feature.md"],
    ["notes.md", "# Tasks\n\n- [ ] T001 Do it\n", "task notes.md"],
    ["notes.md", "# Implementation Plan: X\n", "plan notes.md"],
  ])("%s", async (file, content, expected) => {
    expect(await read(newFolder().files({ [file]: content }), file)).toEqual([expected]);
  });

  test("those beside it belong to it, and the named one goes first", async () => {
    const place = newFolder().files({ "my.md": "# My\n", "spec.md": "# Other\n", "tasks.md": "t", "x.md": "x" });
    expect(await read(place, "my.md")).toEqual(["spec my.md", "task tasks.md"]);
    expect(await read(place, "tasks.md")).toEqual(["spec spec.md", "task tasks.md"]);
  });

  test("one that is not there", async () => {
    const place = newFolder();
    expect(await failure(read(place, "none.md"))).toMatchObject({ code: "document_not_found" });
    expect(await failure(read(place, "none/spec.md"))).toMatchObject({ code: "document_not_found" });
    expect(await failure(read(place.files({ "dir/x": "x" }), "dir"))).toMatchObject({ code: "tool_failed" });
  });

  test("a link is followed to the file that is meant", async () => {
    const place = newFolder().files({ "real/spec.md": "# Real\n" });
    symlinkSync(join(place.path, "real/spec.md"), join(place.path, "link.md"));
    expect(await read(place, "link.md")).toEqual(["spec real/spec.md"]);
  });
});

test("what is saved is written beside it, under the names that are there", async () => {
  const place = newFolder().files({ "doc/my.md": "# My\n", "doc/tasks.md": "t\n" });
  const store = fileStore("doc/my.md", { from: place.path });
  const changes = [
    { name: "spec" as const, content: "# Mine\n", ifMatch: etagOf("# My\n") },
    { name: "plan" as const, content: "p\n" },
    { name: "task" as const, content: "tt\n" },
  ];
  expect(await store.save(changes, { message })).toEqual({
    documents: [
      { name: "spec", path: "doc/my.md", etag: etagOf("# Mine\n") },
      { name: "plan", path: "doc/plan.md", etag: etagOf("p\n") },
      { name: "task", path: "doc/tasks.md", etag: etagOf("tt\n") },
    ],
  });
  expect(["doc/my.md", "doc/plan.md", "doc/tasks.md"].map((name) => place.text(name))).toEqual([
    "# Mine\n",
    "p\n",
    "tt\n",
  ]);
  expect(await failure(store.save(changes, { message }))).toMatchObject({ code: "precondition_failed" });
});

test("in the folder of a feature whose branch is checked out it is committed, and only there", async () => {
  const repo = new GitRepo(folder.path).files({ "specs/001-x/spec.md": "# One\n", "docs/spec.md": "# D\n" }).commit();
  const change = (content: string) => [{ name: "spec" as const, content }];
  const inFeature = fileStore("specs/001-x/spec.md", { from: repo.path });
  expect(await inFeature.save(change("# Two\n"), { message })).toEqual({
    documents: [{ name: "spec", path: "specs/001-x/spec.md", etag: etagOf("# Two\n") }],
  });
  expect(repo.git("status", "--porcelain")).toBe(" M specs/001-x/spec.md");
  repo.git("switch", "--quiet", "-c", "001-x");
  expect(await inFeature.save(change("# Three\n"), { message })).toEqual({
    documents: [{ name: "spec", path: "specs/001-x/spec.md", etag: etagOf("# Three\n") }],
    branch: "001-x",
    commit: repo.git("rev-parse", "001-x"),
  });
  expect(repo.git("status", "--porcelain")).toBe("");
  await fileStore("docs/spec.md", { from: repo.path }).save(change("# E\n"), { message });
  expect(repo.git("status", "--porcelain")).toBe(" M docs/spec.md");
});

test("of two files for the tasks the named one is written, committed or not", async () => {
  const repo = new GitRepo(folder.path).files({ "specs/x/task.md": "a\n", "specs/x/tasks.md": "b\n" }).commit();
  repo.git("switch", "--quiet", "-c", "x");
  const store = fileStore("specs/x/tasks.md", { from: repo.path });
  expect(await store.save([{ name: "task", content: "c\n" }], { message })).not.toHaveProperty("branch");
  expect([repo.text("specs/x/task.md"), repo.text("specs/x/tasks.md")]).toEqual(["a\n", "c\n"]);
});
