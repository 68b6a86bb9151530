import { execFile } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { bundle } from "../../scripts/build.mjs";

// As users have it: without the sources of all but the sandbox, and without what makes them JavaScript.

const folder = fileURLToPath(new URL(`../../node_modules/.dragoman-test/checking-${process.pid}`, import.meta.url));
const entries = ["render-problems", "render-thread"].map((name) => [name, `src/checking/${name}.ts`]);

beforeAll(() => bundle(Object.fromEntries(entries), folder));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const TIMES = 8;
const program = `import { renderProblems } from "./render-problems.js";
const code = "const all = new Uint8Array(1e8); export default () => <p>{all.length}</p>";
await Promise.all([renderProblems(code), renderProblems(code)]);
const before = process.memoryUsage.rss();
const found = await Promise.all(Array.from({ length: ${TIMES} }, () => renderProblems(code)));
const grown = Math.round((process.memoryUsage.rss() - before) / 1e6);
process.stdout.write(JSON.stringify({ found: found.flat(), grown }));
`;

test("the memory of sandboxes is given back, however many there were", async () => {
  writeFileSync(join(folder, "often.js"), program);
  const { stdout } = await promisify(execFile)(process.execPath, [join(folder, "often.js")]);
  const { found, grown } = JSON.parse(stdout);
  expect(found).toEqual([]);
  // Each has 100 MB of its own.
  expect(grown).toBeLessThan(300);
});
