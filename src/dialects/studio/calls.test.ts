import { expect, test } from "vitest";
import { DragomanError, errorCodes } from "../../core/errors.ts";
import { calls } from "./calls.ts";
import { errors } from "./errors.ts";
import { parseSpec } from "./normalized-spec.ts";

const spec = {
  format: "openapi3",
  metadata: { title: "Pets", version: "1" },
  endpoints: [
    { path: "/pets", method: "GET", parameters: [], responses: { "200": { statusCode: "200", description: "ok" } } },
  ],
  models: [
    {
      name: "Pet",
      type: "object",
      properties: { tags: { name: "tags", type: "array", items: { name: "", type: "string" } } },
    },
  ],
};

test("a generation has defaults for what the host leaves out, and keeps what the document does not name", () => {
  expect(calls.generate.params.parse({ spec, format: "react", more: 1 })).toEqual({
    spec,
    format: "react",
    theme: "light",
    options: { layout: "default", includeAuth: true, pagination: true },
    more: 1,
  });
});

test("no other format than react is taken", () => {
  expect(calls.generate.params.safeParse({ spec, format: "vue" }).success).toBe(false);
});

test("the handshake of the document is taken", () => {
  const params = {
    clientName: "experience-ui",
    clientVersion: "1.0.0",
    capabilities: { streaming: true, specFormats: ["openapi3", "swagger2", "graphql"] },
  };
  expect(calls.initialize.params.parse(params)).toEqual(params);
});

test("a host that shows asks says so", () => {
  const params = { clientName: "host", clientVersion: "1", capabilities: { asks: true } };
  expect(calls.initialize.params.parse(params)).toEqual(params);
  expect(calls.initialize.params.safeParse({ ...params, capabilities: { asks: "yes" } }).success).toBe(false);
});

test.each([{ ok: true, reason: "fine" }, { value: null }, { ids: ["a"] }])("%j is an answer", (answer) => {
  expect(calls["ask/answer"].params.parse({ askId: "a", answer })).toEqual({ askId: "a", answer });
});

test("what answers no kind of ask is refused, and so is what a client says that has run a tool", () => {
  for (const answer of [{ yes: true }, { success: true, result: { lines: 3 } }]) {
    expect(calls["ask/answer"].params.safeParse({ askId: "a", answer }).success).toBe(false);
  }
});

test("a cancel names a request or a run", () => {
  expect(calls.cancel.params.parse({ requestId: 2 })).toEqual({ requestId: 2 });
  expect(calls.cancel.params.parse({ runId: "r", reason: "late" })).toEqual({ runId: "r", reason: "late" });
  expect(calls.cancel.params.safeParse({}).success).toBe(false);
});

test("an exit has no parameters, which counts as empty ones, and gets no response", () => {
  expect(calls.exit.params.parse({})).toEqual({});
  expect(calls.exit.params.safeParse(undefined).success).toBe(false);
  expect("result" in calls.exit).toBe(false);
});

test("a spec is taken as it is", () => {
  expect(parseSpec(spec)).toEqual(spec);
});

test.each([
  ["has no operations", { ...spec, endpoints: [] }],
  ["has an unknown format", { ...spec, format: "raml" }],
  ["has a model of no known type", { ...spec, models: [{ name: "Pet", type: "thing" }] }],
  ["is nothing", null],
])("a spec that %s is invalid, which is not the same as malformed parameters", (_, given) => {
  expect(() => parseSpec(given)).toThrow(DragomanError);
  expect([errors.spec_invalid, errors.invalid_params]).toEqual([-32002, -32602]);
});

test("every error has a number", () => {
  expect(errorCodes.filter((code) => !Number.isInteger(errors[code]))).toEqual([]);
});
