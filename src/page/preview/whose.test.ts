import { expect, test } from "vitest";

interface Listed {
  version: number;
  by?: string;
  of?: number;
}
const { otherIn } = (await import(new URL("./whose.js", import.meta.url).href)) as {
  otherIn(
    version: number | undefined,
    about: { versions: Listed[]; me: string; agreed: Set<number> },
  ): string | undefined;
};

const versions: Listed[] = [
  { version: 1 },
  { version: 2, by: "ada", of: 1 },
  { version: 3, by: "bob", of: 2 },
  { version: 4, by: "ada", of: 3 },
  { version: 5, by: "ada", of: 2 },
  { version: 6, by: "ada", of: 3 },
  { version: 7, by: "ada" },
  { version: 8, by: "ada" },
  { version: 9, by: "bob" },
];
const seenBy = (me: string, ...agreed: number[]) =>
  versions.map(({ version }) => otherIn(version, { versions, me, agreed: new Set(agreed) }));

test("what others made is theirs, also where one has changed it, gone back to it or made it anew, until one agrees to it", () => {
  const none = undefined;
  expect(seenBy("ada")).toEqual([none, none, "bob", "bob", none, "bob", "bob", "bob", "bob"]);
  expect(seenBy("ada", 3)).toEqual([none, none, none, none, none, none, none, none, "bob"]);
  expect(seenBy("bob")).toEqual([none, "ada", "ada", "ada", "ada", "ada", "ada", "ada", "ada"]);
  expect(otherIn(undefined, { versions, me: "ada", agreed: new Set() })).toBe(none);
  expect(otherIn(10, { versions, me: "ada", agreed: new Set() })).toBe("somebody else"); // nothing is known of it
});
