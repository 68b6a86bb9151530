import { describe, expect, test } from "vitest";
import { connectionMessage } from "../dialects/operations/connection.ts";
import { message } from "../dialects/operations/messages.ts";
import { operationsNodes, stepwise, think } from "../testing/operations-node.ts";
import { settle, until } from "../testing/scripted.ts";

const node = operationsNodes();

describe("the lifecycle of the document", () => {
  test("connected, what is said, complete, and closed one to two seconds later", async () => {
    const { script, speak, end } = stepwise();
    const { start, watch, clock, said } = await node(script);
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    await speak("Reading specification document...");
    await speak("Found 3 areas.");
    await end();
    await client.hears(({ type }) => type === "complete");
    const [connected, ...rest] = client.messages();
    expect(connectionMessage.parse(connected)).toEqual({
      id: expect.any(String),
      operation_id: operationId,
      sequence: -1,
      type: "system",
      content: `Connected to operation ${operationId}`,
      timestamp: "2026-01-01T00:00:00.000Z",
      sender: "system",
      metadata: { engine: "scripted" },
    });
    expect(rest.map((one) => [message.parse(one).sequence, one.type, one.content])).toEqual([
      [0, "thinking", "Reading specification document..."],
      [1, "thinking", "Found 3 areas."],
      [2, "complete", "Operation complete."],
    ]);
    expect(rest).toEqual(await said(operationId));
    clock.advance(1000);
    await settle();
    expect(client.socket.readyState).toBe(client.socket.OPEN);
    clock.advance(1000);
    expect(await client.closed).toEqual({ code: 1000, reason: "The operation is over." });
  });

  test("a crash of the agent is an error, then complete", async () => {
    const { script, fail } = stepwise();
    const { start, watch } = await node(script);
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    await fail(new Error("Copilot CLI process exited with error code 1"));
    await client.hears(({ type }) => type === "complete");
    expect(client.own().map(({ type, content }) => [type, content])).toEqual([
      ["error", "scripted: Copilot CLI process exited with error code 1"],
      ["complete", "Operation failed. No changes persisted."],
    ]);
  });

  test("an operation that ended before is told whole, and the socket closes in the same way", async () => {
    const { start, watch, clock, said, runtime, sessionId } = await node(async (_, io) => {
      await think(io, "hm");
      return "done";
    });
    const operationId = await start();
    await until(async () => (await runtime.store.session(sessionId))?.run?.status === "completed", "the end");
    const client = await watch(`operation_id=${operationId}`);
    await client.hears(({ type }) => type === "complete");
    expect(client.own()).toEqual(await said(operationId));
    clock.advance(2000);
    expect(await client.closed).toMatchObject({ code: 1000 });
  });

  test("after five minutes without a word it says that it is there, and again after five more", async () => {
    const { script, speak, end } = stepwise();
    const { start, watch, clock } = await node(script);
    const client = await watch(`operation_id=${await start()}`);
    await speak("hm");
    await client.hears(({ sequence }) => sequence === 0);
    clock.advance(299_000);
    await settle();
    expect(client.messages()).toHaveLength(2);
    clock.advance(301_000);
    await until(() => client.messages().length === 4, "two alive checks");
    expect(client.messages().slice(2)).toMatchObject([
      { sequence: -1, type: "system", content: "Alive check...", timestamp: "2026-01-01T00:05:00.000Z" },
      { sequence: -1, type: "system", content: "Alive check...", timestamp: "2026-01-01T00:10:00.000Z" },
    ]);
    await end();
  });

  test("a client that leaves stops nothing", async () => {
    const { script, speak, end } = stepwise();
    const { start, watch, said, views } = await node(script);
    const operationId = await start();
    const client = await watch(`operation_id=${operationId}`);
    client.socket.close(1000);
    expect(await client.closed).toMatchObject({ code: 1000 });
    await speak("still here");
    await end();
    await until(async () => (await said(operationId)).some(({ type }) => type === "complete"), "the end");
    expect(views.watched).toBe(0);
  });
});
