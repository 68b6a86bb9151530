import type { EngineIO, Turn } from "../core/engine.ts";
import type { Question } from "../core/events.ts";

// What the engine of `cli-child.ts` does. Each is one thing that a terminal has to get right.

type Script = (turn: Turn, io: EngineIO, signal: AbortSignal) => Promise<string>;

const aborted = (signal: AbortSignal) =>
  new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    signal.addEventListener("abort", () => resolve());
  });

const write: Question = {
  kind: "confirm",
  title: "Write notes.txt?",
  message: "fs.write wants to change notes.txt",
  callId: "c1",
  tool: "fs.write",
  path: "notes.txt",
  diff: "--- a/notes.txt\n+++ b/notes.txt\n@@ -1 +1,2 @@\n milk\n+bread\n-butter\n",
  allowRemember: true,
  allowReason: true,
};

const HOSTILE = "\u001b]0;owned\u0007\u001b[2J\u001b[H\u001b[31mred\u202eesrever\u0000\u009b2Jx\u001bc";

export const scripts: Record<string, Script> = {
  approve: async (_, io) => {
    await io.emit({ type: "usage.updated", contextUsed: 130, contextSize: 1000, input: 100, output: 30 });
    await io.emit({ type: "thinking.delta", text: "The file has one line.\nOne more is to be added." });
    await io.emit({
      type: "tool.requested",
      callId: "c1",
      tool: "fs.write",
      title: "Write notes.txt",
      args: { path: "notes.txt", content: "milk\nbread\n" },
    });
    const reply = await io.ask(write);
    const said = reply.outcome === "answered" ? JSON.stringify(reply.answer) : reply.outcome;
    await io.emit({
      type: "tool.finished",
      callId: "c1",
      result: `The reply was ${said}`,
      durationMs: 12,
      diff: write.diff,
    });
    await io.emit({ type: "text.delta", of: "answer", text: `Told: ${said}` });
    return `Told: ${said}`;
  },
  "long diff": async (_, io) => {
    const added = Array.from({ length: 60 }, (_, i) => `+line ${i + 1}`).join("\n");
    const reply = await io.ask({ ...write, diff: `--- a/x\n+++ b/x\n@@ -0,0 +1,60 @@\n${added}\n` });
    return `It was ${reply.outcome}.`;
  },
  questions: async (_, io) => {
    const items = [
      { id: "ts", label: "TypeScript" },
      { id: "js", label: "JavaScript", detail: "no types" },
      { id: "rs", label: "Rust" },
    ];
    const replies = [
      await io.ask({ kind: "pick", title: "Language", message: "Which one?", items }),
      await io.ask({ kind: "pick", title: "Targets", message: "Which ones?", items, multi: true }),
      await io.ask({ kind: "prompt", title: "Name", message: "What is it called?", defaultValue: "my-app" }),
      await io.ask({ kind: "prompt", title: "Key", message: "The key of the registry", secret: true }),
    ];
    const known = replies.slice(0, 3).map((reply) => (reply.outcome === "answered" ? reply.answer : reply.outcome));
    const secret = replies[3];
    const length =
      secret?.outcome === "answered" && "value" in secret.answer ? (secret.answer.value?.length ?? -1) : -2;
    return `${JSON.stringify(known)} and a key of ${length}`;
  },
  "own words": async (_, io) => {
    const items = [
      { id: "a", label: "Nobody but the owner can see it until it was shared with them by name", detail: "the safest" },
      { id: "b", label: "Everyone in the same organization can see it from the moment on that it was made" },
      { id: "other", label: "Something else", detail: "you say what" },
      { id: "skip", label: "Leave it open" },
    ];
    const ask = (title: string) => io.ask({ kind: "pick", title, message: "It matters.", items, allowText: true });
    const replies = await Promise.all([ask("Who may see it?"), ask("Who may change it?")]);
    return replies
      .map((reply) => (reply.outcome === "answered" ? JSON.stringify(reply.answer) : reply.outcome))
      .join(" ");
  },
  secret: async (_, io) => {
    const reply = await io.ask({ kind: "prompt", title: "Key", message: "The key of the registry", secret: true });
    return reply.outcome === "answered" && "value" in reply.answer ? `a key of ${reply.answer.value?.length}` : "none";
  },
  "two asks": async (_, io) => {
    const ask = (title: string) => io.ask({ kind: "confirm", title, message: "" });
    const replies = await Promise.all([ask("The first?"), ask("The second?")]);
    return replies.map((reply) => (reply.outcome === "answered" ? JSON.stringify(reply.answer) : "")).join(" and ");
  },
  "long tool": async (_, io, signal) => {
    await io.emit({ type: "step.started", stepId: "s1", title: "Run the tests", number: 1 });
    await io.emit({
      type: "tool.requested",
      callId: "c1",
      tool: "shell",
      title: "Run npm test",
      args: { command: "npm test" },
    });
    for (let n = 1; n <= 30; n++) await io.emit({ type: "tool.output", callId: "c1", text: `test ${n} passed\n` });
    await aborted(signal);
    return "";
  },
  everything: async (_, io) => {
    await io.emit({ type: "usage.updated", contextUsed: 130, contextSize: 1000, input: 100, output: 30 });
    const plan = (...done: ("done" | "running" | "pending")[]) =>
      io.emit({
        type: "plan.updated",
        planId: "p",
        steps: done.map((status, i) => ({ stepId: String(i), description: `Part ${i + 1} 漢字 🦜`, status })),
      });
    await plan("running", "pending", "pending");
    await io.emit({ type: "step.started", stepId: "s1", title: "Look around", number: 1 });
    await io.emit({ type: "thinking.delta", text: "Hm.\nWhere is it?" });
    await io.emit({
      type: "tool.requested",
      callId: "c1",
      tool: "shell",
      title: "Run npm test",
      args: { command: "npm test" },
    });
    for (let n = 1; n <= 30; n++) await io.emit({ type: "tool.output", callId: "c1", text: `test ${n} passed\n` });
    await io.emit({
      type: "tool.finished",
      callId: "c1",
      result: { exitCode: 0, output: "x\n".repeat(90), timedOut: false },
      durationMs: 2100,
    });
    await io.emit({ type: "step.finished", stepId: "s1", status: "completed", durationMs: 2300 });
    await plan("done", "running", "pending");
    await io.emit({ type: "tool.requested", callId: "c2", tool: "read", args: { path: "missing.txt" } });
    await io.emit({
      type: "tool.finished",
      callId: "c2",
      error: { code: "tool_failed", message: "There is no file missing.txt." },
      durationMs: 2,
    });
    await io.emit({ type: "note", level: "warning", text: "The cache is old.", source: "test" });
    await plan("done", "done", "done");
    await io.emit({
      type: "text.delta",
      of: "answer",
      text: "All of it is there. The quick brown fox jumps over the lazy dog, and then it comes back.\n",
    });
    await io.emit({ type: "text.delta", of: "code", language: "ts", text: "const a = 1;\n" });
    return "Done: all 3 parts.";
  },
  hostile: async (_, io) => {
    await io.emit({ type: "step.started", stepId: "s1", title: `step ${HOSTILE}`, number: 1 });
    await io.emit({ type: "thinking.delta", text: `thought ${HOSTILE}` });
    await io.emit({
      type: "tool.requested",
      callId: "c1",
      tool: `tool ${HOSTILE}`,
      title: `title ${HOSTILE}`,
      args: { [HOSTILE]: HOSTILE },
    });
    for (const piece of ["out \u001b", "[2", "J", HOSTILE, "\rover\n"])
      await io.emit({ type: "tool.output", callId: "c1", text: piece });
    await io.emit({ type: "tool.finished", callId: "c1", result: { [HOSTILE]: HOSTILE }, durationMs: 1 });
    await io.emit({ type: "note", level: "warning", text: HOSTILE, source: HOSTILE });
    await io.emit({ type: "text.delta", of: "answer", text: `text ${HOSTILE}` });
    await io.ask({
      ...write,
      title: `title ${HOSTILE}`,
      message: HOSTILE,
      diff: `+${HOSTILE}\n`,
      confirmLabel: HOSTILE,
    });
    await io.ask({ kind: "prompt", title: HOSTILE, message: HOSTILE, defaultValue: HOSTILE });
    await io.ask({
      kind: "pick",
      title: HOSTILE,
      message: HOSTILE,
      items: [{ id: "a", label: HOSTILE, detail: HOSTILE }],
    });
    throw new Error(`failed ${HOSTILE}`);
  },
  /** Goes on whatever it is told. */
  deaf: async (_, io) => {
    await io.emit({ type: "text.delta", of: "answer", text: "I do not listen." });
    await io.emit({ type: "tool.requested", callId: "c1", tool: "shell", args: {} });
    return new Promise(() => {});
  },
  fail: async () => {
    throw new Error("the disk is on fire");
  },
  answer: async () => "Forty-two.",
};
