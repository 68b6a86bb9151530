import { readFileSync } from "node:fs";
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

test("the request that the page shows is a valid one", () => {
  const page = readFileSync(new URL("../../../docs/protocols/studio.md", import.meta.url), "utf8");
  const [, request = ""] = /```json\n(\{.*?"method": "generate".*?)```/s.exec(page) ?? [];
  const { method, params } = JSON.parse(request);
  expect([method, calls.generate.params.parse(params)]).toMatchObject(["generate", params]);
  expect(parseSpec(params.spec)).toEqual(params.spec);
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

test.each([
  ["models: is missing", { ...spec, models: undefined }],
  ["models: must be a list or must be an object", { ...spec, models: "none" }],
  ["models[0].name: is missing", { ...spec, models: [{ type: "object" }] }],
  ['models.Pet.type: must be "object"', { ...spec, models: { Pet: { name: "Pet", type: "thing" } } }],
  [
    "models[0].properties.tags.type: must be a string",
    { ...spec, models: [{ ...spec.models[0], properties: { tags: { type: 3 } } }] },
  ],
  ["endpoints[0].path: must be a string", { ...spec, endpoints: [{ ...spec.endpoints[0], path: 1 }] }],
  ["a spec needs at least one endpoint", { ...spec, endpoints: [] }],
])("what is wrong with a spec is told by its field: %s", (problem, given) => {
  const told = expect.stringMatching(/^The spec is not a NormalizedSpec: [^✖→]*$/);
  expect(() => parseSpec(given)).toThrow(expect.objectContaining({ message: told }));
  expect(() => parseSpec(given)).toThrow(`The spec is not a NormalizedSpec: ${problem}`);
});

test("a spec that is wrong everywhere is not told of in as many words", () => {
  const models = Array.from({ length: 10_000 }, () => ({}));
  const endpoints = Array.from({ length: 10_000 }, () => 1);
  const lengths = [
    { ...spec, models },
    { ...spec, endpoints },
  ].map((given) => {
    try {
      return parseSpec(given);
    } catch (error) {
      return (error as Error).message.length < 2000;
    }
  });
  expect(lengths).toEqual([true, true]);
});

const text = (more: number) => "x".repeat(2 * 1024 * 1024 + more);
const id = (more: number) => "x".repeat(200 + more);
const reason = (more: number) => "x".repeat(10_000 + more);
const said = (content: string) => ({ role: "user", content });
const change = { currentCode: "", prompt: "" };

test.each<[keyof typeof calls, (more: number) => object]>([
  ["chat", (more) => ({ message: text(more) })],
  ["chat", (more) => ({ message: "hi", context: { tabId: id(more) } })],
  ["chat", (more) => ({ message: "hi", context: { sessionId: id(more) } })],
  ["customize", (more) => ({ ...change, prompt: text(more) })],
  ["customize", (more) => ({ ...change, history: Array(1000 + more).fill(said("")) })],
  ["customize", (more) => ({ ...change, history: [said("x".repeat(1024 * 1024 + more))] })],
  ["initialize", (more) => ({ clientName: id(more), clientVersion: "1" })],
  ["cancel", (more) => ({ requestId: 1, reason: reason(more) })],
  ["cancel", (more) => ({ runId: id(more) })],
  ["ask/answer", (more) => ({ askId: "a", answer: { value: text(more) } })],
  ["ask/answer", (more) => ({ askId: "a", answer: { ok: false, reason: reason(more) } })],
  ["ask/answer", (more) => ({ askId: "a", answer: { ids: Array(100 + more).fill("a") } })],
  ["session/watch", (more) => ({ sessionId: id(more) })],
])("%s takes what is as long as it may be, and nothing that is longer", (method, params) => {
  const taken = [0, 1].map((more) => calls[method].params.safeParse(params(more)).success);
  expect(taken).toEqual([true, false]);
});

test("every error has a number", () => {
  expect(errorCodes.filter((code) => !Number.isInteger(errors[code]))).toEqual([]);
});
