import fc from "fast-check";
import { expect, test } from "vitest";

interface Message {
  source: string;
  version: number;
  id: string;
  type: string;
  payload: Record<string, unknown>;
}
type Read = (data: unknown) => Message | undefined;

// It runs in browsers, so it is no TypeScript.
const { envelope, readFromFrame, readFromHost, typesToFrame, typesToHost } = (await import(
  new URL("./envelope.js", import.meta.url).href
)) as {
  envelope(type: string, payload?: object): Message;
  readFromFrame: Read;
  readFromHost: Read;
  typesToFrame: string[];
  typesToHost: string[];
};

const connection = { mode: "live", server: "https://api.example.com" };
const asked = { requestId: "1", method: "GET", url: "https://api.example.com/pets", headers: {} };

const fromHost: Record<string, object[]> = {
  INIT: [{ theme: null, connection }],
  RENDER_DATA: [{ connection }],
  THEME_CHANGE: [{ theme: "dark" }],
  RESIZE: [{ width: 390, height: 800 }],
  NETWORK_RESPONSE: [
    { requestId: "1", status: 200, headers: { etag: "a" }, body: new Blob(["x"]) },
    { requestId: "1", error: "No answer." },
  ],
  DESTROY: [{}],
};

const fromFrame: Record<string, object[]> = {
  READY: [{}],
  RENDER_COMPLETE: [{ ms: 12 }],
  NETWORK_REQUEST: [
    asked,
    { ...asked, body: "text", auth: [["a", "b"], ["c"]] },
    { ...asked, body: new Blob(["x"]) },
    {
      ...asked,
      body: [
        { name: "a", value: "b" },
        { name: "f", value: new Blob(["x"]), filename: "x.txt" },
      ],
    },
  ],
  LOG: [{ level: "info", text: "hello" }],
  ERROR: [{ message: "no" }, { message: "no", stack: "at x" }],
  UI_EVENT: [
    { name: "connect" },
    { name: "abort", detail: "1" },
    { name: "save", detail: "a.csv", file: new Blob([]) },
  ],
};

test("there is a message of each type, in each direction", () => {
  expect([typesToFrame, typesToHost]).toEqual([Object.keys(fromHost), Object.keys(fromFrame)]);
});

const messages = (table: Record<string, object[]>) =>
  Object.entries(table).flatMap(([type, payloads]) => payloads.map((payload): [string, object] => [type, payload]));

test.each(messages(fromHost))("%s is read as the host sends it, and by nobody else: %j", (type, payload) => {
  const sent = envelope(type, payload);
  expect([readFromHost(sent), readFromFrame(sent)]).toEqual([sent, undefined]);
});

test.each(messages(fromFrame))("%s is read as the frame sends it, and by nobody else: %j", (type, payload) => {
  const sent = envelope(type, payload);
  expect([readFromFrame(sent), readFromHost(sent)]).toEqual([sent, undefined]);
});

test("every message has an id of its own", () => {
  expect(envelope("READY").id).not.toBe(envelope("READY").id);
});

const valid = envelope("NETWORK_REQUEST", asked);
const large = "x".repeat(10 * 1024 * 1024 + 1);
const malformed: [string, unknown][] = [
  ["another source", { ...valid, source: "evil" }],
  ["another version", { ...valid, version: 2 }],
  ["another type", { ...valid, type: "EVAL" }],
  ["a type of all objects", { ...valid, type: "constructor" }],
  ["no id", { ...valid, id: undefined }],
  ["a long id", { ...valid, id: "x".repeat(65) }],
  ["one field more", { ...valid, extra: 1 }],
  ["one field more in its payload", { ...valid, payload: { ...asked, credentials: "x" } }],
  ["one field less in its payload", { ...valid, payload: { ...asked, url: undefined } }],
  ["a payload that is a list", { ...valid, payload: [] }],
  ["a payload that is of a class", { ...valid, payload: new Map() }],
  ["a long address", { ...valid, payload: { ...asked, url: large } }],
  ["headers that are no texts", { ...valid, payload: { ...asked, headers: { a: 1 } } }],
  [
    "too many headers",
    { ...valid, payload: { ...asked, headers: Object.fromEntries([...Array(201)].map((_, at) => [at, ""])) } },
  ],
  ["a large body", { ...valid, payload: { ...asked, body: large } }],
  ["a large file", { ...valid, payload: { ...asked, body: new Blob([large]) } }],
  [
    "parts that are large together",
    { ...valid, payload: { ...asked, body: Array(3).fill({ name: "a", value: "x".repeat(4e6) }) } },
  ],
  ["a body that is a number", { ...valid, payload: { ...asked, body: 1 } }],
  ["no list of schemes", { ...valid, payload: { ...asked, auth: ["a"] } }],
  ["an endless size", envelope("RENDER_COMPLETE", { ms: Number.POSITIVE_INFINITY })],
  ["an unknown event", envelope("UI_EVENT", { name: "__proto__" })],
];

test.each(malformed)("%s is no message", (_, data) => {
  expect([readFromFrame(data), readFromHost(data)]).toEqual([undefined, undefined]);
});

test("whatever comes is read without a fault, and believed only if it is a message", () => {
  const types = fc.constantFrom(...typesToFrame, ...typesToHost, "X", "__proto__", "toString");
  const payload = fc.oneof(fc.object(), fc.anything(), fc.constantFrom<object>(asked, { connection }, {}));
  const almost = fc.record({
    source: fc.constantFrom("dragoman", "x"),
    version: fc.constantFrom(1, 2, "1"),
    id: fc.oneof(fc.string(), fc.anything()),
    type: types,
    payload,
  });
  fc.assert(
    fc.property(fc.oneof(fc.anything({ withNullPrototype: true, withBigInt: true, withMap: true }), almost), (data) => {
      for (const read of [readFromFrame, readFromHost]) {
        const message = read(data);
        if (message === undefined) continue;
        expect(Object.keys(message).sort()).toEqual(["id", "payload", "source", "type", "version"]);
        expect([...typesToFrame, ...typesToHost]).toContain(message.type);
      }
    }),
    { numRuns: 2000 },
  );
});
