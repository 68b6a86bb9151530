import { expect, test } from "vitest";
import { generate } from "../generator/generate.ts";
import { descriptions } from "../testing/descriptions.ts";
import { readCode } from "./read-code.ts";

const refused = (code: string) => readCode(code).refused.map(({ what }) => what);

test("says what is refused, and where", () => {
  const code = 'const a = 1;\n  eval("x");\nexport default () => <p>{document.cookie}</p>;\n';
  expect(readCode(code).refused).toEqual([
    { what: "eval", line: 2, column: 3 },
    { what: "document.cookie", line: 3, column: 26 },
  ]);
});

const tricks: [what: string, code: string][] = [
  // other files
  ['an import of "./elsewhere.ts"', "import type { Secret } from './elsewhere.ts';"],
  ['an import of "./elsewhere.ts"', "export type { Secret } from './elsewhere.ts';"],
  ['an import of "./elsewhere.ts"', "export type * from './elsewhere.ts';"],
  ['an import of "/etc/passwd"', "let a: typeof import('/etc/passwd');"],
  ['an import of "./elsewhere"', "const a = (b: Array<import('./elsewhere').Secret>) => b;"],
  ['an import of "./elsewhere"', "declare function a(b: import('./elsewhere').Secret): void;"],
  ['an import of "./elsewhere"', "export default () => <List<import('./elsewhere').Secret> />;"],
  ['an import of "./elsewhere"', "make<import('./elsewhere').Secret>();"],
  ['an import of "./elsewhere"', "class A { b(): import('./elsewhere').Secret { return c } }"],
  ['a module "./elsewhere"', "declare module './elsewhere' { export const a: number }"],
  ["/ <reference", '/// <reference path="/etc/passwd" />\nexport const a = 1;'],
  ["/<Reference", '///<Reference types="node" />\nexport const a = 1;'],
  // the compiler
  ["eval", 'eval("1")'],
  ["eval", '(0, eval)("1")'],
  ["eval", "const run = eval"],
  ["eval", '\\u0065val("1")'],
  ["eval", 'window.eval("1")'],
  ["eval", 'window["ev" + "al"]("1")'],
  ["eval", `globalThis[\`ev\${\`al\`}\`]`],
  ["eval", 'const name = "eval"; self[name]("1")'],
  ["eval", "eval?.(`1`)"],
  ["eval", "const it = { eval }"],
  ["eval", "x?.eval()"],
  ["Function", 'new Function("return 1")'],
  ["Function", 'Function("return 1")()'],
  ["Function", "Function.prototype"],
  ["Function", "const make: any = Function"],
  ["Function", "class A extends Function {}"],
  ["Function", "export default () => <Function />"],
  ["Function", "(Function as any)('x')"],
  [".constructor", '(() => {}).constructor("return 1")()'],
  [".constructor", '[]["constructor"]["constructor"]("return 1")()'],
  [".constructor", '""["con" + "structor"]'],
  [".constructor", "const { constructor: make } = () => {}"],
  [".constructor", "const { ['constructor']: make } = () => {}"],
  [".constructor", "(({ constructor }) => constructor)(f)"],
  [".constructor", "x?.constructor?.('y')"],
  [".constructor", "Object.getPrototypeOf(async () => {}).constructor('x')"],
  ["a text as code", 'setTimeout("alert(1)", 1)'],
  ["a text as code", `window.setInterval(\`alert(\${'1'})\`)`],
  // those around it
  ["window.parent", "window.parent.postMessage(1, '*')"],
  ["window.parent", "parent.document"],
  ["window.parent", 'window["parent"]'],
  ["window.parent", "window['par' + 'ent']"],
  ["window.parent", "w\\u0069ndow.p\\u0061rent"],
  ["window.parent", "(window as any).parent"],
  ["window.parent", "window!.parent"],
  ["window.parent", "(self satisfies object).parent"],
  ["window.parent", "globalThis?.parent"],
  ["window.parent", "declare const parent: Window; parent.focus()"],
  ["window.parent", "import type { parent } from 'react'; parent.focus()"],
  ["window.parent", "{ let parent = 1; } parent.focus()"],
  ["window.parent", "const f = (parent) => 1; parent.focus()"],
  ["window.parent", "export default () => <parent.Thing />"],
  ["window.parent", "const it = { parent }"],
  ["window.parent", "namespace A { export const b = parent }"],
  ["window.parent", "enum E { A = parent.length }"],
  ["window.parent", "function f(w = parent) { let parent = 1; return w; }"],
  ["window.parent", "const f = (w = parent) => { if (w) { var parent = 1; } return w; }"],
  ["window.parent", "const it = { [parent.name](parent) {} }"],
  ["window.parent", "switch (parent.name) { default: let parent; }"],
  ["window.parent", "namespace A { var parent = 1 } parent.focus()"],
  ["window.parent", "declare global { var parent: Window } parent.focus()"],
  ["window.top", "namespace top { export type A = 1 } top.focus()"],
  ["window.top", "namespace top { namespace inner { interface A {} } export declare const b: 1 } top.focus()"],
  ["window.top", "top.location = 'x'"],
  ["window.top", "frames.top"],
  ["window.opener", "opener.close()"],
  ["window.frameElement", "frameElement.remove()"],
  ["window.window", "window.window.parent"],
  ["window.self", "window.self.top"],
  ["window as a value", "const { parent } = window"],
  ["window as a value", "((w) => w.parent)(window)"],
  ["globalThis as a value", "const all = [globalThis]"],
  ["self as a value", "Reflect.get(self, 'parent')"],
  ["window[…]", "window[name()]"],
  [".defaultView", "element.defaultView.parent"],
  [".ownerDocument", "element.ownerDocument.cookie"],
  [".contentWindow", "frame.contentWindow"],
  // what is kept
  ["document.cookie", "document.cookie = 'a=1'"],
  ["document.cookie", "document['coo' + 'kie']"],
  ["document.cookie", "window.document.cookie"],
  ["document.cookie", "(document as any)?.cookie"],
  ["document as a value", "const { cookie } = document"],
  ["document as a value", "const d = window.document; d.cookie"],
  ["document[…]", `document[\`\${x}\`]`],
  ["localStorage", "localStorage.getItem('a')"],
  ["sessionStorage", "window.sessionStorage"],
  ["indexedDB", "indexedDB.open('a')"],
  ["caches", "caches.keys()"],
  ["cookieStore", "cookieStore.getAll()"],
  // other modules
  ["a dynamic import", 'import("react")'],
  ["a dynamic import", `import(/* webpackIgnore: true */ \`https://x.invalid/\${a}\`)`],
  ['an import of "./secret.json"', 'import secret from "./secret.json"'],
  ['an import of "/etc/passwd"', 'export * from "/etc/passwd"'],
  ['an import of "node:fs"', 'export { readFileSync } from "node:fs"'],
  ["require", 'require("fs")'],
  ["import … =", "import up = globalThis.parent"],
  ["import … =", 'import fs = require("fs")'],
  // comments that mean something
  ["@jsxRuntime", "/** @jsxRuntime classic */ export default () => <p />"],
  ["@jsx", "/* @jsx alert */ export default () => <p />"],
  ["@jsxImportSource", "// @jsxImportSource ./own\nexport default () => <p />"],
];

test.each(tricks)("%s is seen in %j", (what, code) => {
  expect(refused(code)).toContain(what);
});

test("what cannot be read is refused, whatever is wrong with it", () => {
  expect(refused("const = 1")).toEqual([expect.stringMatching(/^a syntax error \(Unexpected token/)]);
  expect(refused("with (window) parent")).toEqual([expect.stringMatching(/^a syntax error/)]);
  expect(refused(`${"(".repeat(50_000)}1${")".repeat(50_000)}`)).toEqual(["code that is nested too deeply"]);
  expect(refused(`${"[".repeat(3000)}${"]".repeat(3000)}`).length).toBeLessThan(2);
});

test.each([
  'const text = "eval(1); window.parent"; // document.cookie, import("x")',
  "const names = { eval: 1, parent: 2, top: 3, constructor: 4, Function: 5, localStorage: 6 };",
  "const { top, left } = box(); const parent = row.parent; export { top, parent };",
  "export function place({ top, parent }: { top: number; parent?: Window }) { return top + parent.length; }",
  "type A = typeof window.parent; let f: Function; interface B { parent: Window; eval(): void }",
  "class A { constructor(private top = 1) { super.parent; } parent = 2; eval() {} }",
  "top: for (;;) { break top; }",
  'if (typeof parent === "undefined" || "ontouchstart" in window) window.addEventListener("x", f);',
  "document.getElementById('a')?.focus(); window.document.title; document.body.append(x);",
  "export default () => <div parent={1} top-bar='x'><parent /></div>;",
  "setTimeout(() => {}, 1); window.setTimeout(task); setTimeout(callback);",
  "for (const top of rows) { use(top); } try {} catch (parent) { use(parent); }",
  "switch (x) { case 1: let top = 1; use(top); } var opener; function f() { if (x) { var top = 1; } return top; }",
  "function f(top, left = top) { if (top) { var parent = left; } return () => parent; }",
  "class A { static { var top = 1; use(top); } #parent = 1; it() { return #parent in this && this.#parent; } }",
  "namespace top { export const a = 1 } namespace parent { export namespace a { f() } } use(top, parent);",
  "namespace parent { export type A = 1 } let a: parent.A;",
  "try { var top = 1 } catch { for (var parent of []) {} } do { var opener } while (top); use(top, parent, opener);",
  "import { useState, type FC } from 'react';",
  "const a: import('react').ReactNode = null; // <reference to nothing",
])("nothing is refused in %j", (code) => {
  expect(refused(code)).toEqual([]);
});

test("what is put together from parts any number of times takes no memory for that", () => {
  const code = `const part = "${"x".repeat(100_000)}"; window[\`${`\${part}`.repeat(6000)}\`];`;
  expect(refused(code)).toEqual([]);
});

test("no more is told than anybody reads", () => {
  const [first, ...others] = refused(`import "${"x".repeat(10_000)}";\n${"eval;\n".repeat(2000)}`);
  expect(first?.length).toBeLessThan(700);
  expect(others).toEqual(Array(999).fill("eval"));
});

// Those of the project are read where all of them is checked. Their own words alone differ: the parts they are made of are the same.
test.each(descriptions([], ["swagger2/docker_engine.yaml"]))(
  "nothing is refused in what is generated from $name",
  ({ spec }) => {
    expect(refused(generate(spec()).code)).toEqual([]);
  },
);
