import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import fc from "fast-check";
import { expect, test } from "vitest";
import { gitIdentity } from "../../testing/git-identity.ts";
import { GitRepo } from "../../testing/git-repo.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { type DocumentName, type Documents, documentNames } from "../documents.ts";
import { etagOf, type FeatureStore, featureStore } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);

const F = "001-login";
const MINE = "mine, and not committed\n";
const TIME_LIMIT_MS = Number(process.env.DRAGOMAN_MODEL_MS ?? 6000);

/** What a branch has now, and what each document ever was on it. */
class Branch {
  now: Documents = {};
  readonly past: Record<DocumentName, Set<string>> = { spec: new Set(), plan: new Set(), task: new Set() };

  commit(documents: Documents): void {
    this.now = { ...documents };
    for (const name of documentNames) {
      const content = documents[name];
      if (content !== undefined) this.past[name].add(content);
    }
  }

  copy(): Branch {
    const copy = new Branch();
    copy.now = { ...this.now };
    for (const name of documentNames) for (const content of this.past[name]) copy.past[name].add(content);
    return copy;
  }
}

/** The rules of the store and no git. */
class Model {
  readonly main = new Branch();
  feature?: Branch;
  isHere = false;
  files: Documents = {};

  get documents(): Documents {
    const { feature, files, main } = this;
    if (this.isHere) return files;
    if (!feature) return Object.keys(files).length > 0 ? files : main.now;
    const isNews = (name: DocumentName) =>
      files[name] !== undefined && files[name] !== main.now[name] && !feature.past[name].has(files[name]);
    return pick((name) => (isNews(name) ? files[name] : feature.now[name]));
  }

  save(name: DocumentName, content: string): void {
    const { feature, documents } = this;
    if (this.isHere) {
      this.files = { ...this.files, [name]: content };
      feature?.commit({ ...feature.now, [name]: content });
      return;
    }
    const isFromFiles = !feature && Object.keys(this.files).length > 0;
    const base = feature?.now ?? this.main.now;
    const next = { ...base, ...documents, [name]: content };
    if (!feature && !isFromFiles && base[name] === content) return;
    if (!feature && same(next, base)) return;
    const branch = feature ?? this.main.copy();
    branch.commit({ ...base, ...documents });
    branch.commit(next);
    this.feature = branch;
    // A copy that main knows nothing of follows, if it is what was read.
    const isFollowed = Object.keys(this.main.now).length === 0 && Object.keys(this.files).length > 0;
    if (isFollowed && this.files[name] === documents[name]) this.files = { ...this.files, [name]: content };
  }

  commitAll(): void {
    (this.isHere ? this.feature : this.main)?.commit(this.files);
  }

  checkOut(isHere: boolean): void {
    this.isHere = isHere;
    this.files = { ...((isHere ? this.feature : this.main)?.now ?? {}) };
  }
}

const pick = (of: (name: DocumentName) => string | undefined): Documents =>
  Object.fromEntries(documentNames.flatMap((name) => (of(name) === undefined ? [] : [[name, of(name)]])));
const same = (a: Documents, b: Documents) => documentNames.every((name) => a[name] === b[name]);

type Step =
  | { do: "save" | "save upon another version" | "edit"; name: DocumentName; content: string }
  | { do: "delete"; name: DocumentName }
  | { do: "commit all" | "check out the feature" | "check out main" };

const name = fc.constantFrom(...documentNames);
const content = fc.constantFrom("# a\n", "# b\n", "# c\n", "no line end");
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: fc.constant("save" as const), name, content }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("save upon another version" as const), name, content }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant("edit" as const), name, content }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant("delete" as const), name }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom("commit all" as const, "check out the feature" as const, "check out main" as const),
    }),
  },
);

class World {
  readonly model = new Model();
  readonly repo: GitRepo;
  readonly store: FeatureStore;

  constructor() {
    this.repo = new GitRepo(folder.path).files({ "a.txt": "a\n" }).commit().files({ "a.txt": MINE });
    this.store = featureStore(this.repo.path, {});
  }

  async read(): Promise<Documents> {
    const documents = await this.store.read(F).catch((error) => {
      if (error.code === "document_not_found") return [];
      throw error;
    });
    return Object.fromEntries(documents.map(({ name, content }) => [name, content]));
  }

  async take(step: Step): Promise<void> {
    const { model, repo, store } = this;
    const path = "name" in step ? `specs/${F}/${step.name}.md` : "";
    switch (step.do) {
      case "save": {
        const before = model.documents[step.name];
        const change = { ...step, ifMatch: before === undefined ? null : etagOf(before) };
        await store.save(F, [change], { message: "save" });
        model.save(step.name, step.content);
        break;
      }
      case "save upon another version":
        await expect(store.save(F, [{ ...step, ifMatch: etagOf("other") }], { message: "x" })).rejects.toMatchObject({
          code: "precondition_failed",
        });
        break;
      case "edit":
        repo.files({ [path]: step.content });
        model.files = { ...model.files, [step.name]: step.content };
        break;
      case "delete": {
        rmSync(join(repo.path, path), { force: true });
        const { [step.name]: _, ...others } = model.files;
        model.files = others;
        if (Object.keys(others).length === 0) rmSync(join(repo.path, "specs"), { recursive: true, force: true });
        break;
      }
      case "commit all":
        this.commitAll();
        break;
      default:
        this.checkOut(step.do === "check out the feature");
    }
  }

  commitAll(): void {
    // What else the user has is not theirs to commit here, so that it can be seen to stay.
    this.repo.git("add", "--all", "--", ":!a.txt");
    this.repo.git("commit", "--quiet", "--allow-empty", "-m", "by the user");
    this.model.commitAll();
  }

  checkOut(isHere: boolean): void {
    if (isHere && !this.model.feature) return;
    this.commitAll();
    this.repo.git("switch", "--quiet", isHere ? F : "main");
    this.model.checkOut(isHere);
  }

  /** Files and branches are what the model says, and what is not the store's is untouched. */
  check(): void {
    const { model, repo } = this;
    const files = pick((name) => {
      const path = `specs/${F}/${name}.md`;
      return existsSync(join(repo.path, path)) ? repo.text(path) : undefined;
    });
    expect(files).toEqual(model.files);
    expect(repo.text("a.txt")).toBe(MINE);
    expect(repo.git("branch", "--list", F) !== "").toBe(model.feature !== undefined);
    for (const [branch, { now }] of Object.entries({
      main: model.main,
      ...(model.feature && { [F]: model.feature }),
    })) {
      const listed = repo.git("ls-tree", "-r", "--name-only", branch, "--", "specs").split("\n");
      expect([branch, listed.filter((path) => path !== "")]).toEqual([
        branch,
        Object.keys(now)
          .map((name) => `specs/${F}/${name}.md`)
          .toSorted(),
      ]);
    }
  }
}

test("whatever the user and the store do in turns, the store gives what its rules say and spoils nothing", async () => {
  const property = fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
    const world = new World();
    for (const one of steps) {
      await world.take(one);
      expect(await world.read()).toEqual(world.model.documents);
      world.check();
    }
    expect(world.repo.git("fsck", "--no-dangling")).toBe("");
  });
  await fc.assert(property, { numRuns: 1000, interruptAfterTimeLimit: TIME_LIMIT_MS, endOnFailure: true });
});
