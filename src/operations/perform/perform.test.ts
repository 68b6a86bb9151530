import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import type { RunInput } from "../../core/events.ts";
import { Runtime } from "../../core/runtime.ts";
import type { AnyTool } from "../../core/tool.ts";
import { memoryStore } from "../../stores/memory.ts";
import { faultsOf } from "../../testing/check-log.ts";
import { me, ofType } from "../../testing/one-session.ts";
import { PromptedRun } from "../../testing/prompted-run.ts";
import { readAll } from "../../testing/read-all.ts";
import { scripted, until } from "../../testing/scripted.ts";
import { SIGN_IN_SPEC } from "../../testing/sign-in-spec.ts";
import { temporaryWorkspaces, type Workspace } from "../../testing/workspace.ts";
import { analyze } from "../analyze/index.ts";
import { unknownOutcome } from "../features/document-content.ts";
import { specTools } from "../tools/index.ts";
import { perform } from "./index.ts";

const newWorkspace = temporaryWorkspaces();
const PATH = "specs/001-login/spec.md";

const feature = (files: Record<string, string> = {}) => newWorkspace().files({ [PATH]: SIGN_IN_SPEC, ...files });
type Answer = (ask: { title: string; kind: string; tool?: string; items?: { id: string }[] }) => unknown;

interface Doing {
  /** What is said to each ask; without it nobody is there. */
  answer?: Answer;
  tools?: AnyTool[];
  more?: object;
}

async function done(action: string, workspace: Workspace, { answer, tools = specTools(() => ({})), more }: Doing = {}) {
  const engine = scripted((turn, io, signal) => perform(turn, io, signal));
  const store = memoryStore();
  const runtime = new Runtime({ store, engines: [engine], tools });
  const session = await runtime.create({ workspace: workspace.path, engine: engine.name });
  if (answer) session.attach(["confirm", "prompt", "pick"]);
  const input: RunInput = { text: `${action} 001-login`, action, args: { feature: "001-login", ...more } };
  await session.prompt({ kind: "operation", input, by: me, whenBusy: "refuse" });
  const log = () => readAll(store, session.id);
  for (const seen = new Set<string>(); answer; ) {
    const open = async () => ofType(await log(), "ask.opened").filter(({ askId }) => !seen.has(askId));
    await until(async () => (await open()).length > 0 || !(await session.busy()), "an ask, or the end");
    const asks = await open();
    if (asks.length === 0) break;
    for (const ask of asks) {
      seen.add(ask.askId);
      await session.answer(ask.askId, answer(ask), me);
    }
  }
  await session.settled();
  const events = await log();
  expect(faultsOf(events, { ended: true })).toEqual([]);
  return new PromptedRun(events);
}

/** Takes the first option, and agrees to what is to be saved. */
const agreeing: Answer = ({ kind, items }) => (kind === "pick" ? { ids: [items?.[0]?.id] } : { ok: true });

describe("clarify", () => {
  test("asks with options, context and source, and writes the answers into the spec", async () => {
    const workspace = feature();
    const run = await done("clarify", workspace, { answer: agreeing });
    const asks = run.of("ask.opened").filter(({ kind }) => kind === "pick");
    expect(asks.map(({ source }) => source)).toEqual([
      { path: PATH, line: 21, quote: expect.stringContaining("[NEEDS CLARIFICATION: with which scopes?]") },
      { path: PATH, line: 22, quote: expect.stringContaining("[NEEDS CLARIFICATION: how long?]") },
    ]);
    for (const { items, message } of asks) {
      expect(items?.slice(-2).map(({ id }) => id)).toEqual(["other", "skip"]);
      expect(message).toMatch(/^Context: .+\nspecs\/001-login\/spec\.md:2[12]/);
    }
    expect(run.result.description).toBe(
      "Clarification complete. 2 questions generated, 2 answered and applied. Spec ready for review.",
    );
    expect(run.result.data).toMatchObject({
      operation: "clarify",
      feature: "001-login",
      questions: [{ status: "applied" }, { status: "applied" }],
      saved: { documents: [{ name: "spec", path: PATH }] },
    });
    const spec = workspace.text(PATH);
    for (const { items } of asks) expect(spec).toContain(items?.[0]?.label);
    expect(spec).not.toContain("NEEDS CLARIFICATION");
    expect(run.plans.at(-1)).toBe("done done done done");
  });

  test("says what it does as the document has it", async () => {
    const run = await done("clarify", feature(), { answer: agreeing });
    const thoughts = run
      .of("thinking.delta")
      .map(({ text }) => text)
      .join("");
    expect(thoughts).toMatch(
      /^Reading specification document\.\.\.\nIdentified \d areas? with potential ambiguity:\n1\. /,
    );
    expect(run.steps.map(([, title]) => title)).toContain("Asking 2 questions");
    expect(
      run
        .of("text.delta")
        .map(({ text }) => text)
        .join(""),
    ).toContain("Generating clarification question 2 of 2...");
    const said = run
      .of("text.delta")
      .map(({ text }) => text)
      .join("");
    expect(run.of("note").map(({ text }) => text)).toContainEqual(
      expect.stringMatching(/\(specs\/001-login\/spec\.md:21\)$/),
    );
    expect(said.trimEnd().endsWith(run.result.text)).toBe(true);
  });

  test("leaves the questions in its result where nobody is there, and saves nothing", async () => {
    const workspace = feature();
    const run = await done("clarify", workspace);
    expect(run.result.description).toBe(
      "Clarification complete. 2 questions generated; no one was there to answer them, so the specification is unchanged.",
    );
    expect(run.result.data).toMatchObject({ questions: [{ status: "unanswered" }, { status: "unanswered" }] });
    expect(run.calls.map(([tool]) => tool)).toEqual(["spec_read"]);
    expect(workspace.text(PATH)).toBe(SIGN_IN_SPEC);
  });

  test("takes own words that come with the answer, and asks for them no more", async () => {
    const workspace = feature();
    const own: Record<string, unknown> = {
      "FR-001": { ids: [], text: "read:user\nonly" },
      "FR-002": { ids: ["other"], text: "until the browser is closed" },
    };
    const answer: Answer = (ask) => own[ask.title.slice(0, 6)] ?? agreeing(ask);
    const run = await done("clarify", workspace, { answer });
    expect(run.of("ask.opened").map(({ kind, allowText }) => [kind, allowText])).toEqual([
      ["pick", true],
      ["pick", true],
      ["confirm", undefined],
    ]);
    const { questions } = run.result.data as { questions: { answer: string; status: string }[] };
    expect(questions.map(({ answer, status }) => [answer, status])).toEqual([
      ["read:user only", "applied"],
      ["until the browser is closed", "applied"],
    ]);
    for (const words of ["read:user only", "until the browser is closed"])
      expect(workspace.text(PATH)).toContain(words);
    const said = run.of("text.delta").map(({ text }) => text);
    expect(said.join("")).not.toMatch(/read:user only|until the browser/);
  });

  test("invites own words where a mark asks for a value that the rules have no options for", async () => {
    const mark = "let a user sign in [NEEDS CLARIFICATION: with which scopes?]";
    const open = SIGN_IN_SPEC.replace(mark, "show the shelf of a book [NEEDS CLARIFICATION: which provider?]");
    const run = await done("clarify", feature({ [PATH]: open }), { answer: agreeing });
    const picks = run.of("ask.opened").filter(({ kind }) => kind === "pick");
    const invitation = "\nPick one, or say it in your own words.";
    const invites = picks.map(({ title, message }) => [title.slice(0, 6), message.endsWith(invitation)]);
    expect(Object.fromEntries(invites)).toEqual({ "FR-001": true, "FR-002": false });
  });

  test("tells an answer in someone's own words as the spec has it, however long it was", async () => {
    const workspace = feature();
    const words = `all   of [them]\n${"and more ".repeat(500)}`;
    const answer: Answer = ({ kind, title, items }) => {
      if (kind === "prompt") return { value: words };
      return kind === "pick" && title.startsWith("FR-002") ? { ids: ["other"] } : agreeing({ kind, title, items });
    };
    const run = await done("clarify", workspace, { answer });
    const { questions } = run.result.data as { questions: { answer: string; status: string }[] };
    expect([questions[1]?.status, questions[1]?.answer.length]).toEqual(["applied", 2001]);
    expect(questions[1]?.answer).toMatch(/^all of \(them\) and more and more .+…$/);
    expect(workspace.text(PATH)).toContain(questions[1]?.answer);
  });

  test("writes what was answered, and leaves open what was not", async () => {
    const answer: Answer = (ask) => (ask.title.startsWith("FR-001") ? { ids: ["skip"] } : agreeing(ask));
    const run = await done("clarify", feature(), { answer });
    expect(run.result.data).toMatchObject({ questions: [{ status: "unanswered" }, { status: "applied" }] });
    expect(run.result.description).toContain("2 questions generated, 1 answered and applied.");
    expect(run.result.text).toMatch(/Left open:\n- FR-001.+ith which scopes\?$/);
  });

  test("fails when it may not save, keeps what was answered, and has changed nothing", async () => {
    const workspace = feature();
    const answer: Answer = (ask) => (ask.kind === "confirm" ? { ok: false, reason: "not today" } : agreeing(ask));
    const run = await done("clarify", workspace, { answer });
    expect(run.events.at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "denied", message: expect.stringContaining("not today") },
    });
    expect(run.of("text.delta").map(({ text }) => text.trim())).toContainEqual(
      expect.stringMatching(/^\d of \d questions answered\.$/),
    );
    expect(workspace.text(PATH)).toBe(SIGN_IN_SPEC);
  });

  test("gives its answers to the spec as it is by then, when it moved meanwhile", async () => {
    const workspace = feature();
    const moved = SIGN_IN_SPEC.replace("# Feature Specification: Sign in", "# Feature Specification: Sign in, and out");
    const answer: Answer = (ask) => {
      if (ask.kind === "pick") workspace.files({ [PATH]: moved });
      return agreeing(ask);
    };
    const run = await done("clarify", workspace, { answer });
    expect(run.result.description).toContain("2 answered and applied");
    expect(run.calls.map(([tool]) => tool)).toEqual(["spec_read", "spec_save", "spec_read", "spec_save"]);
    expect(workspace.text(PATH)).toContain("Sign in, and out");
    expect(workspace.text(PATH)).not.toContain("NEEDS CLARIFICATION");
  });

  test("tells an answer whose words are gone by then from those that are applied", async () => {
    const workspace = feature();
    const moved = SIGN_IN_SPEC.replace("[NEEDS CLARIFICATION: how long?]", "30 minutes without a request.");
    const answer: Answer = (ask) => {
      if (ask.kind === "pick") workspace.files({ [PATH]: moved });
      return agreeing(ask);
    };
    const run = await done("clarify", workspace, { answer });
    expect(run.result.description).toBe(
      "Clarification complete. 2 questions generated, 1 answered and applied, 1 answered and only recorded under Clarifications. Spec ready for review.",
    );
    expect(run.result.data).toMatchObject({ questions: [{ status: "applied" }, { status: "answered" }] });
    expect(run.result.text).toMatch(
      /Only under Clarifications, because no statement of the specification now has the words that they are about:\n- FR-002.+How long\?$/,
    );
    const line = moved.split("\n").find((one) => one.includes("30 minutes without"));
    expect(workspace.text(PATH).split("\n")).toContain(line);
  });

  test("does not say that nothing was written where that is not known", async () => {
    const workspace = feature();
    const tools = specTools(() => ({})).map((tool): AnyTool => {
      if (tool.name !== "spec_save") return tool;
      const run: AnyTool["run"] = async (...given) => {
        await tool.run(...given);
        throw unknownOutcome("001-login", undefined);
      };
      return { ...tool, run };
    });
    const run = await done("clarify", workspace, { answer: agreeing, tools });
    expect(workspace.text(PATH)).toContain("## Clarifications");
    expect(run.events.at(-1)).toMatchObject({
      type: "run.failed",
      error: {
        code: "timeout",
        message: expect.stringMatching(/^It is not known .+ again\. The log of this run keeps the answers\.$/),
      },
    });
  });

  test("has nothing to ask about a spec that is clear", async () => {
    const clear = SIGN_IN_SPEC.replace(
      "[NEEDS CLARIFICATION: with which scopes?]",
      "with a token of the scope `repo`.",
    ).replace("[NEEDS CLARIFICATION: how long?]", "30 minutes without a request.");
    const run = await done("clarify", feature({ [PATH]: clear }), { answer: agreeing });
    expect(run.of("ask.opened")).toEqual([]);
    expect(run.result.description).toMatch(/^Clarification complete\. No questions: .+ Spec ready for review\.$/);
    expect(run.plans.at(-1)).toBe("done done skipped skipped");
  });
});

describe("plan", () => {
  test("writes plan and tasks in one go, with which analyze finds nothing wrong", async () => {
    const workspace = feature();
    const run = await done("plan", workspace, { answer: agreeing });
    expect(run.calls.map(([tool]) => tool)).toEqual(["spec_read", "spec_save"]);
    const [plan, task] = ["plan", "task"].map((name) => workspace.text(`specs/001-login/${name}.md`));
    const { findings } = analyze({ spec: SIGN_IN_SPEC, plan, task });
    expect(findings.filter(({ severity, place }) => severity !== "note" && place.document !== "spec")).toEqual([]);
    expect(run.result.description).toMatch(/^Planning complete\. \d+ tasks in .+plan\.md and .+task\.md\./);
  });

  test("asks before it replaces what is there, and keeps it after a no", async () => {
    const files = { "specs/001-login/task.md": "# Tasks\n\n- [ ] T001 Do it by hand\n" };
    const workspace = feature(files);
    const run = await done("plan", workspace, { answer: () => ({ ok: false }) });
    expect(run.of("ask.opened").map(({ title }) => title)).toEqual(["Replace task.md?"]);
    expect(run.result.description).toBe("Planning ended. The documents there are were kept; nothing was saved.");
    expect(workspace.text("specs/001-login/task.md")).toBe(files["specs/001-login/task.md"]);
  });

  test("replaces nothing that was written while it asked", async () => {
    const TASK = "specs/001-login/task.md";
    const workspace = feature({ [TASK]: "# Tasks\n" });
    const answer: Answer = (ask) => {
      if (ask.title.startsWith("Replace")) workspace.files({ [TASK]: "# Mine, meanwhile\n" });
      return { ok: true };
    };
    const run = await done("plan", workspace, { answer });
    expect(run.events.at(-1)).toMatchObject({ type: "run.failed", error: { code: "precondition_failed" } });
    expect(workspace.text(TASK)).toBe("# Mine, meanwhile\n");
  });

  test("fails where no one is there to say whether it may, and says how to ask for it", async () => {
    const run = await done("plan", feature({ "specs/001-login/plan.md": "# Mine\n" }));
    expect(run.events.at(-1)).toMatchObject({
      type: "run.failed",
      error: { code: "no_one_to_ask", message: expect.stringMatching(/^specs\/001-login\/plan\.md: .+--replace/) },
    });
  });

  test("replaces without that question when it was told to", async () => {
    const workspace = feature({ "specs/001-login/task.md": "# Tasks\n" });
    const run = await done("plan", workspace, { answer: agreeing, more: { replace: true } });
    expect(run.of("ask.opened").map(({ tool }) => tool)).toEqual(["spec_save"]);
    expect(workspace.text("specs/001-login/task.md")).not.toBe("# Tasks\n");
  });

  test("commits on the feature's branch", async () => {
    const workspace = feature();
    const git = (...args: string[]) => execFileSync("git", args, { cwd: workspace.path, encoding: "utf8" }).trim();
    git("init", "--quiet", "--initial-branch=main");
    git("config", "user.name", "Ada");
    git("config", "user.email", "ada@example.com");
    git("add", "--all");
    git("commit", "--quiet", "--message=begin");
    git("switch", "--quiet", "--create", "001-login");
    const run = await done("plan", workspace, { answer: agreeing });
    expect(run.result.data).toMatchObject({ saved: { branch: "001-login", commit: git("rev-parse", "HEAD") } });
    expect(git("show", "--name-only", "--format=%s")).toBe(
      "docs: plan 001-login\n\nspecs/001-login/plan.md\nspecs/001-login/task.md",
    );
  });

  test.each([
    ["that is missing", undefined, "document_not_found"],
    ["that is empty", "  \n", "spec_invalid"],
  ])("needs a spec, and says so of one %s", async (_, content, code) => {
    const workspace = newWorkspace().files({
      "specs/001-login/plan.md": "# Plan\n",
      ...(content && { [PATH]: content }),
    });
    const run = await done("plan", workspace, { answer: agreeing });
    expect(run.events.at(-1)).toMatchObject({
      type: "run.failed",
      error: { code, message: expect.stringMatching(/spec\.md.+Describe there what is wanted, then try again\.$/) },
    });
    expect(run.steps.at(-1)?.[2]).toBe("completed");
  });
});

describe("analyze", () => {
  const TASKS = `# Tasks

## Phase 1: Setup

- [ ] T001 Create the project [2h]
- [ ] T002 Sign in (FR-001), depends on T003
- [ ] T003 Keep the session (FR-002), depends on T002
- [ ] T004 Write a poem, depends on T099
`;

  test("says what is wrong, what it comes to and what to do, writes nothing, and says the same again", async () => {
    const workspace = feature({ "specs/001-login/task.md": TASKS });
    const [first, second] = [await done("analyze", workspace), await done("analyze", workspace)];
    expect(first.result).toEqual(second.result);
    expect(first.calls.map(([tool]) => tool)).toEqual(["spec_read"]);
    expect(first.result.text).toMatch(
      /^Analysis Results:\n- Completeness Score: \d+\/100\n- Risk Level: (LOW|MEDIUM|HIGH)\n/,
    );
    expect(first.result.text).toContain("Identified Circular Dependencies: T002 → T003 → T002");
    expect(first.result.description).toBe(
      "Analysis complete. Review recommendations above and update task.md if needed.",
    );
    expect(first.result.data).toMatchObject({
      completeness_score: expect.any(Number),
      risk_level: expect.stringMatching(/^(low|medium|high)$/),
      cycles: [["T002", "T003"]],
      dangling: [{ task: "T004", needs: "T099" }],
      missing_tasks: expect.any(Array),
      tasks_without_estimate: expect.arrayContaining(["T002", "T003", "T004"]),
      recommendations: expect.any(Array),
    });
    const thoughts = first.of("thinking.delta").map(({ text }) => text);
    expect(thoughts.join("")).toBe("Parsing task document...\nFound 4 tasks. Checking for dependencies and risks...\n");
    expect(first.of("note").some(({ text }) => /^WARNING: .*task\.md:\d+\)$/.test(text))).toBe(true);
  });

  test("of a task list in which everything is wrong stays far below what an operation may say", async () => {
    const lines = Array.from({ length: 3000 }, (_, n) => `- [ ] T${n + 1} Do ${n}, depends on X${n}`);
    const workspace = feature({ "specs/001-login/task.md": `# Tasks\n\n${lines.join("\n")}\n` });
    const run = await done("analyze", workspace);
    expect(run.result.description).toContain("Analysis complete.");
    expect(run.of("note").length).toBeLessThanOrEqual(21);
    expect(run.result.text.split("\n").length).toBeLessThan(100);
  });
});

test("an operation on nothing in particular is refused", async () => {
  const run = await done("clarify", feature(), { more: { file: "x.md" } });
  expect(run.events.at(-1)).toMatchObject({
    type: "run.failed",
    error: { code: "invalid_params", message: "Say either which feature or which file to clarify." },
  });
});
