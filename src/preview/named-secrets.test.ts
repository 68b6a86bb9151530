import fc from "fast-check";
import { expect, test } from "vitest";
import { withoutNamedSecrets } from "./named-secrets.ts";
import { isSecretName } from "./secret-names.ts";

const secretNames = [
  ...[
    "password",
    "userPassword",
    "new_password",
    "PASSWORD2",
    "passwd",
    "pwd",
    "password_confirmation",
    "passwordHash",
  ],
  ...["token", "accessToken", "access_token", "refreshToken", "id-token", "authtoken", "x-authtoken", "tokens", "jwt"],
  ...["clientSecret", "client_secret", "secret", "APIKey", "api_key", "apikey", "X-Api-Key", "privateKey", "key"],
  ...["session_id", "sessionId", "JSESSIONID", "PHPSESSID", "sid", "Cookie", "Authorization", "credentials", "auth"],
  ...["pin", "otp", "cvv", "sig", "X-Amz-Signature", "user[password]", "user%5Bpassword%5D", "api%2Dkey"],
];
const otherNames = [
  ...["name", "author", "authors", "tokenType", "expires_in", "keyword", "monkey", "pinned", "compass", "design"],
  ...["password_reset_at", "secretary", "key_count", "session", "status", "page", "%", ""],
];

test("names for secrets are known however they are written, and others are none", () => {
  expect(secretNames.filter((name) => !isSecretName(name))).toEqual([]);
  expect(otherNames.filter(isSecretName)).toEqual([]);
});

const M = "[redacted]";

test.each([
  ["JSON", '{"user":"ada","password":"hunter3","x":1}', `{"user":"ada","password":"${M}","x":1}`],
  ["JSON with blanks", '{\n  "access_token" : "tok6"\n}', `{\n  "access_token" : "${M}"\n}`],
  ["JSON within JSON", '{"a":{"b":[{"clientSecret":"s"}]}}', `{"a":{"b":[{"clientSecret":"${M}"}]}}`],
  ["a quote in it", String.raw`{"token":"a\"b\\","x":"y"}`, `{"token":"${M}","x":"y"}`],
  ["a number", '{"pin":1234,"page":2}', `{"pin":${M},"page":2}`],
  ["nothing to mask", '{"token":null,"secret":false,"password":""}', '{"token":null,"secret":false,"password":""}'],
  ["a list", '{"tokens":["a","]"],"x":"y"}', `{"tokens":${M},"x":"y"}`],
  ["all below it", '{"credentials":{"user":"u","b":{"c":"}"}},"x":1}', `{"credentials":${M},"x":1}`],
  [
    "JSON in a string",
    JSON.stringify({ body: JSON.stringify({ password: 'hun"ter\\', x: 1 }), y: "z" }),
    JSON.stringify({ body: JSON.stringify({ password: M, x: 1 }), y: "z" }),
  ],
  ["a cut value", '{"user":"ada","password":"hunt', `{"user":"ada","password":"${M}`],
  ["a form", "user=ada&refreshToken=t0k&page=1", `user=ada&refreshToken=${M}&page=1`],
  ["a form with names in brackets", "u%5Bpassword%5D=x&u[password]=y&z=1", `u%5Bpassword%5D=${M}&u[password]=${M}&z=1`],
  ["an empty value", "password=&page=1", "password=&page=1"],
  [
    "parts of a form",
    '--b\r\nContent-Disposition: form-data; name="password"\r\nX: y\r\n\r\nhunter2\r\nmore\r\n--b\r\n\r\nz',
    `--b\r\nContent-Disposition: form-data; name="password"\r\nX: y\r\n\r\n${M}\r\n--b\r\n\r\nz`,
  ],
  ["an address", "see https://a.example/?jwt=x.y.z&page=1 there", `see https://a.example/?jwt=${M}&page=1 there`],
  ["user info", "https://u:hunter2@a.example/x and http://t@b/", `https://${M}@a.example/x and http://${M}@b/`],
  [
    "user info in JSON",
    String.raw`{"url":"https:\/\/u:p@ss@a.example\/"}`,
    String.raw`{"url":"https:\/\/${M}@a.example\/"}`,
  ],
  ["XML", "<a:Password x='y'>hunter2</a:Password><b>c</b>", `<a:Password x='y'>${M}</a:Password><b>c</b>`],
  ["XML within it", "<credentials>\n  <pin>1</pin>", `<credentials>\n  <pin>${M}</pin>`],
  ["XML as data", "<token><![CDATA[abc]]></token>", `<token><![CDATA[${M}]]></token>`],
  ["YAML", "user: ada\npassword: correct horse\nx: y", `user: ada\npassword: ${M}\nx: y`],
  [
    "GraphQL",
    JSON.stringify({ query: 'mutation { login(password: "hunter2", name: "ada") { id } }' }),
    JSON.stringify({ query: `mutation { login(password: "${M}", name: "ada") { id } }` }),
  ],
])("what stands under such a name is masked in %s", (_, text, told) => {
  expect(withoutNamedSecrets(text, false)).toBe(told);
});

test("of an address that is cut off before it is known whether it has user info, the rest is left out", () => {
  expect(withoutNamedSecrets("see https://a.example/x and https://u:hun", true)).toBe(
    "see https://a.example/x and https://",
  );
});

test("wherever JSON is cut, and in however many strings it is, nothing of what stands under such a name is left", () => {
  const secret = "Zq7";
  const names = fc.constantFrom("password", "access_token", "clientSecret");
  const filling = fc.string().filter((text) => !/[Zq7]/.test(text));
  const held = fc.oneof(
    filling.map((text) => `${secret}${text}${secret}`),
    fc.array(filling.map((text) => secret + text)),
    fc.dictionary(
      fc.constantFrom("a", "b"),
      filling.map((text) => text + secret),
    ),
  );
  const around = fc.dictionary(fc.constantFrom("c", "d"), fc.oneof(filling, fc.array(filling)));
  fc.assert(
    fc.property(around, names, held, around, fc.nat(3), fc.nat(400), (before, name, value, after, depth, cut) => {
      let text = JSON.stringify({ ...before, e: [{ [name]: value }], f: after });
      for (let at = 0; at < depth; at++) text = JSON.stringify({ body: text, g: after });
      expect(withoutNamedSecrets(text, false)).not.toMatch(/[Zq7]/);
      expect(withoutNamedSecrets(text.slice(0, cut), true)).not.toMatch(/[Zq7]/);
    }),
  );
});

test("text without such names stays as it is", () => {
  const text = '{"items":[{"id":7,"name":"Ada: \\"x\\"","url":"https://a.example:8080/x?page=2"}],"count":1}';
  expect(withoutNamedSecrets(text, false)).toBe(text);
});
