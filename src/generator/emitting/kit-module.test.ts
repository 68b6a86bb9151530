import { expect, test } from "vitest";
import { kitSources } from "../kit-sources.ts";
import { kitModule } from "./kit-module.ts";

test("files are put in the order in which they use each other, without what tied them together", () => {
  const { body, imports, names } = kitModule({
    "interface.tsx":
      'import { useState, type ReactNode } from "react";\nimport { one } from "./api/one.ts";\n\nexport function Interface(): ReactNode {\n  return useState(one);\n}\n',
    "api/one.ts": 'import type { Two } from "../two.ts";\n\nexport const one: Two = 1;\n',
    "two.ts": "export type Two = number;\n",
    "two.test.ts": 'import { test } from "vitest";\n',
    "styles.css": "a{}",
  });
  expect(body).toBe(
    "// two.ts\n\nexport type Two = number;\n\n// api/one.ts\n\nexport const one: Two = 1;\n\n// interface.tsx\n\nexport function Interface(): ReactNode {\n  return useState(one);\n}\n",
  );
  expect(imports).toEqual([{ from: "react", values: ["useState"], types: ["ReactNode"] }]);
  expect([...names]).toEqual(["Two", "one", "Interface"]);
});

const cases: [claim: string, sources: Record<string, string>, problem: string][] = [
  ["two files have one name", { "a.ts": "const x = 1;\n", "b.ts": "function x() {}\n" }, "the name x is taken"],
  ["an import is renamed", { "a.ts": 'import { a as b } from "./b.ts";\n' }, "under another name"],
  ["an import is not named", { "a.ts": 'import a from "./b.ts";\n' }, "only named imports"],
  ["an import is only run", { "a.ts": 'import "./b.ts";\n' }, "only named imports"],
  ["an export is the default", { "a.ts": "export default 1;\n" }, "cannot stand in one module"],
];

test.each(cases)("it is told when %s", (_, sources, problem) => {
  expect(() => kitModule(sources)).toThrow(problem);
});

test("the kit is made so that it can be one module, which asks the sandbox for nothing that it refuses", () => {
  const { body, imports } = kitModule(kitSources);
  expect(imports.map(({ from }) => from)).toEqual(["react"]);
  expect(body).not.toMatch(/\beval\b|\bnew Function\b|document\.cookie|window\.(?:parent|top)\b|\bimport\(/);
  expect(body).not.toMatch(/\b(?:local|session)Storage\b|indexedDB|dangerouslySetInnerHTML|innerHTML/);
});
