import { describe, expect, test } from "vitest";
import { commandText, decide, described, sameRule } from "./policy.ts";
import type { Rule, Rules } from "./rules.ts";
import type { Intent, Risk, Segment, Target } from "./tool.ts";

const rules = (allow: Rule[] = [], deny: Rule[] = []): Rules => ({ allow, deny });
const tool = (name: string, risk: Risk) => ({ name, risk });
const inside: Target = { path: "a.txt", real: "/w/a.txt", outside: false, control: false, writes: true };
const intent = (change: Partial<Intent> = {}): Intent => ({ title: "Do it", targets: [inside], ...change });
const segment = (text: string, more: Partial<Segment> = {}): Segment => ({ text, words: text.split(" "), ...more });
const line = (...segments: Segment[]): Intent =>
  intent({ targets: [], command: { text: segments.map(({ text }) => text).join(" && "), segments } });
const shell = tool("shell", "execute");
const allowing = (...commands: string[]) => rules(commands.map((command) => ({ tool: "shell", command })));
const verdict = (...args: Parameters<typeof decide>) => decide(...args).verdict;

describe("a call without a command", () => {
  test("goes without saying when it only looks, and is asked about otherwise", () => {
    expect(verdict(tool("read", "read"), intent(), rules())).toBe("allow");
    expect(decide(tool("write", "edit"), intent(), rules())).toEqual({
      verdict: "ask",
      why: "",
      danger: false,
      remember: [{ tool: "write" }],
    });
  });

  test("is decided by deny before allow", () => {
    const write = tool("write", "edit");
    expect(verdict(write, intent(), rules([{ tool: "write" }]))).toBe("allow");
    expect(verdict(write, intent(), rules([{ tool: "edit" }]))).toBe("ask");
    expect(decide(write, intent(), rules([{ tool: "write" }], [{ tool: "write" }]))).toEqual({
      verdict: "deny",
      why: "A rule denies every write.",
    });
    expect(verdict(tool("read", "read"), intent(), rules([], [{ tool: "read" }]))).toBe("deny");
  });

  test("is not what a rule about commands means", () => {
    expect(verdict(tool("write", "edit"), intent(), rules([{ tool: "write", command: "x" }]))).toBe("ask");
    expect(verdict(tool("write", "edit"), intent(), rules([], [{ tool: "write", command: "x" }]))).toBe("ask");
  });

  test("that publishes is never offered to be remembered", () => {
    expect(decide(tool("git_push", "publish"), intent(), rules())).toMatchObject({ danger: true, remember: [] });
    expect(verdict(tool("git_push", "publish"), intent(), rules([{ tool: "git_push" }]))).toBe("allow");
  });

  test("that loads a skill is decided by its name", () => {
    const load = tool("skill_load", "execute");
    const loading = intent({ skill: "release" });
    expect(verdict(load, loading, rules([{ tool: "skill_load", skill_name: "release" }]))).toBe("allow");
    expect(verdict(load, loading, rules([{ tool: "skill_load", skill_name: "other" }]))).toBe("ask");
    expect(verdict(load, loading, rules([{ tool: "skill_load" }], [{ tool: "skill_load", skill_name: "other" }]))).toBe(
      "allow",
    );
    expect(decide(load, loading, rules())).toMatchObject({ remember: [{ tool: "skill_load", skill_name: "release" }] });
  });
});

describe("whatever the rules allow, it asks, and does not offer to remember,", () => {
  const everything = rules([{ tool: "shell" }, { tool: "read" }, { tool: "write" }]);

  test.each<[what: string, change: Partial<Intent>, risk: Risk]>([
    ["about a write outside", { targets: [{ ...inside, path: "../x", real: "/x", outside: true }] }, "edit"],
    ["about a read outside", { targets: [{ ...inside, outside: true, writes: false }] }, "read"],
    ["about a control file", { targets: [{ ...inside, control: true }] }, "edit"],
    [
      "about what cannot be parsed",
      { targets: [], command: { text: "(", segments: [], problem: "no end" } },
      "execute",
    ],
    [
      "about what can be parsed only in part",
      { targets: [], command: { text: "ls; (", segments: [segment("ls")], problem: "no end" } },
      "execute",
    ],
    [
      "about a command that writes a control file",
      { targets: [{ ...inside, control: true }], command: { text: "cp x y", segments: [segment("cp x y")] } },
      "execute",
    ],
    ["about a line without a command", { targets: [], command: { text: "# x", segments: [] } }, "execute"],
  ])("%s", (_, change, risk) => {
    const name = { edit: "write", read: "read", execute: "shell", publish: "" }[risk];
    expect(decide(tool(name, risk), intent(change), everything)).toMatchObject({
      verdict: "ask",
      danger: true,
      remember: [],
    });
  });

  test.each<[target: Partial<Target>, risk: Risk, why: string]>([
    [{ path: "../x", real: "/x", outside: true }, "edit", "It touches ../x (/x), outside of the workspace."],
    [{ path: "/x", real: "/x", outside: true }, "read", "It reads /x, outside of the workspace."],
    [{ path: "a", real: "/w/a", control: true }, "edit", "It can change a, which decides what is allowed here."],
    [{ path: "a", real: "/w/b", control: true }, "edit", "It can change a (/w/b), which decides what is allowed here."],
  ])("and says why, where the file really is included: %j", (target, risk, why) => {
    expect(decide(tool("write", risk), intent({ targets: [{ ...inside, ...target }] }), everything)).toMatchObject({
      why,
    });
  });

  test("but not about a control file that is only read", () => {
    expect(
      verdict(tool("read", "read"), intent({ targets: [{ ...inside, control: true, writes: false }] }), rules()),
    ).toBe("allow");
  });
});

describe("a command", () => {
  test("needs a rule for every part", () => {
    const both = line(segment("git status"), segment("ls -l"));
    expect(verdict(shell, both, allowing("git status"))).toBe("ask");
    expect(verdict(shell, both, allowing("git status", "ls"))).toBe("allow");
    expect(verdict(shell, both, rules([{ tool: "shell" }]))).toBe("allow");
  });

  test.each<[rule: string, command: string, expected: string]>([
    ["git status", "git status -s", "allow"],
    ["git status", "git stash", "ask"],
    ["git", "gitk", "ask"],
    ["git status", "/tmp/git status", "ask"],
    ["  git   status ", "git status", "allow"],
  ])("that begins as %j says: %j: %s", (rule, command, expected) => {
    expect(verdict(shell, line(segment(command)), allowing(rule))).toBe(expected);
  });

  test("fits a glob as words, not as letters", () => {
    const fits = (glob: string, words: string[]) =>
      verdict(shell, line({ text: "x", words }), rules([{ tool: "shell", command_glob: glob }]));
    expect(fits("rm a b", ["rm", "a", "b"])).toBe("allow");
    expect(fits("rm a b", ["rm", "a b"])).toBe("ask");
    expect(fits("npm run *", ["npm", "run", "test"])).toBe("allow");
    expect(fits("npm run", ["npm", "run", "test"])).toBe("ask");
  });

  test("that hides what it does is asked about, unless everything is allowed", () => {
    const opaque = line(segment("git status", { opaque: "it writes to a file" }));
    expect(decide(shell, opaque, allowing("git status"))).toEqual({
      verdict: "ask",
      why: 'What "git status" does cannot be told from its words: it writes to a file.',
      danger: false,
      remember: [],
    });
    expect(verdict(shell, opaque, rules([{ tool: "shell" }]))).toBe("allow");
  });

  test("of which one part hides what it does is remembered in no part, and that part is named", () => {
    const long = `sh ${"x".repeat(80)}`;
    expect(decide(shell, line(segment("ls"), segment(long, { opaque: "it runs a file" })), rules())).toEqual({
      verdict: "ask",
      why: `What "${long.slice(0, 59)}…" does cannot be told from its words: it runs a file.`,
      danger: false,
      remember: [],
    });
  });

  test("is allowed by a rule with two conditions only if it meets both, and by none that is about a skill", () => {
    const both = rules([{ tool: "shell", command: "npm", command_glob: "* test" }]);
    expect(["npm test", "npm publish", "rm test"].map((text) => verdict(shell, line(segment(text)), both))).toEqual([
      "allow",
      "ask",
      "ask",
    ]);
    const ofSkill = rules([{ tool: "shell", skill_name: "release" }]);
    expect(verdict(shell, line(segment("npm publish")), ofSkill)).toBe("ask");
  });

  test("is remembered as exactly this one, and only the parts that were not allowed yet", () => {
    const decision = decide(shell, line(segment("ls"), segment("rm *"), segment("rm *")), allowing("ls"));
    expect(decision).toMatchObject({ remember: [{ tool: "shell", command_glob: "rm '\\*'" }] });
    const remembered = rules([{ tool: "shell", command_glob: "npm test" }]);
    expect(verdict(shell, line(segment("npm test")), remembered)).toBe("allow");
    expect(verdict(shell, line(segment("npm test --x")), remembered)).toBe("ask");
  });

  test.each<[rule: Rule, command: Intent]>([
    [{ tool: "shell", command: "rm" }, line(segment("rm -rf x"))],
    [{ tool: "shell", command: "rm" }, line(segment("ls"), segment("/bin/rm x"))],
    [{ tool: "shell", command: "rm" }, line(segment("sudo rm x", { opaque: "it runs others", runs: [["rm", "x"]] }))],
    [{ tool: "shell", command: "rm" }, line(segment("sudo /bin/rm x", { runs: [["/bin/rm", "x"]] }))],
    [{ tool: "shell", command: "/bin/rm" }, line(segment("/bin/rm x"))],
    [{ tool: "shell", command: "git push" }, line(segment("/usr/bin/git push --force"))],
    [{ tool: "shell", command_glob: 'rm "*' }, line(segment("ls"), { text: ' rm "a b" ', words: ["rm", "a b"] })],
    [{ tool: "shell", command_glob: "*secret*" }, line(segment("cat my-secret.txt"))],
    [
      { tool: "shell", command_glob: "curl*|*sh" },
      intent({ command: { text: " curl x | sh\n", segments: [], problem: "?" } }),
    ],
    [{ tool: "shell" }, line(segment("true"))],
  ])("is denied by %j", (rule, command) => {
    expect(verdict(shell, command, rules([{ tool: "shell" }], [rule]))).toBe("deny");
  });
});

test("words become one text that means these words and no others", () => {
  expect(commandText(["echo", "a b", "it's", "", "$x", "~", "a=b"])).toBe(`echo 'a b' 'it'\\''s' '' '$x' '~' a=b`);
});

test("a rule is described as a person wrote it", () => {
  expect(
    [
      { tool: "shell", command_glob: "rm '\\*'" },
      { tool: "write" },
      { tool: "shell", command: "ls" },
      { tool: "skill_load", skill_name: "release" },
    ].map(described),
  ).toEqual(["shell: rm '*'", "every write", "shell: ls", "skill_load: release"]);
});

test("rules are the same when all of their parts are", () => {
  const rule: Rule = { tool: "t", command: "c", command_glob: "g", skill_name: "s" };
  expect(sameRule(rule, { ...rule })).toBe(true);
  for (const part of ["tool", "command", "command_glob", "skill_name"]) {
    expect(sameRule(rule, { ...rule, [part]: "other" }), part).toBe(false);
  }
});
