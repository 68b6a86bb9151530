import fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Scene } from "./action.ts";
import { families } from "./families.ts";
import { CONNECT } from "./talk.ts";
import { understand } from "./understand.ts";

/** What is understood, in short: the name and what matters most of each action, and the words that were not understood. */
const meant = (prompt: string, context: Scene["context"] = []) =>
  understand(prompt, context).map((part) =>
    "run" in part ? [part.name, part.args] : [part.hint === undefined ? "?" : "unclear", part.unknown],
  );

describe("several requests in one prompt", () => {
  const status = ["git_status", {}];
  const list = ["list", { path: ".", depth: 1 }];
  const notes = ["write", { path: "notes.txt", content: "hello\n" }];
  const commitNotes = ["commit", { message: "docs: add notes", paths: ["notes.txt"] }];
  const read = (path: string) => ["read", { path }];

  test.each<[string, unknown[]]>([
    ["list the TypeScript files and then show git status", [["glob", { pattern: "**/*.{ts,tsx,mts,cts}" }], status]],
    ["write notes.txt with hello, then commit it as docs: add notes", [notes, commitNotes]],
    ["write notes.txt with hello and commit it as docs: add notes", [notes, commitNotes]],
    ["Write notes.txt with hello. Then commit it as docs: add notes", [notes, commitNotes]],
    ["write notes.txt with\n```\nhello\n```\nthen commit it as docs: add notes", [notes, commitNotes]],
    ["write a.txt with x. Then show it.", [["write", { path: "a.txt", content: "x\n" }], read("a.txt")]],
    ["list files; show git status; show README.md", [list, status, read("README.md")]],
    ["1. list files\n2. show git status", [list, status]],
    ["- list files\n- git diff", [list, ["git_diff", {}]]],
    ["Hi! Can you list the files? Thanks!", [list]],
    ["hello, could you please show me README.md?", [read("README.md")]],
    ["show git status and diff", [status, ["git_diff", {}]]],
    ["show README.md and package.json", [read("README.md"), read("package.json")]],
    ["run npm test and show git status", [["shell", { command: "npm test" }], status]],
    [
      "commit as feat: add login and push it",
      [
        ["commit", { message: "feat: add login", mixed: true }],
        ["git_push", {}],
      ],
    ],
    [
      "commit and push",
      [
        ["commit", { mixed: true }],
        ["git_push", {}],
      ],
    ],
    [
      "run the tests, and if they pass, commit",
      [
        ["run_script", { script: "test" }],
        ["commit", { mixed: true }],
      ],
    ],
    ["show package.json, then delete it", [read("package.json"), ["shell", { command: "rm -- package.json" }]]],
    ["list files and replace a, b with c in x.ts", [list, ["edit", { path: "x.ts", find: "a, b", replace: "c" }]]],
  ])("%j", (prompt, expected) => {
    expect(meant(prompt)).toEqual(expected);
  });

  test.each<[string, unknown[]]>([
    ["write notes.txt with salt and pepper", [["write", { path: "notes.txt", content: "salt and pepper\n" }]]],
    [
      "write a.txt with once upon a time, then he left",
      [["write", { path: "a.txt", content: "once upon a time, then he left\n" }]],
    ],
    ["commit as fix: parse and show errors", [["commit", { message: "fix: parse and show errors", mixed: true }]]],
    [
      'write "list files and then push" to a.txt',
      [["write", { path: "a.txt", content: "list files and then push\n" }]],
    ],
    ["run echo a and b", [["shell", { command: "echo a and b" }]]],
    ["find usages of read and write", [["search", { query: "read|write", regex: true }]]],
  ])("are one where the words belong together: %j", (prompt, expected) => {
    expect(meant(prompt)).toEqual(expected);
  });
});

describe("what is not understood", () => {
  test.each([
    "run away",
    "run the risk of failing",
    "run time errors are bad",
    "run errands",
    "go home",
    "make coffee",
    "write a poem",
    "write a test for the parser",
    "create a React component",
    "add a button to the page",
    "find bugs",
    "list risks",
    "list important files",
    "show me the money",
    "open the door",
    "read between the lines",
    "check out this song",
    "push harder",
    "commit to the plan",
    "delete everything",
    "delete my account",
    "status of my order",
    "what needs to be done?",
    "what is the meaning of life?",
    "fix the bug in parser.ts",
    "refactor src/a.ts to use async",
    "explain the architecture and list risks",
    "why does the build fail?",
    "show",
    "...",
  ])("is not guessed at: %j", (prompt) => {
    expect(meant(prompt)).toEqual([["?", prompt]]);
  });

  test.each([
    ["write notes.txt", "What should be in it? For example: `write notes.txt with the text hello`."],
    ["explain src/a.ts", `That takes a model, and I have none. I can show it: \`show src/a.ts\`. ${CONNECT}`],
    ["what does src/a.ts do?", `That takes a model, and I have none. I can show it: \`show src/a.ts\`. ${CONNECT}`],
    [
      "undo",
      "I keep no copies to go back to, but git may have one: `discard the changes in <file>`, or `undo the last commit`.",
    ],
    [
      "how many lines of code are there?",
      "That takes a command, which you would be asked about: `run git ls-files | xargs wc -l`. For one file: `how many lines are in README.md?`",
    ],
    ["show it", 'Which file is meant by "it"? Say its name.'],
    ["delete *.ts", "Name the files to be deleted one by one, or say the command: `run rm ...`."],
    ["create branch --force", "`--force` cannot be a branch's name."],
    ["search the web for cats", "There is no network here: only the files of the workspace can be searched."],
    ["show the selection", "Nothing is selected, as far as your editor has told."],
  ])("but recognized is told what it lacks: %j", (prompt, hint) => {
    expect(understand(prompt)).toEqual([{ unknown: prompt, hint }]);
  });

  test("is told apart from what is, in its place", () => {
    expect(meant("list files, make coffee and show git status")).toEqual([
      ["list", { path: ".", depth: 1 }],
      ["?", "make coffee"],
      ["git_status", {}],
    ]);
    expect(meant("translate README.md to German and commit it")).toEqual([
      ["?", "translate README.md to German"],
      ["commit", { mixed: true }],
    ]);
  });
});

describe("what the user has before their eyes", () => {
  const context = [{ path: "src/a.ts", startLine: 3, endLine: 5 }];

  test.each<[string, unknown]>([
    ["show the selection", ["read", { path: "src/a.ts", startLine: 3, maxLines: 3 }]],
    ["show this file", ["read", { path: "src/a.ts" }]],
    ["delete this file", ["shell", { command: "rm -- src/a.ts" }]],
    ["in this file replace a with b", ["edit", { path: "src/a.ts", find: "a", replace: "b" }]],
  ])("is meant by %j", (prompt, expected) => {
    expect(meant(prompt, context)).toEqual([expected]);
  });

  test("is shown as the editor has it, where it told that", async () => {
    const [action] = understand("show the selection", [{ ...context[0], path: "src/a.ts", content: "unsaved();" }]);
    if (!action || !("run" in action)) throw new Error("it was not understood");
    const none = () => Promise.reject(new Error("no tool is needed"));
    expect(await action.run({ tool: none, ask: none })).toEqual({
      outcome: "done",
      text: "`src/a.ts:3-5`, as your editor has it:\n\n```ts\nunsaved();\n```",
      summary: "The selection is src/a.ts:3-5.",
    });
  });
});

describe("hostile prompts", () => {
  test.each<[string, unknown]>([
    ["delete `a; rm -rf ~`", ["shell", { command: "rm -- 'a; rm -rf ~'" }]],
    ['delete "it\'s $(id).txt"', ["shell", { command: "rm -- 'it'\\''s $(id).txt'" }]],
    ["delete `-rf`", ["shell", { command: "rm -- -rf" }]],
    ["copy `a && id` to b.txt", ["shell", { command: "cp -- 'a && id' b.txt" }]],
    ["history of `$(id).ts`", ["git_log", { limit: 20, path: "$(id).ts" }]],
    ["write `$(id).txt` with hello", ["write", { path: "$(id).txt", content: "hello\n" }]],
    ["create a folder `x | id`", ["shell", { command: "mkdir -p -- 'x | id'" }]],
    ["show \uE0000\uE001 README.md", ["?", "show 0 README.md"]],
    ["show __proto__.ts", ["read", { path: "__proto__.ts" }]],
  ])("keep a name a name: %j", (prompt, expected) => {
    expect(meant(prompt)).toEqual([expected]);
  });

  const words = fc.constantFrom(
    ..."list show files in src and then , . ; \n ` \" ' run commit write notes.txt with replace to a b / * the of : ( ) where is used search for".split(
      " ",
    ),
    ...families.flatMap(({ examples }) => examples),
  );

  test("of any words take little time", { timeout: 120_000 }, () => {
    fc.assert(
      fc.property(fc.array(words, { maxLength: 60 }), fc.integer({ min: 1, max: 30 }), (some, times) => {
        const startedAt = performance.now();
        understand(Array.from({ length: times }, () => some.join(" ")).join(" "));
        expect(performance.now() - startedAt).toBeLessThan(3000);
      }),
      { numRuns: 60 },
    );
  });

  test.each([
    " ",
    "a",
    "a ",
    "and ",
    ", ",
    "\n",
    "`",
    '"',
    "'",
    "list ",
    "list files and ",
    "write a with ",
    "in ",
    "/",
    "*",
    "a.b",
    "commit a, ",
    "run ",
    "to ",
    "append x to ",
    "replace a with b in ",
    "files ",
    "please ",
    "```\n",
    ":\n",
    "where is ",
  ])("of 100 KB of %j take little time", (piece) => {
    for (const start of [
      "",
      "list ",
      "write a.txt with ",
      "append ",
      "commit ",
      "replace ",
      "search for ",
      "run ",
      "in x.ts change ",
    ]) {
      const startedAt = performance.now();
      understand(start + piece.repeat(100_000 / piece.length));
      expect(performance.now() - startedAt, start).toBeLessThan(3000);
    }
  });
});

test.each(["run ", "list a.txt, ", '"a" `b` ', "x", '"', "'a ", "```", "for /a ", "do it\n"])(
  "2 MiB of %j are not read, and it is said in how many words to put it",
  (piece) => {
    const prompt = piece.repeat((2 * 1024 * 1024) / piece.length).trim();
    const startedAt = performance.now();
    expect(understand(prompt)).toEqual([
      {
        unknown: prompt,
        hint: "Say it in at most 100000 characters. Text in quotes or in a block of code does not count.",
      },
    ]);
    expect(performance.now() - startedAt).toBeLessThan(1000);
  },
);

test("a long text that is quoted counts for nothing", () => {
  const content = `${"a, b. ".repeat(300_000)}\n`;
  expect(understand(`write notes.txt with "${content.trimEnd()} "`)).toMatchObject([
    { name: "write", args: { content } },
  ]);
});

test("every example of what can be asked is understood by the family that gives it", () => {
  for (const { examples } of families) {
    for (const example of examples) expect(understand(example), example).toMatchObject([{ name: expect.any(String) }]);
  }
});
