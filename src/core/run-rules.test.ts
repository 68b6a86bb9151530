import { describe, expect, test } from "vitest";
import { memoryStore } from "../stores/memory.ts";
import { me, ofType } from "../testing/one-session.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import { parseCommandLine } from "../tools/command-line.ts";
import type { Turn } from "./engine.ts";
import { decide } from "./policy.ts";
import { type Rule, type RunRules, withoutAllow, withRules } from "./rules.ts";
import { Runtime } from "./runtime.ts";
import type { Intent, Target } from "./tool.ts";

const rules = (of: Partial<RunRules>): RunRules => ({ deny: [], ask: [], allow: [], ...of });
const write = { name: "write", risk: "edit" } as const;
const shell = { name: "shell", risk: "execute" } as const;
const target: Target = { path: "a", real: "/w/a", outside: false, control: false, writes: true };
const change: Intent = { title: "Write a", targets: [target] };
const line = (text: string): Intent => ({ title: text, targets: [], command: parseCommandLine(text) });
const nothing = { allow: [], deny: [] };
const everyWrite = { allow: [{ tool: "write" }], deny: [] };
const verdict = (...args: Parameters<typeof decide>) => decide(...args).verdict;

describe("what a run wants to hold for itself", () => {
  test("can deny and ask where the workspace allows", () => {
    expect(verdict(write, change, everyWrite)).toBe("allow");
    expect(decide(write, change, everyWrite, rules({ deny: [{ tool: "write" }] }))).toEqual({
      verdict: "deny",
      why: "The permissions of this run deny every write.",
    });
    expect(decide(write, change, everyWrite, rules({ ask: [{ tool: "write" }] }))).toEqual({
      verdict: "ask",
      why: "",
      danger: false,
      remember: [],
    });
  });

  test("can ask about what only looks", () => {
    const read = { name: "read", risk: "read" } as const;
    expect(verdict(read, change, nothing, rules({ ask: [{ tool: "read" }] }))).toBe("ask");
  });

  test("can allow, but not over a rule of the workspace that denies", () => {
    const allow = rules({ allow: [{ tool: "write" }] });
    expect(verdict(write, change, nothing, allow)).toBe("allow");
    expect(verdict(write, change, { allow: [], deny: [{ tool: "write" }] }, allow)).toBe("deny");
  });

  test("never allows what leaves the workspace or changes the rules themselves", () => {
    const allow = rules({ allow: [{ tool: "write" }] });
    const outside = { ...change, targets: [{ ...target, outside: true }] };
    const control = { ...change, targets: [{ ...target, control: true }] };
    expect([outside, control].map((intent) => verdict(write, intent, nothing, allow))).toEqual(["ask", "ask"]);
  });

  test.each([
    ["npm test", "allow"],
    ["npm test && git status", "allow"],
    ["rm -rf build", "ask"],
    ["npm test; rm -rf build", "ask"],
    ["bash -c 'rm x'", "ask"],
    ["sudo rm x", "ask"],
    ["find . -delete", "ask"],
    ["x=rm; $x -rf .", "ask"],
    ["git push --force", "ask"],
    ["git push origin +main", "ask"],
    ["echo x > file", "ask"],
  ])("when it allows every command, %s is %s", (text, expected) => {
    expect(verdict(shell, line(text), nothing, rules({ allow: [{ tool: "shell" }] }))).toBe(expected);
  });

  test("denies a command within another one", () => {
    const denyPush = rules({ deny: [{ tool: "shell", command: "git push" }], allow: [{ tool: "shell" }] });
    const lines = ["git push", "npm test && git push origin main", "sudo git push", "git status"];
    expect(lines.map((text) => verdict(shell, line(text), nothing, denyPush))).toEqual([
      "deny",
      "deny",
      "deny",
      "allow",
    ]);
  });
});

test("what a run says goes before what its session says, rule by rule", () => {
  const [commit, push]: Rule[] = [{ tool: "git_commit" }, { tool: "shell", command: "git push" }];
  if (!commit || !push) throw new Error();
  const session = rules({ ask: [commit], deny: [push] });
  expect(withRules(session, rules({ allow: [commit] }))).toEqual({ deny: [push], ask: [], allow: [commit] });
  expect(withRules(session, undefined)).toEqual(session);
  expect(withRules(undefined, session)).toEqual(session);
});

test("who may not approve gets nothing of what the session allows, and all that it denies", () => {
  const session = rules({ allow: [{ tool: "shell" }], deny: [{ tool: "git_push" }] });
  const mine = rules({ ask: [{ tool: "write" }], allow: [{ tool: "edit" }] });
  const none = { allow: [], deny: [{ tool: "git_push" }] };
  expect(withRules(session, withoutAllow(undefined))).toEqual({ ...none, ask: [] });
  expect(withRules(session, withoutAllow(mine))).toEqual({ ...none, ask: [{ tool: "write" }] });
  const softer = withoutAllow(rules({ ask: [{ tool: "git_push" }] }));
  expect(withRules(session, softer)).toEqual({ ...none, ask: [{ tool: "git_push" }] });
});

describe("a session", () => {
  const started = async (prompts: { model?: string; rules?: RunRules }[]) => {
    const store = memoryStore();
    const turns: Turn[] = [];
    let release = () => {};
    const first = new Promise<void>((resolve) => {
      release = resolve;
    });
    const engine = scripted(async (turn) => {
      turns.push(turn);
      if (turns.length === 1) await first;
      return "";
    });
    const runtime = new Runtime({ store, engines: [engine] });
    const about = { workspace: "/w", engine: "scripted", model: "usual", rules: rules({ deny: [{ tool: "write" }] }) };
    const session = await runtime.create(about);
    for (const request of prompts) {
      await session.prompt({ kind: "prompt", input: { text: "go" }, by: me, whenBusy: "queue", ...request });
    }
    release();
    await until(async () => turns.length === prompts.length);
    await session.settled();
    return { turns, log: await readAll(store, session.id), summary: await store.session(session.id) };
  };

  test("gives each run its own model and rules, also to one that waited", async () => {
    const mine = rules({ allow: [{ tool: "write" }] });
    const { turns, log, summary } = await started([{}, { model: "other", rules: mine }, {}]);
    const denied = rules({ deny: [{ tool: "write" }] });
    const expected = [
      { model: "usual", rules: denied },
      { model: "other", rules: mine },
      { model: "usual", rules: denied },
    ];
    const told = (of: { model?: string; rules?: RunRules }) => ({ model: of.model, rules: of.rules });
    expect(turns.map(told)).toEqual(expected);
    expect(ofType(log, "run.started").map(told)).toEqual(expected);
    expect(ofType(log, "run.queued").map(told)).toEqual([{ model: "other", rules: mine }, {}]);
    expect(summary?.rules).toEqual(denied);
  });
});
