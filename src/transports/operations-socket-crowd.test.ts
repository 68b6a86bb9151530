import type { Duplex } from "node:stream";
import { describe, expect, test } from "vitest";
import type { Message } from "../dialects/operations/messages.ts";
import { operationsNodes, stepwise, type Watcher } from "../testing/operations-node.ts";
import { settle, until } from "../testing/scripted.ts";

const node = operationsNodes();

test("twenty who watch the same operation are told the same, those who came late included", async () => {
  const { script, speak, end } = stepwise();
  const { start, watch, said } = await node(script);
  const operationId = await start();
  const clients: Watcher[] = [];
  for (let group = 0; group < 4; group++) {
    clients.push(...(await Promise.all(Array.from({ length: 5 }, () => watch(`operation_id=${operationId}`)))));
    await speak(...Array.from({ length: 50 }, (_, line) => `thought ${group}.${line}`));
  }
  await end();
  const whole = async () => (await said(operationId)).map((message) => JSON.stringify(message));
  await until(() => clients.every((client) => client.own().at(-1)?.type === "complete"), "the end at everyone");
  const expected = await whole();
  for (const client of clients) expect(client.received.slice(1)).toEqual(expected);
});

test("two operations of one feature are not mixed, though they are in one log", async () => {
  let round = 0;
  const { start, watch, said, rest } = await node(async (_, io) => {
    round++;
    for (let line = 0; line < 20; line++) await io.emit({ type: "thinking.delta", text: `${round}.${line}\n` });
    return "";
  });
  const first = await start("clarify");
  const early = await watch(`operation_id=${first}`);
  await early.hears(({ type }) => type === "complete");
  const second = await start("analyze");
  const clients = await Promise.all([watch(`operation_id=${first}`), watch(`operation_id=${second}`)]);
  for (const client of clients) await client.hears(({ type }) => type === "complete");
  const [again, other] = clients.map((client) => client.own());
  expect([early.own(), again, other]).toEqual([await said(first), await said(first), await said(second)]);
  const { json } = await rest(`GET /operations/${first}/messages`);
  expect(json).toEqual({ operation_id: first, messages: early.own(), more: false });
});

describe("a client that does not read", () => {
  /** So many lines that do not move anything any more: the buffers on the way are full, however large the system makes them. */
  const LINES_BEHIND = 300;
  const filling = "x".repeat(9_900);
  const MB = 1024 * 1024;

  /** Stalls while an operation says much more than is kept for it. */
  async function stalled() {
    const { script, speak, say, end } = stepwise();
    const made = await node(script);
    // An operation may not say so much; any other run can be watched here, too.
    const session = await made.runtime.create({ workspace: made.workspace, engine: "scripted" });
    const by = { dialect: "ui" };
    const { runId } = await session.prompt({ kind: "prompt", input: { text: "" }, by, whenBusy: "refuse" });
    const client = await made.watch(`operation_id=${runId}`);
    const other = await made.watch(`operation_id=${runId}`);
    await speak("first");
    await client.hears(({ content }) => content === "first");
    client.socket.pause();
    const most = await fallBehind(made, async (line) => {
      await speak(`${line} ${filling}`);
      if (line % 10 === 9) await say(`did ${line}`);
    });
    return { ...made, client, other, runId, end, most };
  }

  /** Has lines said until the first client is far behind. Gives the most bytes that were held for it. */
  async function fallBehind({ streams: [stream] }: { streams: Duplex[] }, sayLine: (line: number) => Promise<void>) {
    let most = 0;
    for (let line = 0, held = 0, unmoved = 0; unmoved < LINES_BEHIND; line++) {
      await sayLine(line);
      await settle(1);
      const { writableLength = 0 } = stream ?? {};
      unmoved = writableLength > 0 && writableLength === held ? unmoved + 1 : 0;
      held = writableLength;
      most = Math.max(most, held);
    }
    return most;
  }

  const dropped = (messages: Message[]) => messages.flatMap(({ metadata }) => metadata?.dropped ?? []);

  test("loses thinking only, is told which before what comes after it, and can read it again", async () => {
    const { client, other, runId, end, said, rest, most } = await stalled();
    expect([most > 0, most < 1.1 * MB]).toEqual([true, true]);
    client.socket.resume();
    await end();
    await client.hears(({ type }) => type === "complete");
    await other.hears(({ type }) => type === "complete");
    const whole = await said(runId);
    expect(other.own()).toEqual(whole);
    const lost = dropped(client.messages());
    expect(lost.length).toBeGreaterThan(100);
    expect(client.own()).toEqual(whole.filter(({ sequence }) => !lost.includes(sequence)));
    expect(whole.filter(({ sequence, type }) => lost.includes(sequence) && type !== "thinking")).toEqual([]);
    let next = 0;
    const leftOut = new Set<number>();
    for (const { sequence, metadata } of client.messages().slice(1)) {
      for (const number of metadata?.dropped ?? []) leftOut.add(number);
      while (leftOut.has(next)) next++;
      if (sequence >= 0) expect(sequence).toBe(next++);
    }
    expect(next).toBe(whole.length);
    const [first = 0] = lost;
    const { json } = await rest(`GET /operations/${runId}/messages?after=${first - 1}&limit=1`);
    expect(json).toEqual({ operation_id: runId, messages: [whole[first]], more: true });
  });

  test("is told again and again, each time before it could see what is missing, and up to the end", async () => {
    const { script, running, speak, say, end } = stepwise();
    const made = await node(script);
    const session = await made.runtime.create({ workspace: made.workspace, engine: "scripted" });
    const by = { dialect: "ui" };
    const { runId } = await session.prompt({ kind: "prompt", input: { text: "" }, by, whenBusy: "refuse" });
    const client = await made.watch(`operation_id=${runId}`);
    const warned = async (text: string) => {
      await (await running).emit({ type: "note", level: "warning", source: "test", text });
      await client.hears(({ content }) => content.includes(text));
    };
    // First nothing but thinking, then some of all, and then it ends while the client does not read.
    for (const [round, ends] of [false, false, true].entries()) {
      await warned(`begins ${round}`);
      client.socket.pause();
      await fallBehind(made, async (line) => {
        await speak(`${line} ${filling}`);
        if (round === 1 && line % 7 === 6) await say(`did ${line}`);
      });
      if (ends) await end();
      client.socket.resume();
      if (!ends) await warned(`ends ${round}`);
    }
    await client.hears(({ type }) => type === "complete");
    const whole = await made.said(runId);
    const notices = client.messages().filter(({ metadata }) => metadata?.dropped);
    expect(notices.length).toBeGreaterThanOrEqual(3);
    const named = dropped(notices);
    expect(new Set(named).size).toBe(named.length);
    // As a reader who counts: whatever comes, all before it is there or was named, and nothing comes that was named.
    const seen = new Set<number>();
    let next = 0;
    for (const { sequence, metadata } of client.messages().slice(1)) {
      for (const number of metadata?.dropped ?? []) seen.add(number);
      if (sequence < 0) continue;
      expect([sequence, seen.has(sequence)]).toEqual([sequence, false]);
      seen.add(sequence);
      while (seen.has(next)) next++;
      expect(next).toBeGreaterThan(sequence);
    }
    expect(next).toBe(whole.length);
  });

  test("loses nothing when it comes back", async () => {
    const { client, runId, end, said, watch } = await stalled();
    client.socket.terminate();
    const again = await watch(`operation_id=${runId}&last_received_sequence=-1`);
    await end();
    await again.hears(({ type }) => type === "complete");
    expect([again.own(), dropped(again.messages())]).toEqual([await said(runId), []]);
  });
});
