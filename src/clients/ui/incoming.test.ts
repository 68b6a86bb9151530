import { expect, test } from "vitest";
import { type Incoming, readMessage } from "./incoming.ts";
import { LogLines } from "./log-lines.ts";

test.each<[text: string, message: Incoming]>([
  ['{"id":"c1","result":1}', { kind: "response", id: "c1", result: 1 }],
  ['{"id":1,"result":null,"error":null}', { kind: "response", id: 1, result: null }],
  [
    '{"id":null,"error":{"code":1,"message":"m"}}',
    { kind: "response", id: null, error: { code: 1, message: "m", data: undefined } },
  ],
  ['{"id":1,"error":"broken"}', { kind: "response", id: 1, error: { code: -32603, message: "broken" } }],
  [
    '{"id":1,"error":{"code":"x","data":2}}',
    { kind: "response", id: 1, error: { code: -32603, message: "The runtime gave no reason", data: 2 } },
  ],
  ['{"method":"m"}', { kind: "notification", method: "m", params: {} }],
  ['{"id":0,"method":"m","params":[1]}', { kind: "request", id: 0, method: "m", params: [1] }],
  ['{"id":null,"method":"m"}', { kind: "bad", reason: "a request without a usable id" }],
  ['{"id":{},"method":"m"}', { kind: "bad", reason: "a request without a usable id" }],
  ['{"id":[]}', { kind: "bad", reason: "neither a method nor an id" }],
  ['{"method":7}', { kind: "bad", reason: "neither a method nor an id" }],
  ["7", { kind: "bad", reason: "not a JSON-RPC message" }],
  ["null", { kind: "bad", reason: "not a JSON-RPC message" }],
])("reads %s", (text, message) => {
  expect(readMessage(text)).toEqual(message);
});

function lines(...chunks: (string | number[])[]): string[] {
  const found: string[] = [];
  const log = new LogLines((line) => found.push(line));
  for (const chunk of chunks) log.push(typeof chunk === "string" ? Buffer.from(chunk) : Uint8Array.from(chunk));
  log.end();
  return found;
}

test.each<[what: string, chunks: (string | number[])[], found: string[]]>([
  ["several in a chunk, and one in several", ["a\nb", "b", "b\n\nc\n"], ["a", "bbb", "c"]],
  ["one without an end", ["a\nlast words"], ["a", "last words"]],
  ["line ends of Windows", ["a\r\nb\r\n"], ["a", "b"]],
  ["characters in pieces", [[0xc3], [0xa9, 0x0a], [0xf0, 0x9f, 0xa6], [0x9c]], ["é", "🦜"]],
  ["what is no text", [[0x61, 0xff, 0x0a], [0xc3]], ["a\ufffd", "\ufffd"]],
  ["what is too long", ["x".repeat(6000), "x".repeat(6000), `${"x".repeat(6000)}\nnext`], ["x".repeat(8192), "next"]],
])("the lines of a log: %s", (_, chunks, found) => {
  expect(lines(...chunks)).toEqual(found);
});
