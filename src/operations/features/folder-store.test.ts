import { randomUUID } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, statSync, symlinkSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import type { DragomanError } from "../../core/errors.ts";
import { thisProcess } from "../../core/process-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { etagOf, featureStore } from "./index.ts";
import { StagedFiles } from "./staged-files.ts";

const folder = temporaryFolder();
const newFolder = () => new GitRepo(folder.path, { init: false });

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
const message = "Save";
const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went well"),
    (error: DragomanError) => ({ code: error.code, message: error.message }),
  );

test("without git documents are plain files, and there is no branch", async () => {
  const place = newFolder();
  const store = featureStore(place.path, { push: true });
  expect(store.kind).toBe("folder");
  expect(await store.list(5)).toEqual([]);
  expect(await failure(store.read(F))).toMatchObject({ code: "document_not_found" });
  const changes = [
    { name: "spec" as const, content: "# Feature Specification: Login\n", ifMatch: null },
    { name: "task" as const, content: "- [ ] T001\n" },
  ];
  const documents = changes.map(({ name, content }) => ({
    name,
    path: `specs/${F}/${name}.md`,
    etag: etagOf(content),
  }));
  expect(await store.save(F, changes, { message })).toEqual({ documents });
  expect(await store.read(F, ["spec"])).toEqual([{ ...documents[0], content: changes[0]?.content }]);
  expect(await store.list(5)).toEqual([{ id: F, title: "Login", documents: ["spec", "task"] }]);
  expect(await failure(store.save(F, changes, { message }))).toMatchObject({ code: "precondition_failed" });
  const again = changes.map(({ name, content }) => ({ name, content }));
  expect(await store.save(F, again, { message })).toEqual({ documents, unchanged: true });
  expect(readdirSync(place.path)).toEqual(["specs"]);
  expect(readdirSync(join(place.path, "specs", F))).toEqual(["spec.md", "task.md"]);
});

test("a file keeps its rights when its content is replaced", async () => {
  const place = newFolder().files({ [SPEC]: "# One\n" });
  const { chmodSync } = await import("node:fs");
  chmodSync(join(place.path, SPEC), 0o640);
  await featureStore(place.path, {}).save(F, [{ name: "spec", content: "# Two\n" }], { message });
  expect([place.text(SPEC), statSync(join(place.path, SPEC)).mode & 0o777]).toEqual(["# Two\n", 0o640]);
});

test("what cannot be saved whole leaves everything as it was", async () => {
  const place = newFolder().files({ [SPEC]: "# One\n" });
  mkdirSync(join(place.path, "specs", F, "plan.md"));
  const store = featureStore(place.path, {});
  const changes = [
    { name: "spec" as const, content: "# Two\n" },
    { name: "plan" as const, content: "# Plan\n" },
  ];
  expect(await failure(store.save(F, changes, { message }))).toEqual({
    code: "tool_failed",
    message: `specs/${F}/plan.md is not a regular file. Rename it, so that a document can be there.`,
  });
  expect(place.text(SPEC)).toBe("# One\n");
  expect(readdirSync(place.path)).toEqual(["specs"]);
});

test("files that are placed can be taken back, the folders made for them included", async () => {
  const place = newFolder().files({ [SPEC]: "# One\n" });
  const { ino, mtimeMs } = statSync(join(place.path, SPEC));
  const staged = await StagedFiles.prepare([
    { name: "spec", root: place.path, path: SPEC, content: "# Two\n", before: etagOf("# One\n") },
    { name: "plan", root: place.path, path: "specs/002/deep/plan.md", content: "# Plan\n", before: undefined },
  ]);
  await staged.place();
  expect([place.text(SPEC), place.text("specs/002/deep/plan.md")]).toEqual(["# Two\n", "# Plan\n"]);
  await staged.undo();
  expect([place.text(SPEC), existsSync(join(place.path, "specs/002"))]).toEqual(["# One\n", false]);
  expect(statSync(join(place.path, SPEC))).toMatchObject({ ino, mtimeMs });
  expect(readdirSync(join(place.path, "specs", F))).toEqual(["spec.md"]);
});

test("what someone else wrote since is not taken back", async () => {
  const place = newFolder().files({ [SPEC]: "# One\n" });
  const change = { name: "spec" as const, root: place.path, path: SPEC, content: "# Two\n", before: etagOf("# One\n") };
  const staged = await StagedFiles.prepare([change]);
  await staged.place();
  place.files({ [SPEC]: "# Theirs\n" });
  await staged.undo();
  expect(place.text(SPEC)).toBe("# Theirs\n");
});

test("links are not followed, wherever they lead", async () => {
  const place = newFolder().files({ "elsewhere/spec.md": "# Secret\n" });
  mkdirSync(join(place.path, "specs"));
  symlinkSync(join(place.path, "elsewhere"), join(place.path, "specs", F));
  const store = featureStore(place.path, {});
  expect(await failure(store.read(F))).toEqual({
    code: "forbidden",
    message: `specs/${F} is a link, which may lead anywhere. Put the folder or file itself there.`,
  });
  expect(await failure(store.save(F, [{ name: "spec", content: "x" }], { message }))).toMatchObject({
    code: "forbidden",
  });
  expect(await store.list(5)).toEqual([]);
  expect(place.text("elsewhere/spec.md")).toBe("# Secret\n");
});

describe("of many who save upon the same version one wins, and a lock that was left behind is taken away once", () => {
  const ROUNDS = 15;
  const gone = { ...thisProcess(), startedAt: "0" };

  test.each([
    ["of nobody who is known", ""],
    ["of a process that is no more", JSON.stringify({ process: gone, mark: randomUUID(), files: [] })],
  ])("%s", async (_, left) => {
    for (let round = 0; round < ROUNDS; round++) {
      const place = newFolder().files({ [SPEC]: "# One\n" });
      const lock = join(place.path, `.dragoman-${F}.lock`);
      writeFileSync(lock, left);
      utimesSync(lock, 1, 1);
      const outcomes = await Promise.all(
        Array.from({ length: 8 }, (_, who) =>
          featureStore(place.path, {})
            .save(F, [{ name: "spec", content: `# ${who}\n`, ifMatch: etagOf("# One\n") }], { message })
            .then(
              () => "saved",
              (error: DragomanError) => error.code,
            ),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array(7).fill("precondition_failed"), "saved"]);
      expect(readdirSync(place.path)).toEqual(["specs"]);
    }
  });
});

test("a workspace that is gone says so", async () => {
  const store = featureStore(join(folder.path, "gone"), {});
  expect(await failure(store.read(F))).toMatchObject({ code: "tool_failed" });
});
