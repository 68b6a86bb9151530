import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { promptedRun, type Reply } from "../../testing/prompted-run.ts";
import { temporaryWorkspaces, type Workspace } from "../../testing/workspace.ts";
import { tools } from "../../tools/index.ts";
import { builtinEngine } from "./index.ts";

const newWorkspace = temporaryWorkspaces();
const run = (workspace: Workspace, prompt: string, answers?: Reply[]) =>
  promptedRun(builtinEngine(), tools, workspace, prompt, answers);
const answer = async (workspace: Workspace, prompt: string, answers?: Reply[]) =>
  (await run(workspace, prompt, answers)).result.text;
const yes = { ok: true };

describe("listing and finding", () => {
  test("many files are grouped by their folders, and no more are shown than can be read", async () => {
    const names = Array.from({ length: 60 }, (_, index) => `src/f${String(index).padStart(2, "0")}.ts`);
    const workspace = newWorkspace().files(Object.fromEntries(["a.ts", "b.js", ...names].map((name) => [name, ""])));
    const text = await answer(workspace, "list TypeScript files");
    expect(text).toMatch(
      /^TypeScript files: 61\.\n\n\*\*top level\*\* \(1\)\n- `a\.ts`\n\n\*\*src\*\* \(60\)\n- `src\/f00\.ts`/,
    );
    expect(text.split("\n- ").length - 1).toBe(50);
    expect(text).toMatch(/\n\n\.\.\. and 11 others$/);
  });

  test("kinds can be joined, and places named", async () => {
    const workspace = newWorkspace().files({ "src/a.ts": "", "src/b.css": "", "src/c.md": "", "d.css": "" });
    expect(await answer(workspace, "list TypeScript and CSS files in src")).toBe(
      "TypeScript files and stylesheets in src: 2.\n\n- `src/a.ts`\n- `src/b.css`",
    );
    expect(await answer(workspace, "how many markdown files are there?")).toBe("Markdown files: 1.\n\n- `src`: 1");
    expect(await answer(workspace, "list python files")).toBe("There are no Python files.");
  });

  test("tests and configuration are known by their names", async () => {
    const names = ["a.test.ts", "b_test.go", "test_c.py", "tested.ts", "vite.config.ts", ".babelrc", "x/tsconfig.json"];
    const workspace = newWorkspace().files(Object.fromEntries(names.map((name) => [name, ""])));
    expect(await answer(workspace, "list the tests")).toBe(
      "Test files: 3.\n\n- `a.test.ts`\n- `b_test.go`\n- `test_c.py`",
    );
    expect(await answer(workspace, "where are the config files?")).toBe(
      "Configuration files: 3.\n\n- `.babelrc`\n- `vite.config.ts`\n- `x/tsconfig.json`",
    );
  });

  test("folders, trees and sizes", async () => {
    const workspace = newWorkspace().files({ "src/deep/a.ts": "12345", "b.txt": "1" });
    expect(await answer(workspace, "ls")).toBe(
      "In the workspace there are 1 folder and 1 file.\n\n- `b.txt`\n- `src/`",
    );
    expect(await answer(workspace, "tree")).toContain("- `src/deep/a.ts`");
    expect(await answer(workspace, "show the largest files")).toBe(
      "The largest file is src/deep/a.ts (5 bytes).\n\n- `src/deep/a.ts` 5 bytes\n- `b.txt` 1 byte",
    );
  });

  test("a file is found by its name, also one with signs that patterns have", async () => {
    const workspace = newWorkspace().files({ "app/[id].tsx": "", "app/i.tsx": "" });
    expect(await answer(workspace, "where is i.tsx")).toBe("`app/i.tsx`");
    expect(await answer(workspace, "find the file `[id].tsx`")).toBe("`app/[id].tsx`");
    expect(await answer(workspace.files({ "README.md": "" }), "is there a readme?")).toBe("`README.md`");
    expect(await answer(workspace, "find nothing.ts")).toMatch(
      /^There is no file nothing\.ts here\. .*`search for nothing\.ts`/,
    );
  });
});

describe("searching", () => {
  const files = {
    "src/a.ts": "export function parse() {}\n",
    "src/b.ts": 'import { parse } from "./a.ts";\nparse(); // parsed\n',
    "go/c.go": "func (s *Server) parse() {}\n",
  };

  test("definitions are told apart from uses", async () => {
    expect(await answer(newWorkspace().files(files), "where is parse used?")).toBe(
      [
        "parse is in 4 places in 3 files, 2 definitions among them.",
        "**Defined**\n- `go/c.go:1` `func (s *Server) parse() {}`\n- `src/a.ts:1` `export function parse() {}`",
        '**Used**\n- `src/b.ts:1` `import { parse } from "./a.ts";`\n- `src/b.ts:2` `parse(); // parsed`',
      ].join("\n\n"),
    );
    expect(await answer(newWorkspace().files(files), "where is parse defined in src?")).toBe(
      "parse is defined in src/a.ts:1.\n\n- `src/a.ts:1` `export function parse() {}`",
    );
  });

  test("text, patterns and kinds of files", async () => {
    const workspace = newWorkspace().files({ ...files, "n.md": "TODO: parse\n" });
    expect(await answer(workspace, "search for PARSED")).toMatch(
      /^Found PARSED in 1 place in 1 file \(4 files searched\)/,
    );
    expect(await answer(workspace, "search for /^parse\\(/")).toMatch(/- `src\/b\.ts:2`/);
    expect(await answer(workspace, "search for parse in Markdown files")).toMatch(/- `n\.md:1` `TODO: parse`$/);
    expect(await answer(workspace, "search for nowhere")).toBe("nowhere was not found anywhere (4 files searched).");
    expect(await answer(workspace, "search for /(/")).toMatch(/^This failed: The query is no regular expression/);
  });
});

describe("reading", () => {
  test("a file whole, lines of it, and its end", async () => {
    const workspace = newWorkspace().files({ "a.ts": "one\ntwo\nthree\n", "empty.md": "" });
    expect(await answer(workspace, "show a.ts")).toBe("`a.ts`, 3 lines:\n\n```ts\none\ntwo\nthree\n```");
    expect(await answer(workspace, "show a.ts lines 2-3")).toBe("`a.ts`, lines 2-3 of 3:\n\n```ts\ntwo\nthree\n```");
    expect(await answer(workspace, "show the last 1 lines of a.ts")).toMatch(/lines 3-3 of 3:\n\n```ts\nthree\n```$/);
    expect(await answer(workspace, "show empty.md")).toBe("`empty.md` is empty.");
    expect(await answer(workspace, "how many lines are in a.ts?")).toBe("`a.ts` has 3 lines.");
  });

  test("a name without its folder is looked for", async () => {
    const workspace = newWorkspace().files({ "src/a.ts": "one\n", "x/b.ts": "", "y/b.ts": "" });
    expect(await answer(workspace, "show a.ts")).toMatch(/^`src\/a\.ts`, 1 line:/);
    expect(await answer(workspace, "show b.ts")).toBe(
      "There are several files of that name. Which one?\n\n- `x/b.ts`\n- `y/b.ts`",
    );
    expect(await answer(workspace, "show c.ts")).toMatch(/^This failed: There is no c\.ts\./);
  });

  test("what is long is cut, and the words for more are given", async () => {
    const workspace = newWorkspace().files({ "a.txt": "line\n".repeat(900) });
    const text = await answer(workspace, "show a.txt");
    expect(text).toMatch(/^`a\.txt`, lines 1-400 of 900:/);
    expect(text).toMatch(/For more: `show a\.txt lines 401-800`$/);
  });

  test("what is outside of the workspace is asked about", async () => {
    const told = await run(newWorkspace(), "show /etc/hostname", [{ ok: false, reason: "no" }]);
    expect(told.of("ask.opened")).toHaveLength(1);
    expect(told.result.text).toBe("**Not done:** Read /etc/hostname. The reason: no");
  });
});

describe("writing", () => {
  test("says what was written where, and whether it is new", async () => {
    const workspace = newWorkspace().files({ "b.txt": "old" });
    expect(await answer(workspace, "write a file a.txt with the text hello", [yes])).toBe("Created `a.txt` (6 bytes).");
    expect(await answer(workspace, "write b.txt with:\n```\nx\n\ny\n```", [yes])).toBe("Overwrote `b.txt` (5 bytes).");
    expect([workspace.text("a.txt"), workspace.text("b.txt")]).toEqual(["hello\n", "x\n\ny\n"]);
  });

  test("an append keeps what is there, whatever its lines, and makes the file if there is none", async () => {
    const workspace = newWorkspace().files({ "same.txt": "a\r\na\r\na\r\n", "open.txt": "x" });
    expect(await answer(workspace, "append b to same.txt", [yes])).toBe("Appended 1 line to `same.txt`.");
    await answer(workspace, "append y to open.txt", [yes]);
    expect(await answer(workspace, "append z to new.txt", [yes])).toBe("Created `new.txt` (2 bytes).");
    expect(["same.txt", "open.txt", "new.txt"].map((name) => workspace.text(name))).toEqual([
      "a\r\na\r\na\r\nb\r\n",
      "x\ny\n",
      "z\n",
    ]);
  });

  test("a new file does not empty one that is there", async () => {
    const workspace = newWorkspace().files({ "a.txt": "x" });
    expect(await answer(workspace, "create a.txt", [yes])).toBe(
      "This failed: `a.txt` is there already and was left as it is.",
    );
    expect(await answer(workspace, "create b.txt", [yes])).toBe("Created `b.txt` (0 bytes).");
    expect([workspace.text("a.txt"), workspace.text("b.txt")]).toEqual(["x", ""]);
  });

  test("an edit of what is there several times says the words for all of them", async () => {
    const workspace = newWorkspace().files({ "a.ts": "foo foo\n" });
    expect(await answer(workspace, "replace foo with bar in a.ts", [yes])).toBe(
      'This failed: It is there 2 times. Say more of what is around it, or: `replace all "foo" with "bar" in a.ts`.',
    );
    expect(await answer(workspace, 'replace all "foo" with "bar" in a.ts', [yes])).toBe("Replaced 2 places in `a.ts`.");
    expect(workspace.text("a.ts")).toBe("bar bar\n");
  });

  test("files with odd names are deleted and copied, and nothing else", async () => {
    const workspace = newWorkspace().files({ "a; touch canary": "x", "-rf": "y" });
    expect(await answer(workspace, "delete `a; touch canary`", [yes])).toBe("Deleted a; touch canary.");
    expect(await answer(workspace, "copy `-rf` to `it's.txt`", [yes])).toBe("Copied -rf to it's.txt.");
    expect(
      ["a; touch canary", "canary", "-rf", "it's.txt"].map((name) => existsSync(join(workspace.path, name))),
    ).toEqual([false, false, true, true]);
  });
});

describe("a name without its folder", () => {
  const files = { "src/api/server.ts": "const port = 8080;\n", "a/twice.ts": "x\n", "b/twice.ts": "x\n" };

  test("is the one file that has it, also for an edit", async () => {
    const workspace = newWorkspace().files(files);
    expect(await answer(workspace, "change 8080 to 9090 in server.ts", [yes])).toBe(
      "Replaced 1 place in `src/api/server.ts`.",
    );
    expect(workspace.text("src/api/server.ts")).toBe("const port = 9090;\n");
  });

  test("is asked for where several have it, and nothing is edited", async () => {
    const workspace = newWorkspace().files(files);
    expect(await answer(workspace, "change x to y in twice.ts", [])).toBe(
      "This failed: There are several files of that name. Which one?\n\n- `a/twice.ts`\n- `b/twice.ts`",
    );
  });

  test("that nothing has is said in words for a person", async () => {
    const workspace = newWorkspace();
    expect(await answer(workspace, "change x to y in src/none.ts", [])).toBe(
      "This failed: There is no src/none.ts here. `find none.ts` looks everywhere.",
    );
    expect(await answer(workspace, "show src/none.ts")).toBe(
      "This failed: There is no src/none.ts. `list files` shows what there is.",
    );
  });
});
