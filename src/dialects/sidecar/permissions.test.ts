import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { decide } from "../../core/policy.ts";
import { type Rule, type RunRules, withRules } from "../../core/rules.ts";
import type { Intent } from "../../core/tool.ts";
import { parseCommandLine } from "../../tools/command-line.ts";
import { messageRules, type Permissions, permissionRules } from "./permissions.ts";

const forcedPushes: Rule[] = [
  "git push* --force*",
  "git push* -f*",
  "git push* -?f*",
  "git push* +*",
  "git -* push* --force*",
  "git -* push* -f*",
  "git -* push* -?f*",
  "git -* push* +*",
].map((command_glob) => ({ tool: "shell", command_glob }));
const none: RunRules = { deny: forcedPushes, ask: [], allow: [] };
const shell = (command: string) => ({ tool: "shell", command });

test.each<[Permissions, Partial<RunRules>]>([
  [{}, {}],
  [{ "git.push": "deny" }, { deny: [...forcedPushes, { tool: "git_push" }, shell("git push")] }],
  [{ "git.push": "ask" }, { ask: [{ tool: "git_push" }, shell("git push")] }],
  [{ "git.push": "allow" }, { allow: [{ tool: "git_push" }] }],
  [{ "git.commit": "deny" }, { deny: [...forcedPushes, { tool: "git_commit" }, shell("git commit")] }],
  [{ "git.status": "ask" }, { ask: [{ tool: "git_status" }, shell("git status")] }],
  [{ "git.diff": "ask" }, { ask: [{ tool: "git_diff" }, shell("git diff")] }],
  [{ "git.log": "ask" }, { ask: [{ tool: "git_log" }, shell("git log")] }],
  [{ "git.branches": "ask" }, { ask: [{ tool: "git_branches" }, shell("git branch --list")] }],
  [
    { "git.createBranch": "ask" },
    {
      ask: [
        { tool: "git_branch" },
        shell("git branch"),
        shell("git switch -c"),
        shell("git switch --create"),
        shell("git checkout -b"),
      ],
    },
  ],
  [{ "git.switchBranch": "ask" }, { ask: [{ tool: "git_branch" }, shell("git switch"), shell("git checkout")] }],
  [{ "git.switchBranch": "allow" }, { allow: [{ tool: "git_branch" }] }],
  [{ "fs.write": "deny" }, { deny: [...forcedPushes, { tool: "write" }, { tool: "edit" }] }],
  [{ "fs.write": "allow" }, { allow: [{ tool: "write" }, { tool: "edit" }] }],
  [{ "fs.edit": "ask" }, { ask: [{ tool: "edit" }] }],
  [{ "fs.read": "ask" }, { ask: ["read", "list", "glob", "search"].map((tool) => ({ tool })) }],
  [{ "fs.list": "ask" }, { ask: [{ tool: "list" }] }],
  [{ "exec.run": "deny" }, { deny: [...forcedPushes, { tool: "shell" }] }],
  [{ "git.forcePush": "ask" }, { deny: [], ask: forcedPushes }],
  [{ "git.forcePush": "allow" }, { deny: [], allow: forcedPushes }],
  [{ mcp__jira__create: "allow" }, { allow: [{ tool: "mcp__jira__create" }] }],
  [JSON.parse('{"constructor":"ask"}'), { ask: [{ tool: "constructor" }] }],
  [
    { "exec.run": "allow" },
    {
      allow: [{ tool: "shell" }],
      ask: [{ tool: "git_commit" }, shell("git commit"), { tool: "git_push" }, shell("git push")],
    },
  ],
  [
    { "exec.run": "allow", "git.commit": "allow", "git.push": "allow" },
    { allow: [{ tool: "git_commit" }, { tool: "git_push" }, { tool: "shell" }] },
  ],
])("%j comes to these rules", (permissions, rules) => {
  const sorted = ({ deny, ask, allow }: RunRules) =>
    [deny, ask, allow].map((each) => each.map((rule) => JSON.stringify(rule)).sort());
  expect(sorted(permissionRules(permissions))).toEqual(sorted({ ...none, ...rules }));
});

test("a permission for several tools at once is refused, for it would hold for none", () => {
  const error = new DragomanError(
    "invalid_params",
    'A permission is about one tool, such as git.push, so there is none for "git.*". Name each tool.',
  );
  expect(() => permissionRules({ "git.*": "deny" })).toThrow(error);
});

describe("the permissions of a message", () => {
  const overlaidRules = (session: RunRules, permissions: Permissions) =>
    withRules(session, messageRules(permissions, session));

  test("count for what they name, and the session's for the rest", () => {
    const session = permissionRules({ "git.push": "deny", "fs.write": "ask" });
    expect(overlaidRules(session, { "git.push": "ask" })).toEqual({
      deny: forcedPushes,
      ask: [{ tool: "write" }, { tool: "edit" }, { tool: "git_push" }, shell("git push")],
      allow: [],
    });
    expect(overlaidRules(session, {})).toEqual(session);
    expect(overlaidRules(session, { "fs.edit": "allow" })).toEqual({
      deny: session.deny,
      ask: [{ tool: "write" }],
      allow: [{ tool: "edit" }],
    });
  });

  test("that allow a tool count for the commands that come to the same, too", () => {
    const session = permissionRules({ "git.push": "deny" });
    expect(overlaidRules(session, { "git.push": "allow" })).toEqual({ ...none, allow: [{ tool: "git_push" }] });
    const allowed = permissionRules({ "git.push": "allow", "git.commit": "deny" });
    expect(overlaidRules(allowed, { "exec.run": "allow" })).toEqual({
      deny: allowed.deny,
      ask: [],
      allow: [{ tool: "git_push" }, { tool: "shell" }],
    });
  });

  test("come with what is usual where the session has no rules", () => {
    expect(withRules(undefined, messageRules({ "fs.read": "ask" }, undefined))).toEqual(
      permissionRules({ "fs.read": "ask" }),
    );
  });

  test("carry nothing of the session, which may say something else when the run starts", () => {
    const before = permissionRules({ "exec.run": "allow" });
    const queued = messageRules({ "git.status": "ask" }, before);
    expect(queued).toEqual({ deny: [], ask: [{ tool: "git_status" }, shell("git status")], allow: [] });
    const after = permissionRules({ "exec.run": "deny" });
    expect(withRules(after, queued)).toEqual({ ...queued, deny: after.deny });
    const all = messageRules({ "exec.run": "allow" }, before);
    expect(withRules(permissionRules({ "git.push": "deny" }), all)).toEqual({
      deny: permissionRules({ "git.push": "deny" }).deny,
      ask: [{ tool: "git_commit" }, shell("git commit")],
      allow: [{ tool: "shell" }],
    });
  });

  test("are overlaid in a time that grows with their number, not its square", () => {
    const many = (of: string) =>
      Object.fromEntries(Array.from({ length: 20_000 }, (_, i) => [`${of}${i}`, "ask"] as const));
    const session = permissionRules(many("a"));
    const started = performance.now();
    expect(overlaidRules(session, many("b"))?.ask).toHaveLength(40_000);
    expect(performance.now() - started).toBeLessThan(1000);
  });

  test("that allow every command leave to the session what it said of commits and pushes", () => {
    const session = permissionRules({ "git.push": "deny" });
    expect(overlaidRules(session, { "exec.run": "allow" })).toEqual({
      deny: session.deny,
      ask: [{ tool: "git_commit" }, shell("git commit")],
      allow: [{ tool: "shell" }],
    });
  });
});

describe("a command line", () => {
  const verdict = (line: string, permissions: Permissions) => {
    const intent: Intent = { title: line, targets: [], command: parseCommandLine(line) };
    return decide({ name: "shell", risk: "execute" }, intent, { allow: [], deny: [] }, permissionRules(permissions))
      .verdict;
  };

  test.each([
    "git push --force",
    "git push --force-with-lease origin main",
    "git push origin main --force",
    "git push -f",
    "git push -uf origin main",
    "git push origin +main",
    "git -C sub push -f",
    "npm test && git push -f",
  ])("that forces a push is denied unless the plugin says otherwise: %s", (line) => {
    expect(verdict(line, {})).toBe("deny");
    expect(verdict(line, { "exec.run": "allow", "git.push": "allow" })).toBe("deny");
    expect(verdict(line, { "exec.run": "allow", "git.push": "allow", "git.forcePush": "ask" })).toBe("ask");
  });

  test.each(["git push", "git push origin main", "git push -u origin feature"])(
    "that pushes follows git.push: %s",
    (line) => {
      expect(verdict(line, { "git.push": "deny" })).toBe("deny");
      expect(verdict(line, { "exec.run": "allow" })).toBe("ask");
      expect(verdict(line, { "git.push": "allow" })).toBe("ask");
      expect(verdict(line, { "exec.run": "allow", "git.push": "allow" })).toBe("allow");
    },
  );

  test("that does neither follows exec.run", () => {
    expect(["deny", "ask", "allow"].map((each) => verdict("npm test", { "exec.run": each } as Permissions))).toEqual([
      "deny",
      "ask",
      "allow",
    ]);
  });
});
