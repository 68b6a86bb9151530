import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { DEFAULT_MAX_DEPTH, DEFAULT_MAX_PARTS } from "../json.ts";
import { defaultLimits } from "./limits.ts";
import { defaultSocketLimits } from "./websocket-limits.ts";

const DROPPED_WITHIN_MS = 5_000;

test("who has not said who it is within five seconds is dropped", () => {
  const { headersMs, checkEveryMs, requestMs } = defaultLimits;
  expect(headersMs + checkEveryMs).toBeLessThan(DROPPED_WITHIN_MS);
  expect(requestMs).toBeGreaterThan(headersMs); // Node refuses it otherwise
});

test("one caller's streams and sockets leave connections for the others", () => {
  expect(defaultLimits.streamsPerCaller).toBeLessThan(defaultLimits.connections); // sockets are counted with them
});

test("the document on security says what the limits are", () => {
  const document = readFileSync(new URL("../../../docs/security.md", import.meta.url), "utf8");
  const [, section = ""] = document.split("\n## Limits\n");
  const rows = section.split("\n").flatMap((line) => {
    const [, what, most] = /^\| (.+?) \| (.*?) ?\| .*\|$/.exec(line) ?? [];
    return what ? [[what, most]] : [];
  });
  const mib = (bytes: number) => `${bytes / 1024 / 1024} MiB`;
  const seconds = (ms: number) => `${ms / 1000} s`;
  const { headerBytes, headersMs, bodyBytes, bodyBytesInAll, ...http } = defaultLimits;
  const socket = defaultSocketLimits;
  const handshake = "as long again for the TLS handshake before them";
  expect(Object.fromEntries(rows)).toMatchObject({
    connections: String(http.connections),
    "headers of a request": `${headerBytes / 1024} KB, within ${seconds(headersMs)}; ${handshake}`,
    "a whole request": seconds(http.requestMs),
    "its body": `${mib(bodyBytes)}; ${mib(bodyBytesInAll)} of all together`,
    JSON: `${DEFAULT_MAX_DEPTH} deep; ${DEFAULT_MAX_PARTS / 1000} 000 parts (commas, colons and opening brackets)`,
    "large answers that nobody has read yet, of all callers": mib(http.answerBytesInAll),
    "idle between two requests": seconds(http.keepAliveMs),
    "an answer or stream of which nothing is taken": seconds(http.stallMs),
    "event streams and WebSockets of one token, with its sign-ins": String(http.streamsPerCaller),
    "WebSockets of one sign-in, or of a token by itself, with its tickets": String(socket.perCaller),
    "a WebSocket message": `${mib(socket.messageBytes)}, ${socket.fragments} fragments, in ${socket.pieces} pieces`,
    "unsent to a WebSocket": mib(socket.unsentBytes),
    [`a WebSocket that answers no ping, sent every ${seconds(socket.pingEveryMs)}`]: "",
    "its part of a close": seconds(socket.closeMs),
  });
});
