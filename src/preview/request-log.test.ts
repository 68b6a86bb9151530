import fc from "fast-check";
import { expect, test } from "vitest";
import { type Exchanged, RequestLog } from "./request-log.ts";
import { formsOf, masked, maskedBytes, secretsIn } from "./secret-forms.ts";

const CANARY = "c4n/ry+S€cret key&1";

const exchanged = (over: Partial<Exchanged> = {}): Exchanged => ({
  at: "2026-01-01T00:00:00.000Z",
  method: "GET",
  url: "https://api.example.com/pets",
  status: 200,
  ms: 3,
  request: { headers: {}, body: Buffer.alloc(0) },
  answer: { headers: {}, body: Buffer.alloc(0) },
  ...over,
});

const part = (headers: Record<string, string>, body: string) => ({ headers, body: Buffer.from(body) });
const text = { "content-type": "text/plain" };

test("a request is told with what it cost and where it went", () => {
  const log = new RequestLog();
  const json = { "content-type": "application/json" };
  const { id, ...entry } = log.add(
    "me",
    "s1",
    exchanged({ request: part({ accept: "*/*" }, ""), answer: part(json, '{"id":1}') }),
    { values: [], headers: [], query: [] },
  );
  expect(entry).toEqual({
    at: "2026-01-01T00:00:00.000Z",
    method: "GET",
    url: "https://api.example.com/pets",
    status: 200,
    ms: 3,
    request: { headers: { accept: "*/*" }, bytes: 0 },
    answer: { headers: json, bytes: 8, body: '{"id":1}' },
  });
  expect([log.list("me", "s1").length, log.list("me", "s1", id), log.list("you", "s1"), log.list("me", "s2")]).toEqual([
    1,
    [],
    [],
    [],
  ]);
});

/** Every way in which the canary may turn up. */
const ways: [string, (secret: string) => string][] = [
  ["as it is", (it) => it],
  ["in JSON", (it) => JSON.stringify({ a: it })],
  ["in JSON within JSON", (it) => JSON.stringify(JSON.stringify(it))],
  ["in an address", encodeURIComponent],
  ["in an address with small letters", (it) => encodeURIComponent(it).replace(/%../g, (one) => one.toLowerCase())],
  ["in a form", (it) => new URLSearchParams({ a: it }).toString()],
  ["in base64", (it) => Buffer.from(it).toString("base64")],
  ["in base64 behind one byte", (it) => Buffer.from(`x${it}y`).toString("base64")],
  ["in base64 behind two bytes", (it) => Buffer.from(`me:${it}`).toString("base64")],
  ["in base64 behind three bytes", (it) => Buffer.from(`abc${it} and more`).toString("base64")],
  ["in base64 for addresses", (it) => Buffer.from(`ab${it}`).toString("base64url")],
  ["in hexadecimal", (it) => Buffer.from(it).toString("hex")],
  ["in large hexadecimal", (it) => Buffer.from(it).toString("hex").toUpperCase()],
];

/** What would be left of the secret in it: any eight of its characters, in any of the ways. */
function remains(told: string): string[] {
  const pieces = formsOf([CANARY]).map((form) => form.slice(2, -2).slice(0, 12));
  return pieces.filter((piece) => told.includes(piece));
}

test.each(ways)("a secret %s is in no part of an entry", (_, write) => {
  const it = write(CANARY);
  const url = `https://api.example.com/${encodeURIComponent(it)}?a=${encodeURIComponent(it)}&k=${encodeURIComponent(CANARY)}`;
  const entry = new RequestLog().add(
    "me",
    "s1",
    exchanged({
      url,
      error: `it failed: ${it}`,
      request: part({ ...text, "x-own": it, "x-key": CANARY }, `before ${it} after`),
      answer: part({ ...text, location: `/x?${it}` }, `${"x".repeat(4090)}${it}`),
    }),
    { values: [CANARY], headers: ["X-Key"], query: ["k"] },
  );
  expect(remains(JSON.stringify(entry))).toEqual([]);
  expect(entry.request.headers["x-key"]).toBe("[redacted]");
  expect(entry.request.body).toMatch(/^before .{0,8}\[redacted\].{0,24} after$/);
});

test("what travels under a name for secrets is masked, known or not", () => {
  const entry = new RequestLog().add(
    "me",
    "s1",
    exchanged({
      url: "https://api.example.com/a?api_key=unknown1&access_token=unknown2&page=3",
      request: part({ Authorization: "Bearer unknown3", Cookie: "sid=unknown4", "X-Api-Key": "unknown5" }, ""),
      answer: part({ "set-cookie": "sid=unknown6", "x-page": "3" }, ""),
    }),
    { values: [], headers: [], query: [] },
  );
  expect(JSON.stringify(entry)).not.toContain("unknown");
  expect(entry.url).toBe("https://api.example.com/a?api_key=[redacted]&access_token=[redacted]&page=3");
  expect(entry.answer?.headers["x-page"]).toBe("3");
});

const none = { values: [], headers: [], query: [] };

test.each([
  ["JSON", "application/json", '{"user":{"password":"hunter3"},"access_token":"hunter6"}'],
  ["JSON that is cut", "application/json", `{"pad":"${"x".repeat(4070)}","password":"hunter3 hunter4"}`],
  ["a form", "application/x-www-form-urlencoded", "client_secret=hunter3&page=1"],
  ["parts of a form", "multipart/form-data; boundary=b", '--b\r\nx; name="token"\r\n\r\nhunter3\r\n--b--'],
  ["what has no type", "", '--b\r\nx; name="token"\r\n\r\nhunter3\r\n--b--'],
])("what travels under a name for secrets is masked in the body, too: in %s", (_, type, body) => {
  const entry = new RequestLog().add(
    "me",
    "s1",
    exchanged({ request: part({ "Content-Type": type }, body), answer: part({ "content-type": type }, body) }),
    none,
  );
  expect(JSON.stringify(entry)).not.toContain("hunt");
});

test("however such a name is written, in an address and in headers, and so is user info", () => {
  const url =
    "https://u:hunter2@api.example.com/a?refreshToken=hunter3&clientSecret=hunter4&session_id=hunter5&jwt=hunter6#access_token=hunter7";
  const headers = {
    "x-authtoken": "hunter8",
    "X-CsrfToken": "hunter9",
    link: "<https://u:hunter1@b/?sessionToken=hunter0>",
  };
  const entry = new RequestLog().add("me", "s1", exchanged({ url, request: part(headers, "") }), none);
  expect(entry.url).toBe(
    "https://[redacted]@api.example.com/a?refreshToken=[redacted]&clientSecret=[redacted]&session_id=[redacted]&jwt=[redacted]",
  );
  expect(JSON.stringify(entry)).not.toContain("hunt");
});

test("a body that is cut shows no part of a secret, wherever the cut is", () => {
  const secret = "abcdefghijklmnopqrstuvwxyz0123456789".repeat(3);
  fc.assert(
    fc.property(fc.array(fc.nat(300), { maxLength: 40 }), fc.nat(200), (gaps, before) => {
      const body =
        "-".repeat(before) + gaps.map((gap) => secret + "-".repeat(gap)).join("") + "-".repeat(4000) + secret;
      const entry = new RequestLog().add("me", "s1", exchanged({ answer: part(text, body) }), {
        values: [secret],
        headers: [],
        query: [],
      });
      expect(entry.answer?.body?.replaceAll("[redacted]", "")).toMatch(/^-*(\[r?e?d?a?c?t?e?d?)?…?$/);
    }),
  );
});

test("bytes keep what is no secret, whatever they are", () => {
  fc.assert(
    fc.property(fc.uint8Array(), fc.uint8Array(), (before, after) => {
      const bytes = Buffer.concat([before, Buffer.from(CANARY), after]);
      const expected = Buffer.concat([before, Buffer.from("[redacted]"), after]);
      expect(maskedBytes(bytes, formsOf([CANARY])).equals(expected)).toBe(true);
      expect(maskedBytes(Buffer.from(before), formsOf([CANARY])).equals(before)).toBe(true);
    }),
  );
});

test("of a user name and a password the password is secret, and what is made of both", () => {
  const [password = "", both = ""] = secretsIn({ username: "ada", password: "lovelace" });
  expect([password, both]).toEqual(["lovelace", "YWRhOmxvdmVsYWNl"]);
  expect(masked(`Basic ${both} lovelace ada`, formsOf([password, both]))).toBe("Basic [redacted] [redacted] ada");
});

test("is bounded: the latest 200 of each session stay", () => {
  const log = new RequestLog();
  for (let at = 0; at < 250; at++) log.add("me", "s1", exchanged({ ms: at }), none);
  const kept = log.list("me", "s1");
  expect([kept.length, kept[0]?.ms]).toEqual([200, 50]);
  for (let at = 0; at < 300; at++) log.add("me", `other${at}`, exchanged(), none);
  expect([log.list("me", "s1"), log.list("me", "other299").length]).toEqual([[], 1]);
});

test.each(["content-type", "Content-Type"])("what is no text is not shown, by its %s", (name) => {
  const picture = { [name]: "image/png" };
  const entry = new RequestLog().add("me", "s1", exchanged({ request: part(picture, "abc") }), none);
  expect(entry.request).toEqual({ headers: picture, bytes: 3 });
});
