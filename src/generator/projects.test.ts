import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { afterAll, describe, expect, test } from "vitest";
import { writeProject } from "../cli/generate-out.ts";
import { descriptions } from "../testing/descriptions.ts";
import { generate, generateProject } from "./generate.ts";

// Generated projects, with the programs that their package.json calls.

const root = mkdtempSync(join(tmpdir(), "dragoman-projects-"));
afterAll(() => rmSync(root, { recursive: true, force: true }));

const modules = fileURLToPath(new URL("../../node_modules", import.meta.url));
const tools = {
  tsc: join(modules, "typescript/bin/tsc"),
  vite: join(modules, "vite/bin/vite.js"),
  vitest: join(modules, "vitest/vitest.mjs"),
};

/** What it printed if it failed; nothing if all is well. */
async function complaints(folder: string, tool: keyof typeof tools, ...args: string[]): Promise<string> {
  const env = { ...process.env, NODE_ENV: undefined, VITEST: undefined, NO_COLOR: "1" };
  try {
    await promisify(execFile)(process.execPath, [tools[tool], ...args], { cwd: folder, env });
    return "";
  } catch (error) {
    const { stdout, stderr } = error as { stdout: string; stderr: string };
    return `${stdout}${stderr}`.slice(0, 5000);
  }
}

const real = descriptions(
  ["petstore.yaml", "museum.yaml", "swapi.graphql"],
  [
    "swagger2/docker_engine.yaml",
    "openapi3/octokit_api.github.com.json",
    "openapi3/kubernetes_batch_v1.json",
    "graphql/keystone_sandbox.graphql",
  ],
);
/** Shapes that types may stumble over; what is built of them is built the same way. */
const odd = descriptions(
  ["library.swagger.yaml", "circular.yaml"],
  ["openapi31/scalar_galaxy.yaml", "openapi3/readme_polymorphism.json"],
);

describe.each([...real, ...odd])("the project of $name", ({ name, spec }) => {
  test("is strictly typed, in many files and as one module", async () => {
    const folder = join(root, name);
    const described = spec();
    await writeProject(folder, generateProject(described).files, false);
    symlinkSync(modules, join(folder, "node_modules"));
    writeFileSync(join(folder, "src/module.tsx"), generate(described).code);
    // More threads would do some of the work twice, and take it from other tests.
    expect(await complaints(folder, "tsc", "--singleThreaded")).toBe("");
  });
});

describe.each(real)("the project of $name", ({ name }) => {
  const folder = join(root, name);

  test("is built", async () => {
    expect(await complaints(folder, "vite", "build", "--logLevel", "error")).toBe("");
  });

  test("passes its own tests", async () => {
    expect(await complaints(folder, "vitest", "run", "--no-isolate", "src/resources")).toBe("");
  });
});

test("the tests of the kit pass where it was copied to", async () => {
  expect(await complaints(join(root, "petstore.yaml"), "vitest", "run", "--no-isolate")).toBe("");
});
