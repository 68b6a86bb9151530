import { expect, test } from "vitest";
import type { Field } from "../../descriptor.ts";
import { isLongIdentifier, seenAs } from "./seen-as.ts";

const text: Field = { name: "note", label: "Note", kind: "text" };

test("times and addresses are seen as such only where they are the whole text", () => {
  const values = [
    "2026-01-22T15:22:00Z",
    "2026-01-22T15:22:00.123+02:00",
    "2026-01-22",
    "https://example.com/a",
    "see https://example.com",
    "2026-01-22 or later",
    "javascript:alert(1)",
    7,
  ];
  expect(values.map((value) => seenAs(text, value).kind)).toEqual([
    ...["dateTime", "dateTime", "date", "url"],
    ...["text", "text", "text", "text"],
  ]);
  expect(seenAs({ ...text, kind: "longText" }, "2026-01-22").kind).toBe("longText");
});

test("long identifiers are told from words and numbers", () => {
  const texts = [
    "3be6453c-03eb-4357-ae5a-984a0e574a54",
    `sha256:${"ab12".repeat(16)}`,
    "a4461ae12908",
    "A sentence with some words in it",
    "decade-facade-decade-facade",
  ];
  expect(texts.map(isLongIdentifier)).toEqual([true, true, false, false, false]);
});
