import { expect, test } from "vitest";
import { type Incoming, readMessage } from "./incoming.ts";

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
