import { format } from "prettier";
import { expect, test } from "vitest";
import type { ApiDescriptor, Settings } from "../kit/descriptor.ts";
import { constant, descriptorText, entryOf, heading } from "./descriptors.ts";
import { importLine } from "./emit-module.ts";

const settings: Settings = { theme: "light", layout: "side", includeAuth: true, pagination: true };
const names = Array.from({ length: 110 }, (_, at) => "n".repeat(at + 1));

/** As Prettier lays it out, whatever its lines were. */
const formatted = (text: string) => format(text.replace(/\n */g, " "), { parser: "typescript", printWidth: 100 });

const descriptor = (entries: string[]) => descriptorText("interfaceDescriptor", entries, settings, true);

test("one resource stays on the line of its list where it fits, and several have a line each", async () => {
  const one = descriptor([entryOf("petResource", false)]);
  expect(one).toContain("  resources: [{ ...petResource, load: () => petResource }],\n");
  const two = descriptor([entryOf("petResource", true), entryOf("userResource", false)]);
  expect(two).toContain("  resources: [\n    { ...petResource, main: true, load: () => petResource },\n");
  for (const text of [descriptor([]), one, two]) expect(text).toBe(await formatted(text));
});

test.each([true, false])(
  "an entry is broken where Prettier breaks it, however long its name is (main: %s)",
  async (main) => {
    const entries = names.map((name) => entryOf(name, main));
    const texts = [...entries.map((entry) => descriptor([entry])), descriptor(entries)];
    expect(texts).toEqual(await Promise.all(texts.map(formatted)));
  },
);

test("so are a constant and an import", async () => {
  const values = [
    { a: 1, b: 2 },
    [
      { a: 1, b: 2 },
      { a: 3, b: 4 },
    ],
    {},
    [],
  ];
  const constants = names.flatMap((name) => values.map((value) => constant(name, "FieldOption[]", value, true)));
  const imports = names.flatMap((name) => [
    importLine({ from: "./shared.ts", values: [name], types: [] }),
    importLine({ from: "./shared.ts", values: [name, "other"], types: ["Resource"] }),
  ]);
  for (const text of [constants, imports]) expect(text.join("")).toBe(await formatted(text.join("")));
});

test("the heading is one line that says nothing to a compiler, or none", () => {
  const headed = (title: string, version: string) =>
    heading({ api: { title, version } as ApiDescriptor, resources: [], inferences: [], warnings: [] });
  expect(headed("Pets\n@ts-nocheck", "1.0")).toBe("// Pets ts-nocheck 1.0\n");
  expect(headed("@#", "#")).toBe("");
});
