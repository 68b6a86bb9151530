// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the placeholders are the shell's
import { describe, expect, test } from "vitest";
import { parseCommandLine, readCommandLine } from "./command-line.ts";

const wordsOf = (line: string) => parseCommandLine(line).segments.map(({ words }) => words);
const opaqueOf = (line: string) => parseCommandLine(line).segments.map(({ opaque }) => opaque);
const runsOf = (line: string) => parseCommandLine(line).segments[0]?.runs;

test("a line is its commands, each as it is written and as its words are meant", () => {
  expect(parseCommandLine(`git status --short && grep -n 'a b' "c d".txt | head`)).toEqual({
    text: `git status --short && grep -n 'a b' "c d".txt | head`,
    segments: [
      { text: "git status --short", words: ["git", "status", "--short"] },
      { text: `grep -n 'a b' "c d".txt`, words: ["grep", "-n", "a b", "c d.txt"] },
      { text: "head", words: ["head"] },
    ],
  });
});

test("commands are found in whatever holds them", () => {
  const holders = [
    "(id)",
    "{ id; }",
    "! id",
    "if id; then id; elif id; then id; else id; fi",
    "while id; do id; done",
    "f() { id; }",
    'echo "$(id)"',
    "echo `id`",
    "echo ${x:-$(id)}",
    "echo ${x/$(id)/$(id)}",
    "echo ${x[$(id)]}",
    "echo $((1 + $(id)))",
    "cat <(id) >(id)",
    "x=$(id)",
    "x=($(id) b)",
    "x[$(id)]=1",
    "cat <<E\n$(id)\nE",
    "cat <<< $(id)",
    "echo > $(id)",
    "case $(id) in $(id)) id;; esac",
    "for x in $(id); do id; done",
    "for ((i = $(id); i < 1; i++)); do id; done",
    "[[ $(id) == x ]]",
    "coproc id",
    "echo $(echo $(echo $(id)))",
    "echo `echo \\`id\\``",
  ];
  const without = holders.filter((line) => !wordsOf(line).some((words) => words.join(" ") === "id"));
  expect(without).toEqual([]);
  const vouchedFor = holders.slice(6).filter((line) => opaqueOf(line).every((opaque) => opaque === undefined));
  expect(vouchedFor).toEqual([]);
});

test("the name of a command is read through its quotes", () => {
  expect(["\\rm x", "r''m x", '"rm" x', "r\\\nm x", "$'rm' x"].map(wordsOf)).toEqual(new Array(5).fill([["rm", "x"]]));
});

describe("what a command does is not in its words", () => {
  test.each([
    ["echo $x", "it has a variable in it"],
    ["echo ${x@P}", "it has a variable in it"],
    ["echo $(id)", "it has the output of another command in it"],
    ["echo $((1))", "it has arithmetic in it"],
    ["echo $[1]", "it has arithmetic in it"],
    ["cat <(ls)", "it is given the output or input of another command"],
    ["echo ~", "it names a home folder"],
    ["echo a=~/b", "it names a home folder"],
    ["echo {a,b}", "it has a brace expansion in it"],
    ["echo {1..3}", "it has a brace expansion in it"],
    ["echo $'\\x41'", "it has an encoded text in it"],
    ["echo *", "it has a pattern in it that becomes the names of files"],
    ["cat *.json", "it has a pattern in it that can name Dragoman's or git's own files"],
    ["cat .*", "it has a pattern that can leave the folder"],
    ["cat ../*.ts", "it has a pattern that can leave the folder"],
    ["A=1 ls", "it sets a variable"],
    ["A=1", "it sets a variable"],
    ["export A=1", "it changes what later commands mean"],
    ["ls > x", "it writes to a file"],
    ["ls 2>> x", "it writes to a file"],
    ["ls &> x", "it writes to a file"],
    ["ls < x", "it reads from a file"],
    ["cat <<E\nx\nE", "it is given a text as its input"],
    ["cat <<< x", "it is given a text as its input"],
    ["ls {fd}> x", "it sets a variable"],
    ["ls &", "it runs in the background"],
    ["f() { ls; }", "it defines a function"],
    ["sudo ls", "it runs another command"],
    ["python3 -c 'x'", "one of its options can run a command or write a file"],
    ["python3 -W ignore -c x", "one of its options can run a command or write a file"],
    ["python3", "it runs code that is given to it"],
    ["node -", "it runs code that is given to it"],
    ["awk 1", "it runs code that is given to it"],
    ["vim x", "it is a program from which others can be started"],
    ["tar xf x", "it can write files that are not named"],
    ["make X=1", "it sets variables that can hold commands"],
    ["docker run x", "this use of it can run or change more than is seen"],
    ["git frobnicate", "this use of it can run or change more than is seen"],
    ["git push ext::sh main", "it can run a program to reach a remote"],
  ])("%j: %s", (line, opaque) => {
    expect(opaqueOf(line)[0]).toBe(opaque);
  });

  test.each([
    'echo \'a$b\' "c\\$d" e\\$f "100$"',
    "git show HEAD~1 stash@{0} HEAD^{tree}",
    "ls *.ts src/[a-z]*.md",
    "ls 2>&1 >/dev/null </dev/null",
    "git commit -m 'it (really) does; $x'",
    "unknown-command --with options",
    "./scripts/build.sh all",
    "python3 script.py -c x",
    "node --test",
    "npm run build -- -c x",
    "docker ps",
    "cp a b",
    "tee a",
    "find . -name '*.ts' -o -name x",
    "[ -f x ]",
    "[[ -f x && a == b ]]",
    "cd src",
    "make build",
    "curl https://example.com",
  ])("unless it is: %j", (line) => {
    expect(parseCommandLine(line)).toEqual({ text: line, segments: [{ text: line, words: expect.any(Array) }] });
  });
});

test("what a command runs in turn is said as far as it is seen", () => {
  expect(runsOf("sudo -u root rm x")).toEqual([["rm", "x"]]);
  expect(runsOf("env -u B A=1 rm x")).toEqual([["rm", "x"]]);
  expect(runsOf("xargs -I {} rm {}")).toEqual([["rm", "{}"]]);
  expect(runsOf("find . -exec rm {} ; -exec ls {} +")).toEqual([["rm", "{}"]]);
  expect(runsOf("find . -exec rm {} \\; -exec ls {} +")).toEqual([
    ["rm", "{}"],
    ["ls", "{}"],
  ]);
  expect(runsOf("sh -c 'rm x; sudo ls'")).toEqual([["rm", "x"], ["sudo", "ls"], ["ls"]]);
  expect(runsOf("bash script.sh a")).toEqual([["script.sh", "a"]]);
  expect(runsOf(`bash -c "bash -c 'bash -c id'"`)).toEqual([
    ["bash", "-c", "bash -c id"],
    ["bash", "-c", "id"],
    ["id"],
  ]);
  expect(runsOf("timeout -k 1 5 rm x")).toEqual([["rm", "x"]]);
  expect(runsOf("npx -c 'rm x'")?.[0]).toEqual(["rm", "x"]);
  expect(runsOf("npm exec -- eslint .")).toEqual([["eslint", "."]]);
  expect(runsOf("pnpm dlx create-x y")).toEqual([["create-x", "y"]]);
  expect(runsOf("git rebase -x 'rm x' main")).toEqual([["rm", "x"]]);
  expect(runsOf("git bisect run npm test")).toEqual([["npm", "test"]]);
  expect(runsOf("npm run x -- -c x")).toBeUndefined();
  expect(runsOf("ls")).toBeUndefined();
});

test("what cannot be read for certain is a problem", () => {
  const problems = ["echo 'a", "echo $(", "if true; then", "ls )", "ls ?(x)", "a\rb", "a\u200bb"].map(
    (line) => parseCommandLine(line).problem,
  );
  expect(problems.every((problem) => typeof problem === "string" && problem.length > 0)).toBe(true);
  expect(parseCommandLine("echo a\u202eb")).toEqual({
    text: "echo a\u202eb",
    segments: [],
    problem: "it has a character in it that cannot be seen (U+202E)",
  });
  expect(parseCommandLine("a;".repeat(51)).problem).toBe("it has more than 50 commands");
  expect(parseCommandLine("a".repeat(16_385)).problem).toBe("it is too long to be looked at");
  expect(parseCommandLine("echo 'grüße 👍️ 日本'").problem).toBeUndefined();
});

test("a great many runs of runs are cut short", () => {
  expect(runsOf(`find . ${"-exec find . ".repeat(1000)}`)?.length).toBe(50);
});

test("the files of redirects and the values of variables are kept aside", () => {
  const files = (line: string) => readCommandLine(line).segments.flatMap((segment) => segment.files);
  expect(files("A=b ls < c > d 2>/dev/null 3>&1; sh -c 'ls > e'")).toEqual([
    { path: "b", writes: true },
    { path: "c", writes: false },
    { path: "d", writes: true },
    { path: "e", writes: true },
  ]);
});
