import type { EngineIO } from "../src/core/engine.ts";
import { DragomanError } from "../src/core/errors.ts";
import type { Question } from "../src/core/events.ts";
import { demo } from "./demo-scenario.ts";
import { type Scenario, say, type Tools, think } from "./scenario.ts";

const diff = `--- a/notes.txt
+++ b/notes.txt
@@ -1 +1,2 @@
 milk
+bread
`;

async function write(io: EngineIO, tools: Tools): Promise<boolean> {
  const callId = tools.newId();
  const args = { path: "notes.txt", content: "milk\nbread\n" };
  await io.emit({ type: "tool.requested", callId, tool: "fs.write", args, title: "Write notes.txt", kind: "edit" });
  const question: Question = {
    kind: "confirm",
    title: "Write notes.txt?",
    message: "fs.write wants to change notes.txt",
    callId,
    tool: "fs.write",
    args,
    path: "notes.txt",
    diff,
    confirmLabel: "Write",
    cancelLabel: "Leave it",
    allowRemember: true,
    allowReason: true,
  };
  const reply = await io.ask(question, 60_000);
  const granted = reply.outcome === "answered" && "ok" in reply.answer && reply.answer.ok;
  tools.clock.advance(40);
  if (granted) await io.emit({ type: "tool.finished", callId, result: "Wrote 2 lines", durationMs: 12, diff });
  else {
    const error = {
      code: "denied" as const,
      message: reply.outcome === "answered" ? "Denied: not today" : reply.outcome,
    };
    await io.emit({ type: "tool.finished", callId, error, durationMs: 0 });
  }
  return granted;
}

const askToWrite = (onAsk: Scenario["onAsk"]): Scenario => ({
  input: { text: "Add bread to notes.txt" },
  onAsk,
  work: async (io, tools) => {
    await think(io, tools, "The file has one line; one more is to be added.");
    const granted = await write(io, tools);
    const answer = granted ? "Added bread to notes.txt." : "I left notes.txt as it was.";
    await say(io, tools, answer);
    return answer;
  },
});

const component = `export function Pets({ pets }) {
  return <ul>{pets.map((pet) => <li key={pet.id}>{pet.name}</li>)}</ul>;
}
`;

export const scenarios: Record<string, Scenario[]> = {
  demo: [demo],
  "plain-answer": [
    {
      input: { text: "What is in this folder?" },
      work: async (io, tools) => {
        await think(io, tools, "A short look is enough.\nTwo files.\n");
        await say(io, tools, "Two files: notes.txt and main.ts.\n\nThe first is a list, the second a program.");
        await io.emit({
          type: "usage.updated",
          contextUsed: 1200,
          contextSize: 8000,
          input: 1100,
          output: 100,
          cost: 0.002,
        });
        return "Two files: notes.txt and main.ts.\n\nThe first is a list, the second a program.";
      },
    },
  ],
  "long-tool": [
    {
      input: { text: "Run the tests" },
      work: async (io, tools) => {
        const stepId = "step-1";
        await io.emit({ type: "step.started", stepId, title: "Run the tests", number: 1 });
        const callId = tools.newId();
        const args = { command: "npm test" };
        await io.emit({ type: "tool.requested", callId, tool: "exec.run", args, title: "npm test", kind: "execute" });
        for (let test = 1; test <= 30; test++) {
          tools.clock.advance(700);
          await io.emit({ type: "tool.output", callId, text: `ok ${test} - case ${test}\n` });
        }
        await io.emit({ type: "tool.output", callId, text: "\u001b[32m30 passed\u001b[0m, 0 failed\n" });
        await io.emit({ type: "tool.finished", callId, result: { exitCode: 0 }, durationMs: 21_000 });
        await io.emit({ type: "step.finished", stepId, status: "completed", durationMs: 21_100 });
        const other = tools.newId();
        await io.emit({
          type: "tool.requested",
          callId: other,
          tool: "exec.run",
          args: { command: "npm run nope" },
          kind: "execute",
        });
        const error = { code: "tool_failed" as const, message: "exit code 1" };
        await io.emit({ type: "tool.finished", callId: other, error, durationMs: 300 });
        await io.emit({ type: "note", level: "info", text: "A line on the agent's stderr", source: "stderr" });
        await io.emit({
          type: "note",
          level: "warning",
          text: "The lock file is older than package.json",
          source: "npm",
        });
        await say(io, tools, "All 30 tests pass.");
        return "All 30 tests pass.";
      },
    },
  ],
  "approval-granted": [askToWrite("grant")],
  "approval-denied": [askToWrite("deny")],
  "approval-expired": [askToWrite("expire")],
  "approval-elsewhere": [askToWrite("elsewhere")],
  questions: [
    {
      input: { text: "Set the project up" },
      onAsk: { answer: undefined },
      work: async (io) => {
        const items = [
          { id: "ts", label: "TypeScript" },
          { id: "js", label: "JavaScript", detail: "no types" },
        ];
        await io.ask({ kind: "pick", title: "Language", message: "Which one?", items, multi: false }, 60_000);
        await io.ask({ kind: "prompt", title: "Name", message: "What is it called?", defaultValue: "my-app" }, 60_000);
        await io.ask({ kind: "prompt", title: "Key", message: "The key of the registry", secret: true }, 60_000);
        await io.emit({ type: "text.delta", text: "The key hunter2-hunter2 is set.", of: "answer" });
        return "Set up.";
      },
    },
  ],
  failure: [
    {
      input: { text: "Explain the build" },
      work: async (io, tools) => {
        await say(io, tools, "The build has");
        throw new DragomanError("rate_limited", "The model takes no more requests for 20 s.", { retryAfterMs: 20_000 });
      },
    },
  ],
  cancel: [
    {
      input: { text: "Refactor everything" },
      cancel: true,
      meanwhile: [{ text: "And this one is not wanted", cancelled: true }, { text: "Then say hello" }],
      work: async (io, tools) => {
        await say(io, tools, "I begin with");
        const callId = tools.newId();
        await io.emit({
          type: "tool.requested",
          callId,
          tool: "exec.run",
          args: { command: "sleep 60" },
          kind: "execute",
        });
        await new Promise<void>((resolve) => tools.signal.addEventListener("abort", () => resolve()));
        return "never seen";
      },
    },
    {
      input: { text: "Then say hello" },
      work: async (io, tools) => {
        await say(io, tools, "Hello.");
        return "Hello.";
      },
    },
  ],
  plan: [
    {
      kind: "operation",
      input: { text: "Plan the feature login", action: "plan", args: { feature: "login" } },
      work: async (io, tools) => {
        const steps = ["Read the spec", "Find the parts", "Write plan.md"].map((description, index) => ({
          stepId: `s${index + 1}`,
          description,
          status: "pending" as "pending" | "running" | "done" | "skipped",
        }));
        const planId = tools.newId();
        const update = () => io.emit({ type: "plan.updated", planId, steps: structuredClone(steps) });
        await update();
        for (const step of steps) {
          step.status = "running";
          await update();
          tools.clock.advance(500);
          await think(io, tools, `Working on: ${step.description}\n`);
          step.status = step.stepId === "s2" ? "skipped" : "done";
          await update();
        }
        const sha256 = "0f".repeat(32);
        await io.emit({
          type: "artifact.created",
          artifactId: tools.newId(),
          kind: "text",
          name: "plan.md",
          bytes: 2048,
          sha256,
        });
        await io.emit({ type: "context.compacted", before: 7800, after: 2100 });
        return { text: "The plan has 2 phases and 7 tasks.", description: "Plan written: 2 phases, 7 tasks." };
      },
    },
  ],
  code: [
    {
      kind: "generation",
      input: { text: "Generate an interface", action: "generate", args: { format: "react", theme: "light" } },
      by: { dialect: "studio", client: "host", requestId: 2 },
      work: async (io, { clock }) => {
        await io.emit({ type: "thinking.delta", text: "One list is enough." });
        for (const line of component.split(/(?<=\n)/)) {
          clock.advance(30);
          await io.emit({ type: "text.delta", text: line, of: "code", language: "jsx" });
        }
        const data = { componentCount: 1 };
        return { text: "", code: component, description: "Generated interface with 1 endpoint and a list", data };
      },
    },
    {
      input: { text: "Show me how to use it", action: "chat" },
      by: { dialect: "studio", client: "host", requestId: 3 },
      work: async (io, tools) => {
        const answer = "Like this:\n\n```jsx\n<Pets pets={all} />\n```\n\nThat is all.";
        await say(io, tools, answer);
        return { text: answer, data: { suggestions: ["Add a search bar"] } };
      },
    },
  ],
  "many-deltas": [
    {
      input: { text: "Count to five thousand" },
      work: async (io, { clock }) => {
        const said: string[] = [];
        for (let n = 1; n <= 5000; n++) {
          const text = n % 10 === 0 ? `${n}\n` : `${n} `;
          clock.advance(1);
          said.push(text);
          if (n % 500 === 1) await io.emit({ type: "thinking.delta", text: `On to ${n + 499}.\n` });
          await io.emit({ type: "text.delta", text, of: "answer" });
        }
        return said.join("");
      },
    },
  ],
  unicode: [
    {
      input: { text: "Ünïcödé \u2028 prompt 🦜" },
      work: async (io, { clock, newId }) => {
        const pieces = [
          "Grüße, 世界 ",
          "🦜",
          "\u{1F469}",
          "\u200D\u{1F4BB}",
          " half: \ud83e",
          "\udd9c ",
          "\u2028\u2029 ",
          "\u0000\u0007\b ",
        ];
        for (const text of [
          ...pieces,
          "\u001b[31mred\u001b[0m ",
          "\u202eover\u202c ",
          'quote " and \\ ',
          "\r\nline\ttab\n",
        ]) {
          clock.advance(10);
          await io.emit({ type: "text.delta", text, of: "answer" });
        }
        const callId = newId();
        await io.emit({
          type: "tool.requested",
          callId,
          tool: "fs.read",
          args: { path: "файл \u001b]0;title\u0007.txt" },
          title: "Read файл",
        });
        await io.emit({
          type: "tool.output",
          callId,
          text: "\u001b]8;;http://example.test\u001b\\link\u001b]8;;\u001b\\\n",
        });
        await io.emit({ type: "tool.finished", callId, result: "содержимое", durationMs: 3 });
        return "Grüße, 世界 🦜";
      },
    },
  ],
};
