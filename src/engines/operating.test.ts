import { describe, expect, test } from "vitest";
import type { Engine } from "../core/engine.ts";
import { DragomanError } from "../core/errors.ts";
import type { RunInput } from "../core/events.ts";
import { noRules, type RuleBook } from "../core/rules.ts";
import { Runtime } from "../core/runtime.ts";
import type { SessionHandle } from "../core/session-handle.ts";
import { makePlan } from "../operations/plan/index.ts";
import { specTools } from "../operations/tools/index.ts";
import { memoryStore } from "../stores/memory.ts";
import { faultsOf } from "../testing/check-log.ts";
import { lostProcess, me, ofType } from "../testing/one-session.ts";
import { PromptedRun } from "../testing/prompted-run.ts";
import { readAll } from "../testing/read-all.ts";
import { scripted, until } from "../testing/scripted.ts";
import { temporaryWorkspaces, type Workspace } from "../testing/workspace.ts";
import { tools } from "../tools/index.ts";
import { builtinEngine } from "./builtin/index.ts";
import { type Case, engineContract } from "./contract.ts";
import { withOperations } from "./operating.ts";

const newWorkspace = temporaryWorkspaces();
const allTools = [...tools, ...specTools(() => ({}))];
const builtin = () => withOperations(builtinEngine(), { advises: false });

const allowing: RuleBook = { ...noRules, read: async () => ({ trusted: false, allow: [{ tool: "shell" }], deny: [] }) };
const contractCase = (text: string, equipment: Pick<Case, "tools" | "ruleBook"> = { tools: allTools }): Case => ({
  engine: builtin(),
  input: { text },
  workspace: newWorkspace().files({ "a.ts": "export const a = 1;\n" }).path,
  ...equipment,
});

engineContract("builtin with operations", {
  answers: () => contractCase("list TypeScript files"),
  fails: () => contractCase("list files", {}),
  goesOn: () => contractCase("run sleep 60", { tools: allTools, ruleBook: allowing }),
  asks: () => contractCase("write notes.txt with hello"),
});

const SPEC = `# Feature Specification: Sign in

## User Scenarios & Testing

### User Story 1 - See my repositories (Priority: P1)

As a developer I sign in and see all accessible repositories.

**Acceptance Scenarios**:

1. **Given** a token, **When** I sign in, **Then** I see my repositories.

## Requirements

### Functional Requirements

- **FR-001**: The system MUST let a user sign in [NEEDS CLARIFICATION: with a password or a token?]
- **FR-002**: The system MUST keep a session [NEEDS CLARIFICATION: for how long?]
- **FR-003**: The system MUST list repositories [NEEDS CLARIFICATION: which ones, owned or shared?]

## Success Criteria

- **SC-001**: 95% of sign-ins take less than 2 seconds.
`;

const feature = () => newWorkspace().files({ "specs/001-login/spec.md": SPEC });
const onFeature = (action: string, more: object = {}): RunInput => ({
  text: `${action} 001-login`,
  action,
  args: { feature: "001-login", ...more },
});

/** A process after another on one store. */
function processes(workspace: Workspace, engine: () => Engine) {
  const store = memoryStore();
  const next = () => new Runtime({ store, engines: [engine()], tools: allTools, identity: lostProcess() });
  let session: SessionHandle | undefined;
  const log = () => readAll(store, session?.id ?? "");
  return {
    log,
    asks: async () => ofType(await log(), "ask.opened"),
    begin: async (input: RunInput, kind: "operation" | "prompt" = "operation", attached = true) => {
      session = await next().create({ workspace: workspace.path, engine: engine().name });
      if (attached) session.attach(["confirm", "prompt", "pick"]);
      await session.prompt({ kind, input, by: me, whenBusy: "refuse" });
      return session;
    },
    /** The process dies, and another one goes on. */
    takeOver: async () => {
      const runtime = next();
      await runtime.own(session?.id ?? "");
      session = await runtime.open(session?.id ?? "");
      session.attach(["confirm", "prompt", "pick"]);
      return session;
    },
    ended: async () => {
      await session?.settled();
      return new PromptedRun(await log());
    },
  };
}

const saves = (run: PromptedRun) => run.calls.filter(([tool]) => tool === "spec_save");

describe("clarify, when its process is lost", () => {
  test("goes on in another one while some of its questions are open, and saves once with all answers", async () => {
    const workspace = feature();
    const { begin, asks, takeOver, ended } = processes(workspace, builtin);
    const first = await begin(onFeature("clarify"));
    await until(async () => (await asks()).length >= 3, "the questions");
    const questions = await asks();
    const firstItem = (index: number) => questions[index]?.items?.[0];
    await first.answer(questions[0]?.askId ?? "", { ids: ["other"], text: "a passkey, and nothing else" }, me);
    const second = await takeOver();
    for (const [index, { askId }] of questions.entries()) {
      if (index > 0) await second.answer(askId, { ids: [index === 1 ? "other" : firstItem(index)?.id] }, me);
    }
    await until(async () => (await asks()).length === questions.length + 1, "the question for the person's own words");
    const own = (await asks()).at(-1);
    const third = await takeOver();
    await third.answer(own?.askId ?? "", { value: "exactly seven days" }, me);
    await until(async () => (await asks()).at(-1)?.tool === "spec_save", "the question about the save");
    const fourth = await takeOver();
    await fourth.answer((await asks()).at(-1)?.askId ?? "", { ok: true }, me);
    const run = await ended();
    expect(faultsOf(run.events, { ended: true })).toEqual([]);
    const count = questions.length;
    expect(run.result.description).toBe(
      `Clarification complete. ${count} questions generated, ${count} answered and applied. Spec ready for review.`,
    );
    expect(saves(run)).toHaveLength(1);
    const spec = workspace.text("specs/001-login/spec.md");
    expect(spec).toContain("a passkey, and nothing else");
    expect(spec).toContain("exactly seven days");
    for (const index of questions.keys()) if (index > 1) expect(spec).toContain(firstItem(index)?.label);
    expect(spec).not.toContain("NEEDS CLARIFICATION");
  });
});

describe("asked in words", () => {
  test.each(["Clarify specs/001-login/spec.md", "please clarify the spec 001-login.", "clarify specs/001-login/"])(
    "%s is the operation",
    async (text) => {
      const { begin, ended } = processes(feature(), builtin);
      await begin({ text }, "prompt", false);
      const { result } = await ended();
      expect(result.description).toMatch(/^Clarification complete\. \d questions generated; no one was there/);
      expect(result.data).toMatchObject({ operation: "clarify", questions: expect.any(Array) });
    },
  );

  test.each(["clarify the meaning of life", "plan nothing", "analyze ../spec.md", "plan specs/002-none/spec.md"])(
    "%s is for the engine itself",
    async (text) => {
      const { begin, ended } = processes(feature(), builtin);
      await begin({ text }, "prompt", false);
      expect((await ended()).result.text).toMatch(/^(I cannot do that|That takes a model)/);
    },
  );

  test("goes on in another process as what it was taken for", async () => {
    const { begin, asks, takeOver, ended } = processes(feature(), builtin);
    await begin({ text: "clarify 001-login" }, "prompt");
    await until(async () => (await asks()).length >= 3, "the questions");
    const session = await takeOver();
    for (const { askId } of await asks()) await session.answer(askId, { ids: ["skip"] }, me);
    expect((await ended()).result.description).toContain("none was answered");
  });

  test("an engine with a model gets them as they are", async () => {
    const engine = () =>
      withOperations(
        scripted(async () => "I am the model"),
        { advises: true },
      );
    const { begin, ended } = processes(feature(), engine);
    await begin({ text: "clarify 001-login" }, "prompt");
    expect((await ended()).result.text).toBe("I am the model");
  });
});

describe("an engine with a model", () => {
  const advice = {
    findings: [
      {
        kind: "vague",
        quote: "all accessible repositories",
        message: "Which repositories are accessible is not said.",
        question: "Which repositories are meant by accessible?",
        options: ["Owned by the user", "Every one that the token can read"],
        context: "It decides what is asked of GitHub.",
        importance: "high",
      },
      { quote: "words that stand nowhere", message: "m", question: "q", importance: "high" },
    ],
  };
  const advising = (answer: () => Promise<string>) => () =>
    withOperations(
      scripted(async ({ input }, io) => {
        if (!input.text.startsWith("You review")) throw new Error("not what was expected");
        await io.emit({ type: "thinking.delta", text: "let me see\n" });
        return answer();
      }),
      { advises: true },
    );

  test("adds questions about what is in the document, and a lost process does not ask it again", async () => {
    let times = 0;
    const engine = advising(async () => {
      times += 1;
      return `Here:\n\`\`\`json\n${JSON.stringify(advice)}\n\`\`\``;
    });
    const { begin, asks, takeOver, ended } = processes(feature(), engine);
    await begin(onFeature("clarify"));
    await until(async () => (await asks()).length >= 4, "the questions");
    const session = await takeOver();
    const added = (await asks()).find(({ title }) => title === "Which repositories are meant by accessible?");
    expect(added?.source).toEqual({ path: "specs/001-login/spec.md", line: 7, quote: "all accessible repositories" });
    for (const { askId } of await asks()) await session.answer(askId, { ids: ["skip"] }, me);
    const run = await ended();
    expect(run.result.data).toMatchObject({
      questions: expect.arrayContaining([expect.objectContaining({ id: "advice-1" })]),
    });
    expect(times).toBe(1);
    expect(run.calls.filter(([tool]) => tool === "advice")).toEqual([
      ["advice", { operation: "clarify", engine: "scripted" }],
    ]);
  });

  test.each<[string, () => Promise<string>, string]>([
    ["talks", async () => "I would rather not.", "there is no JSON in it"],
    ["answers something else", async () => '{"findings": [{"quote": 3}]}', "it was not in the form that was asked for"],
    ["has no key", () => Promise.reject(new DragomanError("engine_auth", "The key is wrong")), "The key is wrong"],
  ])("that %s does not keep the rules from their work", async (_, answer, why) => {
    const { begin, ended } = processes(feature(), advising(answer));
    await begin(onFeature("clarify"), "operation", false);
    const run = await ended();
    expect(run.result.description).toMatch(/^Clarification complete\. 4 questions generated/);
    expect(run.of("note").map(({ text }) => text)).toContain(
      `The engine's advice was left out: ${why}. The rules' own result stands.`,
    );
  });

  test("gets no tools and nobody to ask while it advises", async () => {
    const replies: unknown[] = [];
    const engine = () =>
      withOperations(
        scripted(async (_, io) => {
          const { callId, ...denied } = await io.tool("write", { path: "a.txt", content: "x" });
          replies.push(denied, await io.ask({ kind: "confirm", title: "May I?", message: "" }));
          return '{"findings": []}';
        }),
        { advises: true },
      );
    const { begin, ended } = processes(feature(), engine);
    await begin(onFeature("clarify"), "operation", false);
    await ended();
    expect(replies).toEqual([
      { outcome: "denied", message: "The answer is to be given from what was asked alone, without tools.", goOn: true },
      { outcome: "denied", reason: "no_one_to_ask" },
    ]);
  });

  const answering = (answer: string) => () =>
    withOperations(
      scripted(async () => answer),
      { advises: true },
    );
  const notesOf = (run: PromptedRun) => run.of("note").map(({ text }) => text);

  test("adds recommendations and risks to an analysis, whose score stays as it is", async () => {
    const answer = JSON.stringify({ recommendations: ["Begin with FR-002."], risks: ["GitHub may be slow."] });
    const [advised, alone] = [answering(answer), builtin];
    const results = await Promise.all(
      [advised, alone].map(async (engine) => {
        const { begin, ended } = processes(feature(), engine);
        await begin(onFeature("analyze"), "operation", false);
        return (await ended()).result;
      }),
    );
    expect(results[0]?.data?.recommendations).toEqual([
      ...((results[1]?.data?.recommendations as string[]) ?? []),
      "Begin with FR-002.",
    ]);
    expect(results[0]?.text).toContain("- GitHub may be slow.");
    expect(results[0]?.data?.completeness_score).toBe(results[1]?.data?.completeness_score);
  });

  test("whose task list has a fault is not followed, and that is said", async () => {
    const workspace = feature();
    const { begin, asks, ended } = processes(workspace, answering("```markdown\n# Tasks\n\n- [ ] T001 Do it\n```"));
    const session = await begin(onFeature("plan"));
    await until(async () => (await asks()).length > 0, "the question about the save");
    await session.answer((await asks())[0]?.askId ?? "", { ok: true }, me);
    const run = await ended();
    expect(
      notesOf(run).some((text) => text.startsWith("The engine's own task list was left out, the rules' is used: ")),
    ).toBe(true);
    expect(workspace.text("specs/001-login/task.md")).toMatch(/^# Tasks: Sign in\n[\s\S]+T010/);
  });

  test("whose task list is sound is followed", async () => {
    const made = makePlan(SPEC, { feature: "001-login", today: "2026-01-01" }).task;
    const better = made.replace("# Tasks: Sign in", "# Tasks: Sign in, thought through");
    const workspace = feature();
    const { begin, asks, ended } = processes(workspace, answering(`\`\`\`\`markdown\n${better}\`\`\`\``));
    const session = await begin(onFeature("plan"));
    await until(async () => (await asks()).length > 0, "the question about the save");
    await session.answer((await asks())[0]?.askId ?? "", { ok: true }, me);
    const run = await ended();
    expect(notesOf(run).filter((text) => text.includes("task list"))).toEqual([]);
    expect(workspace.text("specs/001-login/task.md")).toContain("thought through");
  });
});
