import type { Question } from "../src/core/events.ts";
import { type Scenario, say, think } from "./scenario.ts";

/** What `dragoman demo` plays. */
export const demo: Scenario = {
  input: { text: "Add a greeting to the program, and run it" },
  onAsk: "grant",
  work: async (io, tools) => {
    const { clock, newId } = tools;
    const steps = ["Read main.ts", "Change it", "Run it"].map((description, index) => ({
      stepId: `s${index + 1}`,
      description,
      status: "pending" as "pending" | "running" | "done",
    }));
    const planId = newId();
    const reach = async (index: number) => {
      for (const [at, step] of steps.entries())
        step.status = at < index ? "done" : at === index ? "running" : "pending";
      clock.advance(400);
      await io.emit({ type: "plan.updated", planId, steps: structuredClone(steps) });
    };
    await reach(0);
    await think(io, tools, "The program is one file. I read it before I change it.");
    const read = newId();
    await io.emit({
      type: "tool.requested",
      callId: read,
      tool: "fs.read",
      args: { path: "main.ts" },
      title: "Read main.ts",
      kind: "read",
    });
    clock.advance(300);
    await io.emit({ type: "tool.finished", callId: read, result: 'console.log("bye");\n', durationMs: 4 });
    await reach(1);
    const callId = newId();
    const args = { path: "main.ts", content: 'console.log("hello");\nconsole.log("bye");\n' };
    const change = '--- a/main.ts\n+++ b/main.ts\n@@ -1 +1,2 @@\n+console.log("hello");\n console.log("bye");\n';
    await io.emit({ type: "tool.requested", callId, tool: "fs.write", args, title: "Write main.ts", kind: "edit" });
    clock.advance(300);
    const question: Question = {
      kind: "confirm",
      title: "Write main.ts?",
      message: "fs.write adds one line to main.ts",
      callId,
      tool: "fs.write",
      args,
      path: "main.ts",
      diff: change,
      allowReason: true,
    };
    await io.ask(question, 10 * 60_000);
    clock.advance(200);
    await io.emit({ type: "tool.finished", callId, result: "Wrote 2 lines", durationMs: 9, diff: change });
    await reach(2);
    const run = newId();
    await io.emit({
      type: "tool.requested",
      callId: run,
      tool: "exec.run",
      args: { command: "node main.ts" },
      title: "node main.ts",
      kind: "execute",
    });
    for (const line of ["hello\n", "bye\n"]) {
      clock.advance(500);
      await io.emit({ type: "tool.output", callId: run, text: line });
    }
    await io.emit({ type: "tool.finished", callId: run, result: { exitCode: 0 }, durationMs: 1031 });
    await reach(3);
    await io.emit({
      type: "usage.updated",
      contextUsed: 2100,
      contextSize: 128_000,
      input: 3900,
      output: 240,
      cost: 0.004,
    });
    await say(io, tools, "The program greets now before it says goodbye.", 60);
    return "The program greets now before it says goodbye.";
  },
};
