import { expect, test } from "vitest";
import { descriptions } from "../../testing/descriptions.ts";
import { customizationsIn, withCustomizations } from "../emitting/customizations.ts";
import { generate } from "../generate.ts";
import type { Customization } from "../kit/customizing/customization.ts";
import { customized } from "../kit/customizing/customized.ts";
import { readDescription } from "../reading/read-description.ts";
import { carriedOver, editsBetween, withoutEdits } from "./carry-edits.ts";
import { customize } from "./customize.ts";
import { readInterface } from "./read-interface.ts";

const [petstore] = descriptions(["petstore.yaml"]);

const prompts = [
  "dark mode",
  "make buttons green",
  "rename the app to Pet Shop",
  "start on pets",
  "rename Pet to Animal",
  "put orders first in the menu",
  "group orders under Sales",
  "show animals as cards",
  "10 animals per page",
  "sort animals by name",
  "hide the tags column in animals",
  "put status first in animals",
  "only show available animals",
  "make sold red",
  "show the photo urls column in animals",
  "rename the phone column to Telephone",
  "make email required",
  "default quantity to 1",
  "don't allow deleting users",
  "hide the upload an image action",
];

const wished = prompts.reduce((code, prompt) => {
  const result = customize({ code, prompt });
  if (result.kind !== "changed") throw new Error(`${prompt}: ${JSON.stringify(result).slice(0, 200)}`);
  return result.code;
}, generate(petstore.spec()).code);
const customizations = customizationsIn(wished) ?? [];

/** Another version of the API: its parts come in another order, and some have gone or are called otherwise. */
function changedDescription(): string {
  const lines = petstore.text().split("\n");
  const at = (start: string) => lines.findIndex((line) => line.startsWith(start));
  const paths = lines.slice(at("paths:") + 1, at("components:"));
  const starts = paths.flatMap((line, index) => (/^ {2}\//.test(line) ? [index] : []));
  const blocks = starts.map((from, index) => paths.slice(from, starts[index + 1]));
  const kept = blocks.filter(([first = ""]) => !/uploadImage/.test(first)).reverse();
  return [...lines.slice(0, at("paths:") + 1), ...kept.flat(), ...lines.slice(at("components:"))]
    .join("\n")
    .replaceAll("photoUrls", "pictures")
    .replaceAll("- sold\n", "- gone\n")
    .replace("title: Swagger Petstore", "title: Other Petstore");
}

const changed = readDescription(changedDescription()).spec;

/** What is shown, as text. */
function looks(code: string, wishes: Customization[]): string {
  const read = readInterface(code);
  if (!read) throw new Error("The code cannot be read.");
  const { api, resources, settings } = customized(read.descriptor, wishes);
  return JSON.stringify([api, settings, resources, resources.map(({ load }) => load())]);
}

test("twenty customizations hold in the interface of a changed description, or are listed with what they miss", () => {
  expect(customizations).toHaveLength(20);
  const again = generate(changed, { customizations });
  const plain = generate(changed).code;
  const listed = new Set(again.conflicts.map(({ customization }) => customization.said));
  // Each by itself does something there, or is listed; and what is listed does nothing.
  const holds = customizations.filter((one) => looks(plain, [one]) !== looks(plain, [])).map(({ said }) => said);
  expect([...holds, ...listed].sort()).toEqual([...prompts].sort());
  expect(again.conflicts.map(({ customization, why }) => [customization.said, why])).toEqual([
    ["make sold red", 'There is no value "sold" of "status" in Pets any more.'],
    ["show the photo urls column in animals", 'There is no field "photoUrls" in Pets any more.'],
    ["hide the upload an image action", 'There is no action "upload-file" in Pets any more.'],
  ]);
  expect(customizationsIn(again.code)).toEqual(customizations);
});

test("the same description gives the same code, with all that was wished for", () => {
  const again = generate(petstore.spec(), { customizations });
  expect([again.code === wished, again.conflicts]).toEqual([true, []]);
});

test("what is gone and comes back is customized as before", () => {
  const without = generate(changed, { customizations }).code;
  const back = generate(petstore.spec(), { customizations: customizationsIn(without) });
  expect(back.code).toBe(wished);
});

const place = '<caption className="visually-hidden">{caption}</caption>';

test("edits of the code itself go over, too, each by itself, and what has lost its place is listed", () => {
  const before = generate(petstore.spec()).code;
  const edited = before
    .replace(place, `${place}{/* ours */}`)
    .replace('label: "Photo URLs"', 'label: "Pictures of it"');
  const edits = found(editsBetween(before, withCustomizations(edited, customizations) ?? ""));
  const carried = carriedOver(generate(changed, { customizations }).code, edits);
  expect([carried.code.includes(`${place}{/* ours */}`), carried.lost]).toEqual([
    true,
    [expect.stringContaining("An edit has lost its place")],
  ]);
  expect(customizationsIn(carried.code)).toEqual(customizations);
  // They go over again from there, though they were not generated.
  const plain = withoutEdits(carried.code, carried.edits);
  expect(plain).toBe(generate(changed, { customizations }).code);
  const next = found(editsBetween(plain, carried.code));
  expect(carriedOver(generate(changed).code, next).code.includes("{/* ours */}")).toBe(true);
});

function found(edits: ReturnType<typeof editsBetween>) {
  if (!edits || edits === "another text") throw new Error("There are no edits.");
  return edits;
}

test("code that has nothing in common with what was generated is told as that, and soon", () => {
  const lines = (of: string) => Array.from({ length: 20_000 }, (_, at) => `const ${of}${at} = ${at};`).join("\n");
  expect(editsBetween(lines("a"), lines("b"))).toBe("another text");
});

test("code that nobody edited has no edits, however it is customized", () => {
  expect(editsBetween(generate(petstore.spec()).code, wished)).toBeUndefined();
});
