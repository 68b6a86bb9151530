import type { AnyMessage } from "@agentclientprotocol/sdk";
import fc from "fast-check";
import { expect, test } from "vitest";
import { Firewall } from "./firewall.ts";

function through(chunks: Uint8Array[], maxBytes?: number) {
  const messages: AnyMessage[] = [];
  const strays: string[] = [];
  const firewall = new Firewall({
    onMessage: (message) => messages.push(message),
    onStray: (line) => strays.push(line),
    ...(maxBytes === undefined ? {} : { maxBytes }),
  });
  for (const chunk of chunks) firewall.push(chunk);
  firewall.end();
  return { messages, strays };
}

const bytes = (text: string) => new TextEncoder().encode(text);
const update = { jsonrpc: "2.0", method: "session/update", params: { text: "a\nb ü" } };

const id = fc.oneof(fc.integer(), fc.string());
const message = fc.oneof(
  fc.record({ jsonrpc: fc.constant("2.0"), method: fc.string(), params: fc.jsonValue() }),
  fc.record({ jsonrpc: fc.constant("2.0"), id, method: fc.string(), params: fc.jsonValue() }),
  fc.record({ jsonrpc: fc.constant("2.0"), id, result: fc.jsonValue() }),
  fc.record({ jsonrpc: fc.constant("2.0"), id, error: fc.record({ code: fc.integer(), message: fc.string() }) }),
);
/** Whatever a program may print on a line: words, bytes that are no text, JSON that is no protocol, a quoted or broken message. */
const noise = fc.oneof(
  fc.string({ unit: "grapheme" }).map((text) => bytes(text.replaceAll("\n", " "))),
  fc.uint8Array({ maxLength: 50 }).map((some) => some.filter((each) => each !== 10)),
  fc.jsonValue().map((value) => bytes(JSON.stringify(value))),
  message.map((each) => bytes(`sent: ${JSON.stringify(each)}`)),
  message.map((each) => bytes(JSON.stringify(each).slice(0, -1))),
  message.map((each) => bytes(JSON.stringify([each]))),
);

test("of any mixture of protocol and noise, cut anywhere, no message is lost, made up or changed", () => {
  const line = fc.oneof(
    message.map((each) => ({ message: JSON.parse(JSON.stringify(each)) as AnyMessage })),
    noise.map((each) => ({ noise: each })),
  );
  const ending = fc.constantFrom("\n", "\r\n");
  const all = fc.array(fc.tuple(line, ending), { maxLength: 30 });
  fc.assert(
    fc.property(all, fc.array(fc.nat(200)), (lines, cuts) => {
      const stream = Buffer.concat(
        lines.flatMap(([each, end]) => [
          "message" in each ? bytes(JSON.stringify(each.message)) : each.noise,
          bytes(end),
        ]),
      );
      const chunks: Uint8Array[] = [];
      let from = 0;
      for (const cut of cuts) {
        chunks.push(stream.subarray(from, from + cut));
        from += cut;
      }
      chunks.push(stream.subarray(from));
      const sent = lines.flatMap(([each]) => ("message" in each ? [each.message] : []));
      expect(through(chunks).messages).toEqual(sent);
    }),
    { numRuns: 300 },
  );
});

test.each([
  "Debugger listening on port 9229",
  "[1,2]",
  "{}",
  '"text"',
  '{"jsonrpc":"1.0","method":"x"}',
  '{"jsonrpc":"2.0"}',
  '{"jsonrpc":"2.0","method":1}',
  '{"jsonrpc":"2.0","id":1}',
  '{"jsonrpc":"2.0","id":{},"result":1}',
  '{"jsonrpc":"2.0","id":1,"result":1,"error":{"code":1,"message":""}}',
  '{"jsonrpc":"2.0","id":1,"error":"no"}',
  '{"jsonrpc":"2.0","result":1}',
  `sent ${JSON.stringify(update)}`,
])("%s is no message, and what follows it is heard", (line) => {
  expect(through([bytes(`${line}\n${JSON.stringify(update)}\n`)])).toEqual({ messages: [update], strays: [line] });
});

test("a line without an end is bounded, and what follows it is heard", () => {
  const flood = Array.from({ length: 100 }, () => bytes("x".repeat(100)));
  const { messages, strays } = through([...flood, bytes(`\n${JSON.stringify(update)}\n`)], 1000);
  expect({ messages, strays }).toEqual({ messages: [update], strays: ["(a line of more than 1000 bytes)"] });
});

test("what is shown of a line is short, and nothing that a terminal would obey", () => {
  const { strays } = through([bytes(`\x1b[31mred\x1b[0m\x07 ${"y".repeat(10_000)}\n\n`)]);
  expect(strays).toEqual([`red ${"y".repeat(496)}…`]);
});
