import { describe, expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { operationTarget, operationWorkspace } from "./operation-target.ts";

const newWorkspace = temporaryWorkspaces();
const files = {
  ...{ "specs/001-x/spec.md": "# X\n", "specs/001-x/tasks.md": "", "specs/001-x/notes.md": "", "notes.md": "" },
  ...{ "docs/a.md": "", "docs/specs/001-x/spec.md": "", "package.json": "{}", "docs/a.json": "{}" },
};
const workspace = () => newWorkspace().files({ ...files });

describe("what the user names", () => {
  test.each<[given: string, cwd: string, target: object]>([
    ["001-x", ".", { feature: "001-x" }],
    ["specs/001-x", ".", { feature: "001-x" }],
    ["specs/001-x/", ".", { feature: "001-x" }],
    ["../specs/001-x", "docs", { feature: "001-x" }],
    ["002-on-its-branch", ".", { feature: "002-on-its-branch" }],
    ["specs/002-on-its-branch", ".", { feature: "002-on-its-branch" }],
    ["specs/001-x/spec.md", ".", { feature: "001-x" }],
    ["../specs/001-x/tasks.md", "docs", { feature: "001-x" }],
    ["specs/001-x/notes.md", ".", { file: "specs/001-x/notes.md" }],
    ["docs/specs/001-x/spec.md", ".", { file: "docs/specs/001-x/spec.md" }],
    ["package.json", ".", { feature: "package.json" }],
    ["notes.md", ".", { file: "notes.md" }],
    ["a.md", "docs", { file: "docs/a.md" }],
  ])("%s in %s is %j", (given, cwd, target) => {
    const { path } = workspace();
    expect(operationTarget(given, path, `${path}/${cwd}`)).toEqual(target);
  });

  test("outside of the workspace stays a whole path", () => {
    const { path, around } = workspace().files({ "../other.md": "" });
    expect(operationTarget("../other.md", path, path)).toEqual({ file: `${around}/other.md` });
  });

  test.each([
    [
      "docs",
      "invalid_params",
      "docs is a folder, and no feature. Name a feature of specs/, or a file such as docs/spec.md.",
    ],
    ["docs/a.json", "invalid_params", "docs/a.json is not a Markdown file. Name one, or a feature of specs/."],
    ["gone.md", "document_not_found", "There is no file gone.md. Name a file that is there, or a feature."],
    ["docs/gone", "document_not_found", "There is no file docs/gone. Name a file that is there, or a feature."],
    ["..", "invalid_params", ".. is a folder, and no feature. Name a feature of specs/, or a file such as ../spec.md."],
  ])("%s is neither, and it is said why", (given, code, message) => {
    const { path } = workspace();
    expect(() => operationTarget(given, path, path)).toThrow(expect.objectContaining({ code, message }));
  });
});

test("a file elsewhere is worked on in its repository, or in its folder", () => {
  const { path, around } = workspace().files({
    "../repo/.git/HEAD": "",
    "../repo/a/b/spec.md": "",
    "../other/spec.md": "",
  });
  const named = ["docs/a.md", "001-x", "gone.md", "../repo/a/b/spec.md", "../other/spec.md"];
  expect(named.map((given) => operationWorkspace(given, path))).toEqual([
    ...[path, path, path],
    `${around}/repo`,
    `${around}/other`,
  ]);
});
