import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { isSignedReply, replySignature, signedHeaders } from "./signature.ts";

const key = Buffer.from("the key");
const hmac = (text: string) => createHmac("sha256", key).update(text).digest("hex");

test("a callback says when it was sent, and is signed with that and its body", () => {
  expect(signedHeaders(key, 1700000000000, '{"ä":1}')).toEqual({
    "x-dragoman-timestamp": "1700000000000",
    "x-dragoman-signature": `v1=${hmac('request:1700000000000:{"ä":1}')}`,
  });
});

test("a reply is signed with the call that it is to", () => {
  expect(replySignature(key, "c1", "{}")).toBe(`v1=${hmac("reply:c1:{}")}`);
});

test.each([
  ["that of the reply", replySignature(key, "c1", "{}"), true],
  ["none", undefined, false],
  ["nothing", "", false],
  ["that of another call", replySignature(key, "c2", "{}"), false],
  ["that of another reply", replySignature(key, "c1", "{ }"), false],
  ["that of another key", replySignature(Buffer.from("other"), "c1", "{}"), false],
  ["that of a request", signedHeaders(key, 1, "{}")["x-dragoman-signature"], false],
  ["of another version", replySignature(key, "c1", "{}").replace("v1", "v2"), false],
  ["in capitals", replySignature(key, "c1", "{}").toUpperCase(), false],
])("a reply with %s for its signature counts or not", (_, given, counts) => {
  expect(isSignedReply(key, "c1", "{}", given)).toBe(counts);
});
