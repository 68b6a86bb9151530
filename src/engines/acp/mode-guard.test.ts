import { expect, test } from "vitest";
import { ManualClock } from "../../core/clock.ts";
import type { Event } from "../../core/events.ts";
import type { AgentSetup } from "../../testing/acp-agent.ts";
import type { Step } from "../../testing/acp-agent-turn.ts";
import { AcpFixture } from "../../testing/acp-fixture.ts";

const agents = new AcpFixture();

const modes = {
  currentModeId: "ask",
  availableModes: [
    { id: "ask", name: "Ask" },
    { id: "plan", name: "Plan" },
    { id: "yolo", name: "YOLO", description: "Auto-approves all tools" },
  ],
};
const goTo = (currentModeId: string): Step => ({ update: { sessionUpdate: "current_mode_update", currentModeId } });
const notes = (events: Event[]) => events.flatMap((event) => (event.type === "note" ? [event.text] : []));
const open = (setup: AgentSetup) => agents.open({ opened: { modes }, ...setup });

const putBack =
  "Scripted has changed its mode to “YOLO” by itself, and would not ask any more. It is put back to “Ask”.";
const disowned = (why: string) =>
  `Scripted has changed its mode to “YOLO” by itself, and does not stay in “Ask”: ${why}. It was ended, for it would have done things without asking. The next prompt starts it again.`;

test("an agent that goes into a mode without questions by itself is put back, and works on", async () => {
  const opened = await open({});
  const events = await opened.run([goTo("yolo"), { say: "Done." }]);
  expect(notes(events)).toEqual([putBack]);
  expect(events.at(-1)).toMatchObject({ type: "run.completed", result: { text: "Done." } });
  expect(opened.heard()).toEqual(["start", "new", "prompt", "mode ask"]);
});

test("one that becomes stricter by itself, or goes back to what was chosen, is let", async () => {
  const opened = await open({});
  const events = await opened.run([goTo("plan"), goTo("ask"), { say: "Done." }]);
  expect(notes(events)).toEqual(["Scripted: its mode is now “Plan”.", "Scripted: its mode is now “Ask”."]);
  expect(opened.heard()).toEqual(["start", "new", "prompt"]);
});

test("one that cannot be put back is ended, and the run fails; the next prompt starts it again", async () => {
  const opened = await open({ keepsMode: "loudly" });
  const events = await opened.run([goTo("yolo"), { hang: "for ever" }]);
  expect(events.at(-1)).toMatchObject({
    type: "run.failed",
    error: { code: "engine_failed", message: disowned("modes are fixed") },
  });
  expect((await opened.run("hello")).at(-1)).toMatchObject({ result: { text: "heard: hello" } });
  expect(opened.heard()).toEqual(["start", "new", "prompt", "mode ask", "start", "new", "prompt hello"]);
});

test("one that does so again and again is ended", async () => {
  const opened = await open({ driftsTo: "yolo" });
  const events = await opened.run([goTo("yolo"), { hang: "until cancelled" }]);
  expect(notes(events)).toEqual([putBack, putBack, putBack]);
  expect(events.at(-1)).toMatchObject({ error: { message: disowned("it was put back 3 times") } });
});

test("one that says nothing to it is ended after 5 s", async () => {
  const clock = new ManualClock();
  const opened = await agents.open({ opened: { modes }, keepsMode: "silently" }, { clock });
  const runId = await opened.prompt([goTo("yolo"), { say: "Done." }]);
  await opened.until("text.delta");
  clock.advance(5000);
  await opened.session.settled();
  expect((await opened.eventsOf(runId)).at(-1)).toMatchObject({ error: { message: disowned("it does not answer") } });
});

test("one that was put into such a mode by whoever configured it stays there", async () => {
  const opened = await agents.open({ opened: { modes } }, { mode: "yolo" });
  await opened.run([goTo("ask"), goTo("yolo")]);
  expect(opened.heard()).toEqual(["start", "new", "mode yolo", "prompt"]);
});
