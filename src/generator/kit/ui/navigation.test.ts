import { expect, test } from "vitest";
import type { ResourceEntry } from "../descriptor.ts";
import { filterEntries, navigationGroups } from "./navigation.ts";

function entry(plural: string, group?: string): ResourceEntry {
  const load = () => {
    throw new Error("The navigation must not load a resource.");
  };
  return { id: plural.toLowerCase(), name: plural.replace(/s$/, ""), plural, group, load };
}

const pets = entry("Pets", "Shop");
const carpets = entry("Carpets", "House");
const orders = entry("Orders", "Shop");
const users = entry("Users");

test("groups stand in the order of the description, resources without one last", () => {
  expect(navigationGroups([users, pets, carpets, orders])).toEqual([
    { label: "Shop", entries: [pets, orders] },
    { label: "House", entries: [carpets] },
    { label: "Other", entries: [users] },
  ]);
});

test("a single group has no heading", () => {
  expect(navigationGroups([pets, orders])).toEqual([{ entries: [pets, orders] }]);
  expect(navigationGroups([users])).toEqual([{ entries: [users] }]);
});

test("a search wants every word, in any order, in the name or the group", () => {
  expect(filterEntries([pets, carpets, orders, users], "shop ord")).toEqual([orders]);
  expect(filterEntries([pets, carpets, orders, users], "  ")).toHaveLength(4);
});

test("names that begin with what was typed come first", () => {
  expect(filterEntries([carpets, pets], "pet")).toEqual([pets, carpets]);
});
