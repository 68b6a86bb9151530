import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../scripts/build.mjs";

// As users have it: without the sources of all but the sandbox, and without what makes them JavaScript.

const folder = fileURLToPath(new URL(`../../node_modules/.dragoman-test/checking-${process.pid}`, import.meta.url));
const entries = ["render-problems", "refused-in"].map((name) => [name, `src/checking/${name}.ts`]);

beforeAll(() => bundle(Object.fromEntries(entries), folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a program says that stands beside the bundled files. */
async function saidBy(program: string) {
  const path = join(folder, "program.js");
  writeFileSync(path, program);
  return JSON.parse((await promisify(execFile)(process.execPath, [path])).stdout);
}

const TIMES = 4;

test("the memory of sandboxes is given back, however many there were", async () => {
  const { found, grown } = await saidBy(`import { renderProblems } from "./render-problems.js";
const code = "const all = new Uint8Array(1e8); export default () => <p>{all.length}</p>";
await Promise.all([renderProblems(code), renderProblems(code)]);
const before = process.memoryUsage.rss();
const found = await Promise.all(Array.from({ length: ${TIMES} }, () => renderProblems(code)));
const grown = Math.round((process.memoryUsage.rss() - before) / 1e6);
process.stdout.write(JSON.stringify({ found: found.flat(), grown }));
`);
  expect(found).toEqual([]);
  // Each has 100 MB of its own.
  expect(grown).toBeLessThan(300);
});

test("long code is read", async () => {
  const refused = await saidBy(`import { refusedIn } from "./refused-in.js";
const refused = await refusedIn("// Pets\\n".repeat(30_000) + "eval(1)");
process.stdout.write(JSON.stringify(refused));
`);
  expect(refused).toEqual([{ what: "eval", line: 30_001, column: 1 }]);
});
