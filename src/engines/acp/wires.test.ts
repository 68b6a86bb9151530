import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import type { Emitted } from "../../core/engine.ts";
import { AcpIo, answerIn } from "../../testing/acp-io.ts";
import { Narration } from "./narration.ts";
import { allowing, refusing } from "./permissions.ts";
import { Usage } from "./usage.ts";
import { permissionSchema, promptedSchema, updateSchema } from "./wire.ts";

// What real agents sent in one turn with one call that was allowed, as it was captured; the folder was /w, and most of the answers is left
// out. Each line is an update, a question, or the end of the turn.

interface Line {
  update?: unknown;
  ask?: Record<string, unknown>;
  end?: unknown;
}

const linesOf = (agent: string) =>
  readFileSync(new URL(`./wires/${agent}.jsonl`, import.meta.url), "utf8")
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);

/** All that a wire comes to. */
async function played(agent: string) {
  const io = new AcpIo();
  const choices: unknown[] = [];
  const turn = { runId: "0b0e2a52-7a0e-4c52-9b4b-0d3a3c1e2f10", workspace: "/w" };
  const usage = new Usage(agent, false);
  const textsAreErrors = agent.startsWith("copilot");
  const narration = new Narration({ io, turn, clock: new ManualClock(), usage, source: agent, textsAreErrors });
  usage.beginRun();
  for (const { update, ask, end } of linesOf(agent)) {
    if (update) await narration.tell(updateSchema.parse({ sessionId: "s", update }).update);
    if (ask) {
      const { toolCall, options } = permissionSchema.parse({ sessionId: "s", ...ask });
      await narration.permit(toolCall);
      choices.push([allowing(options), refusing(options)]);
    }
    if (end) {
      expect(await narration.endTurn()).toBeUndefined();
      expect(usage.endTurn(promptedSchema.parse(end))).toBe(true);
    }
  }
  const { said, asked } = io;
  return { said, asked, choices, answer: narration.answer, usage: usage.event() };
}

const brief = (said: Emitted[]) =>
  said.flatMap((event) => {
    if (event.type === "usage.updated") return [];
    if (event.type === "tool.requested")
      return [`${event.kind} ${event.tool}: ${event.title} ${JSON.stringify(event.args)}`];
    if (event.type === "tool.finished")
      return [`finished ${JSON.stringify(event.result)}${event.diff ? " with a diff" : ""}`];
    return "text" in event ? [`${event.type} ${event.text}`] : [event.type];
  });

const chosen = (optionId: string) => ({ outcome: "selected", optionId });
const command = "echo hi > out.txt; cat out.txt";
const shell = (tool: string, title: string, args: unknown) => `execute ${tool}: ${title} ${JSON.stringify(args)}`;
const done = ["text.delta Done. To", "text.delta ol said:"];

test.each([
  {
    agent: "copilot",
    told: [
      shell("execute", "Stub description", { command, description: "Stub description" }),
      "tool.output hi\n",
      'finished {"text":"hi\\n","exitCode":0}',
      ...done,
      "text.delta  0>",
    ],
    as: "shell",
    choices: [chosen("allow_once"), chosen("reject_once")],
    usage: { contextUsed: 8759, contextSize: 128_000, input: 2468, output: 112 },
  },
  {
    agent: "copilot-multi",
    told: [
      shell("execute", "Stub description", { command: "echo hi", description: "Stub description" }),
      "tool.output hi\n",
      'finished {"text":"hi\\n","exitCode":0}',
      ...done,
      "text.delta  0>",
    ],
    as: "shell",
    choices: [chosen("allow_once"), chosen("reject_once")],
    usage: { contextUsed: 9034, contextSize: 128_000, input: 2468, output: 112 },
  },
  {
    agent: "copilot-write",
    told: [
      "thinking.delta ponderin",
      "thinking.delta g the ta",
      "thinking.delta sk",
      'edit edit: Creating /w/new.txt {"path":"/w/new.txt","file_text":"hello world"}',
      "note /w/new.txt",
      'finished {"text":"Created file /w/new.txt with 11 characters"} with a diff',
      ...done,
      "text.delta racters",
    ],
    as: "write",
    choices: [chosen("allow_once"), chosen("reject_once")],
    usage: { contextUsed: 8771, contextSize: 128_000, input: 2468, output: 112 },
  },
  {
    agent: "codex",
    told: [
      "text.delta Warning: Model metadata for `stub-model` not found. Defaulting to fallback metadata; this can degrade performance and cause issues.\n\n",
      shell("execute", "echo hi > out2.txt; cat out2.txt", { command: "echo hi > out2.txt; cat out2.txt", cwd: "/w" }),
      "tool.output hi\n",
      'finished {"text":"hi\\n","exitCode":0}',
      ...["text.delta Done. To", "text.delta ol said", "text.delta i"],
    ],
    as: "shell",
    choices: [chosen("allow_once"), chosen("cancel")],
    usage: { contextUsed: 1290, contextSize: 258_400, input: 2468, output: 112 },
  },
  {
    agent: "claude",
    told: [shell("Bash", command, { command }), "tool.output hi", 'finished {"text":"hi"}', ...done, "text.delta  hi"],
    as: "shell",
    choices: [chosen("allow"), chosen("reject")],
    usage: { contextUsed: 2290, contextSize: 1_000_000, input: 4468, output: 112, cost: 0.01614 },
  },
  {
    agent: "gemini",
    told: [shell("execute", command, { command, cwd: "/w" }), 'finished {"text":""}', ...done, "text.delta ntext>"],
    as: "shell",
    choices: [chosen("proceed_once"), chosen("cancel")],
    usage: { contextUsed: 0, contextSize: 0, input: 2468, output: 112 },
  },
  {
    agent: "opencode",
    told: [
      shell("execute", command, { cwd: "/w", command }),
      "tool.output hi\n",
      'finished {"text":"hi\\n"}',
      ...done,
      "text.delta  hi",
    ],
    as: "shell",
    choices: [chosen("once"), chosen("reject")],
    usage: { contextUsed: 1234, contextSize: 128_000, input: 1234, output: 56, cost: 0 },
  },
])("the wire of $agent", async ({ agent, told, as, choices, usage }) => {
  const wire = await played(agent);
  expect(brief(wire.said)).toEqual(told);
  expect(wire.asked.map((call) => call.as.name)).toEqual([as]);
  expect(wire.choices).toEqual([choices]);
  expect(wire.usage).toEqual({ type: "usage.updated", ...usage });
  expect(wire.answer).toBe(answerIn(wire.said).trim());
  expect(wire.answer).toContain("Done. Tool said");
});
