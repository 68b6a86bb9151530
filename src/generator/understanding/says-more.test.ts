import { expect, test } from "vitest";
import { saysMore } from "./says-more.ts";

test.each([
  ["Gist Simple", "Gist Gists", false],
  ["Code Of Conduct", "Code of conduct Codes of conduct", false],
  ["The date when the pet was created", "Pet created at", false],
  ["A GitHub Security Advisory.", "Advisory Advisories", true],
  ["Who pays for it", "Owner", true],
])("%j under %j: %s", (description, label, expected) => {
  expect(saysMore(description, label)).toBe(expected);
});
