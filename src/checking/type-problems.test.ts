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

test("tells no more than anybody can tell apart, but that there is more, and nothing at any length", async () => {
  const lines = Array.from({ length: 250 }, (_, at) => `const a${at}: number = "${"x".repeat(2000)}" as const;`);
  const problems = await typeProblems(lines.join("\n"));
  expect(problems.length).toBe(201);
  expect(problems.at(-1)).toEqual({ stage: "types", message: "More is wrong than can be told." });
  expect(Math.max(...problems.map(({ message }) => message.length))).toBeLessThan(700);
});

const app = "export default () => <p />;";

test("says so where there is no compiler, or one that does not start", async () => {
  const missing = await typeProblems(app, undefined, { program: "" });
  expect(missing).toEqual([{ stage: "types", message: expect.stringMatching(/there is no TypeScript compiler for/) }]);
  const absent = await typeProblems(app, undefined, { program: join(folder.path, "tsc") });
  expect(absent).toEqual([
    { stage: "types", message: expect.stringMatching(/^The types could not be checked: .*not found/) },
  ]);
  expect(await typeProblems(app, undefined, { program: "/bin/false" })).toEqual([
    { stage: "types", message: expect.stringMatching(/^The types could not be checked: /) },
  ]);
});

const outOfMemory = { stage: "types", message: "The types could not be checked: that takes more than 768 MB." };
const otherFiles = { stage: "types", message: "The types could not be checked: it refers to other files." };

test.each([
  ["runs out of memory", "echo 'fatal error: runtime: out of memory' >&2; exit 2", outOfMemory],
  ["speaks of other files", "echo 'other.ts(1,1): error TS1: No.'; exit 2", otherFiles],
  ["is ended", "kill -9 $$", { stage: "types", message: expect.stringMatching(/^The types could not be checked: /) }],
])("what it found is not all when the compiler %s after that", async (_, end, problem) => {
  const program = join(folder.path, "compiler");
  writeFileSync(program, `#!/bin/sh\necho 'interface.tsx(1,2): error TS2: Old.'\n${end}\n`, { mode: 0o755 });
  expect(await typeProblems(app, undefined, { program })).toEqual([
    { stage: "types", message: "TS2: Old.", line: 1, column: 2 },
    problem,
  ]);
});

test("is not talked into looking at other files", async () => {
  const other = join(folder.path, "other.ts");
  writeFileSync(other, 'export const secret: "hidden" = "seen";');
  expect(await typeProblems(`import type {} from "${other.replace(".ts", "")}";\n${app}`)).toEqual([otherFiles]);
});

test("a few lines of types do not take all the memory there is", async () => {
  const code = `type Digit = "0" | "1" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9";
type Four = \`\${Digit}\${Digit}\${Digit}\${Digit}\`;
export const all: { [One in Four]: { [Other in Four]: \`\${One}\${Other}\` } }[Four][Four] = 5;
`;
  // Less than usual, so that it is used up sooner.
  expect(await typeProblems(code, undefined, { megabytes: 192 })).toEqual([
    { stage: "types", message: "The types could not be checked: that takes more than 192 MB." },
  ]);
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
