import { execFileSync } from "node:child_process";
import { linkSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { decide } from "../../core/policy.ts";
import type { AnyTool } from "../../core/tool.ts";
import { gitIdentity } from "../../testing/git-identity.ts";
import { githubStubs } from "../../testing/github-stub.ts";
import { quietIo } from "../../testing/quiet-io.ts";
import { temporaryFolder } from "../../testing/temporary-folder.ts";
import { Workspace } from "../../testing/workspace.ts";
import { etagOf, type FeatureSettings } from "../features/index.ts";
import { specTools } from "./index.ts";

const folder = temporaryFolder();
gitIdentity(folder);
const newStub = githubStubs();

const F = "001-login";
const SPEC = `specs/${F}/spec.md`;
const today = new Date().toISOString().slice(0, 10);
let workspace: Workspace;
let settings: FeatureSettings = {};
const [read, save] = specTools(() => settings) as [AnyTool, AnyTool];

beforeEach(() => {
  settings = {};
  workspace = new Workspace(folder.path);
});

const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace.path, encoding: "utf8" }).trimEnd();

function repository(): void {
  git("init", "--quiet");
  workspace.files({ [SPEC]: "# One\n" });
  git("add", "--all");
  git("commit", "--quiet", "-m", "one");
}

const saving = (more: object = {}) => ({
  feature: F,
  changes: [
    { name: "spec", content: "# Two\n" },
    { name: "plan", content: "# Plan\n" },
  ],
  message: "Clarify it",
  ...more,
});

const failure = (work: Promise<unknown>) =>
  work.then(
    () => expect.fail("it went well"),
    (error: unknown) => {
      if (!(error instanceof DragomanError)) throw error;
      return { code: error.code, message: error.message };
    },
  );

test("spec_read gives the documents, the day and the place", async () => {
  workspace.files({ [SPEC]: "# One\n" });
  expect(await workspace.intent(read, { feature: F })).toEqual({
    title: `Read the documents in specs/${F}`,
    targets: ["spec", "plan", "task"].map((name) => ({
      path: `specs/${F}/${name}.md`,
      real: join(workspace.path, `specs/${F}/${name}.md`),
      outside: false,
      control: false,
      writes: false,
    })),
  });
  expect(await workspace.run(read, { feature: F })).toEqual({
    result: {
      documents: [{ name: "spec", path: SPEC, content: "# One\n", etag: etagOf("# One\n") }],
      today,
      place: `specs/${F}`,
    },
  });
});

test("spec_read takes a file, and the ones beside it", async () => {
  workspace.files({ "docs/my.md": "# My\n", "docs/tasks.md": "- [ ] T001\n" });
  expect(await workspace.run(read, { file: "docs/my.md" })).toMatchObject({
    result: { documents: [{ path: "docs/my.md" }, { name: "task", path: "docs/tasks.md" }], place: "docs" },
  });
});

test("either a feature or a file is meant", () => {
  for (const args of [{}, { feature: F, file: "x.md" }]) expect(read.args.safeParse(args).success).toBe(false);
});

test("spec_save shows what it would do before it does it", async () => {
  repository();
  const intent = await workspace.intent(save, saving());
  expect(intent).toEqual({
    title: `Save spec and plan in specs/${F}`,
    detail: `Clarify it\n\nWill be committed on the branch ${F}.`,
    targets: ["spec", "plan"].map((name) => ({
      path: `specs/${F}/${name}.md`,
      real: join(workspace.path, `specs/${F}/${name}.md`),
      outside: false,
      control: false,
      writes: true,
    })),
    path: SPEC,
    diff: `--- a/${SPEC}\n+++ b/${SPEC}\n@@ -1,1 +1,1 @@\n-# One\n+# Two\n--- /dev/null\n+++ b/specs/${F}/plan.md\n@@ -0,0 +1,1 @@\n+# Plan\n`,
    basis: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
  expect(git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
  const { result, diff } = await workspace.run(save, saving());
  expect({ result, diff }).toEqual({
    result: {
      documents: [
        { name: "spec", path: SPEC, etag: etagOf("# Two\n") },
        { name: "plan", path: `specs/${F}/plan.md`, etag: etagOf("# Plan\n") },
      ],
      branch: F,
      commit: git("rev-parse", F),
    },
    diff: intent.diff,
  });
});

test("what a yes relies on changes with the documents", async () => {
  repository();
  const first = await workspace.intent(save, saving());
  expect((await workspace.intent(save, saving())).basis).toBe(first.basis);
  workspace.files({ [SPEC]: "# Edited\n" });
  expect((await workspace.intent(save, saving())).basis).not.toBe(first.basis);
});

test("what was shown is what is changed, or nothing is", async () => {
  repository();
  const args = save.args.parse(saving());
  await save.intent(args, workspace.context);
  workspace.files({ [SPEC]: "# Edited since\n" });
  expect(await failure(save.run(args, workspace.context, quietIo()))).toMatchObject({ code: "conflict" });
  expect(git("for-each-ref", "--format=%(refname)")).toBe("refs/heads/main");
});

test("an etag that differs is refused before anyone is asked", async () => {
  repository();
  const changes = [{ name: "spec", content: "x", ifMatch: "old" }];
  expect(await failure(workspace.intent(save, saving({ changes })))).toMatchObject({ code: "precondition_failed" });
  expect(await failure(workspace.run(save, saving({ changes })))).toMatchObject({ code: "precondition_failed" });
});

describe("the policy sees where it goes", () => {
  const allowAll = { allow: [{ tool: "spec_save" }, { tool: "spec_read" }], deny: [] };
  const verdict = async (tool: AnyTool, args: object) => {
    const decision = decide(tool, await workspace.intent(tool, args), allowAll);
    return decision.verdict === "ask" ? decision.why : decision.verdict;
  };
  const toFile = (file: string) => ({
    ...saving({ feature: undefined, file }),
    changes: [{ name: "spec", content: "x" }],
  });

  test("in the workspace it goes by the rules", async () => {
    workspace.files({ [SPEC]: "# One\n", "docs/my.md": "# My\n" });
    expect(await verdict(save, saving())).toBe("allow");
    expect(await verdict(save, toFile("docs/my.md"))).toBe("allow");
    expect(await verdict(read, { file: "docs/my.md" })).toBe("allow");
  });

  test("a file outside is asked about, by whatever path it is reached", async () => {
    workspace.files({ "../spec.md": "# Outside\n" });
    symlinkSync(join(workspace.around, "spec.md"), join(workspace.path, "link.md"));
    const outside = join(workspace.around, "spec.md");
    expect(await verdict(save, toFile("../spec.md"))).toBe(
      `It touches ../spec.md (${outside}), outside of the workspace.`,
    );
    expect(await verdict(save, toFile("link.md"))).toBe(`It touches ${outside}, outside of the workspace.`);
    expect(await verdict(read, { file: "link.md" })).toBe(`It reads ${outside}, outside of the workspace.`);
    expect((await workspace.intent(save, toFile("../none/spec.md"))).targets[0]).toMatchObject({ outside: true });
  });

  test("a file that decides what is allowed is asked about", async () => {
    workspace.files({ "dragoman.json": "{}", ".git/x.md": "x", ".agents/skills/a/spec.md": "x", "docs/spec.md": "x" });
    linkSync(join(workspace.path, "dragoman.json"), join(workspace.path, "innocent.md"));
    for (const file of ["dragoman.json", "./docs/../.git/x.md", ".agents/skills/a/spec.md", "innocent.md"]) {
      expect([file, await verdict(save, toFile(file))]).toEqual([
        file,
        expect.stringMatching("decides what is allowed"),
      ]);
    }
  });

  test("a push that only this call wants is asked about, one that is configured is not", async () => {
    repository();
    expect(await verdict(save, saving({ push: true }))).toBe("It touches origin, outside of the workspace.");
    expect(await verdict(save, saving({ push: false }))).toBe("allow");
    settings = { push: true, remote: "upstream" };
    expect(await verdict(save, saving({ push: true }))).toBe("allow");
    expect((await workspace.intent(save, saving())).detail).toContain("Will be pushed to upstream.");
  });

  test("a link that is turned elsewhere after it was judged is not followed", async () => {
    workspace.files({ "docs/my.md": "# My\n", "../secret/spec.md": "# Secret\n" });
    const args = read.args.parse({ file: "docs/my.md" });
    await read.intent(args, workspace.context);
    execFileSync("ln", ["-sf", join(workspace.around, "secret/spec.md"), join(workspace.path, "docs/my.md")]);
    expect(await failure(read.run(args, workspace.context, quietIo()))).toMatchObject({ code: "conflict" });
  });
});

test("on GitHub nothing on this machine is touched", async () => {
  const stub = await newStub();
  stub.commit("main", { [SPEC]: "# One\n" });
  settings = { github: { repository: stub.repository, baseUrl: stub.url, token: stub.token } };
  expect(await workspace.intent(save, saving())).toMatchObject({
    title: `Save spec and plan in ada/app: specs/${F}`,
    detail: `Clarify it\n\nWill be committed on the branch ${F} on GitHub.`,
    targets: [],
    diff: expect.stringContaining("+# Two"),
  });
  await workspace.run(save, saving());
  expect(stub.file(F, SPEC)).toBe("# Two\n");
  expect(await workspace.run(read, { feature: F })).toMatchObject({ result: { place: `ada/app: specs/${F}` } });
});

test("two texts that have nothing in common are still shown", async () => {
  const lines = (word: string) => Array.from({ length: 9000 }, (_, at) => `${word}${(at * 7919) % 9001}`).join("\n");
  workspace.files({ [`specs/${F}/task.md`]: lines("a") });
  const changes = [{ name: "task", content: lines("b") }];
  const { diff } = await workspace.intent(save, saving({ changes }));
  expect(diff?.length).toBeLessThan(201_000);
  expect(diff).toMatch(/^--- a\/specs/);
});
