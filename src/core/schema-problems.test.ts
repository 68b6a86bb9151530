import { expect, test } from "vitest";
import * as z from "zod";
import { schemaProblems } from "./schema-problems.ts";

function problems(schema: z.ZodType, value: unknown): string {
  const { error } = schema.safeParse(value);
  return error ? schemaProblems(error) : "none";
}

test.each<[string, z.ZodType, unknown, string]>([
  ["what is left out", z.object({ prompt: z.string() }), {}, "prompt: is missing"],
  ["another type", z.object({ prompt: z.string() }), { prompt: 1 }, "prompt: must be a string"],
  ["what is no integer", z.object({ limit: z.int() }), { limit: 1.5 }, "limit: must be an integer"],
  ["a value that is none itself", z.object({}), [], "must be an object"],
  ["a UUID that is none", z.object({ messageId: z.guid() }), { messageId: "x" }, "messageId: is no UUID"],
  ["a URL that is none", z.object({ url: z.url() }), { url: "x" }, "url: is no URL of the kind that is taken here"],
  ["a pattern", z.string().regex(/^\d$/), "x", "is not of the form that it must have"],
  ["one of several words", z.enum(["deny", "ask", "allow"]), "x", 'must be "deny", "ask" or "allow"'],
  ["a word", z.object({ kind: z.literal("a") }), { kind: "b" }, 'kind: must be "a"'],
  ["too small a number", z.int().min(1), 0, "must be at least 1"],
  ["too large a number", z.int().max(9), 10, "must be at most 9"],
  ["a number that is not positive", z.number().positive(), 0, "must be more than 0"],
  ["an empty text", z.string().min(1), "", "must not be empty"],
  ["a long text", z.string().max(2), "abc", "must have at most 2 characters"],
  ["a long list", z.array(z.string()).max(1), ["a", "b"], "must have at most 1 entries"],
  ["an entry", z.object({ tools: z.array(z.string()) }), { tools: ["a", 1] }, "tools[1]: must be a string"],
  ["deeper", z.object({ a: z.array(z.object({ b: z.int() })) }), { a: [{ b: 0.5 }] }, "a[0].b: must be an integer"],
  ["a key too many", z.strictObject({}), { a: 1, b: 2 }, "must not have a, b"],
  [
    "a key that is none",
    z.record(z.string().min(1), z.string()),
    { "": "" },
    "such a key is not taken: must not be empty",
  ],
  [
    "one of two types",
    z.object({ id: z.union([z.string(), z.int()]) }),
    { id: true },
    "id: must be a string or must be a number",
  ],
  [
    "an object of no kind",
    z.object({ input: z.discriminatedUnion("type", [z.object({ type: z.literal("text") })]) }),
    { input: { type: "x" } },
    'input.type: must be "text"',
  ],
  [
    "a reason of its own",
    z.string().refine(() => false, "askId or callId must be given"),
    "",
    "askId or callId must be given",
  ],
])("says what is wrong in plain words: %s", (_, schema, value, told) => {
  expect(problems(schema, value)).toBe(told);
});

test("has a line for each, and an end", () => {
  expect(problems(z.object({ a: z.string(), b: z.guid() }), { b: "" })).toBe("a: is missing\nb: is no UUID");
  const many = problems(z.array(z.string()), Array(99).fill(1));
  expect(many.split("\n")).toHaveLength(10);
  expect(problems(z.record(z.string(), z.string()), { ["k".repeat(9999)]: 1 }).length).toBeLessThan(300);
});
