import { expect, test } from "vitest";
import { withoutSecrets } from "./secrets.ts";

const forty = "abcdefghij0123456789ABCDEFGHIJ9876543210";

test.each([
  `drg_${forty}xyz`,
  `sess_${forty}xyz`,
  `ghp_${forty}`,
  `github_pat_${forty}`,
  `glpat-${forty}`,
  `sk-ant-api03-${forty}`,
  "xoxb-1234567890-abcdef",
  "AKIAIOSFODNN7EXAMPLE",
  `AIza${forty.slice(0, 35)}`,
  `eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.${forty}`,
  `-----BEGIN RSA PRIVATE KEY-----\n${forty}\n-----END RSA PRIVATE KEY-----`,
  `-----BEGIN PRIVATE KEY-----\\n${forty}\\n-----END PRIVATE KEY-----\\n`.slice(0, -2),
])("what looks like a secret is not shown: %s", (secret) => {
  expect(withoutSecrets(`use "${secret}" for it`)).toBe('use "[redacted]" for it');
});

test("nor is a password in an address, or what is sent as a credential", () => {
  expect(withoutSecrets("clone https://ada:s3cr3t@example.org/x.git")).toBe(
    "clone https://ada:[redacted]@example.org/x.git",
  );
  expect(withoutSecrets("cache at redis://:s3cr3t@cache:6379/0")).toBe("cache at redis://:[redacted]@cache:6379/0");
  expect(withoutSecrets(`Authorization: Bearer ${forty}`)).toBe("Authorization: Bearer [redacted]");
  expect(withoutSecrets(`authorization: bearer ${forty}`)).toBe("authorization: bearer [redacted]");
  expect(withoutSecrets('{"authorization":"basic YWRhOnMz"}')).toBe('{"authorization":"basic [redacted]"}');
});

test.each([
  "Reading specification document...",
  "T001 [P] [US1] Add the model in src/models/user-account-settings.ts",
  "0b0d9a4e-1a55-4a3f-9c0e-2f6a3f1f7c11 and e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  "a task_list_of_many_words_that_is_just_a_long_identifier_in_snake_case",
  "https://example.org:8080/path?x=1 and mailto ada@example.org",
  "Bearer tokens expire after an hour; Basic authentication is off",
  "the basic internationalization of bearer infrastructures, and the basic authentication-flow",
  "risk-averse, disk-space-is-running-out-again-today-everywhere",
])("what is none stays as it is: %s", (text) => {
  expect(withoutSecrets(text)).toBe(text);
});

test("looking takes no longer than the text is long", () => {
  for (const piece of [
    "eyJ",
    "-----BEGIN PRIVATE KEY-----",
    "https://a:",
    "sk-",
    "redis://:",
    "Bearer ",
    "authorization: bearer ",
    "_a",
    "_eyJ",
    "eyJ.",
    "-sk-",
    "_ghp_",
  ]) {
    const text = piece.repeat(100_000 / piece.length);
    const begun = performance.now();
    withoutSecrets(text);
    expect(performance.now() - begun).toBeLessThan(500);
  }
});
