import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { decide } from "../core/policy.ts";
import type { Rules } from "../core/rules.ts";
import type { ToolContext } from "../core/tool.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { bypasses, ordinaryLines } from "./command-line-bypasses.ts";
import { shell } from "./shell.ts";

const folder = temporaryFolder();
let context: ToolContext;

beforeAll(() => {
  const workspace = realpathSync(mkdtempSync(join(folder.path, "workspace-")));
  mkdirSync(join(workspace, "src"));
  mkdirSync(join(workspace, "sub"));
  writeFileSync(join(workspace, "dragoman.json"), "{}");
  context = { workspace, trusted: true };
});

const generous =
  `git status|git log|git diff|git --no-pager log|git st|git x|git -c|git -C|git -p|ls|cat|echo|find|npx|npm test|npm exec|npm x
|rg|sed|sort|man|xargs|env|export|printf|true|cd|head|wc|tee|test|[|[[|case|for|select|if|time|history|fc|read|command|exec|eval|source|.
|sudo|nohup|declare|alias|set|hash|python3|bash|sh|base64|PATH=.|trap`
    .split(/[|\n]+/)
    .filter((command) => command !== "");
const rules: Rules = { allow: generous.map((command) => ({ tool: "shell", command })), deny: [] };

async function verdictOn(command: string, held: Rules = rules): Promise<string> {
  return decide(shell, await shell.intent({ command, timeoutMs: 1000 }, context), held).verdict;
}

describe("with a generous list of allowed commands", () => {
  test.each(bypasses)("%j is not allowed", async (command) => {
    expect(await verdictOn(command)).toBe("ask");
  });

  test.each(ordinaryLines)("%j is allowed", async (command) => {
    expect(await verdictOn(command)).toBe("allow");
  });
});

test("what writes to a control file is asked about even where every command is allowed", async () => {
  const everything: Rules = { allow: [{ tool: "shell" }], deny: [] };
  const lines = [
    "tee dragoman.json",
    "tee DRAGOMAN.JSON",
    "echo x > dragoman.json",
    "echo x > ./src/../dragoman.json",
    "cp x .git/hooks/pre-commit",
    "cd sub && tee ../dragoman.json",
    "dd if=x of=dragoman.json",
    "cp --target-directory=.git/hooks x",
    "sh -c 'echo x > dragoman.json'",
    "sudo sh -c 'tee dragoman.json'",
    "find . -exec cp x dragoman.json \\;",
    "for f in dragoman.json; do tee $f; done",
    "f=dragoman.json; tee $f",
    "F=dragoman.json env sh -c 'tee $F'",
    "{ echo x; } > .agents/skills/x/SKILL.md",
    "git config -f .git/config core.pager id",
    "mv x .gitattributes",
    "echo a\rb",
  ];
  const verdicts = await Promise.all(lines.map(async (line) => [line, await verdictOn(line, everything)]));
  expect(verdicts).toEqual(lines.map((line) => [line, "ask"]));
  expect(await verdictOn("npm test && cat dragoman.json", everything)).toBe("allow");
});

test("a denied command is found wherever it hides", async () => {
  const held: Rules = { allow: [{ tool: "shell" }], deny: [{ tool: "shell", command: "rm" }] };
  const lines = [
    "rm x",
    "\\rm x",
    "r''m x",
    "/bin/rm x",
    "sudo -u root rm x",
    "env A=1 rm x",
    "env -S 'rm x'",
    "xargs -n 1 rm",
    "find . -exec rm {} \\;",
    "sh -c 'true; rm x'",
    'bash -lc "sudo rm x"',
    "command rm x",
    "exec rm x",
    "eval rm x",
    "nohup nice -n 5 timeout 5 rm x",
    "true && (true; rm x)",
    'echo "$(rm x)"',
    "cat <(rm x)",
    "f() { rm x; }; f",
    "if true; then rm x; fi",
    "cat <<E\n$(rm x)\nE",
    "ssh host rm x",
    "npx -c 'rm x'",
    "git rebase -x 'rm x' main",
    "git submodule foreach 'rm x'",
    "watch rm x",
    "trap 'rm x' EXIT",
    "rm x &",
    "A=1 rm x",
    "rm x > y",
  ];
  const verdicts = await Promise.all(lines.map(async (line) => [line, await verdictOn(line, held)]));
  expect(verdicts).toEqual(lines.map((line) => [line, "deny"]));
  expect(await verdictOn("echo rm", held)).toBe("allow");
});
