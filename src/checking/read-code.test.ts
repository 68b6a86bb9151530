import { expect, test } from "vitest";
import { readCode } from "./read-code.ts";

const app = "export default () => <p />;";

test("tells the first place that cannot be read, and refuses it", () => {
  const code = "export default function App() {\n  return <p>Hello</q>;\n}\nconst = 2;\n";
  const message = "Expected corresponding JSX closing tag for <p>.";
  expect(readCode(code)).toEqual({
    unreadable: { stage: "parse", message, line: 2, column: 18 },
    refused: [{ what: `a syntax error (${message})`, line: 2, column: 18 }],
    unchecking: [],
  });
});

test("knows names that are declared twice", () => {
  expect(readCode("const a = 1;\nconst a = 2;\n").unreadable).toEqual({
    ...{ stage: "parse", message: "Identifier 'a' has already been declared.", line: 2, column: 7 },
  });
});

test("reads TypeScript with JSX", () => {
  const code = "interface Pet { name?: string }\nexport default ({ name }: Pet) => <b>{name satisfies unknown}</b>;\n";
  expect(readCode(code)).toEqual({ refused: [], unchecking: [] });
});

test("does not choke on what is nested too deeply", () => {
  expect(readCode(`${"(".repeat(50_000)}1${")".repeat(50_000)}`)).toEqual({
    unreadable: { stage: "parse", message: expect.stringMatching(/^The code cannot be read: /) },
    refused: [{ what: "code that is nested too deeply", line: 1, column: 1 }],
    unchecking: [],
  });
});

test.each([
  [`// Pets\n// @ts-nocheck\n${app}`, "@ts-nocheck", 2],
  [`const a = 1; /*\n * @ts-ignore */\n${app}`, "@ts-ignore", 2],
  ["export default () => <p>\n{/* x\n @ts-ignore */}\n{no}</p>;", "@ts-ignore", 3],
  [`//\t@TS-NoCheck\n${app}`, "@TS-NoCheck", 1],
  [`${app} /* because */ /// @ts-expect-error because`, "@ts-expect-error", 1],
])("sees what keeps the types from being checked in %j", (code, word, line) => {
  const message = `${word} keeps the types from being checked; take it out.`;
  expect(readCode(code)).toEqual({ refused: [], unchecking: [{ stage: "types", message, line }] });
});

test("takes only comments for it", () => {
  const code =
    'const a = "// @ts-ignore"; export default () => <p title="/* @ts-nocheck */">// @ts-ignore {`//@ts-ignore`}</p>;';
  expect(readCode(code)).toEqual({ refused: [], unchecking: [] });
});

test("takes no longer for slashes than for anything else, and does not tell without end", () => {
  expect(readCode(`${"/".repeat(1_000_000)}\n${app}`)).toEqual({ refused: [], unchecking: [] });
  const { unchecking } = readCode(`/*${"\n@ts-ignore".repeat(100_000)}*/${app}`);
  expect(unchecking.length).toBe(201);
  expect(unchecking.at(-1)).toEqual({ stage: "types", message: "More is wrong than can be told." });
});
