import { expect, test } from "vitest";
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
  expect(list instanceof ChoiceList && list.lines(3, noColours)).toEqual([
    "  19. Item 19",
    "  20. Item 20",
    "❯ 21. X  last",
    "    … 18 more choices",
  ]);
});
