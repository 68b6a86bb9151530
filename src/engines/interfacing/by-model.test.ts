import { describe, expect, test } from "vitest";
import type { Engine } from "../../core/engine.ts";
import type { Event, EventOf } from "../../core/events.ts";
import { Runtime } from "../../core/runtime.ts";
import { versionsIn } from "../../core/versions.ts";
import { customizationsIn } from "../../generator/emitting/customizations.ts";
import { memoryStore } from "../../stores/memory.ts";
import { copilotWorld } from "../../testing/copilot-world.ts";
import { descriptions } from "../../testing/descriptions.ts";
import { readAll } from "../../testing/read-all.ts";
import { modelWorld } from "../model/model-world.test.data.ts";
import { withInterfaces } from "./index.ts";

// Requests that no grammar understands, by real engines with the stub model behind them: it answers what the request itself says it should.

const copilot = copilotWorld();
const model = modelWorld();
const [petstore] = descriptions(["petstore.yaml"]);
const generation = {
  text: "Generate",
  action: "generate",
  args: { source: { name: petstore.name, text: petstore.text() } },
};

async function sessionOf(adviser: Engine) {
  const store = memoryStore();
  const engine = withInterfaces(adviser, { advises: true });
  const runtime = new Runtime({ store, engines: [engine] });
  const session = await runtime.create({ workspace: process.cwd(), engine: engine.name });
  const run = async (input: { text: string; action: string; args?: Record<string, unknown> }) => {
    const { runId } = await session.prompt({ kind: "generation", input, by: { dialect: "test" }, whenBusy: "refuse" });
    await session.settled();
    return {
      runId,
      events: (await readAll(store, session.id)).filter((event) => "runId" in event && event.runId === runId),
    };
  };
  const log = { read: store.read.bind(store, session.id), artifact: store.artifact.bind(store, session.id) };
  const codeOf = async (events: Event[]) => {
    const { result } = events.at(-1) as EventOf<"run.completed">;
    const bytes = await store.artifact(session.id, result.artifactId ?? "");
    return bytes ? (JSON.parse(Buffer.from(bytes).toString()) as { code: string }).code : (result.code ?? "");
  };
  const customize = (request: string, answer: object | string) => {
    const said = typeof answer === "string" ? answer : `[[say ${JSON.stringify(answer)}]]`;
    return run({ text: `${request} ${said}`, action: "customize", args: {} });
  };
  return { run, customize, codeOf, versions: () => versionsIn(log), leave: () => adviser.leave?.(session.id) };
}

const caption = '<caption className="visually-hidden">{caption}</caption>';
const patch = (replace: string) => ({
  patches: [{ find: caption, replace }],
  description: "Tables have a heart.",
  assumptions: ["A small one"],
});
const failureOf = (events: Event[]) => (events.at(-1) as EventOf<"run.failed">).error;

describe.each([
  ["Copilot", () => copilot.engine()],
  ["an OpenAI-compatible endpoint", () => model.engine()],
])("by the stub model behind %s", (_, engine) => {
  test("what the grammar cannot do is done by a patch of its place, and nothing else changes", async () => {
    const { run, customize, codeOf, versions, leave } = await sessionOf(engine());
    const before = await codeOf((await run(generation)).events);
    const done = await customize("Put a heart into every table", patch(caption.replace("{caption}", "{caption} ♥")));
    expect(done.events.at(-1)).toMatchObject({
      type: "run.completed",
      result: { description: "Tables have a heart." },
    });
    expect(await codeOf(done.events)).toBe(before.replace(caption, caption.replace("{caption}", "{caption} ♥")));
    expect(await versions()).toHaveLength(2);
    await leave();
  });

  test("what breaks the code is told to the model once, then rolled back, and told", async () => {
    const { run, customize, versions, leave } = await sessionOf(engine());
    await run(generation);
    const broken = await customize("Put a heart into every table", patch(caption.replace("{caption}", "{heart}")));
    expect(failureOf(broken.events)).toMatchObject({
      code: "customization_failed",
      message: expect.stringMatching(
        /^The interface stays as it was: .*cannot be used\. A type is wrong, line \d+: .*heart/,
      ),
      data: { rolledBack: true },
    });
    const asked = broken.events.filter((event) => event.type === "tool.requested");
    expect([asked.length, (await versions()).length]).toEqual([2, 1]);
    await leave();
  });

  test("an answer that is cut off changes nothing, and is told", async () => {
    const { run, customize, versions, leave } = await sessionOf(engine());
    await run(generation);
    const cut = await customize(
      "Put a heart into every table",
      `[[say {"patches": [{"find": "some text that]] [[cut]]`,
    );
    expect(cut.events.at(-1)).toMatchObject({ type: "run.failed" });
    const half = await customize("Put a heart into every table", `[[say {"patches": \\u005b{"find": "some text that]]`);
    expect(failureOf(half.events)).toMatchObject({
      code: "customization_failed",
      message: expect.stringContaining("cut off"),
    });
    expect(await versions()).toHaveLength(1);
    await leave();
  });
});

describe("what a model says is checked", () => {
  test("wishes are written down as those of the grammar are", async () => {
    const { run, customize, codeOf } = await sessionOf(model.engine());
    await run(generation);
    const wishes = [{ change: "optionTone", resource: "pet", field: "status", value: "sold", tone: "bad" }];
    const done = await customize("What is gone should look alarming", { wishes, description: "Sold is red." });
    expect(customizationsIn(await codeOf(done.events))).toEqual([
      { ...wishes[0], said: expect.stringContaining("What is gone should look alarming") },
    ]);
  });

  test.each<[string, object, RegExp]>([
    ["a wish that there is none of", { wishes: [{ change: "explode" }] }, /There is no change called "explode"/],
    [
      "a wish about what is not there",
      { wishes: [{ change: "columnShown", resource: "pet", field: "wings", shown: true }] },
      /no field "wings" in Pets/,
    ],
    ["a patch of what is not there", { patches: [{ find: "no such text in it", replace: "" }] }, /is not in the code/],
    ["a patch of what is there twice", { patches: [{ find: "className=", replace: "" }] }, /more than once/],
    ["what is refused in the frame", patch(`${caption}{document.cookie}`), /document\.cookie/],
    ["what does not parse", patch("<caption>"), /It does not parse, line \d+/],
    [
      "what does not render",
      patch(`<caption>{[caption].map((text) => text.repeat(-1))}</caption>`),
      /It does not render/,
    ],
    ["nothing", { wishes: [], patches: [] }, /no wishes, no patches/],
  ])("%s is rolled back", async (_, answer, why) => {
    const { run, customize, versions } = await sessionOf(model.engine());
    await run(generation);
    const { events } = await customize("Put a heart into every table", answer);
    expect(failureOf(events)).toMatchObject({ code: "customization_failed", message: expect.stringMatching(why) });
    expect(await versions()).toHaveLength(1);
  });

  test("it may ask back, and has the answer itself; or decline", async () => {
    const { run, customize } = await sessionOf(model.engine());
    await run(generation);
    const question = { question: "Nicer how?", options: ["Dark", "Calmer"] };
    const asked = await customize("Make it nicer", question);
    expect(asked.events.at(-1)).toMatchObject({
      type: "run.completed",
      result: { data: { clarificationNeeded: true, ...question } },
    });
    // By itself it would be a request that the grammar knows.
    const answered = await run({ text: "Dark", action: "customize", args: {} });
    expect(answered.events.some(({ type }) => type === "tool.requested")).toBe(true);
    expect(model.lastMessages().at(-1)?.content).toMatch(
      /user: Make it nicer[\s\S]*assistant: Nicer how\?[\s\S]*Dark$/,
    );
    const another = await sessionOf(model.engine());
    await another.run(generation);
    const alone = await another.customize("Make it nicer", { question: "Nicer how?", options: ["Dark"] });
    expect(failureOf(alone.events).message).toMatch(/at least two options/);
    const declined = await another.customize("Sing a song", { declined: "I only change interfaces." });
    expect(failureOf(declined.events)).toMatchObject({
      code: "customization_failed",
      message: "I only change interfaces.",
    });
  });

  test("what it patched is undone as one change, and is not undone where it was not the last", async () => {
    const { run, customize, codeOf } = await sessionOf(model.engine());
    const word = async (text: string) => {
      const { events } = await run({ text, action: "customize", args: {} });
      const { type } = events.at(-1) ?? {};
      const isAsked = events.some((event) => event.type === "tool.requested");
      return { type, isAsked, code: type === "run.completed" ? await codeOf(events) : "" };
    };
    const generated = await codeOf((await run(generation)).events);
    const dark = (await word("dark mode")).code;
    const heart = patch(caption.replace("{caption}", "{caption} ♥"));
    const patched = await codeOf((await customize("Put a heart into every table", heart)).events);
    const both = (await word("show pets as cards")).code;
    expect((await word("undo")).code).toBe(patched);
    expect((await word("undo")).code).toBe(dark);
    expect((await word("undo")).code).toBe(generated);
    expect(await word("undo")).toEqual({ type: "run.failed", isAsked: false, code: "" });
    await run({ text: "", action: "revert", args: { version: 4 } });
    expect((await word("reset everything")).code).toBe(generated);
    await run({ text: "", action: "revert", args: { version: 4 } });
    expect((await word("undo")).code).toBe(generated);
    expect((await word("undo")).code).toBe(both);
    expect(both).toContain("♥");
  });

  test("what it patched goes over into a new interface where it fits, and is told where it does not", async () => {
    const { run, customize, codeOf } = await sessionOf(model.engine());
    await run(generation);
    await customize("Put a heart into every table", patch(caption.replace("{caption}", "{caption} ♥")));
    const [museum] = descriptions(["museum.yaml"]);
    const args = { source: { name: museum.name, text: museum.text() } };
    const kept = await run({ text: "Generate", action: "generate", args });
    expect(await codeOf(kept.events)).toContain("{caption} ♥");
    await run({ text: "", action: "revert", args: { version: 1 } });
    await customize("Count the fields of a pet in every table", patch(caption.replace("}", "} {petFields.length}")));
    const lost = await run({ text: "Generate", action: "generate", args });
    expect(lost.events.at(-1)).toMatchObject({
      type: "run.completed",
      result: { description: expect.stringMatching(/“what was changed in the code”: .* left out\. .*petFields/) },
    });
    expect(await codeOf(lost.events)).not.toContain("petFields");
  });

  test("it sees what the request is about, not all of the code", async () => {
    const { run, customize } = await sessionOf(model.engine());
    await run(generation);
    await customize("Show the quantity of an order in words", { declined: "No." });
    const [first] = model
      .lastMessages()
      .filter(({ role }) => role === "user")
      .slice(-1);
    expect(first?.content).toMatch(/resource order: Order \/ Orders/);
    expect(first?.content.length).toBeLessThan(80_000);
  });
});
