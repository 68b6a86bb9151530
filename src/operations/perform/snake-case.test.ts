import fc from "fast-check";
import { expect, test } from "vitest";
import { camelCased, snakeCased } from "./snake-case.ts";

test("names of fields are in the wire's casing, at every depth, and values stay as they are", () => {
  const value = { completenessScore: 85, parts: [{ whyNot: "noTasks", line: 3 }], none: undefined, nothing: null };
  expect(snakeCased(value)).toEqual({
    completeness_score: 85,
    parts: [{ why_not: "noTasks", line: 3 }],
    nothing: null,
  });
});

test("what was turned comes back as it was", () => {
  const name = fc.stringMatching(/^[a-z][a-z0-9]{0,5}([A-Z][a-z0-9]{0,5}){0,3}$/);
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof({ maxDepth: 4 }, fc.string(), fc.integer(), fc.array(tie("tree")), fc.dictionary(name, tie("tree"))),
  }));
  fc.assert(
    fc.property(tree, (value) => {
      expect(camelCased(snakeCased(value))).toEqual(value);
    }),
  );
});
