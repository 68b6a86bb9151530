import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { temporaryWorkspaces, type Workspace } from "../testing/workspace.ts";
import { Walk, type WalkLimits } from "./walk.ts";
import { targetOf } from "./workspace-path.ts";

const workspace = temporaryWorkspaces();
const signal = new AbortController().signal;

async function walked(at: Workspace, path = ".", limits: WalkLimits = {}) {
  const walk = new Walk(await targetOf(path, at.context, { writes: false }), at.path, signal, limits);
  const paths: string[] = [];
  for await (const entry of walk.entries()) paths.push(entry.type === "directory" ? `${entry.path}/` : entry.path);
  return { paths, incomplete: walk.incomplete };
}

describe("a walk", () => {
  test("gives a folder's names in their order, each folder before what is in it", async () => {
    const at = workspace().files({ "b/2": "", "b/1": "", a: "", "b/c/x": "", ".hidden": "" });
    expect(await walked(at)).toEqual({
      paths: [".hidden", "a", "b/", "b/1", "b/2", "b/c/", "b/c/x"],
      incomplete: false,
    });
    expect((await walked(at, "b")).paths).toEqual(["b/1", "b/2", "b/c/", "b/c/x"]);
    expect((await walked(at, ".", { depth: 2 })).paths).toEqual([".hidden", "a", "b/", "b/1", "b/2", "b/c/"]);
  });

  test("leaves out what git does, with nested ignore files, negation, and what git was told beside them", async () => {
    const at = workspace().files({
      ".gitignore": "*.log\nbuild/\n!keep.log\n/only-here\n",
      ".git/info/exclude": "private\n",
      "a.log": "",
      "keep.log": "",
      private: "",
      "only-here": "",
      "build/out.js": "",
      "src/.gitignore": "!b.log\ngenerated/*\n!generated/keep.ts\n",
      "src/b.log": "",
      "src/only-here": "",
      "src/generated/x.ts": "",
      "src/generated/keep.ts": "",
      "build/.gitignore": "!out.js\n",
    });
    expect((await walked(at)).paths).toEqual([
      ".gitignore",
      "keep.log",
      "src/",
      "src/.gitignore",
      "src/b.log",
      "src/generated/",
      "src/generated/keep.ts",
      "src/only-here",
    ]);
  });

  test("gives the files that git would add", async () => {
    const at = workspace().files({
      ".gitignore": "dist\n*.tmp\n!/docs/*.tmp\n**/cache/**\n!**/cache/keep\n",
      "dist/a": "",
      "x/dist/a": "",
      "a.tmp": "",
      "docs/a.tmp": "",
      "docs/b/a.tmp": "",
      "cache/a": "",
      "cache/keep": "",
      "x/cache/keep": "",
      "x/cache/y/keep": "",
      "name with space.txt": "",
      "ümlaut/.gitignore": "*\n!.gitignore\n",
      "ümlaut/x": "",
    });
    const git = (...args: string[]) => spawnSync("git", args, { cwd: at.path, encoding: "utf8" }).stdout;
    git("init", "-q");
    const added = git("ls-files", "-z", "--others", "--exclude-standard").split("\0").filter(Boolean);
    expect((await walked(at)).paths.filter((path) => !path.endsWith("/")).sort()).toEqual(added.sort());
  });

  test("knows the ignore files of the folders above, up to the repository", async () => {
    const at = workspace().files({ "a.log": "", "b.tmp": "", "sub/c.log": "" });
    writeFileSync(join(at.around, ".gitignore"), "*.log\n");
    expect((await walked(at)).paths).toEqual(["a.log", "b.tmp", "sub/", "sub/c.log"]);
    mkdirSync(join(at.around, ".git"));
    expect((await walked(at)).paths).toEqual(["b.tmp", "sub/"]);
    expect((await walked(at, "sub")).paths).toEqual([]);
    mkdirSync(join(at.path, "sub/.git"));
    expect((await walked(at)).paths).toEqual(["b.tmp", "sub/", "sub/c.log"]);
  });

  test("goes into an ignored folder that was asked for", async () => {
    const at = workspace().files({ ".gitignore": "vendor/\n", "vendor/lib/x.js": "" });
    expect((await walked(at)).paths).toEqual([".gitignore"]);
    expect((await walked(at, "vendor/lib")).paths).toEqual(["vendor/lib/x.js"]);
  });

  test("never shows .git, and names links without following them", async () => {
    const at = workspace().files({ ".git/config": "", "sub/.git": "gitdir: ..", "sub/a": "" });
    symlinkSync("..", join(at.path, "up"));
    symlinkSync("sub", join(at.path, "same"));
    expect((await walked(at)).paths).toEqual(["same", "sub/", "sub/a", "up"]);
  });

  test("leaves Dragoman's own data out, where the workspace is around it", async () => {
    const at = workspace().files({ "share/dragoman/token": "secret", "share/other": "" });
    vi.stubEnv("DRAGOMAN_HOME", join(at.path, "share", "dragoman"));
    expect((await walked(at)).paths).toEqual(["share/", "share/other"]);
    expect((await walked(at, "share")).paths).toEqual(["share/other"]);
    expect((await walked(at, "share/dragoman")).paths).toHaveLength(1); // which is outside, and so was asked about
    vi.unstubAllEnvs();
  });

  test("does not take ignore rules from a link, or from something that would never end", async () => {
    const at = workspace().files({ "a.txt": "", "rules.txt": "*.txt\n" });
    symlinkSync("rules.txt", join(at.path, ".gitignore"));
    expect((await walked(at)).paths).toEqual([".gitignore", "a.txt", "rules.txt"]);
    rmSync(join(at.path, ".gitignore"));
    spawnSync("mkfifo", [join(at.path, ".gitignore")]);
    expect((await walked(at)).paths).toEqual([".gitignore", "a.txt", "rules.txt"]);
  });

  test("ends at its limits and says so", async () => {
    const at = workspace();
    at.files(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`${i % 5}/file-${i}`, ""])));
    const some = await walked(at, ".", { entries: 20 });
    expect(some.incomplete).toBe(true);
    expect(some.paths.length).toBe(20);
    expect(await walked(at, ".", { milliseconds: 0 })).toEqual({ paths: [], incomplete: true });
  });

  test("lets others have their turn, and stops when it is cancelled", async () => {
    // Rules that take their time, though each is done with soon enough.
    const at = workspace().files({ ".gitignore": `${"*a".repeat(50)}b\n`.repeat(100) });
    at.files(Object.fromEntries(Array.from({ length: 100 }, (_, i) => ["a".repeat(i + 100), ""])));
    const controller = new AbortController();
    const walk = new Walk(await targetOf(".", at.context, { writes: false }), at.path, controller.signal);
    const all = async () => {
      for await (const _ of walk.entries()) setImmediate(() => controller.abort());
    };
    await expect(all()).rejects.toMatchObject({ code: "cancelled" });
  });
});
