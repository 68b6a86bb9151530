import { expect, test } from "vitest";
import type { FieldFormat } from "../customizing/customization.ts";
import type { Field, Json } from "../descriptor.ts";
import { formatBytes, formatDate, formatDateTime, formatValue } from "./format.ts";

const shown = (format: FieldFormat, value: Json, more: Partial<Field> = {}) =>
  formatValue({ name: "it", label: "It", kind: "text", format, ...more }, value);
const number = (value: number, options: Intl.NumberFormatOptions = {}) =>
  new Intl.NumberFormat(undefined, options).format(value);

test("numbers are amounts, shares and sizes, also where they come as text", () => {
  const euros = number(1234.5, { style: "currency", currency: "EUR" });
  expect(shown("currency", 1234.5, { currency: "EUR" })).toBe(euros);
  expect(shown("currency", "1234.5", { currency: "eur" })).toBe(euros);
  expect(shown("currency", 3, { currency: "no code" })).toBe(
    number(3, { style: "currency", currency: "USD" }),
  );
  expect(shown("number", 1234567)).toBe(number(1234567));
  expect(shown("bytes", 1200000)).toBe(formatBytes(1200000));
  expect(shown("percent", 0.25)).toBe(number(0.25, { style: "percent" }));
  expect(shown("percent", 25)).toBe(number(0.25, { style: "percent" }));
  expect(shown("percent", 1, { max: 100 })).toBe(number(0.01, { style: "percent" }));
});

test("times are days, instants and distances, also where they come as seconds", () => {
  const text = "2026-01-02T03:04:05.000Z";
  expect(shown("date", text)).toBe(formatDate(text));
  expect(shown("date", Date.parse(text) / 1000)).toBe(formatDate(text));
  expect(shown("dateTime", Date.parse(text))).toBe(formatDateTime(text));
  const before = new Date(Date.now() - 3 * 86_400_000 - 60_000).toISOString();
  const distance = new Intl.RelativeTimeFormat(undefined, { numeric: "auto" }).format(-3, "day");
  expect(shown("relative", before)).toBe(distance);
});

test("stars are counted up to five, or as many as there can be", () => {
  expect(shown("stars", 3.4)).toBe(`${number(3.4)} of 5`);
  expect(shown("stars", 7, { max: 10 })).toBe("7 of 10");
});

test("what is nothing of that kind is shown as it is", () => {
  for (const format of ["number", "currency", "percent", "bytes", "relative", "stars"] as const) {
    expect(shown(format, "many")).toBe("many");
    expect(shown(format, null)).toBe("");
  }
  expect(shown("date", "soon")).toBe("soon");
  expect(shown("nothing" as FieldFormat, "x")).toBe("x");
});

test("a word for a value is shown in every format", () => {
  const options = [{ value: 5, label: "All of them" }];
  expect(shown("stars", 5, { options })).toBe("All of them");
});
