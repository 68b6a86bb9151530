// Makes recordings/*.jsonl: each scenario run by the real runtime on a clock that is moved by hand, with ids from a seed.
import { mkdir, writeFile } from "node:fs/promises";
import { ManualClock } from "../src/core/clock.ts";
import type { EventOf, Origin } from "../src/core/events.ts";
import { seededIds } from "../src/core/ids.ts";
import { Runtime } from "../src/core/runtime.ts";
import type { SessionHandle } from "../src/core/session-handle.ts";
import { writeRecording } from "../src/engines/recording.ts";
import { memoryStore } from "../src/stores/memory.ts";
import { scripted, until } from "../src/testing/scripted.ts";
import type { Scenario } from "./scenario.ts";
import { scenarios } from "./scenarios.ts";

const terminal: Origin = { dialect: "ui", client: "terminal" };

/** What the pick, the prompt and the secret prompt of a scenario are answered. */
const answers = { confirm: { ok: true }, pick: { ids: ["ts"] }, prompt: { value: "bird" }, tool: { success: true } };
const secret = { value: "hunter2-hunter2" };

async function answer(session: SessionHandle, clock: ManualClock, scenario: Scenario, ask: EventOf<"ask.opened">) {
  clock.advance(1000);
  if (scenario.onAsk === "grant") return session.answer(ask.askId, { ok: true, remember: true }, terminal);
  if (scenario.onAsk === "deny") return session.answer(ask.askId, { ok: false, reason: "not today" }, terminal);
  if (scenario.onAsk === "elsewhere") {
    return session.answer(ask.askId, { ok: true }, { dialect: "sidecar", client: "ide", user: "Ada" });
  }
  if (scenario.onAsk === "expire") return clock.advance(60_000);
  return session.answer(ask.askId, ask.secret ? secret : answers[ask.kind], terminal);
}

async function record(name: string, runs: Scenario[]): Promise<void> {
  const clock = new ManualClock(Date.UTC(2026, 1, 18, 14, 23, 45));
  const newId = seededIds(name);
  const store = memoryStore();
  const engine = scripted(async (turn, io, signal) => {
    const scenario = runs.find((run) => run.input.text === turn.input.text);
    if (!scenario) throw new Error(`no scenario for ${turn.input.text}`);
    return scenario.work(io, { clock, newId, signal });
  }, "builtin");
  const runtime = new Runtime({ store, engines: [engine], clock, newId });
  const session = await runtime.create({
    workspace: "/home/ada/project",
    engine: "builtin",
    model: "recorded",
    by: terminal,
  });
  session.attach(["confirm", "prompt", "pick", "tool"]);
  let current: Scenario | undefined;
  const answered = new Set<string>();
  runtime.store.wake(session.id, async () => {
    for (const ask of (await runtime.store.session(session.id))?.asks ?? []) {
      if (answered.has(ask.askId) || !current) continue;
      answered.add(ask.askId);
      const [event] = await store.read(session.id, { after: ask.seq - 1, limit: 1 });
      if (event?.type === "ask.opened") await answer(session, clock, current, event);
    }
  });
  const queued = new Set(runs.flatMap((run) => run.meanwhile?.map((prompt) => prompt.text) ?? []));
  for (const scenario of runs.filter((run) => !queued.has(run.input.text))) {
    current = scenario;
    const { kind = "prompt", input, by = terminal } = scenario;
    const { runId } = await session.prompt({ kind, input, by, whenBusy: "refuse" });
    for (const { text, cancelled } of scenario.meanwhile ?? []) {
      const next = await session.prompt({ kind: "prompt", input: { text }, by: terminal, whenBusy: "queue" });
      if (cancelled) await session.cancel(next.runId, "not wanted", terminal);
    }
    if (scenario.cancel) {
      await until(
        async () => (await store.read(session.id, { after: 0, limit: 1, type: "tool.requested" })).length > 0,
      );
      clock.advance(1500);
      await session.cancel(runId, "enough", terminal);
    }
    await session.settled();
    clock.advance(5000);
  }
  await session.close("done");
  const events = [];
  for (let after = 0; ; after = events.length) {
    const page = await store.read(session.id, { after, limit: 1000 });
    if (page.length === 0) break;
    events.push(...page);
  }
  await writeFile(`recordings/${name}.jsonl`, writeRecording({ sessionId: session.id, events }));
  console.log(`${name}: ${events.length} events`);
}

await mkdir("recordings", { recursive: true });
for (const [name, runs] of Object.entries(scenarios)) await record(name, runs);
