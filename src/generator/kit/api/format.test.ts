import { expect, test } from "vitest";
import type { Field, Json } from "../descriptor.ts";
import { formatBytes, formatRelative, formatValue, nameWords } from "./format.ts";
import { field } from "./petstore.test.data.ts";

const shown = (kind: Field["kind"], value: Json, more: Partial<Field> = {}) =>
  formatValue(field("value", kind, more), value);

test("values are shown as people read them", () => {
  const number = new Intl.NumberFormat().format(1234.5);
  const day = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeZone: "UTC" });

  expect([
    shown("boolean", true),
    shown("number", 1234.5),
    formatValue(field("year", "integer"), 2026),
    formatValue(field("ownerId", "integer"), 12345),
    shown("date", "2026-01-31"),
    shown("date", "soon"),
    shown("dateTime", "never"),
    shown("enum", "in_progress", { options: [{ value: "in_progress", label: "In progress" }] }),
    shown("enum", "other", { options: [] }),
    shown("password", "secret"),
    shown("text", null),
    shown("object", { id: 3, name: "Luna" }),
    shown("object", { x: 1, y: { z: 2 } }),
    shown("map", { a: 1, b: 2, c: 3, d: 4 }),
    shown("json", [1, 2]),
    shown("list", [true, false], { item: field("", "boolean") }),
    shown("list", [1, 2, 3, 4, 5, 6, 7], { item: field("", "integer") }),
  ]).toEqual([
    "Yes",
    number,
    "2026",
    "12345",
    day.format(new Date("2026-01-31")),
    "soon",
    "never",
    "In progress",
    "other",
    "••••••••",
    "",
    "Luna",
    "x: 1, y: …",
    "a: 1, b: 2, c: 3 …",
    "2 entries",
    "Yes, No",
    "1, 2, 3, 4, 5 and 2 more",
  ]);
});

test("sizes have units, when the name says that they are sizes", () => {
  expect([formatBytes(0), formatBytes(1_530_000)]).toEqual(["0 bytes", "1.5 MB"]);
  expect(formatValue(field("sizeInBytes", "integer"), 2000)).toBe("2 kB");
});

test("times are told from now", () => {
  const now = new Date("2026-06-15T12:00:00Z");
  const told = [
    "2026-06-15T11:59:30Z",
    "2026-06-14T12:00:00Z",
    "2026-06-15T15:00:00Z",
    "2023-06-01T00:00:00Z",
  ];

  expect(told.map((time) => formatRelative(new Date(time), now))).toEqual([
    "30 seconds ago",
    "yesterday",
    "in 3 hours",
    "3 years ago",
  ]);
});

test("names are taken apart into words", () => {
  expect(["createdAt", "created_at", "HTTPServer-ID", "x2"].map(nameWords)).toEqual([
    ["created", "at"],
    ["created", "at"],
    ["http", "server", "id"],
    ["x2"],
  ]);
});
