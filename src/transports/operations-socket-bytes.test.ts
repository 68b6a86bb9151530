import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationsNodes, stepwise } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";
import { socketServers } from "../testing/socket-server.ts";
import { socketBytes } from "./operations-socket-bytes.ts";

const node = operationsNodes();
const newServer = socketServers();

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.toWellFormed()),
    fc.integer({ min: 100, max: 70_000 }).map((length) => "ab".repeat(length / 2)),
    fc.string({ minLength: 1024, maxLength: 3000 }),
  ),
  { minLength: 1, maxLength: 5 },
);

test("a WebSocket client reads what was said, whatever it is and however long", async () => {
  const server = await newServer((_, { stream, caller }) => {
    const messages = JSON.parse(Buffer.from(caller.name, "base64url").toString()) as string[];
    stream.write(socketBytes(messages.map((text) => ({ text }))));
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.string({ unit: "binary", maxLength: 60 }), { minLength: 1, maxLength: 5 }),
      async (said) => {
        const whole = said.map((text) => text.toWellFormed());
        const client = await server.open(Buffer.from(JSON.stringify(whole)).toString("base64url"));
        await until(() => client.received.length === whole.length, "all of it");
        expect(client.received).toEqual(whole);
        client.socket.terminate();
      },
    ),
    { numRuns: 50 },
  );
});

test("what many are given in one list is made once for each way of sending it", () => {
  const list = [{ text: "x".repeat(5000) }, { text: "y" }];
  expect(socketBytes(list)).toBe(socketBytes(list));
  expect(socketBytes(list, true)).toBe(socketBytes(list, true));
  expect(socketBytes(list, true).length).toBeLessThan(100);
  expect(socketBytes([{ text: "small" }], true)).toEqual(socketBytes([{ text: "small" }]));
});

test("the frames are as long as they say, also those that are compressed", () => {
  fc.assert(
    fc.property(texts, fc.boolean(), (said, deflate) => {
      const bytes = socketBytes(
        said.map((text) => ({ text })),
        deflate,
      );
      let frames = 0;
      for (let at = 0; at < bytes.length; frames++) {
        const short = bytes[at + 1] ?? 0;
        const head = short < 126 ? 2 : short === 126 ? 4 : 10;
        const length =
          head === 2 ? short : head === 4 ? bytes.readUInt16BE(at + 2) : Number(bytes.readBigUInt64BE(at + 2));
        at += head + length;
        expect(at).toBeLessThanOrEqual(bytes.length);
      }
      expect(frames).toBe(said.length);
    }),
  );
});

describe("compression", () => {
  const long = Array.from({ length: 300 }, (_, word) => `word ${word}`).join(" ");

  test("is used for large messages by who asked for it, and everyone reads the same", async () => {
    const { script, speak, end } = stepwise();
    const { start, watch, said } = await node(script);
    const operationId = await start();
    const offer = { perMessageDeflate: true };
    const asked = await watch(`operation_id=${operationId}&compress=1`, undefined, offer);
    const offered = await watch(`operation_id=${operationId}`, undefined, offer);
    expect([asked.socket.extensions, offered.socket.extensions]).toEqual([
      expect.stringContaining("permessage-deflate"),
      "",
    ]);
    for (let line = 0; line < 20; line++) await speak(`${line} ${long}`, "short");
    await end();
    for (const client of [asked, offered]) await client.hears(({ type }) => type === "complete");
    expect([asked.own(), offered.own()]).toEqual([await said(operationId), await said(operationId)]);
    expect(asked.wire.bytesRead).toBeLessThan(offered.wire.bytesRead / 2);
    expect(asked.own().some(({ content }) => content.length > 1000)).toBe(true);
    asked.socket.send(JSON.stringify({ type: "ping", request_id: "x".repeat(150), more: "y".repeat(3000) }));
    await asked.hears(({ content }) => content === "Pong.");
  });
});
