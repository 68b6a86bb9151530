import { symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { search } from "./search.ts";

const workspace = temporaryWorkspaces();

describe("search", () => {
  test("finds a text in the files of the workspace, a line at a time", async () => {
    const at = workspace().files({
      "a.ts": "const x = 1;\r\nimport { AgentEvent } from './e';\r\n",
      "b/c.md": "agentevent, AgentEvent\n",
      "image.bin": "AgentEvent\0",
      ".git/x": "AgentEvent",
      ".gitignore": "ignored\n",
      ignored: "AgentEvent",
    });
    expect(await at.run(search, { query: "AgentEvent" })).toEqual({
      result: {
        matches: [
          { path: "a.ts", line: 2, column: 10, text: "import { AgentEvent } from './e';" },
          { path: "b/c.md", line: 1, column: 1, text: "agentevent, AgentEvent" },
        ],
        filesSearched: 3,
        truncated: false,
      },
    });
    expect(await at.run(search, { query: "AgentEvent", caseSensitive: true, path: "b" })).toMatchObject({
      result: { matches: [{ path: "b/c.md", line: 1, column: 13 }], filesSearched: 1 },
    });
  });

  const columns = async (text: string, args: Record<string, unknown>) => {
    const { result } = await workspace().files({ "a.txt": text }).run(search, args);
    return (result as { matches: { column: number }[] }).matches.map(({ column }) => column);
  };

  test("takes a text literally, and a regular expression as one", async () => {
    expect(await columns("axb a.b", { query: "a.b" })).toEqual([5]);
    expect(await columns("axb a.b", { query: "a.b", regex: true })).toEqual([1]);
    expect(await columns("$1 (x) [y] {z} /w/ ^", { query: "(x) [y] {z} /w/ ^" })).toEqual([4]);
    expect(await columns("naïve", { query: "\\p{L}ve$", regex: true })).toEqual([3]);
    expect(await columns("a-b", { query: "a\\-b", regex: true })).toEqual([1]); // no escape in Unicode mode
  });

  test("finds whole words only when it is asked to", async () => {
    expect(await columns("cats cat", { query: "cat", wholeWord: true })).toEqual([6]);
    expect(await columns("über", { query: "ber", wholeWord: true })).toEqual([]);
    expect(await columns("xfoo bar", { query: "foo|bar", regex: true, wholeWord: true })).toEqual([6]);
    expect(await columns("a $x b", { query: "$x", wholeWord: true })).toEqual([3]);
  });

  test("matches the ends of lines, and counts no line behind the last line end", async () => {
    const at = workspace().files({ "a.txt": "x\r\n\r\ny\n" });
    expect(await at.run(search, { query: "^$", regex: true })).toMatchObject({ result: { matches: [{ line: 2 }] } });
    expect(await at.run(search, { query: "x$", regex: true })).toMatchObject({ result: { matches: [{ line: 1 }] } });
  });

  test("counts lines on in a file that is searched in pieces", async () => {
    const lines = Array.from({ length: 100_000 }, (_, i) => `line ${i + 1}`);
    const at = workspace().files({ "a.txt": lines.join("\n") });
    expect(await at.run(search, { query: "line 99999" })).toEqual({
      result: {
        matches: [{ path: "a.txt", line: 99_999, column: 1, text: "line 99999" }],
        filesSearched: 1,
        truncated: false,
      },
    });
  });

  test("searches only files like the glob, by name or by path", async () => {
    const at = workspace().files({ "a.ts": "x", "src/b.ts": "x", "src/c.js": "x" });
    const paths = async (glob: string, path = ".") => {
      const { result } = await at.run(search, { query: "x", glob, path });
      return (result as { matches: { path: string }[] }).matches.map(({ path }) => path);
    };
    expect(await paths("*.ts")).toEqual(["a.ts", "src/b.ts"]);
    expect(await paths("src/*")).toEqual(["src/b.ts", "src/c.js"]);
    expect(await paths("*.js", "src")).toEqual(["src/c.js"]);
  });

  test("searches a single file", async () => {
    const at = workspace().files({ "a.txt": "x", "b.txt": "x" });
    expect(await at.run(search, { query: "x", path: "b.txt" })).toEqual({
      result: { matches: [{ path: "b.txt", line: 1, column: 1, text: "x" }], filesSearched: 1, truncated: false },
    });
  });

  test("gives no more than the limit, and says that there is more", async () => {
    const at = workspace().files({ "a.txt": "x\nx\n", "b.txt": "x\n" });
    expect(await at.run(search, { query: "x", limit: 2 })).toMatchObject({
      result: { matches: [{ line: 1 }, { line: 2 }], truncated: true },
    });
    expect(await at.run(search, { query: "x", limit: 3 })).toMatchObject({ result: { truncated: false } });
  });

  test("shows of a long line what is around the match", async () => {
    const at = workspace().files({ "min.js": `${"a".repeat(10_000)}needle${"b".repeat(10_000)}` });
    expect(await at.run(search, { query: "needle" })).toMatchObject({
      result: {
        matches: [{ column: 10_001, text: `...${"a".repeat(200)}needle${"b".repeat(294)}...` }],
      },
    });
  });

  test("leaves out a file that is too large, and says so", async () => {
    const at = workspace().files({ "big.txt": "x".repeat(9 * 1024 * 1024), "a.txt": "x" });
    expect(await at.run(search, { query: "x" })).toMatchObject({
      result: { matches: [{ path: "a.txt" }], filesSearched: 1, truncated: true },
    });
  });

  test("does not follow links out of the workspace", async () => {
    const at = workspace();
    writeFileSync(join(at.around, "secret"), "x");
    symlinkSync("../secret", join(at.path, "a.txt"));
    symlinkSync("..", join(at.path, "up"));
    expect(await at.run(search, { query: "x" })).toEqual({
      result: { matches: [], filesSearched: 0, truncated: false },
    });
  });

  test("is not kept busy by an expression that backtracks for ever", async () => {
    const at = workspace().files({ "a.txt": `${"a".repeat(60)}!` });
    const started = performance.now();
    await expect(at.run(search, { query: "^(a+)+$", regex: true })).rejects.toMatchObject({
      code: "tool_timeout",
      message:
        "The pattern ^(a+)+$ takes too long on some text: it has to try too many ways to match. Use a simpler one.",
    });
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  test("refuses what is no expression before anyone is asked", async () => {
    const at = workspace();
    await expect(at.intent(search, { query: "a)|(b", regex: true, wholeWord: true })).rejects.toMatchObject({
      code: "invalid_tool_args",
      message: expect.stringMatching(/^The query is no regular expression: .*Unmatched '\)'/),
    });
  });

  test("stops when it is cancelled", async () => {
    const at = workspace().files({ "a.txt": "x" });
    const run = at.run(search, { query: "x", path: "a.txt" }, AbortSignal.abort());
    await expect(run).rejects.toMatchObject({ code: "cancelled" });
  });

  test("says what it looks for and where", async () => {
    const at = workspace().files({ "src/a": "" });
    expect(await at.intent(search, { query: "TODO" })).toMatchObject({ title: "Search for TODO" });
    expect(await at.intent(search, { query: "TODO", path: "src" })).toMatchObject({ title: "Search for TODO in src" });
    expect((await at.intent(search, { query: "x".repeat(9000) })).title).toBe(`Search for ${"x".repeat(80)}...`);
  });
});
