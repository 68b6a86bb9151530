import { expect, test } from "vitest";
import { failed, gave, specimenEndpoint } from "../../testing/specimen-endpoint.ts";

// From https://www.jsonrpc.org/specification, section 7, to the letter. `error.data` is the server's own there.
test.each<[what: string, sent: string, got: unknown]>([
  ["positional parameters", '{"jsonrpc": "2.0", "method": "subtract", "params": [42, 23], "id": 1}', gave(1, 19)],
  [
    "positional parameters the other way round",
    '{"jsonrpc": "2.0", "method": "subtract", "params": [23, 42], "id": 2}',
    gave(2, -19),
  ],
  [
    "named parameters",
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"subtrahend": 23, "minuend": 42}, "id": 3}',
    gave(3, 19),
  ],
  [
    "named parameters in another order",
    '{"jsonrpc": "2.0", "method": "subtract", "params": {"minuend": 42, "subtrahend": 23}, "id": 4}',
    gave(4, 19),
  ],
  ["a notification", '{"jsonrpc": "2.0", "method": "update", "params": [1,2,3,4,5]}', undefined],
  ["a notification that does not exist", '{"jsonrpc": "2.0", "method": "foobar"}', undefined],
  ["a call of a method that does not exist", '{"jsonrpc": "2.0", "method": "foobar", "id": "1"}', failed("1", -32601)],
  ["a call that is no JSON", '{"jsonrpc": "2.0", "method": "foobar, "params": "bar", "baz]', failed(null, -32700)],
  ["an invalid call", '{"jsonrpc": "2.0", "method": 1, "params": "bar"}', failed(null, -32600)],
  [
    "a batch that is no JSON",
    `[
  {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
  {"jsonrpc": "2.0", "method"
]`,
    failed(null, -32700),
  ],
  ["an empty batch", "[]", failed(null, -32600)],
  ["an invalid batch", "[1]", [failed(null, -32600)]],
  ["a batch of invalid calls", "[1,2,3]", [failed(null, -32600), failed(null, -32600), failed(null, -32600)]],
  [
    "a mixed batch",
    `[
        {"jsonrpc": "2.0", "method": "sum", "params": [1,2,4], "id": "1"},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]},
        {"jsonrpc": "2.0", "method": "subtract", "params": [42,23], "id": "2"},
        {"foo": "boo"},
        {"jsonrpc": "2.0", "method": "foo.get", "params": {"name": "myself"}, "id": "5"},
        {"jsonrpc": "2.0", "method": "get_data", "id": "9"}
    ]`,
    [gave("1", 7), gave("2", 19), failed(null, -32600), failed("5", -32601), gave("9", ["hello", 5])],
  ],
  [
    "a batch of notifications",
    `[
        {"jsonrpc": "2.0", "method": "notify_sum", "params": [1,2,4]},
        {"jsonrpc": "2.0", "method": "notify_hello", "params": [7]}
    ]`,
    undefined,
  ],
])("answers the specification's example of %s as it says", async (_, sent, got) => {
  const { ask, faults } = specimenEndpoint();
  expect(await ask(sent)).toEqual(got);
  expect(faults).toEqual([]);
});
