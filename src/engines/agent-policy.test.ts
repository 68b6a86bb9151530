import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, test } from "vitest";
import { type Decision, decide } from "../core/policy.ts";
import type { Rules } from "../core/rules.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { type AgentAction, judgedAs } from "./agent-policy.ts";

const folder = temporaryFolder();
let workspace: string;

beforeEach(() => {
  workspace = realpathSync(mkdtempSync(join(folder.path, "w-")));
});

async function judged(action: AgentAction, rules: Partial<Rules> = {}) {
  const { as, intent } = await judgedAs(action, workspace);
  const meant = await intent({ workspace, trusted: false });
  const decision: Decision = decide(as, meant, { allow: [], deny: [], ...rules });
  return { as, intent: meant, decision };
}

describe("a command", () => {
  test("is judged as one of `shell`, part by part", async () => {
    const action: AgentAction = { does: "run", command: "npm test && git push" };
    const { as, intent, decision } = await judged(action, { allow: [{ tool: "shell", command: "npm test" }] });
    expect(as).toEqual({ name: "shell", risk: "execute" });
    expect(intent).toMatchObject({ title: "Run npm test && git push", detail: "npm test && git push" });
    expect(decision).toMatchObject({ verdict: "ask", remember: [{ tool: "shell", command_glob: "git push" }] });
  });

  test("is allowed and denied by the rules for `shell`", async () => {
    const action: AgentAction = { does: "run", command: "npm test" };
    expect((await judged(action, { allow: [{ tool: "shell", command: "npm" }] })).decision.verdict).toBe("allow");
    expect((await judged(action, { deny: [{ tool: "shell", command: "npm" }] })).decision.verdict).toBe("deny");
  });

  test("is asked about, whatever the rules say, where it leaves the workspace", async () => {
    const allow = [{ tool: "shell", command: "cat" }];
    const { decision } = await judged({ does: "run", command: "cat /etc/passwd" }, { allow });
    expect(decision).toMatchObject({ verdict: "ask", danger: true });
  });

  test("in another folder is judged from there", async () => {
    mkdirSync(join(workspace, "it's here"));
    const allow = [{ tool: "shell" }];
    const inside = await judged({ does: "run", command: "ls", cwd: "it's here" }, { allow });
    expect(inside.intent.detail).toBe("cd 'it'\\''s here' && ls");
    expect(inside.decision.verdict).toBe("allow");
    const outside = await judged({ does: "run", command: "cat x", cwd: "/etc" }, { allow });
    expect(outside.decision).toMatchObject({ verdict: "ask", danger: true });
    expect((await judged({ does: "run", command: "ls", cwd: workspace })).intent.detail).toBe("ls");
  });
});

describe("a file", () => {
  test("that is new is one of `write`, and one that is there one of `edit`", async () => {
    writeFileSync(join(workspace, "old.txt"), "x");
    const names = async (path: string) => (await judged({ does: "write", paths: [path] })).as.name;
    expect([await names("new.txt"), await names("old.txt"), await names(join(workspace, "old.txt"))]).toEqual([
      "write",
      "edit",
      "edit",
    ]);
  });

  test("is shown with its diff, from the workspace", async () => {
    const { intent } = await judged({ does: "write", paths: [join(workspace, "a/b.txt")], diff: "+hello" });
    expect(intent).toMatchObject({ title: "Write a/b.txt", path: "a/b.txt", diff: "+hello" });
    expect(intent.targets).toMatchObject([{ path: "a/b.txt", outside: false, writes: true }]);
  });

  test("several are named, and each is looked at", async () => {
    const allow = [{ tool: "write" }];
    const paths = ["a.txt", "/etc/hosts"];
    const { intent, decision } = await judged({ does: "write", paths }, { allow });
    expect(intent).toMatchObject({ title: "Change a.txt and 1 more", detail: "a.txt\n/etc/hosts" });
    expect(decision).toMatchObject({ verdict: "ask", danger: true });
  });

  test("that goes away, or elsewhere, is a change of it, and called what it is", async () => {
    const allow = [{ tool: "write" }];
    const gone = await judged({ does: "write", how: "delete", paths: ["a.txt"] }, { allow });
    expect([gone.intent.title, gone.decision.verdict]).toEqual(["Delete a.txt", "ask"]);
    const moved = await judged({ does: "write", how: "move", paths: ["a.txt", "b.txt"] }, { allow });
    expect([moved.intent.title, moved.decision.verdict]).toEqual(["Move a.txt to b.txt", "ask"]);
  });

  test("is said yes to with the change that was shown, whole", async () => {
    const basis = async (diff: string) =>
      (await judged({ does: "write", paths: ["a.txt"], diff }, {})).intent.basis ?? "none";
    const long = "+x\n".repeat(100_000);
    expect(await basis(`${long}+a\n`)).not.toBe(await basis(`${long}+b\n`));
  });

  test("that is not named may be any, so no rule allows it", async () => {
    const allow = [{ tool: "write" }, { tool: "edit" }];
    const none = await judged({ does: "write", paths: [] }, { allow });
    expect(none.decision).toMatchObject({ verdict: "ask", danger: true });
    const many = Array.from({ length: 301 }, (_, at) => `f${at}`);
    expect((await judged({ does: "write", paths: many }, { allow })).decision).toMatchObject({ verdict: "ask" });
  });

  test("that decides what is allowed is asked about, whatever the rules say", async () => {
    const { decision } = await judged({ does: "write", paths: ["dragoman.json"] }, { allow: [{ tool: "write" }] });
    expect(decision).toMatchObject({ verdict: "ask", danger: true });
  });

  test("may be read in the workspace, and outside of it not without a question", async () => {
    expect((await judged({ does: "read", paths: ["a.txt"] })).decision.verdict).toBe("allow");
    expect((await judged({ does: "read", paths: ["/etc/passwd"] })).decision.verdict).toBe("ask");
  });
});

test("an address is asked about as `fetch`, and anything else under the name that the agent has for it", async () => {
  const fetched = await judged({ does: "fetch", url: "https://example.org/x" });
  expect(fetched).toMatchObject({ as: { name: "fetch" }, decision: { verdict: "ask", remember: [{ tool: "fetch" }] } });
  const other: AgentAction = { does: "other", tool: "github-create_issue", detail: '{"title":"x"}' };
  expect(await judged(other)).toMatchObject({
    intent: { title: "Use github-create_issue", detail: '{"title":"x"}' },
    decision: { verdict: "ask", remember: [{ tool: "github-create_issue" }] },
  });
  expect((await judged(other, { deny: [{ tool: "github-create_issue" }] })).decision.verdict).toBe("deny");
});

test("what an agent says of an action hides nothing, and a name that only looks like another's is not taken for it", async () => {
  const other: AgentAction = {
    does: "other",
    tool: "copilot:dep\u200bloy",
    detail: `\u001b[2K\u202e${"x".repeat(9000)}`,
  };
  expect(await judged(other, { allow: [{ tool: "copilot:deploy" }] })).toMatchObject({
    intent: { title: "Use copilot:dep\ufffdloy", detail: "x".repeat(4000) },
    decision: { verdict: "ask" },
  });
  const fetched = await judged({ does: "fetch", url: "https://a.example/\u202e\n" });
  expect(fetched.intent).toMatchObject({ title: "Fetch https://a.example/\ufffd\ufffd" });
  const read = await judged({ does: "read", paths: ["/a\nb", "/c"] });
  expect(read.intent.detail).toBe("/a\ufffdb\n/c");
});
