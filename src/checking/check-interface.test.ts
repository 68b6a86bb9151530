import { describe, expect, test } from "vitest";
import { generate } from "../generator/generate.ts";
import { descriptions } from "../testing/descriptions.ts";
import { interfaceCheck } from "./check-interface.ts";

const checkInterface = interfaceCheck();

describe.each(descriptions(["petstore.yaml", "swapi.graphql"]))("the interface of $name", ({ spec }) => {
  test("has no problem", async () => {
    expect(await checkInterface(generate(spec()).code)).toEqual([]);
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

test("what was wrong before is not the fault of a change", async () => {
  const baseline = app('const title: number = "Pets"; return <p>{title}</p>;');
  const check = interfaceCheck(baseline);
  expect(await check(baseline.replace("<p>", "<p id={7}>"))).toEqual([
    expect.objectContaining({ message: expect.stringContaining("'number' is not assignable to type 'string'") }),
  ]);
  expect(await check(baseline.replace("<p>", '<p id="7">'))).toEqual([]);
});

test("nothing is checked for somebody who does not wait", async () => {
  const signal = AbortSignal.abort(new Error("enough"));
  await expect(checkInterface(app("return <p />;"), signal)).rejects.toThrow("enough");
});
