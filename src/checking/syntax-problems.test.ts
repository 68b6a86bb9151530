import { expect, test } from "vitest";
import { syntaxProblems } from "./syntax-problems.ts";

test("tells the first place that cannot be read", () => {
  const code = "export default function App() {\n  return <p>Hello</q>;\n}\nconst = 2;\n";
  expect(syntaxProblems(code)).toEqual([
    { stage: "parse", message: "Expected corresponding JSX closing tag for <p>.", line: 2, column: 18 },
  ]);
});

test("knows names that are declared twice", () => {
  expect(syntaxProblems("const a = 1;\nconst a = 2;\n")).toEqual([
    { stage: "parse", message: "Identifier 'a' has already been declared.", line: 2, column: 7 },
  ]);
});

test("reads TypeScript with JSX", () => {
  const code = "interface Pet { name?: string }\nexport default ({ name }: Pet) => <b>{name satisfies unknown}</b>;\n";
  expect(syntaxProblems(code)).toEqual([]);
});

test("does not choke on what is nested too deeply", () => {
  const problems = syntaxProblems(`${"(".repeat(50_000)}1${")".repeat(50_000)}`);
  expect(problems).toEqual([{ stage: "parse", message: expect.stringMatching(/^The code cannot be read: /) }]);
});
