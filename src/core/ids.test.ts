import { createHash } from "node:crypto";
import fc from "fast-check";
import { expect, test } from "vitest";
import { derivedId, randomId, seededIds } from "./ids.ts";

test("a derived id is the UUID v5 of namespace and name", () => {
  // the examples of RFC 9562 (A.4) and of its predecessor
  expect(derivedId("6ba7b810-9dad-11d1-80b4-00c04fd430c8", "www.example.com")).toBe(
    "2ed6657d-e927-568b-95e1-2665a8aea6a2",
  );
  expect(derivedId("6ba7b811-9dad-11d1-80b4-00c04fd430c8", "")).toMatch(/^.{14}5.{4}[89ab]/);
});

test("a derived id is what the definition says, for any name", () => {
  fc.assert(
    fc.property(fc.uuid(), fc.string({ unit: "binary", maxLength: 200 }), (namespace, name) => {
      const hash = createHash("sha1")
        .update(Buffer.from(namespace.replaceAll("-", ""), "hex"))
        .update(name)
        .digest();
      hash[6] = ((hash[6] ?? 0) & 0x0f) | 0x50;
      hash[8] = ((hash[8] ?? 0) & 0x3f) | 0x80;
      expect(derivedId(namespace, name).replaceAll("-", "")).toBe(hash.toString("hex", 0, 16));
    }),
  );
});

test("seeded ids are valid, different, and the same each time", () => {
  const [once, again] = [seededIds("x"), seededIds("x")];
  const ids = Array.from({ length: 100 }, once);
  expect(ids).toEqual(Array.from({ length: 100 }, again));
  expect(new Set([...ids, randomId()]).size).toBe(101);
  for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
});
