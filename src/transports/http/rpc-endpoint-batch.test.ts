import * as fc from "fast-check";
import { expect, test } from "vitest";
import { specimenEndpoint } from "../../testing/specimen-endpoint.ts";

// Whatever is in a batch: for each call that has an id there is exactly one answer, with that id, in their order; what is no call is
// answered under its id or null; a notification by nothing.

const id = fc.oneof(
  fc.string(),
  fc.maxSafeInteger(),
  fc.double({ noNaN: true, min: -1e9, max: 1e9 }).map((number) => number + 0), // JSON has no -0
  fc.constant(null),
  fc.constantFrom(1, "1"), // often the same
);
const method = fc.constantFrom("subtract", "sum", "get_data", "update", "throw", "give", "foobar", "__proto__");
const params = fc.oneof(
  fc.constantFrom([1, 2], { minuend: 1, subtrahend: 2 }, { which: 0 }, { which: 2 }, [], {}, null),
  fc.array(fc.jsonValue({ maxDepth: 3 })),
  fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 })),
);
const request = fc.record(
  { jsonrpc: fc.constant("2.0"), method, id, params },
  { requiredKeys: ["jsonrpc", "method", "id"] },
);
const notification = fc.record(
  { jsonrpc: fc.constant("2.0"), method, params },
  { requiredKeys: ["jsonrpc", "method"] },
);
const invalid = fc.oneof(
  fc.record({ jsonrpc: fc.constantFrom("1.0", 2), method, id }),
  fc.record({ jsonrpc: fc.constant("2.0"), method: fc.constantFrom(1, null, []), id }),
  fc.record({ jsonrpc: fc.constant("2.0"), method, id, params: fc.constantFrom("bar", 7, true) }),
  fc.constantFrom(1, "x", null, [], [1], {}, true),
);

const requests = request.map((message) => ({ message, answer: { id: message.id } }));
const notifications = notification.map((message) => ({ message, answer: undefined }));
const invalids = invalid.map((message) => ({
  message,
  answer: { id: typeof message === "object" && message !== null && "id" in message ? message.id : null },
}));
const batches = fc.array(fc.oneof({ weight: 3, arbitrary: requests }, notifications, invalids), {
  minLength: 1,
  maxLength: 100,
});

test("any batch gets for each of its calls exactly one answer with its id", async () => {
  const { answer } = specimenEndpoint();
  const answersIn = batches.map((batch) => ({
    body: JSON.stringify(batch.map(({ message }) => message)),
    expected: batch.flatMap((each) => each.answer ?? []),
  }));
  await fc.assert(
    fc.asyncProperty(answersIn, async ({ body, expected }) => {
      const text = await answer(body, "me");
      const answers: Record<string, unknown>[] = text === undefined ? [] : JSON.parse(text);
      expect(answers.map(({ id }) => ({ id }))).toEqual(expected);
      for (const { jsonrpc, id: _, ...rest } of answers) {
        expect([jsonrpc, Object.keys(rest)]).toEqual(["2.0", ["result" in rest ? "result" : "error"]]);
      }
      expect(text === undefined).toBe(expected.length === 0);
    }),
    { numRuns: 300 },
  );
});

test("any single call, too, and any bytes at all are answered with JSON or nothing", async () => {
  const { answer } = specimenEndpoint();
  await fc.assert(
    fc.asyncProperty(fc.oneof(requests, notifications, invalids), async ({ message, answer: expected }) => {
      if (Array.isArray(message)) return; // a batch
      const text = await answer(JSON.stringify(message), "me");
      expect(text === undefined ? undefined : { id: JSON.parse(text).id }).toEqual(expected);
    }),
    { numRuns: 300 },
  );
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.uint8Array(), fc.json(), fc.string()), async (body) => {
      const text = await answer(typeof body === "string" ? body : Buffer.from(body), "me");
      if (text !== undefined) JSON.parse(text);
    }),
    { numRuns: 300 },
  );
});
