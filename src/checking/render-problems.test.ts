import { describe, expect, test } from "vitest";
import { generate } from "../generator/generate.ts";
import { descriptions } from "../testing/descriptions.ts";
import { renderProblems } from "./render-problems.ts";

const [petstore] = descriptions(["petstore.yaml"]);
const { code: pets } = generate(petstore.spec());

/** The code with something else in place of its first occurrence of a text, and the line where that is. */
function changed(place: string, by: string): { code: string; line: number } {
  const at = pets.indexOf(place);
  expect(at).toBeGreaterThan(0);
  return { code: pets.replace(place, () => by), line: pets.slice(0, at).split("\n").length };
}

const app = (body: string) =>
  `import { useEffect, useState } from "react";\nexport default function App() {\n  ${body}\n}\n`;
const hello = "return <p>Hello</p>;";

/** The messages alone. */
const messages = async (code: string) => (await renderProblems(code)).map(({ message }) => message);

describe("a screen that fails", () => {
  test("is named, with the component and the line", async () => {
    const place = "const asked = listStateOf(resource, query);";
    const { code, line } = changed(place, `(resource as any).no.where; ${place}`);
    const fails = "fails: TypeError: cannot read property 'where' of undefined";
    expect(await renderProblems(code)).toEqual([
      {
        stage: "render",
        message: `The screen #/pet ${fails} (in ListPage), at: (resource as any).no.where; ${place}.`,
        line,
        column: expect.any(Number),
      },
    ]);
  });

  test("is found when only a record fails", async () => {
    const place = "const title = row ? titleOf(resource, row)";
    const { code, line } = changed(place, `if (row) none.such; ${place}`);
    const message = expect.stringMatching(
      /^The screen #\/pet\/1 fails: ReferenceError: 'none' is not defined \(in Rec/,
    );
    expect(await renderProblems(code)).toEqual([{ stage: "render", message, line, column: expect.any(Number) }]);
  });

  test("is found when it shows the failure itself", async () => {
    const place = "start(abort.signal).then(";
    const { code } = changed(place, 'start(abort.signal).then<never>(() => { throw new Error("No data"); }).then(');
    const shows = /^The screen #\/.* shows a failure: The answer cannot be understood: No data\.$/;
    expect(await messages(code)).toContainEqual(expect.stringMatching(shows));
  });

  test("is told in the words of React", async () => {
    expect(await messages(app("return <p>{{ a: 1 } as any}</p>;"))).toEqual([
      expect.stringMatching(/^The screen #\/ fails: Error: Objects are not valid as a React child/),
    ]);
    const later = app(`const [count, set] = useState(0); useEffect(() => set(count + 1)); ${hello}`);
    expect(await messages(later)).toEqual([expect.stringMatching(/fails: Maximum update depth exceeded/)]);
  });

  test("may be one that shows nothing, or reports an error", async () => {
    expect(await messages(app("return null;"))).toEqual(["The screen #/ shows nothing."]);
    expect(await renderProblems(app(`console.error("no", 7); ${hello}`))).toEqual([
      expect.objectContaining({ message: expect.stringMatching(/^The screen #\/ reports an error: no 7/), line: 3 }),
    ]);
  });

  test("is none that React only gives advice about, or that asks again and again", async () => {
    const asking = "useEffect(() => void setInterval(() => {}, 10));";
    expect(await messages(app(`${asking} return <ul>{[1, 2].map((one) => <li>{one}</li>)}</ul>;`))).toEqual([]);
  });
});

describe("a module that fails", () => {
  test("is told with the line", async () => {
    expect(await renderProblems(`const a = 1;\nconst b = a + mispelt;\n${app(hello)}`)).toEqual([
      {
        stage: "render",
        message: "The module fails: ReferenceError: 'mispelt' is not defined, at: const b = a + mispelt;.",
        line: 2,
        column: 15,
      },
    ]);
  });

  test("may be one without anything to render", async () => {
    const none = ["The module has no component as its default export."];
    expect(await messages(app(hello).replace("export default", "export"))).toEqual(none);
  });
});

describe("what has no end", () => {
  test.each([
    ["a module", `for (;;) {}\n${app(hello)}`, "The module"],
    ["a screen", app("while (true); return <p />;"), "The screen #/"],
    [
      "what promises wait for",
      app(`const again = (): unknown => Promise.resolve().then(again); again(); ${hello}`),
      "The screen #/",
    ],
    ["a pattern", app('return <p>{String(/(x+x+)+y/.test("x".repeat(40)))}</p>;'), "The screen #/"],
  ])("is ended: %s", async (_, code, where) => {
    expect(await renderProblems(code)).toEqual([{ stage: "render", message: `${where} does not come to an end.` }]);
  });

  test("ends with its memory, too", async () => {
    const bomb = "const all: unknown[] = [];\nfor (;;) all.push(new ArrayBuffer(1e7));\n";
    expect(await messages(`${bomb}${app(hello)}`)).toEqual([
      expect.stringMatching(/^The module takes more than 256 MB/),
    ]);
    const deep = app("const down = (): number => down() + 1; return <p>{down()}</p>;");
    expect(await messages(deep)).toEqual([expect.stringMatching(/fails: InternalError: stack overflow \(in App\)/)]);
  });

  test("ends when nobody waits any more", async () => {
    const slow = `for (;;) "a".repeat(1e5).replace(/a/g, "b");\n${app(hello)}`;
    await expect(renderProblems(slow, AbortSignal.timeout(1500))).rejects.toThrow(/aborted due to timeout/);
  });
});

describe("nothing leads out of the sandbox", () => {
  test("there is no Node, no network, and no module to be had", async () => {
    const names = "process module Buffer global WebAssembly XMLHttpRequest WebSocket localStorage".split(" ");
    const byText = 'new Function("names", "return names.filter((name) => name in globalThis)")';
    const attempts = `
      console.error("seen:", ${byText}(${JSON.stringify(names)}).join());
      try { require("fs"); } catch (error) { console.error("required:", error); }
      fetch("http://localhost/").catch((error) => console.error("fetched:", error));
      import("node:fs").catch((error) => console.error("imported:", error));
      console.error("process:", process.env.HOME);`;
    const found = await messages(app(`useEffect(() => {${attempts}\n}, []); ${hello}`));
    expect(found.map((message) => message.replace(/, at: .*/, ""))).toEqual([
      "The screen #/ reports an error: seen: ",
      'The screen #/ reports an error: required: Error: There is no module "fs" here, nothing but React.',
      "The screen #/ fails: ReferenceError: 'process' is not defined (in App)",
      "The screen #/ reports an error: fetched: TypeError: Failed to fetch",
      "The screen #/ reports an error: imported: ReferenceError: could not load module 'node:fs'",
    ]);
  });

  test("what is imported is React or refused", async () => {
    const reading = app("return <p>{typeof readFileSync}</p>;");
    expect(await messages(`import { readFileSync } from "node:fs";\n${reading}`)).toEqual([
      expect.stringMatching(/^The module fails: Error: There is no module "node:fs" here, nothing but React/),
    ]);
  });

  test("who changes the surroundings harms nobody else", async () => {
    const spoilt = "JSON.stringify = () => '[]'; throw new Error('no');";
    expect(await messages(`${spoilt}\n${app(hello)}`)).toEqual([
      "The module fails: its sandbox says nothing sensible.",
    ]);
  });
});
