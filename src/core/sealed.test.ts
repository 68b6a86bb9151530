import fc from "fast-check";
import { expect, test } from "vitest";
import { newSealKeys, seal, unseal } from "./sealed.ts";

test("any text comes out as it went in, and no two seals are alike", () => {
  const { publicKey, privateKey } = newSealKeys();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const [one, other] = [seal(text, publicKey), seal(text, publicKey)];
      expect(unseal(one, privateKey)).toBe(text.toWellFormed());
      expect(one).not.toBe(other);
    }),
    { numRuns: 50 },
  );
});

test("nobody else can read it, and what was changed is refused", () => {
  const [mine, yours] = [newSealKeys(), newSealKeys()];
  const sealed = seal("s3cret", mine.publicKey);
  expect(sealed).not.toContain("s3cret");
  expect(() => unseal(sealed, yours.privateKey)).toThrow();
  const [key = "", body = ""] = sealed.split(".");
  const changed = Buffer.from(body, "base64url");
  changed[0] = (changed[0] ?? 0) ^ 1;
  expect(() => unseal(`${key}.${changed.toString("base64url")}`, mine.privateKey)).toThrow();
});
