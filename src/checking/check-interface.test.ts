import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { generate } from "../generator/generate.ts";
import { descriptions } from "../testing/descriptions.ts";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { interfaceCheck } from "./check-interface.ts";
import { readCode } from "./read-code.ts";

const folder = temporaryFolder();
const checkInterface = interfaceCheck();

describe.each(descriptions(["petstore.yaml", "swapi.graphql"]))("the interface of $name", ({ spec }) => {
  test("has no problem, and nothing that is refused", async () => {
    const { code } = generate(spec());
    const reading = readCode(code);
    expect(reading).toEqual({ refused: [], unchecking: [] });
    expect(await checkInterface(code, undefined, reading)).toEqual([]);
  });
});

const app = (body: string) => `export default function App() {\n  ${body}\n}\n`;

test("what cannot be read is not looked at any further", async () => {
  expect(await checkInterface(app("return <p>{none}</q>;"))).toEqual([expect.objectContaining({ stage: "parse" })]);
});

test("what does not fit may fail, too", async () => {
  expect(await checkInterface(app("return <p>{none}</p>;"))).toEqual([
    { stage: "types", message: "TS2304: Cannot find name 'none'.", line: 2, column: 14 },
    expect.objectContaining({ stage: "render", line: 2 }),
  ]);
});

test("what is new is the fault of a change, also behind much that is old, and when it is the same once more", async () => {
  const old = Array.from({ length: 12 }, (_, at) => `const a${at}: number = "Pets";`).join("\n");
  const baseline = `// @ts-ignore\n${old}\n${app("return <p>{a0}</p>;")}`;
  const changed = `${baseline.replace("<p>", "<p id={7}>")}export let b: number = "Pets";\n// @ts-ignore\n`;
  const problems = await interfaceCheck(baseline)(changed);
  expect(problems.map(({ message, line }) => [line, message])).toEqual([
    [18, "@ts-ignore keeps the types from being checked; take it out."],
    [15, expect.stringContaining("'number' is not assignable to type 'string'")],
    [17, "TS2322: Type 'string' is not assignable to type 'number'."],
  ]);
});

test("what could not be checked before is not taken for known", async () => {
  const other = join(folder.path, "other.ts");
  writeFileSync(other, 'export const secret: "hidden" = "seen";');
  const baseline = `import type {} from "${other.replace(".ts", "")}";\nnew ArrayBuffer(1e9);\n${app("return <p />;")}`;
  expect(await interfaceCheck(baseline)(baseline)).toEqual([
    { stage: "types", message: "The types could not be checked: it refers to other files." },
    { stage: "render", message: expect.stringMatching(/^The module takes more than 256 MB of memory/) },
  ]);
});

test("what was wrong before is not, and is looked at again when the first one to ask stopped waiting", async () => {
  const pets = "// Pets\n".repeat(30_000);
  const baseline = `${pets}// @ts-ignore\nlet a;\nconst b: number = "Pets";\n${app("return <p>{none}</p>;")}`;
  const changed = baseline.replace("let a;", "let a, c;");
  const [check, reading, stop] = [interfaceCheck(baseline), readCode(changed), new AbortController()];
  const first = check(changed, stop.signal, reading);
  stop.abort(new Error("enough"));
  await expect(first).rejects.toThrow("enough");
  expect(await check(changed, undefined, reading)).toEqual([]);
});

test("nothing is checked for somebody who does not wait", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(checkInterface(app("return <p />;"), signal)).rejects.toThrow("enough");
});
