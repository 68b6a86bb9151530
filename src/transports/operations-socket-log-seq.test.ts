import { describe, expect, test } from "vitest";
import { operationsNodes, stepwise, think } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";

// A cursor that a client has from another protocol: an event of the session's log.

const node = operationsNodes();

/** An operation after which another one ran in the same session. */
async function ended() {
  const made = await node(async (_, io) => {
    for (let step = 0; step < 3; step++) {
      await think(io, `thought ${step}`);
      await io.emit({ type: "text.delta", of: "answer", text: `did ${step}\nand more\n` });
    }
    return "";
  });
  const start = async () => {
    const id = await made.start();
    await until(async () => (await made.said(id)).at(-1)?.type === "complete", "the end");
    return id;
  };
  const [operationId, later] = [await start(), await start()];
  const { lastSeq = 0 } = (await made.store.session(made.sessionId)) ?? {};
  return { ...made, operationId, later, lastSeq, whole: await made.said(operationId) };
}

describe("after an event", () => {
  test("of which there is any in the log, what came of those after it is brought, and no more", async () => {
    const { watch, rest, operationId, whole, lastSeq, clock } = await ended();
    expect(whole.map(({ log_seq }) => log_seq)).toEqual([3, 4, 4, 5, 6, 6, 7, 8, 8, 9]);
    const notices = [];
    for (let seq = 0; seq <= lastSeq; seq++) {
      const after = whole.filter(({ log_seq = 0 }) => log_seq > seq);
      const client = await watch(`operation_id=${operationId}&after_log_seq=${seq}`);
      await client.hears(({ sequence }) => sequence === -2);
      await until(() => client.own().length === after.length, "the rest");
      notices.push(client.messages()[1]?.content);
      clock.advance(1000);
      clock.advance(1000);
      expect([await client.closed, client.own()]).toMatchObject([{ code: 1000 }, after]);
      const { json } = await rest(`GET /operations/${operationId}/messages?after_log_seq=${seq}`);
      expect(json).toEqual({ operation_id: operationId, messages: after, more: false });
    }
    const all = "Reconnected. Replaying 10 missed messages (0-9)...";
    const none = "Reconnected. No messages were missed.";
    expect(notices.slice(0, 10)).toEqual([
      ...[all, all, all],
      "Reconnected. Replaying 9 missed messages (1-9)...",
      "Reconnected. Replaying 7 missed messages (3-9)...",
      "Reconnected. Replaying 6 missed messages (4-9)...",
      "Reconnected. Replaying 4 missed messages (6-9)...",
      "Reconnected. Replaying 3 missed messages (7-9)...",
      "Reconnected. Replaying 1 missed message (9)...",
      none,
    ]);
    expect(new Set(notices.slice(9))).toEqual(new Set([none]));
  });

  test("in an operation under way the rest of it comes live, nothing twice and nothing missing", async () => {
    const { script, speak, end } = stepwise();
    const { start, watch, said } = await node(script);
    const operationId = await start();
    await speak("a", "b", "c");
    await until(async () => (await said(operationId)).length === 3, "the first three");
    const [, b] = await said(operationId);
    const client = await watch(`operation_id=${operationId}&after_log_seq=${b?.log_seq}`);
    await client.hears(({ content }) => content === "c");
    await speak("d");
    await end();
    await client.hears(({ type }) => type === "complete");
    expect(client.own()).toEqual((await said(operationId)).slice(2));
  });

  test("in the middle of a line that is longer than a message, everything after it comes, on the socket and by REST", async () => {
    const WORDS = 40;
    const { start, said, watch, rest, log } = await node(async (_, io) => {
      for (let word = 0; word < WORDS; word++) {
        await io.emit({ type: "text.delta", of: "answer", text: `w${word}w ${"— ".repeat(450)}` });
      }
      return "";
    });
    const operationId = await start();
    await until(async () => (await said(operationId)).at(-1)?.type === "complete", "the end");
    const whole = await said(operationId);
    const deltas = (await log()).filter((event) => event.type === "text.delta");
    const lower = whole.filter(({ type, log_seq = 0 }) => type === "execution" && log_seq <= (deltas.at(-1)?.seq ?? 0));
    expect(lower.length).toBeGreaterThan(1); // they say a part of what is to come
    for (const { seq } of deltas) {
      const client = await watch(`operation_id=${operationId}&after_log_seq=${seq - 1}`);
      await client.hears(({ type }) => type === "complete", "the end");
      const { json } = await rest(`GET /operations/${operationId}/messages?after_log_seq=${seq - 1}`);
      expect(json.messages).toEqual(client.own());
      const text = client
        .own()
        .map(({ content }) => content)
        .join("");
      const wanted = deltas.filter((delta) => delta.seq >= seq).map((delta) => delta.text.split(" ")[0]);
      expect(wanted.filter((word) => !text.includes(`${word}`))).toEqual([]);
    }
  });

  test("of many, the notice says no numbers, and the messages are the same", async () => {
    const { script, running, end } = stepwise();
    const made = await node(script);
    const session = await made.runtime.create({ workspace: made.workspace, engine: "scripted" });
    const by = { dialect: "ui" };
    const { runId } = await session.prompt({ kind: "prompt", input: { text: "" }, by, whenBusy: "refuse" });
    const io = await running;
    for (let number = 0; number < 1500; number++) {
      void io.emit({ type: "step.started", stepId: "s", title: `step ${number}`, number });
    }
    await end();
    await until(async () => (await made.said(runId)).at(-1)?.type === "complete", "the end");
    const whole = await made.said(runId);
    const client = await made.watch(`operation_id=${runId}&after_log_seq=1400`);
    await client.hears(({ type }) => type === "complete");
    expect(client.messages()[1]?.content).toBe("Reconnected. Replaying the missed messages...");
    expect(client.own()).toEqual(whole.filter(({ log_seq = 0 }) => log_seq > 1400));
  });
});

describe("is refused with 4400, and by REST with 400,", () => {
  test("what lies beyond the head of the log", async () => {
    const { watch, rest, operationId, lastSeq } = await ended();
    const client = await watch(`operation_id=${operationId}&after_log_seq=${lastSeq + 1}`);
    expect(await client.closed).toMatchObject({ code: 4400 });
    expect(client.messages().at(-1)).toMatchObject({
      ...{ sequence: -2, type: "error", metadata: { code: "INVALID_PARAMETERS" } },
      content: expect.stringContaining("Leave it out"),
    });
    const { status, json } = await rest(`GET /operations/${operationId}/messages?after_log_seq=${lastSeq + 1}`);
    expect([status, json.error.details]).toEqual([400, [{ last_seq: lastSeq }]]);
  });

  test.each(["after_log_seq=1&last_received_sequence=0", "after_log_seq=x", "after_log_seq=", "after_log_seq=-1"])(
    "%s",
    async (query) => {
      const { watch, rest, operationId } = await ended();
      const client = await watch(`operation_id=${operationId}&${query}`);
      expect(await client.closed).toMatchObject({ code: 4400 });
      const inHistory = query.replace("last_received_sequence", "after");
      expect((await rest(`GET /operations/${operationId}/messages?${inHistory}`)).status).toBe(400);
    },
  );
});
