import { readdirSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { temporaryFolder } from "../testing/temporary-folder.ts";
import { typeProblems } from "./type-problems.ts";

const folder = temporaryFolder();

test("tells what does not fit, and where", async () => {
  const code = `import { useState } from "react";
import { chunk } from "lodash";

export default function App() {
  const [name] = useState<string>(7);
  return <p class="title">{nmae}{chunk}</p>;
}
`;
  expect(await typeProblems(code)).toEqual([
    { stage: "types", line: 2, column: 23, message: expect.stringContaining("Cannot find module 'lodash'") },
    { stage: "types", line: 5, column: 35, message: expect.stringMatching(/^TS2345: Argument of type 'number'/) },
    { stage: "types", line: 6, column: 13, message: expect.stringContaining("Did you mean 'className'?") },
    { stage: "types", line: 6, column: 28, message: "TS2304: Cannot find name 'nmae'." },
  ]);
});

test("knows React and the page, and lets pass what is never used", async () => {
  const code = `import { type ReactNode, useRef } from "react";
import { createPortal } from "react-dom";
const unused = 1;
export default function App({ children }: { children?: ReactNode }) {
  const input = useRef<HTMLInputElement>(null);
  return <label>{createPortal(children, document.body)}<input ref={input} /></label>;
}
`;
  expect(await typeProblems(code)).toEqual([]);
});

test("tells no more than a few of many, and nothing at any length", async () => {
  const lines = Array.from({ length: 50 }, (_, at) => `const a${at}: number = "${"x".repeat(2000)}" as const;`);
  const problems = await typeProblems(lines.join("\n"));
  expect(problems.length).toBe(10);
  expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(700);
});

test("says so where there is no compiler, or one that does not start", async () => {
  const code = "export default () => <p />;";
  const missing = await typeProblems(code, undefined, "");
  expect(missing).toEqual([{ stage: "types", message: expect.stringMatching(/there is no TypeScript compiler for/) }]);
  const absent = join(folder.path, "tsc");
  const unstarted = await typeProblems(code, undefined, absent);
  expect(unstarted).toEqual([
    { stage: "types", message: expect.stringMatching(/^The types could not be checked: .*not found/) },
  ]);
  expect(await typeProblems(code, undefined, "/bin/false")).toEqual([
    { stage: "types", message: expect.stringMatching(/^The types could not be checked: /) },
  ]);
});

test("is not talked out of it, nor into looking at other files", async () => {
  const code = "export default () => <p />;";
  const talked = await typeProblems(`// Pets\n// @ts-nocheck\n${code}`);
  expect(talked).toEqual([{ stage: "types", message: expect.stringContaining("@ts-nocheck forbids it") }]);
  const ignored = await typeProblems(`const a = 1; /*\n * @ts-ignore */\n${code}`);
  expect(ignored).toEqual([{ stage: "types", message: expect.stringContaining("@ts-ignore forbids it") }]);
  const other = join(folder.path, "other.ts");
  writeFileSync(other, 'export const secret: "hidden" = "seen";');
  expect(await typeProblems(`import type {} from "${other.replace(".ts", "")}";\n${code}`)).toEqual([
    { stage: "types", message: "The types could not be checked: it refers to other files." },
  ]);
});

test("a few lines of types do not take all the memory there is", async () => {
  const code = `type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Four = \`\${Digit}\${Digit}\${Digit}\${Digit}\`;
export const all: { [One in Four]: { [Other in Four]: \`\${One}\${Other}\` } }[Four][Four] = 5;
`;
  const [problem] = await typeProblems(code);
  expect(problem?.message).toBe("The types could not be checked: that takes more than 768 MB.");
});

test("ends when nobody waits any more, and leaves nothing behind", async () => {
  const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith("dragoman-types-"));
  const before = folders();
  const stop = new AbortController();
  const checking = typeProblems("export default () => <p />;", stop.signal);
  stop.abort(new Error("enough"));
  await expect(checking).rejects.toThrow("enough");
  expect(folders().filter((name) => !before.includes(name))).toEqual([]);
});
