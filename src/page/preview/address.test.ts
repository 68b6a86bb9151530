import { expect, test } from "vitest";

interface Tabs {
  active?: string;
  tabs: string[];
}
const { addressOf, tabsInAddress } = (await import(new URL("./address.js", import.meta.url).href)) as {
  addressOf(tabs: Tabs): string;
  tabsInAddress(hash: string): Tabs;
};

const id = (at: number) => `00000000-0000-4000-8000-${String(at).padStart(12, "0")}`;

test.each<Tabs>([
  { active: undefined, tabs: [] },
  { active: id(1), tabs: [id(1)] },
  { active: id(2), tabs: [id(1), id(2), id(3)] },
  { active: undefined, tabs: [id(1), id(2)] },
])("the address names %j, and is read as that", (tabs) => {
  expect(tabsInAddress(addressOf(tabs))).toEqual(tabs);
});

test("one that is active is open, and none twice", () => {
  expect(tabsInAddress(`#${id(1)}&tabs=${id(2)},${id(2)}`)).toEqual({ active: id(1), tabs: [id(2), id(1)] });
});

test.each(["#https://evil.test", "#../auth/links", `#${id(1)}&tabs=evil`, "#javascript:alert(1)", `#${id(1)}x`])(
  "nothing else is taken from it: %s",
  (hash) => {
    expect(tabsInAddress(hash)).toEqual({ active: undefined, tabs: [] });
  },
);

test("so many tabs, and no more", () => {
  const many = Array.from({ length: 50 }, (_, at) => id(at));
  expect(tabsInAddress(`#&tabs=${many.join(",")}`).tabs.length).toBe(30);
});
