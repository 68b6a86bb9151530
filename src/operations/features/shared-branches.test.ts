import { mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { githubStubs } from "../../testing/github-stub.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { type FeatureStore, featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);
const newStub = githubStubs();

const saving = (store: FeatureStore, feature: string) =>
  store.save(feature, [{ name: "spec", content: "# Mine\n" }], { message: "Save" });
/** Of a save, and of the look before one. */
const refusals = async (store: FeatureStore, feature: string) => {
  const told = [];
  for (const attempt of [() => saving(store, feature), () => store.checkSavable(feature)]) {
    told.push(
      await attempt().then(
        () => "nothing",
        (error: unknown) => (error instanceof DragomanError ? `${error.code}: ${error.message}` : error),
      ),
    );
  }
  return told;
};
const twice = (text: string) => [text, text];

const shared = (name: string) =>
  `conflict: ${name} is a branch that everyone starts from, and no feature is saved on it. Give the feature another name.`;
const foreign = (name: string) =>
  `conflict: There is a branch ${name} without specs/${name}, so it is not the feature's. Give the feature another name, or make specs/${name}/spec.md on that branch yourself.`;

describe("in git", () => {
  const newRepo = () => new GitRepo(folder.path).files({ "a.txt": "a\n" }).commit();
  const storeOf = (repo: GitRepo) => featureStore(repo.path, {});

  test.each(["main", "master", "develop", "trunk", "Main"])("nothing is saved on %s, there or not", async (name) => {
    const repo = newRepo()
      .files({ [`specs/${name}/spec.md`]: "# Theirs\n" })
      .commit();
    const before = repo.state();
    expect(await refusals(storeOf(repo), name)).toEqual(twice(shared(name)));
    expect(repo.state()).toEqual(before);
    expect(await storeOf(repo).read(name)).toMatchObject([{ content: "# Theirs\n" }]);
  });

  test("nothing is saved on what the remote starts from", async () => {
    const origin = newRepo();
    origin.git("branch", "-m", "production");
    origin.git("branch", "other");
    const repo = new GitRepo(folder.path, { init: false });
    repo.git("clone", "--quiet", origin.path, ".");
    repo.git("switch", "--quiet", "other");
    const before = repo.state();
    expect(await refusals(storeOf(repo), "production")).toEqual(twice(shared("production")));
    expect(repo.state()).toEqual(before);
  });

  test.each<[where: string, prepare: (repo: GitRepo) => void]>([
    ["here", (repo) => repo.git("branch", "release")],
    ["here, and is checked out", (repo) => repo.git("switch", "--quiet", "-c", "release")],
    ["at the remote", (repo) => repo.git("update-ref", "refs/remotes/origin/release", "HEAD")],
  ])("nothing is saved on a branch that someone has for something else %s", async (_, prepare) => {
    const repo = newRepo();
    prepare(repo);
    const before = repo.state();
    expect(await refusals(storeOf(repo), "release")).toEqual(twice(foreign("release")));
    expect(repo.state()).toEqual(before);
  });

  test.each<[where: string, prepare: (repo: GitRepo) => void]>([
    [
      "it has",
      (repo) => {
        repo.git("switch", "--quiet", "x1");
        repo.files({ "specs/x1/notes.md": "n\n" }).commit().git("switch", "--quiet", "main");
      },
    ],
    ["the working tree has", (repo) => mkdirSync(join(repo.path, "specs/x1"), { recursive: true })],
    [
      "the branch that is checked out has",
      (repo) => {
        repo.files({ "specs/x1/notes.md": "n\n" }).commit();
        rmSync(join(repo.path, "specs"), { recursive: true });
      },
    ],
  ])("a branch is the feature's where %s its folder", async (_, prepare) => {
    const repo = newRepo();
    repo.git("branch", "x1");
    prepare(repo);
    expect(await refusals(storeOf(repo), "x1")).toEqual(twice("nothing"));
    expect(repo.git("show", "x1:specs/x1/spec.md")).toBe("# Mine");
  });
});

describe("on GitHub", () => {
  const storeOf = async (base?: string) => {
    const stub = await newStub();
    stub.defaultBranch = "production";
    stub.commit("production", { "README.md": "# App\n", "specs/x1/notes.md": "n\n" });
    for (const name of ["next", "release", "x1"]) stub.commit(name, { "b.txt": "b\n" });
    const github = { repository: stub.repository, baseUrl: stub.url, token: stub.token, base };
    return { stub, store: featureStore("/nowhere", { github }) };
  };

  test.each(["main", "production", "next"])("nothing is saved on %s", async (name) => {
    const { stub, store } = await storeOf("next");
    const before = [...stub.refs];
    expect(await refusals(store, name)).toEqual(twice(shared(name)));
    expect([...stub.refs]).toEqual(before);
  });

  test("nothing is saved on a branch that someone has for something else", async () => {
    const { stub, store } = await storeOf();
    const before = [...stub.refs];
    expect(await refusals(store, "release")).toEqual(twice(foreign("release")));
    expect([...stub.refs]).toEqual(before);
  });

  test("a branch is the feature's where it was made from one that has its folder", async () => {
    const { stub, store } = await storeOf();
    expect(await refusals(store, "x1")).toEqual(twice("nothing"));
    expect(stub.file("x1", "specs/x1/spec.md")).toBe("# Mine\n");
  });
});

test("in a folder without git there is no branch to keep from, so any name will do", async () => {
  const store = featureStore(folder.path, {});
  expect(await refusals(store, "main")).toEqual(twice("nothing"));
});
