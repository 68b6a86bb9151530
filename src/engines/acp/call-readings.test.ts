import { homedir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { readingsOf, type ToldCall } from "./call-readings.ts";

const call = (told: Partial<ToldCall>): ToldCall => ({
  name: undefined,
  title: "",
  kind: "other",
  rawInput: {},
  content: [],
  locations: [],
  ...told,
});
const doing = (told: Partial<ToldCall>) => readingsOf(call(told), { source: "agent", workspace: "/w" });
const text = (text: string) => ({ type: "content", content: { type: "text", text } });
const diffOf = (path: string) => ({ type: "diff", path, oldText: "x\n", newText: "y\n" });
const diff = "--- a/a\n+++ b/a\n@@ -1,1 +1,1 @@\n-x\n+y\n";

describe("a command", () => {
  test.each([
    [{ command: "ls -l" }, { command: "ls -l" }],
    [
      { command: "ls", cwd: "/w/a" },
      { command: "ls", cwd: "/w/a" },
    ],
    [{ command: ["git", "commit", "-m", "it's done"] }, { command: "git commit -m 'it'\\''s done'" }],
    [{ command: "/bin/bash -lc 'echo hi > a'" }, { command: "echo hi > a" }],
    [{ command: ["bash", "-lc", "echo 'a' && ls"] }, { command: "echo 'a' && ls" }],
    [{ command: `sh -c "ls a"` }, { command: "ls a" }],
    [{ command: `sh -c "ls $a"` }, { command: `sh -c "ls $a"` }],
    [{ command: "bash -lc 'a' && rm b" }, { command: "bash -lc 'a' && rm b" }],
    [{ command: "bash -x -c 'a'" }, { command: "bash -x -c 'a'" }],
    [{ cmd: "make" }, { command: "make" }],
    [{ command: "view" }, { command: "view" }],
  ])("is what %j says", (rawInput, command) => {
    expect(doing({ kind: "execute", rawInput })).toEqual([{ does: "run", ...command }]);
  });

  test("is one whatever the call is said to be, and judged from the folder that it is run in", () => {
    const rawInput = { command: "cat a", workdir: "/etc" };
    const run = { does: "run", command: "cat a", cwd: "/etc" };
    expect(doing({ kind: "read", rawInput, locations: [{ path: "a" }] })).toEqual([run]);
    expect(doing({ kind: "search", rawInput })).toEqual([run]);
    expect(doing({ kind: "edit", rawInput, locations: [{ path: "a" }] })).toMatchObject([run, { does: "write" }]);
    for (const kind of ["think", "other", "switch_mode", "new"]) {
      expect(doing({ kind, name: "exec", rawInput })).toMatchObject([run, { does: "other", tool: "agent:exec" }]);
    }
  });

  test("that is given twice is both, and in two folders from each", () => {
    expect(doing({ kind: "execute", rawInput: { command: "ls", cmd: "rm a" } })).toEqual([
      { does: "run", command: "ls" },
      { does: "run", command: "rm a" },
    ]);
    expect(doing({ kind: "execute", rawInput: { command: "ls", cwd: "/w", directory: "/etc" } })).toEqual([
      { does: "run", command: "ls", cwd: "/w" },
      { does: "run", command: "ls", cwd: "/etc" },
    ]);
  });

  test("is in a title only where that is certain, as Gemini's is", () => {
    const gemini = { kind: "execute", title: "rm a", content: [text("[current working directory /w]")] };
    expect(doing(gemini)).toEqual([{ does: "run", command: "rm a", cwd: "/w" }]);
    expect(doing({ ...gemini, content: [] })).toEqual([{ does: "other", tool: "agent:execute", detail: "rm a" }]);
    expect(doing({ ...gemini, rawInput: { task: "rm" } })).toMatchObject([{ does: "other" }]);
  });

  test("of an editor is none of the shell", () => {
    const rawInput = { command: "create", path: "/w/a", file_text: "/bin/x" };
    expect(doing({ kind: "edit", rawInput })).toEqual([{ does: "write", paths: ["/w/a"], diff: undefined }]);
  });
});

describe("files that are changed", () => {
  test("are those that the call shows, lies in and names", () => {
    const told = {
      rawInput: { file_path: "/w/c", edits: [{ newPath: "/etc/d", text: "/no/path" }], files: ["e", { path: "f" }] },
      locations: [{ path: "/w/b" }, { path: "/w/a", line: 3 }, "odd"],
      content: [diffOf("/w/a")],
    };
    expect(doing({ kind: "edit", ...told })).toEqual([
      { does: "write", paths: ["/w/a", "/w/b", "/w/c", "/etc/d", "e", "f"], diff },
    ]);
    expect(doing({ kind: "move", rawInput: { from: "a", destination: "/etc/b" } })).toMatchObject([
      { does: "write", paths: ["a", "/etc/b"] },
    ]);
    expect(doing({ kind: "delete", locations: told.locations })).toMatchObject([
      { does: "write", paths: ["/w/b", "/w/a"] },
    ]);
    expect(doing({ kind: "edit" })).toEqual([{ does: "write", paths: [], diff: undefined }]);
  });

  test("are the same by whichever path", () => {
    const rawInput = { path: "a", fileName: "/w/a", filepath: "./a" };
    expect(doing({ kind: "edit", rawInput })).toMatchObject([{ paths: ["a"] }]);
  });

  test("are not what a file has in it", () => {
    const rawInput = { path: "a", file: "/* a comment */\nlet a", new_source: "/x", content: "/y", file_text: "/z" };
    expect(doing({ kind: "edit", rawInput })).toMatchObject([{ paths: ["a"] }]);
  });

  test("are changed whatever the call is said to do", () => {
    const shown = { content: [diffOf("/w/a")], locations: [{ path: "/w/b" }] };
    const write = { does: "write", paths: ["/w/a", "/w/b"], diff };
    expect(doing({ kind: "read", ...shown })).toEqual([write]);
    expect(doing({ kind: "other", ...shown })).toMatchObject([write, { does: "other" }]);
    expect(doing({ kind: "execute", rawInput: { command: "ls" }, ...shown })).toMatchObject([{ does: "run" }, write]);
    expect(doing({ kind: "fetch", rawInput: { url: "http://a/", output_path: "/etc/a" } })).toMatchObject([
      { does: "write", paths: ["/etc/a"] },
      { does: "fetch" },
    ]);
  });

  test("may lie in the user's home, which no rule of the workspace means", () => {
    expect(doing({ kind: "edit", rawInput: { path: "~/.bashrc" } })).toMatchObject([
      { paths: [join(homedir(), ".bashrc")] },
    ]);
  });

  test("are shown as Copilot shows them where the call does not", () => {
    expect(doing({ kind: "edit", rawInput: { fileName: "/w/a", diff: "\ndiff --git a b" } })).toEqual([
      { does: "write", paths: ["/w/a"], diff: "diff --git a b" },
    ]);
  });
});

describe("a call only reads", () => {
  test.each([
    ["read", { path: "a", offset: 3, limit: 10 }, ["a"]],
    ["read", { filePath: "/etc/hostname" }, ["/etc/hostname"]],
    ["read", { file_path: "~/.ssh/id" }, [join(homedir(), ".ssh/id")]],
    ["search", { pattern: "TODO", path: "src", "-i": true, glob: "*.ts" }, ["src"]],
    ["read", {}, []],
  ])("where it is one to %s and says nothing but %j", (kind, rawInput, paths) => {
    expect(doing({ kind, rawInput })).toEqual([{ does: "read", paths }]);
  });

  test.each([
    { path: "a", content: "x" },
    { path: "a", output_path: "b" },
    { source: "a", destination: "b" },
    { path: "a", url: "http://a/" },
    { path: "a", options: { run: "rm a" } },
    { path: "$HOME/a" },
    { path: "src", pattern: "/etc/**" },
    { path: "src", glob: "../../*" },
    { input: "rm a" },
  ])("and not where there is more to it, as in %j", (rawInput) => {
    const [reading, ...more] = doing({ kind: "search", name: "Look", rawInput });
    expect([reading?.does, more]).toEqual(["other", []]);
  });
});

test("an address is fetched, and all of them are shown", () => {
  expect(doing({ kind: "fetch", rawInput: { url: "http://a/", uri: "http://b/" } })).toEqual([
    { does: "fetch", url: "http://a/ http://b/" },
  ]);
  expect(doing({ kind: "fetch", title: "Fetch https://b/c now" })).toEqual([{ does: "fetch", url: "https://b/c" }]);
  expect(doing({ kind: "fetch", title: "Look" })).toEqual([{ does: "other", tool: "agent:fetch", detail: "Look" }]);
});

test("anything else goes by its name, which no tool of ours has", () => {
  expect(doing({ name: "shell", title: "Deploy", rawInput: { to: "prod" } })).toEqual([
    { does: "other", tool: "agent:shell", detail: 'Deploy\n{\n  "to": "prod"\n}' },
  ]);
});
