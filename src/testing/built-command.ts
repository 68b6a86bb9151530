import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../../scripts/build.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/**
 * Where tests find the bundled command, as a user has it; from there its dependencies are found. Each run of the tests has its own,
 * named by the process that all of them come from.
 */
const builtFolder = join(
  root,
  "node_modules",
  ".dragoman-test",
  process.env.DRAGOMAN_TEST_BUILD ?? String(process.pid),
);
export const builtCommand = join(builtFolder, "main.js");

/** Builds it once for all tests. */
export default async function setup(): Promise<() => void> {
  process.env.DRAGOMAN_TEST_BUILD = String(process.pid); // the tests' processes inherit it
  await build(builtFolder);
  return () => rmSync(builtFolder, { recursive: true, force: true });
}
