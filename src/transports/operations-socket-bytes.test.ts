import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { operationsNodes, stepwise } from "../testing/operations-node.ts";
import { until } from "../testing/scripted.ts";
import { socketServers } from "../testing/socket-server.ts";
import { socketBytes } from "./operations-socket-bytes.ts";

const node = operationsNodes();
const newServer = socketServers();

/** At which the head of a frame is another one, and beyond. */
const lengths = [125, 126, 127, 65_535, 65_536, 70_000];

const texts = fc.array(
  fc.oneof(
    fc.string({ unit: "binary", maxLength: 200 }).map((text) => text.toWellFormed()),
    fc.constantFrom(...lengths).map((length) => "ab".repeat(length).slice(0, length)),
    fc.integer({ min: 100, max: 70_000 }).map((length) => "ab".repeat(length / 2)),
    fc.string({ minLength: 1024, maxLength: 3000 }),
  ),
  { minLength: 1, maxLength: 5 },
);

describe.each([false, true])("a WebSocket client that takes compressed messages (%s)", (isDeflating) => {
  /** What it reads of what it is sent, each list on a connection of its own. */
  async function newReader() {
    const lists: string[][] = [];
    const server = await newServer(
      (_, { stream, deflate, query }) => {
        expect(deflate).toBe(isDeflating);
        const messages = lists[Number(query.get("list"))] ?? [];
        stream.write(
          socketBytes(
            messages.map((text) => ({ text })),
            deflate,
          ),
        );
      },
      { route: { compression: () => isDeflating } },
    );
    return async (list: string[]) => {
      const at = lists.push(list) - 1;
      const client = await server.open(`ada?list=${at}`, { perMessageDeflate: isDeflating });
      await until(() => client.received.length === list.length, "all of it");
      client.socket.terminate();
      return client.received;
    };
  }

  test("reads what was said, whatever it is", async () => {
    const read = await newReader();
    await fc.assert(
      fc.asyncProperty(texts, async (said) => {
        expect(await read(said)).toEqual(said);
      }),
      { numRuns: 50 },
    );
  });

  test("reads messages of every kind of length", async () => {
    const read = await newReader();
    const said = lengths.map((length) => Array.from({ length }, (_, at) => (at * at * 7919) % 10).join(""));
    expect(await read(said)).toEqual(said);
  });

  test("reads a list of which only the beginning was compressed", async () => {
    const read = await newReader();
    const said = Array.from({ length: 60 }, (_, at) => `${at} ${"x".repeat(10_000)}`);
    expect(await read(said)).toEqual(said);
  });
});

test("of one list 256 KB are compressed at the most: everyone else waits meanwhile", () => {
  const list = (count: number) => Array.from({ length: count }, () => ({ text: "x".repeat(10_000) }));
  const [within, beyond, more] = [26, 27, 60].map((count) => socketBytes(list(count), true).length);
  expect(within).toBeLessThan(26 * 100);
  expect((beyond ?? 0) - (within ?? 0)).toBe(10_004);
  expect((more ?? 0) - (within ?? 0)).toBe(34 * 10_004);
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
