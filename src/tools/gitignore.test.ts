import { spawnSync } from "node:child_process";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { temporaryWorkspaces } from "../testing/workspace.ts";
import { ignores, parseGitignore } from "./gitignore.ts";

const workspace = temporaryWorkspaces();

const says = (rules: string, path: string) =>
  ignores(parseGitignore(rules), path.replace(/\/$/, "").split("/"), path.endsWith("/"));

describe("an ignore file", () => {
  test.each<[string, string[], string[]]>([
    ["node_modules", ["node_modules/", "a/node_modules", "a/b/node_modules/"], ["node_modules2", "a/my_node_modules"]],
    ["build/", ["build/", "a/build/"], ["build", "a/build"]],
    ["/dist", ["dist", "dist/"], ["a/dist"]],
    ["docs/*.md", ["docs/a.md"], ["a.md", "docs/b/a.md", "x/docs/a.md"]],
    ["*.log", ["a.log", "b/.log"], ["a.logs"]],
    ["**/foo", ["foo", "a/foo", "a/b/foo"], ["foo2"]],
    ["a/**", ["a/b", "a/b/c"], ["a", "a/", "b/a/c"]],
    ["a/**/b", ["a/b", "a/x/b", "a/x/y/b"], ["a", "b", "ab"]],
    ["a**b", ["ab", "axxb"], ["a/b"]],
    ["file?.txt", ["file1.txt", "fileä.txt"], ["file.txt", "file12.txt"]],
    ["[a-c][!x]", ["aa", "cz"], ["ax", "da", "a"]],
    ["[]x]", ["]", "x"], ["[", "a"]],
    ["[[:digit:]_]*", ["1a", "_"], ["a1"]],
    ["[a", [], ["[a", "a"]],
    ["a\\*b", ["a*b"], ["axb"]],
    ["\\#x", ["#x"], ["x"]],
    ["# x", [], ["# x", "x"]],
    ["\\!x", ["!x"], ["x"]],
    ["with space  ", ["with space"], ["with space  "]],
    ["kept\\ ", ["kept "], ["kept"]],
    ["one\r\ntwo\r\n", ["one", "two"], ["one\r"]],
    ["\uFEFFfirst", ["first"], []],
    ["", [], ["a"]],
    ["/", [], ["a", "a/"]],
    ["Case", ["Case"], ["case"]],
  ])("%j ignores and does not ignore what git does", (rules, ignored, kept) => {
    expect(ignored.filter((path) => says(rules, path) !== true)).toEqual([]);
    expect(kept.filter((path) => says(rules, path) === true)).toEqual([]);
  });

  test("lets the last rule count", () => {
    expect(says("*.log\n!keep.log\n", "keep.log")).toBe(false);
    expect(says("!keep.log\n*.log\n", "keep.log")).toBe(true);
    expect(says("*.log\n!keep.log\n", "a.txt")).toBeUndefined();
  });

  test("takes no time for a pattern and a name that are made to", () => {
    const rules = `${"*a".repeat(100)}b\n${"**/a/".repeat(50)}b\n`;
    const started = performance.now();
    expect(says(rules, "a".repeat(255))).toBeUndefined();
    expect(says(rules, Array(500).fill("a").join("/"))).toBeUndefined();
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("is read as git reads it", () => {
    const at = workspace();
    expect(spawnSync("git", ["init", "-q"], { cwd: at.path }).status).toBe(0);
    const piece = fc.constantFrom(
      "a",
      "b",
      "*",
      "**",
      "?",
      "[ab]",
      "[!a]",
      "/",
      "/",
      "!",
      "\\a",
      " ",
      "-",
      "[a-b]",
      "[b-]",
    );
    // Two stars that do not stand alone mean one, but git is not of one mind about it: it compares what is before them first.
    const rule = fc
      .array(piece, { minLength: 1, maxLength: 6 })
      .map((pieces) => pieces.join(""))
      .filter((text) => !/[^/*]\*{2}|\*{2}[^/*]/.test(text));
    const path = fc.array(fc.constantFrom("a", "b", "ab", "ba", "aab", "a-"), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(fc.array(rule, { minLength: 1, maxLength: 3 }), fc.array(path, { minLength: 20 }), (rules, paths) => {
        at.files({ ".gitignore": `${rules.join("\n")}\n` });
        const names = [...new Set(paths.map((names) => names.join("/")))];
        const git = spawnSync("git", ["check-ignore", "--no-index", "--stdin"], {
          cwd: at.path,
          input: `${names.join("\n")}\n`,
          encoding: "utf8",
        });
        const ours = names.filter((name) => isIgnoredHere(rules.join("\n"), name));
        expect(ours).toEqual(git.stdout.split("\n").filter((line) => line !== ""));
      }),
      { numRuns: 150 },
    );
  });
});

/** As a walk does it: what is in an ignored folder is not even looked at. */
function isIgnoredHere(rules: string, path: string): boolean {
  const names = path.split("/");
  return names.some(
    (_, i) => says(rules, names.slice(0, i + 1).join("/") + (i + 1 < names.length ? "/" : "")) === true,
  );
}
