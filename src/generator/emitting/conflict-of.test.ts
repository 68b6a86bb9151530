import fc from "fast-check";
import { expect, test } from "vitest";
import { descriptions } from "../../testing/descriptions.ts";
import { arbitraryCustomization } from "../kit/customizing/arbitrary-customizations.test.data.ts";
import type { Customization } from "../kit/customizing/customization.ts";
import { understand } from "../understanding/understand.ts";
import { conflictOf } from "./conflict-of.ts";

const [petstore] = descriptions(["petstore.yaml"]);
const { api, resources } = understand(petstore.spec());

const conflicts: [Customization, string][] = [
  [{ change: "resourceShown", resource: "cat", shown: true }, 'There is no resource "cat" any more.'],
  [{ change: "home", resource: "cat" }, 'There is no resource "cat" any more.'],
  [{ change: "resourcePlace", resource: "pet", place: { after: "cat" } }, 'There is no resource "cat" any more.'],
  [{ change: "fieldLabel", resource: "pet", field: "nick", label: "N" }, 'There is no field "nick" in Pets any more.'],
  [{ change: "fieldLabel", field: "nick", label: "N" }, 'There is no field "nick" any more.'],
  [
    { change: "columns", resource: "pet", fields: ["name", "category.size"] },
    'There is no field "category.size" in Pets any more.',
  ],
  [{ change: "view", resource: "pet", view: "board", by: "mood" }, 'There is no field "mood" in Pets any more.'],
  [
    { change: "columnPlace", resource: "pet", field: "name", place: { before: "nick" } },
    'There is no field "nick" in Pets any more.',
  ],
  [
    { change: "optionLabel", resource: "pet", field: "status", value: "lost", label: "Lost" },
    'There is no value "lost" of "status" in Pets any more.',
  ],
  [
    { change: "rows", resource: "pet", field: "status", values: ["sold", "lost"] },
    'There is no value "lost" of "status" in Pets any more.',
  ],
  [{ change: "actionLabel", action: "dance", label: "D" }, 'There is no action "dance" any more.'],
  [
    { change: "actionOffered", resource: "pet", action: "dance", offered: false },
    'There is no action "dance" in Pets any more.',
  ],
  [{ change: "summaryShown", summary: "weather", shown: true }, 'There is no figure "weather" any more.'],
];

test.each(conflicts)("%j: %s", (customization, sentence) => {
  expect(conflictOf(customization, api, resources)).toBe(sentence);
});

test("an operation that is gone is told", () => {
  const fewer = resources.map(({ remove: _, ...one }) => one);
  const gone = (resource?: string): Customization => ({
    ...{ change: "operationLabel", operation: "remove", label: "Away" },
    ...(resource !== undefined && { resource }),
  });
  expect(conflictOf(gone("pet"), api, fewer)).toBe("Pets can no longer be deleted.");
  expect(conflictOf(gone(), api, fewer)).toBe("Nothing can be deleted any more.");
  expect(conflictOf(gone("pet"), api, resources)).toBeUndefined();
});

test.each<Customization>([
  { change: "theme", theme: "dark" },
  { change: "home" },
  { change: "fieldLabel", field: "email", label: "Mail" },
  { change: "columnShown", resource: "pet", field: "category.name", shown: true },
  { change: "optionTone", field: "status", value: "sold", tone: "bad" },
  { change: "rows", resource: "pet", field: "name", values: ["Rex"] },
  { change: "search", resource: "pet", on: true },
  { change: "summaryShown", summary: api.summaries[0]?.id ?? "", shown: false },
])("%j is in no conflict", (customization) => {
  expect(conflictOf(customization, api, resources)).toBeUndefined();
});

test("whatever was wished for, well or badly written, is judged", () => {
  const names = fc.constantFrom("pet", "name", "status", "category.name", "nothing", "__proto__");
  const text = fc.string();
  const value = fc.constantFrom("sold", null, 1);
  const wished = arbitraryCustomization({ resource: names, field: names, action: names, text, value });
  const broken = fc
    .tuple(wished, fc.dictionary(fc.constantFrom("place", "fields", "values", "operation", "field"), fc.jsonValue()))
    .map(([one, instead]) => ({ ...one, ...instead }) as Customization);
  fc.assert(
    fc.property(broken, (one) => {
      expect(conflictOf(one, api, resources) ?? "").toMatch(/^$|\.$/);
    }),
  );
});
