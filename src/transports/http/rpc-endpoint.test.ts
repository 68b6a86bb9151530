import { describe, expect, test } from "vitest";
import { DragomanError } from "../../core/errors.ts";
import { until } from "../../testing/scripted.ts";
import { call, failed, gave, gifts, oddities, specimenEndpoint } from "../../testing/specimen-endpoint.ts";

test("takes ids of every kind that come back as they were, and no others", async () => {
  const { ask } = specimenEndpoint();
  const good = ["", "1", 1, 0, -7, 1.5, null, Number.MAX_SAFE_INTEGER, "\u2028 ü \ud800"];
  expect(await ask(JSON.stringify(good.map((id) => call("get_data", id))))).toEqual(
    good.map((id) => gave(id, ["hello", 5])),
  );
  const bad = ["true", "{}", "[1]", "9007199254740993", "1e400", "-1e300"];
  const batch = bad.map((id) => `{"jsonrpc":"2.0","method":"get_data","id":${id}}`);
  expect(await ask(`[${batch}]`)).toEqual(bad.map(() => failed(null, -32600)));
});

test("answers what is no proper call under its id, where it has one", async () => {
  const { ask } = specimenEndpoint();
  const wrong = [
    { id: 1 },
    { jsonrpc: "1.0", method: "get_data", id: 2 },
    { jsonrpc: "2.0", method: ["get_data"], id: "3" },
    call("get_data", 4, "bar"),
    call("get_data", 5, 7),
    { jsonrpc: "2.0", id: 6, result: 1 },
  ];
  expect(await ask(JSON.stringify(wrong))).toEqual(wrong.map(({ id }) => failed(id, -32600)));
});

test("says what is wrong with params, and takes null for what may be left out", async () => {
  const { ask } = specimenEndpoint();
  expect(await ask(JSON.stringify(call("sum", 1, ["x"])))).toEqual({
    ...failed(1, -32602),
    error: { code: -32602, message: "Invalid params", data: { message: expect.stringMatching(/^sum: .*number/s) } },
  });
  expect(await ask(JSON.stringify(call("sum", 2, { a: 1 })))).toEqual(failed(2, -32602));
  expect(await ask(JSON.stringify(call("get_data", 3, { note: null })))).toEqual(gave(3, ["hello", 5]));
  expect(await ask(JSON.stringify(call("get_data", 4, null)))).toEqual(gave(4, ["hello", 5]));
  expect(await ask('{"jsonrpc":"2.0","method":"sum","params":["x"]}')).toBeUndefined();
});

test("does up to a hundred calls at once, and none of more", async () => {
  const { ask, heard } = specimenEndpoint();
  const batch = (count: number) => JSON.stringify(Array.from({ length: count }, (_, id) => call("sum", id, [id, 1])));
  expect(await ask(batch(100))).toEqual(Array.from({ length: 100 }, (_, id) => gave(id, id + 1)));
  expect(await ask(batch(101))).toEqual({
    ...failed(null, -32600),
    error: {
      code: -32600,
      message: "Invalid Request",
      data: { message: "A batch has at most 100 calls, and this one 101. Send several.", details: { most: 100 } },
    },
  });
  const notifications = Array.from({ length: 101 }, () => ({ jsonrpc: "2.0", method: "update", params: [1] }));
  expect(await ask(JSON.stringify(notifications))).toEqual(failed(null, -32600));
  expect(heard).toEqual([]);
});

test("runs the calls of a batch side by side, eight at a time, and answers them in their order", async () => {
  const running: (() => void)[] = [];
  let most = 0;
  const sum = (given: number[]) =>
    new Promise<number>((resolve) => {
      running.push(() => resolve(given[0] ?? 0));
      most = Math.max(most, running.length);
    });
  const { ask } = specimenEndpoint({ sum });
  const ids = Array.from({ length: 20 }, (_, id) => id);
  const answered = ask(JSON.stringify(ids.map((id) => call("sum", id, [id]))));
  let done = false;
  void answered.then(() => {
    done = true;
  });
  await until(() => {
    if (running.length === 8 || most === 8) running.pop()?.();
    return done;
  });
  expect(most).toBe(8);
  expect(await answered).toEqual(ids.map((id) => gave(id, id)));
});

test("answers each of several calls with the same id", async () => {
  const { ask } = specimenEndpoint();
  const batch = [call("sum", 1, [1]), call("sum", 1, [2]), call("foobar", 1), call("sum", "1", [3])];
  expect(await ask(JSON.stringify(batch))).toEqual([gave(1, 1), gave(1, 2), failed(1, -32601), gave("1", 3)]);
});

test.each(["__proto__", "constructor", "toString", "hasOwnProperty", ""])("has no method %j", async (method) => {
  const { ask } = specimenEndpoint();
  expect(await ask(JSON.stringify(call(method, 1)))).toEqual(failed(1, -32601));
});

test("who may not call a method is told so before its params are looked at", async () => {
  const { ask } = specimenEndpoint({}, (method, context) => {
    if (method === "sum") throw new DragomanError("forbidden", `${context} may not`);
  });
  const refused = { code: -32600, message: "Invalid Request", data: { message: "me may not" } };
  expect(await ask(JSON.stringify(call("sum", 1, { wrong: true })))).toEqual({ jsonrpc: "2.0", id: 1, error: refused });
  expect(await ask(JSON.stringify(call("get_data", 2)))).toEqual(gave(2, ["hello", 5]));
});

describe("answers that are large", () => {
  const long = "x".repeat(5_000_000);
  const batch = JSON.stringify([
    ...[1, 2, 3, 4, 5, 6, 7, 8, 9].map((id) => call("get_data", id)),
    { jsonrpc: "2.0", method: "update", params: [1] },
    call("get_data", 10),
  ]);

  test("end a batch: the calls that are left are not made, and told so", async () => {
    let made = 0;
    const { answer, heard } = specimenEndpoint({ get_data: () => (made++ < 8 ? long : "small") });
    const answers = JSON.parse((await answer(batch, "me")) ?? "");
    expect(answers.slice(0, 8)).toEqual([1, 2, 3, 4, 5, 6, 7, 8].map((id) => gave(id, long)));
    expect(answers.slice(8)).toEqual([9, 10].map((id) => failed(id, -32600)));
    expect([made, heard]).toEqual([8, []]);
  });

  test("are refused where there is no room for them, in a batch each by itself", async () => {
    const { answer } = specimenEndpoint({ get_data: () => "x".repeat(20_000) });
    const held: number[] = [];
    const hold = (bytes: number) => held.push(bytes) <= 2;
    const answers: { id: number }[] = JSON.parse((await answer(batch, "me", hold)) ?? "");
    expect(answers.map((each) => ["result" in each, each.id])).toEqual(
      [1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((id) => [id <= 2, id]),
    );
    await expect(answer(JSON.stringify(call("get_data", 1)), "me", () => false)).rejects.toMatchObject({
      code: "queue_full",
    });
    expect(await answer(JSON.stringify(call("sum", 1, [1])), "me", () => false)).toBe(JSON.stringify(gave(1, 1)));
  });
});

test("keys of prototypes are nothing but keys", async () => {
  const { ask } = specimenEndpoint();
  const sent =
    '{"__proto__":{"id":7,"method":"sum"},"jsonrpc":"2.0","id":1,"method":"subtract","params":{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":1}},"minuend":2,"subtrahend":1}}';
  expect(await ask(sent)).toEqual(gave(1, 1));
  expect(await ask('{"__proto__":{"jsonrpc":"2.0","id":7,"method":"get_data"}}')).toEqual(failed(null, -32600));
  expect(Object.prototype).not.toHaveProperty("polluted");
});

test.each<[what: string, body: string | Buffer, code: number]>([
  ["nothing", "", -32700],
  ["nested too deeply", `${"[".repeat(65)}${"]".repeat(65)}`, -32600],
  ["nested without end", "[".repeat(1_000_000), -32600],
  ["not UTF-8", Buffer.from([0x22, 0xff, 0x22]), -32700],
  ["a text", '"hello"', -32600],
  ["null", "null", -32600],
])("refuses a body that is %s", async (_, body, code) => {
  const { ask } = specimenEndpoint();
  expect(await ask(body)).toEqual(failed(null, code));
});

test("takes a body of bytes", async () => {
  const { ask } = specimenEndpoint();
  expect(await ask(Buffer.from(JSON.stringify(call("sum", "ü", [1]))))).toEqual(gave("ü", 1));
});

test.each(oddities.map((_, which) => [which]))(
  "whatever a handler throws (%i) is our fault, of which is told what may be, and costs the others nothing",
  async (which) => {
    const { ask, faults, answer } = specimenEndpoint();
    const [first, second, third] = await ask(
      JSON.stringify([call("sum", 1, [1]), call("throw", 2, { which }), call("sum", 3, [3])]),
    );
    expect([first, third]).toEqual([gave(1, 1), gave(3, 3)]);
    const told = { code: -32603, message: "Internal error", data: { message: "Fault 1" } };
    expect(second).toEqual({ jsonrpc: "2.0", id: 2, error: told });
    expect(await answer(JSON.stringify({ jsonrpc: "2.0", method: "throw", params: { which } }), "me")).toBeUndefined();
    expect(faults).toHaveLength(2);
  },
);

test("a result that is no JSON is our fault; none at all is null", async () => {
  const { ask, faults } = specimenEndpoint();
  const given = gifts.map((_, which) => call("give", which, { which }));
  expect(await ask(JSON.stringify(given))).toEqual([
    gave(0, null),
    failed(1, -32603),
    failed(2, -32603),
    gave(3, null),
  ]);
  expect(faults).toHaveLength(2);
});

test("what is to be done after an answer is done, and cannot spoil it", async () => {
  const { ask, heard, faults } = specimenEndpoint();
  expect(await ask(JSON.stringify(call("afterwards", 1, { fail: false })))).toEqual(gave(1, "answered"));
  expect([heard, faults]).toEqual([["done"], []]);
  expect(await ask(JSON.stringify(call("afterwards", 2, { fail: true })))).toEqual(gave(2, "answered"));
  expect([heard, faults]).toEqual([["done", "done"], [expect.objectContaining({ message: "too late" })]]);
});
