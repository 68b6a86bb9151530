import { describe, expect, test } from "vitest";
import { operationsNodes, stepwise, think } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";

const node = operationsNodes();

/** An operation that thinks and acts six times, and ends. */
async function ended() {
  const made = await node(async (_, io) => {
    for (let step = 0; step < 3; step++) {
      await think(io, `thought ${step}`);
      await io.emit({ type: "text.delta", of: "answer", text: `did ${step}\n` });
    }
    return "";
  });
  const operationId = await made.start();
  await until(async () => (await made.said(operationId)).at(-1)?.type === "complete", "the end");
  return { ...made, operationId, whole: await made.said(operationId) };
}

describe("who comes back", () => {
  test("is brought what it missed, after every message that it may have had, and told how much that is", async () => {
    const { watch, operationId, whole, clock } = await ended();
    expect(whole).toHaveLength(7);
    const notices = [];
    for (let received = -1; received < whole.length; received++) {
      const client = await watch(`operation_id=${operationId}&last_received_sequence=${received}`);
      await until(
        () => client.own().length === whole.length - received - 1 && client.messages().length > 1,
        "the rest",
      );
      expect(client.own()).toEqual(whole.slice(received + 1));
      notices.push(client.messages()[1]);
      clock.advance(2000);
      expect(await client.closed).toMatchObject({ code: 1000 });
    }
    expect(notices.map((notice) => [notice?.sequence, notice?.type, notice?.content])).toEqual(
      [
        "Reconnected. Replaying 7 missed messages (0-6)...",
        "Reconnected. Replaying 6 missed messages (1-6)...",
        "Reconnected. Replaying 5 missed messages (2-6)...",
        "Reconnected. Replaying 4 missed messages (3-6)...",
        "Reconnected. Replaying 3 missed messages (4-6)...",
        "Reconnected. Replaying 2 missed messages (5-6)...",
        "Reconnected. Replaying 1 missed message (6)...",
        "Reconnected. No messages were missed.",
      ].map((content) => [-2, "system", content]),
    );
  });

  test("in the middle of an operation gets the rest of it live, nothing twice and nothing missing", async () => {
    const { script, speak, end } = stepwise();
    const { start, watch, said } = await node(script);
    const operationId = await start();
    const first = await watch(`operation_id=${operationId}`);
    await speak("a", "b", "c");
    await first.hears(({ sequence }) => sequence === 2);
    first.socket.terminate();
    await speak("d", "e");
    const second = await watch(`operation_id=${operationId}&last_received_sequence=2`);
    await second.hears(({ sequence }) => sequence === 4);
    await speak("f");
    await end();
    await second.hears(({ type }) => type === "complete");
    expect(second.messages()[1]?.content).toBe("Reconnected. Replaying 2 missed messages (3-4)...");
    expect([...first.own(), ...second.own()]).toEqual(await said(operationId));
  });

  test("and says nothing of what it has gets everything, without a notice", async () => {
    const { watch, operationId, whole } = await ended();
    const client = await watch(`operation_id=${operationId}`);
    await client.hears(({ type }) => type === "complete");
    expect(client.messages().slice(1)).toEqual(whole);
  });
});

describe("an operation so long that its messages are not counted first", () => {
  const STEPS = 1500;

  /** A run that was started in another way, which may say so much, with more events than are looked at before the first message. */
  async function long() {
    const { script, running, end } = stepwise();
    const made = await node(script);
    const session = await made.runtime.create({ workspace: made.workspace, engine: "scripted" });
    const by = { dialect: "ui" };
    const { runId } = await session.prompt({ kind: "prompt", input: { text: "" }, by, whenBusy: "refuse" });
    const io = await running;
    const step = (number: number) => io.emit({ type: "step.started", stepId: "s", title: `step ${number}`, number });
    for (let number = 0; number < STEPS; number++) void step(number);
    await until(async () => (await made.said(runId)).length === STEPS, "all of its steps");
    return { ...made, runId, step, end };
  }

  test("is resumed all the same, with a notice that says from where on", async () => {
    const { watch, said, runId, end } = await long();
    await end();
    const client = await watch(`operation_id=${runId}&last_received_sequence=1400`);
    await client.hears(({ type }) => type === "complete");
    expect(client.messages()[1]?.content).toBe("Reconnected. Replaying the missed messages from 1401 on...");
    expect(client.own()).toEqual((await said(runId)).slice(1401));
  });

  test("is found to have fewer messages than were said when its last one is there", async () => {
    const { watch, runId, end } = await long();
    const client = await watch(`operation_id=${runId}&last_received_sequence=${STEPS + 1}`);
    await client.hears(({ sequence }) => sequence === -2);
    await end();
    expect(await client.closed).toMatchObject({ code: 4400 });
    expect(client.own()).toEqual([]);
  });

  test("is found to have fewer messages when one comes that should have been there", async () => {
    const { watch, runId, step } = await long();
    const client = await watch(`operation_id=${runId}&last_received_sequence=${STEPS + 5}`);
    await client.hears(({ sequence }) => sequence === -2);
    await step(STEPS);
    expect(await client.closed).toMatchObject({ code: 4400 });
    expect(client.own()).toEqual([]);
  });
});
