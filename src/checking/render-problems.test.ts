import { describe, expect, test } from "vitest";
import { generate } from "../generator/generate.ts";
import { descriptions } from "../testing/descriptions.ts";
import { renderProblems } from "./render-problems.ts";

const app = (body: string) =>
  `import { useEffect, useState } from "react";\nexport default function App() {\n  ${body}\n}\n`;
const hello = "return <p>Hello</p>;";

/** The messages alone. */
const messages = async (code: string) => (await renderProblems(code)).map(({ message }) => message);

/** An app with a screen for each of these components. What one of them does the others survive. */
const appOf = (screens: Record<string, string>) => `
import { Component, useEffect, useState, useSyncExternalStore } from "react";
class Boundary extends Component<any> {
  state = { hasFailed: false };
  static getDerivedStateFromError = () => ({ hasFailed: true });
  render = () => (this.state.hasFailed ? <p>Sorry</p> : this.props.children);
}
function watch(look: () => void) {
  window.addEventListener("hashchange", look);
  return () => window.removeEventListener("hashchange", look);
}
const screens: Record<string, () => any> = { ${Object.keys(screens).join()} };
const Home = () => Object.keys(screens).map((name) => <a key={name} href={"#/" + name}>{name}</a>);
export default function App() {
  const name = useSyncExternalStore(watch, () => location.hash.slice(2));
  const Screen = screens[name] ?? Home;
  return <Boundary key={name}><Screen /></Boundary>;
}
${Object.entries(screens)
  .map(([name, body]) => `function ${name}() { ${body} }`)
  .join("\n")}
`;

describe("a screen that fails", () => {
  test("is named, with the component and the line, or with what it shows itself", async () => {
    const [museum] = descriptions(["museum.yaml"]);
    const failing = '(value) => { if (location.hash === "#/museum-hour") throw new Error("No data"); return value; }';
    const form = "if (!create) return <UnknownPage />;";
    const changes = [
      ["start(abort.signal).then(", `start(abort.signal).then(${failing}).then(`],
      ["const title = row ?", "if (row) none.such; const title = row ?"],
      [form, `(resource as any).no.where; ${form}`],
    ] as const;
    let { code } = generate(museum.spec());
    for (const [place, by] of changes) code = code.replace(place, () => by);
    const lineOf = (text: string) => code.split("\n").findIndex((line) => line.includes(text)) + 1;
    const [, ofRecord, ofForm] = changes;
    const fails = "fails: TypeError: cannot read property 'where' of undefined";
    expect(await renderProblems(code)).toEqual([
      {
        stage: "render",
        message: "The screen #/museum-hour shows a failure: The answer cannot be understood: No data.",
      },
      {
        stage: "render",
        message: expect.stringMatching(
          /^The screen #\/special-event\/[\w-]{36} fails: ReferenceError: 'none' is not defined \(in RecordPage\), at: if /,
        ),
        line: lineOf(ofRecord[1]),
        column: expect.any(Number),
      },
      {
        stage: "render",
        message: `The screen #/special-event/new ${fails} (in CreatePage), at: ${ofForm[1]}.`,
        line: lineOf(ofForm[1]),
        column: expect.any(Number),
      },
    ]);
  });

  test("is told in the words of React, and up to a bound, if it shows nothing, goes too deep, or reports errors", async () => {
    const code = appOf({
      Objects: "return <p>{{ a: 1 } as any}</p>;",
      Updates: `const [count, set] = useState(0); useEffect(() => set(count + 1)); ${hello}`,
      Nothing: "return null;",
      Deep: "const down = (): number => down() + 1; return <p>{down()}</p>;",
      // What React only advises is no failure, nor is what asks again and again.
      Advice: "useEffect(() => void setInterval(() => {}, 10)); return <ul>{[1, 2].map((one) => <li>{one}</li>)}</ul>;",
      Often: `for (let at = 0; at < 250; at += 1) console.error("no", at); ${hello}`,
    });
    const problems = await renderProblems(code);
    expect(problems.slice(0, 5)).toEqual(
      [
        /^The screen #\/Objects fails: Error: Objects are not valid as a React child/,
        /^The screen #\/Updates fails: Maximum update depth exceeded/,
        /^The screen #\/Nothing shows nothing\.$/,
        /^The screen #\/Deep fails: InternalError: stack overflow \(in Deep\)/,
        /^The screen #\/Often reports an error: no 0, at: function Often/,
      ].map((message) => expect.objectContaining({ stage: "render", message: expect.stringMatching(message) })),
    );
    expect(problems[4]?.line).toBe(code.split("\n").findIndex((line) => line.startsWith("function Often")) + 1);
    expect(problems.length).toBeGreaterThan(150);
    expect(problems.at(-1)).toEqual({ stage: "render", message: "More is wrong than can be told." });
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

  test("ends with its memory, too, which is not the fault of a line", async () => {
    const bomb = "const all: unknown[] = [];\nfor (;;) all.push(new ArrayBuffer(1e7));\n";
    expect(await renderProblems(`${bomb}${app(hello)}`)).toEqual([
      { stage: "render", message: expect.stringMatching(/^The module takes more than 256 MB of memory, at: for/) },
    ]);
  });

  test("ends when nobody waits any more", async () => {
    const slow = `for (;;) "a".repeat(1e5).replace(/a/g, "b");\n${app(hello)}`;
    await expect(renderProblems(slow, AbortSignal.timeout(500))).rejects.toThrow(/aborted due to timeout/);
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
