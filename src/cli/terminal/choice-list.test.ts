import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ChoiceList } from "./choice-list.ts";
import type { Key } from "./keyboard.ts";
import { noColours } from "./paint.ts";

const key = (name: string): Key => ({ name, text: name.length === 1 ? name : "", ctrl: false, inWords: false });
const items = (n: number) => Array.from({ length: n }, (_, i) => ({ id: `i${i + 1}`, label: `Item ${i + 1}` }));

function press(list: ChoiceList, ...names: string[]): ChoiceList | { ids: string[] } {
  let now: ChoiceList | { ids: string[] } = list;
  for (const name of names) {
    if (!(now instanceof ChoiceList)) throw new Error(`it was over before ${name}`);
    now = now.press(key(name));
  }
  return now;
}

test("one is picked by arrows and Enter, by its number, or none by Escape", () => {
  const list = new ChoiceList(items(3), false);
  expect(press(list, "down", "return")).toEqual({ ids: ["i2"] });
  expect(press(list, "up", "return")).toEqual({ ids: ["i3"] });
  expect(press(list, "2")).toEqual({ ids: ["i2"] });
  expect(press(list, "9", "x", "escape")).toEqual({ ids: [] });
});

test("of many, a number is complete when no longer one could be meant", () => {
  const list = new ChoiceList(items(23), false);
  expect(press(list, "1", "2")).toEqual({ ids: ["i12"] });
  expect(press(list, "1", "return")).toEqual({ ids: ["i1"] });
  expect(press(list, "3")).toEqual({ ids: ["i3"] });
});

test("several are marked and taken in their order", () => {
  const list = new ChoiceList(items(3), true);
  expect(press(list, "3", "up", "up", " ", "return")).toEqual({ ids: ["i1", "i3"] });
  expect(press(list, "1", "1", "return")).toEqual({ ids: [] });
});

test("nothing to pick is nothing picked", () => {
  expect(press(new ChoiceList([], false), "down", "1", "return")).toEqual({ ids: [] });
});

test("a long list is drawn around what is pointed at", () => {
  const list = press(new ChoiceList([...items(20), { id: "x", label: "\u001b[2JX", detail: "last" }], false), "up");
  expect(list instanceof ChoiceList && list.lines(10, 3, { paint: noColours, width: 80 })).toEqual([
    "  19. Item 19",
    "  20. Item 20",
    "❯ 21. X  last",
    "    … 18 more choices",
  ]);
});

test("letters that come together, and what is pasted, neither pick nor mark anything", () => {
  const words = [..."2 eyes"].map((text) => ({ ...key(text), inWords: true }));
  const after = (list: ChoiceList) =>
    [...words, { ...key("return"), inWords: true }, { ...key("paste"), text: "2", inWords: true }].reduce(
      (now: ChoiceList | { ids: string[] }, each) => (now instanceof ChoiceList ? now.press(each) : now),
      list,
    );
  for (const multi of [false, true]) {
    const list = after(new ChoiceList(items(3), multi));
    expect(list instanceof ChoiceList && press(list, "return")).toEqual({ ids: multi ? [] : ["i1"] });
  }
});

describe("a choice that is too long for a row", () => {
  const long = { id: "a", label: "Nobody can see it until its owner has shared it", detail: "Safe, and more work." };
  const list = new ChoiceList([long, { id: "b", label: "Everyone", detail: "As today." }, ...items(8)], false);

  test("goes on in the next, and so does what is said about it", () => {
    expect(list.lines(2, 9, { paint: noColours, width: 30 })).toEqual([
      "❯ 1. Nobody can see it until",
      "     its owner has shared it",
      "     Safe, and more work.",
      "  2. Everyone  As today.",
      "    … 8 more choices",
    ]);
  });

  test("is never cut, however narrow it is", () => {
    fc.assert(
      fc.property(fc.lorem({ maxCount: 40 }), fc.integer({ min: 20, max: 120 }), (label, width) => {
        const rows = new ChoiceList([{ id: "a", label }], false).lines(1, 1, { paint: noColours, width });
        expect(rows.map((row) => row.slice(5)).join(" ")).toBe(label);
        for (const row of rows) expect(row.length).toBeLessThanOrEqual(width);
      }),
    );
  });

  test("takes the room of others, and the one that is pointed at is always seen", () => {
    const place = { paint: noColours, width: 30 };
    const below = press(list, "down", "down");
    expect(list.lines(10, 4, place)).toEqual([...list.lines(2, 9, place).slice(0, 4), "    … 8 more choices"]);
    expect(below instanceof ChoiceList && below.lines(10, 4, place)).toEqual([
      "  2. Everyone  As today.",
      "❯ 3. Item 1",
      "  4. Item 2",
      "  5. Item 3",
      "    … 6 more choices",
    ]);
  });
});
