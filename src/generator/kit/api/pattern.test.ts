import { expect, test } from "vitest";
import { fitsPattern } from "./pattern.ts";

test("tells whether a text fits", () => {
  expect([
    fitsPattern("^[a-z]+$", "abc"),
    fitsPattern("^[a-z]+$", "ABC"),
    fitsPattern("^[\\w-]+$", "a-b"),
    fitsPattern("^(\\d{4}-){3}\\d{4}$", "1234-1234-1234-1234"),
    fitsPattern("^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$", "x"),
    fitsPattern("/^[a-z]+$/i", "ABC"),
    fitsPattern("^a\\-b$", "a-b"),
  ]).toEqual([true, false, true, true, false, true, true]);
});

test("what is no pattern here tells nothing", () => {
  expect([fitsPattern("(?i)abc", "x"), fitsPattern("([", "x")]).toEqual([undefined, undefined]);
});

test.each([
  "^(a+)+$",
  "^((a+)+)+$",
  "^(((a*)*)*)*$",
  "^(a|a)+$",
  "^(a|aa)+$",
  "^((a|a)|(a|a))*$",
  "^(a?){50}a{50}$",
  "^(?:a*)*b",
  "^(([a-z])+.)+[A-Z]([a-z])+$",
  "(?=(a+)+$)b",
  "^(?:(?!(a+)+!)a)*$",
  "a?".repeat(40) + "a".repeat(40),
  "^a*a*a*a*a*a*a*b$",
  "a+a+a+a+$",
  "^\\s*\\s*\\s*$",
  "(.*)*".repeat(100),
  "^(((a{1,99}){1,99}){1,99}){1,99}$",
  `${"(".repeat(400)}a${")*".repeat(400)}`,
])("takes no long time for %s", (pattern) => {
  for (const length of [18, 30, 60, 200, 999, 100_000]) {
    const start = performance.now();
    fitsPattern(pattern, `${"a".repeat(length)}!`);
    expect(performance.now() - start).toBeLessThan(5000); // a RegExp takes years
  }
});

test("what could take a RegExp years is told all the same", () => {
  const slug = "^[a-z0-9]+(?:-[a-z0-9]+)*$";
  const mail = "^([\\w.]+)+@(([a-z0-9-]+)\\.)+[a-z]{2,}$";
  expect([
    fitsPattern("^((a+)+)+$", "a".repeat(999)),
    fitsPattern("^((a+)+)+$", `${"a".repeat(999)}!`),
    fitsPattern(slug, "a-b-c"),
    fitsPattern(slug, "a--b"),
    fitsPattern(mail, "ada.lovelace@example.org"),
    fitsPattern(mail, "ada.lovelace.of.the.analytical.engine"),
  ]).toEqual([true, false, true, false, true, false]);
});

test("what looks back, or at what was before, is not known", () => {
  expect(
    ["(a)\\1", "(?<x>a)\\k<x>", "(?<=a)b", "(?<!a)b"].map((one) => fitsPattern(one, "aa")),
  ).toEqual([undefined, undefined, undefined, undefined]);
});
