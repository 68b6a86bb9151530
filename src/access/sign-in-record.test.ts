import fc from "fast-check";
import { expect, test } from "vitest";
import { parseSignIns, type SignInRecord, signInKinds, signInsText, surplusOf } from "./sign-in-record.ts";

const hex = (length: number) =>
  fc.array(fc.constantFrom(..."0123456789abcdef"), { minLength: length, maxLength: length }).map((all) => all.join(""));

const record: fc.Arbitrary<SignInRecord> = fc.record({
  sha256: hex(64),
  kind: fc.constantFrom(...signInKinds),
  tokenId: fc.constantFrom("a", "b", "c").map((letter) => letter.repeat(16)),
  tokenSha256: hex(64),
  expiresAt: fc
    .date({ min: new Date(0), max: new Date("2999-01-01"), noInvalidDate: true })
    .map((date) => date.toISOString()),
});

test("what is written is read", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 20 }), (records) => {
      expect(parseSignIns("sign-ins.json", signInsText(records))).toEqual(records);
    }),
  );
});

test("a file that ends early is none", () => {
  fc.assert(
    fc.property(fc.array(record, { minLength: 1, maxLength: 3 }), fc.nat(), (records, at) => {
      const text = signInsText(records).trimEnd();
      expect(() => parseSignIns("sign-ins.json", text.slice(0, at % text.length))).toThrow("is not a list of sign-ins");
    }),
  );
});

test("a wrong byte makes a file none, or one of its records another one; never more or fewer", () => {
  const list = fc.array(record, { minLength: 1, maxLength: 3 });
  fc.assert(
    fc.property(list, fc.nat(), fc.integer({ min: 0, max: 255 }), (records, at, byte) => {
      const bytes = Buffer.from(signInsText(records));
      bytes[at % bytes.length] = byte;
      const read = parsedOr(records, bytes.toString());
      expect(read).toHaveLength(records.length);
      const others = read.filter((one, index) => JSON.stringify(one) !== JSON.stringify(records[index]));
      expect(others.length).toBeLessThanOrEqual(1);
    }),
    { numRuns: 1000 },
  );
});

function parsedOr(refused: SignInRecord[], text: string): SignInRecord[] {
  try {
    return parseSignIns("sign-ins.json", text);
  } catch (error) {
    expect(String(error)).toContain("is not a list of sign-ins");
    return refused;
  }
}

test.each([
  ["of a key that we do not know", { onlyFrom: "10.0.0.1" }],
  ["of a kind that we do not know", { kind: "guest" }],
  ["of a digest that is none", { sha256: "" }],
  ["of a time that never comes", { expiresAt: "2026-02-31T00:00:00Z" }],
])("a list %s is none", (_, wrong) => {
  const [one] = fc.sample(record, 1);
  expect(() => parseSignIns("sign-ins.json", JSON.stringify({ signIns: [{ ...one, ...wrong }] }))).toThrow(
    /^sign-ins\.json is not a list of sign-ins: signIns\[0\].*All have to sign in anew/,
  );
});

test("too many lose the oldest of whoever has the most, and nobody who has fewer loses any", () => {
  fc.assert(
    fc.property(fc.array(record, { maxLength: 30 }), fc.integer({ min: 1, max: 10 }), (records, most) => {
      const surplus = new Set(surplusOf(records, most));
      const left = records.filter((one) => !surplus.has(one));
      expect(left).toHaveLength(Math.min(records.length, most));
      const leftTo = (id: string) => left.filter(({ tokenId }) => tokenId === id);
      const largest = Math.max(0, ...left.map(({ tokenId }) => leftTo(tokenId).length));
      for (const gone of surplus) {
        const stayed = leftTo(gone.tokenId);
        expect(stayed.length).toBeGreaterThanOrEqual(largest - 1);
        for (const { expiresAt } of stayed) expect(expiresAt >= gone.expiresAt).toBe(true);
      }
    }),
  );
});
