import fc from "fast-check";
import { expect, test } from "vitest";
import { fileNames, identifiers } from "./identifiers.ts";

test("ids become names that read well", () => {
  expect(Object.fromEntries(identifiers(["pet", "org-member", "2fa", "__proto__"], new Set()))).toEqual({
    pet: "petResource",
    "org-member": "orgMemberResource",
    "2fa": "the2faResource",
    ["__proto__"]: "protoResource",
  });
  expect(Object.fromEntries(fileNames(["pet", "index", "aux", "Pet", "../x"]))).toEqual({
    pet: "pet",
    index: "index-resource",
    aux: "aux-resource",
    Pet: "pet2",
    "../x": "-x",
  });
});

test("names are valid, and no two are the same", () => {
  fc.assert(
    fc.property(fc.uniqueArray(fc.string()), (ids) => {
      const names = [...identifiers(ids, new Set(["petResource"])).values()];
      const files = [...fileNames(ids).values()];
      expect(names.filter((name) => !/^[A-Za-z]\w*$/.test(name) || name === "petResource")).toEqual([]);
      expect(files.filter((name) => !/^[a-z0-9-]+$/.test(name))).toEqual([]);
      expect(new Set(names).size).toBe(ids.length);
      expect(new Set(files).size).toBe(ids.length);
    }),
  );
});
