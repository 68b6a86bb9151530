import { expect, test } from "vitest";
import { DragomanError, errorCodes } from "../../core/errors.ts";
import { calls } from "./calls.ts";
import { accepted, aliveCheck, connected, connectionMessage, refused, replaying } from "./connection.ts";
import { errorBody, errorBodyOf, errors } from "./errors.ts";
import { message } from "./messages.ts";

const operationId = "6f0c5a2e-0d5e-4f39-9d5c-2f6f1c1b7a10";
const at = Date.parse("2026-02-18T14:23:45Z");

test("what is said of a connection is outside the order", () => {
  const messages = [
    connected({ operationId, at }, { engine: "copilot", model: "gpt-5" }),
    replaying({ operationId, at }, 6, 7),
    replaying({ operationId, at }, 6, 6),
    replaying({ operationId, at }, 6, 5),
    replaying({ operationId, at }, 6),
    replaying({ operationId, at }),
    aliveCheck({ operationId, at }),
  ];
  const same = { operation_id: operationId, type: "system", sender: "system", timestamp: "2026-02-18T14:23:45.000Z" };
  expect(messages.map((m) => message.parse(m))).toEqual(
    [
      [-1, `Connected to operation ${operationId}`, { engine: "copilot", model: "gpt-5" }],
      [-2, "Reconnected. Replaying 2 missed messages (6-7)..."],
      [-2, "Reconnected. Replaying 1 missed message (6)..."],
      [-2, "Reconnected. No messages were missed."],
      [-2, "Reconnected. Replaying the missed messages from 6 on..."],
      [-2, "Reconnected. Replaying the missed messages..."],
      [-1, "Alive check..."],
    ].map(([sequence, content, metadata]) => ({ id: expect.any(String), ...same, sequence, content, metadata })),
  );
  expect(new Set(messages.map((m) => m.id)).size).toBe(7);
});

test("what a client sent is told to be taken, or refused, with the id that it gave it", () => {
  const moment = { operationId, at };
  const too = new DragomanError("too_large", `\u001b[31m${"é".repeat(10_000)}`);
  const messages = [accepted(moment, "Pong.", "r1"), refused(moment, too, 2), refused({ operationId: "<x>", at }, too)];
  const [pong, second, third] = messages.map((one) => connectionMessage.parse(one));
  expect(pong).toMatchObject({ sequence: -2, type: "system", content: "Pong.", metadata: { request_id: "r1" } });
  expect(second?.metadata).toEqual({ priority: "high", code: "TOO_LARGE", request_id: 2 });
  expect(second?.content).toMatch(/^é+$/);
  expect(third?.operation_id).toBe("00000000-0000-0000-0000-000000000000");
  expect(new Set(messages.map(({ id }) => id)).size).toBe(3);
});

test("the URL's query gives a number, and an empty one is refused rather than taken as 0", () => {
  const query = { operation_id: operationId, session_id: "s" };
  expect(calls.connect.params.parse({ ...query, last_received_sequence: "5" })).toEqual({
    ...query,
    last_received_sequence: 5,
  });
  expect(calls.connect.params.parse(query)).toEqual(query);
  expect(calls.connect.params.parse({ ...query, after_log_seq: "0" })).toEqual({ ...query, after_log_seq: 0 });
  for (const wrong of [{ last_received_sequence: "" }, { after_log_seq: "" }, { after_log_seq: "-1" }]) {
    expect(calls.connect.params.safeParse({ ...query, ...wrong }).success).toBe(false);
  }
});

test("a document is written with the version it was read at", () => {
  const params = { id: "001-login", content: "# Spec", if_match: "abc" };
  expect(calls["PUT /features/{id}/spec"].params.parse(params)).toEqual(params);
});

test.each([{ ok: false, reason: "no" }, { value: "x" }, { ids: ["a", "b"] }])("%j is an answer", (answer) => {
  const params = { id: operationId, ask_id: "a", answer };
  expect(calls["POST /operations/{id}/answer"].params.parse(params)).toEqual(params);
});

test("a browser runs no tools, so it has no results of them", () => {
  const params = { id: operationId, ask_id: "a", answer: { success: true } };
  expect(calls["POST /operations/{id}/answer"].params.safeParse(params).success).toBe(false);
});

test("a browser can tell errors apart by the close code", () => {
  const codes = ["unauthorized", "forbidden", "run_not_found", "rate_limited", "internal", "queue_full"] as const;
  expect(codes.map((code) => errors[code].close)).toEqual([4401, 4403, 4404, 4429, 4500, 4503]);
  expect(errorCodes.filter((code) => errors[code].close !== 4000 + errors[code].status)).toEqual([]);
});

test("the codes of error bodies are unique", () => {
  const codes = errorCodes.map((code) => errors[code].code);
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([]);
});

test("an error has the body of the REST calls", () => {
  const body = errorBodyOf({ code: "conflict", message: "It moved.", data: { etag: "b" } }, "req-1", at);
  expect(errorBody.parse(body)).toEqual({
    error: { code: "CONFLICT", message: "It moved.", details: [{ etag: "b" }], request_id: "req-1" },
    timestamp: "2026-02-18T14:23:45.000Z",
  });
});
