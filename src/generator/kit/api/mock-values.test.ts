import { expect, test } from "vitest";
import type { Field } from "../descriptor.ts";
import { mockObject, mockValue } from "./mock-values.ts";
import { field } from "./petstore.test.data.ts";

const place = (row = 3, subject = ["customer"]) => ({ seed: `customer/${row}`, row, subject });
const value = (kind: Field["kind"], name: string, more: Partial<Field> = {}) =>
  mockValue(field(name, kind, more), place());

test("values look like what their names and kinds say", () => {
  const looks: [unknown, RegExp][] = [
    [value("text", "name"), /^[A-Z]\w+ [A-Z]\w+$/],
    [value("email", "email"), /^[a-z]+\.[a-z]+@example\.com$/],
    [value("text", "phoneNumber"), /^\+1 555 01\d\d$/],
    [value("text", "uuid"), /^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-a[\da-f]{3}-[\da-f]{12}$/],
    [value("text", "slug"), /^[a-z]+-[a-z]+$/],
    [value("text", "ip_address"), /^192\.0\.2\.\d+$/],
    [value("text", "commitSha"), /^[\da-f]{40}$/],
    [value("text", "version"), /^\d+\.\d+\.\d+$/],
    [value("text", "hexColor"), /^[a-z]+$|^#[\da-f]{6}$/],
    [value("text", "city"), /^\p{Lu}/u],
    [value("number", "price"), /^\d+(\.\d{1,2})?$/],
    [value("integer", "age"), /^\d\d$/],
    [value("date", "birthDate"), /^(19[6-9]|200)\d-\d\d-\d\d$/],
    [value("dateTime", "createdAt"), /^202[56]-\d\d-\d\dT\d\d:\d\d:00Z$/],
    [value("time", "opens"), /^\d\d:\d\d:00$/],
    [value("url", "website"), /^https:\/\/example\.com\/[a-z-]+$/],
    [value("image", "avatar"), /^data:image\/svg\+xml,/],
  ];

  expect(looks.filter(([made, look]) => !look.test(String(made)))).toEqual([]);
});

test("what a record says about one person fits together", () => {
  const person = mockObject(
    [
      field("firstName", "text"),
      field("last_name", "text"),
      field("email", "email"),
      field("login", "text"),
    ],
    place(),
  );
  const login = `${person.firstName}.${person.last_name}`.toLowerCase();

  expect([person.email, person.login]).toEqual([`${login}@example.com`, login]);
});

test("the first row shows the examples that fit", () => {
  const name = field("name", "text", { example: "Doggie" });
  const misfit = field("age", "integer", { example: "old" });

  expect(mockValue(name, place(0))).toBe("Doggie");
  expect(mockValue(name, place(1))).not.toBe("Doggie");
  expect(mockValue(misfit, place(0))).toEqual(expect.any(Number));
});

test("what is only sent is not there", () => {
  expect(mockObject([field("password", "password", { writeOnly: true })], place())).toEqual({});
});

test("a pattern that cannot be followed falls back to the example", () => {
  const odd = { pattern: "^(?=.*x)x\\p{Lu}+$", example: "xABC" };

  expect(value("text", "thing", odd)).toBe("xABC");
});

test("a hostile pattern costs no time", () => {
  const start = performance.now();
  value("text", "thing", { pattern: "((((((a{9999}){9999}){9999}){9999}){9999}){9999})" });
  value("text", "thing", { pattern: "((((((){999}){999}){999}){999}){999})" });
  value("text", "thing", { pattern: "^(a+)+$", minLength: 5000 });

  expect(performance.now() - start).toBeLessThan(1500);
});

test("paths differ as their example does, and what is in a list is not there twice under two keys", () => {
  const paths = [1, 2, 3].map((row) =>
    mockValue(field("mountpoint", "text", { example: "/var/lib/volumes/tardis" }), place(row)),
  );
  expect(new Set(paths).size).toBe(3);
  expect(paths.filter((path) => !/^\/var\/lib\/volumes\/[a-z-]+$/.test(String(path)))).toEqual([]);
  const item = field("tag", "object", { fields: [field("id", "integer"), field("name", "text")] });
  const lists = Array.from({ length: 60 }, (_, row) =>
    mockValue(field("tags", "list", { item, minItems: 3, maxItems: 3 }), place(row, ["pet"])),
  ) as { name: string }[][];
  const repeating = lists.filter(
    (tags) => new Set(tags.map(({ name }) => name)).size < tags.length,
  );
  expect(repeating).toEqual([]);
});
