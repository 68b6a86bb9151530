import { rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "../../scripts/build.mjs";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Where tests find the bundled command, as a user has it; from there its dependencies are found. */
export const builtFolder = join(root, "node_modules", ".dragoman-test", "dist");
export const builtCommand = join(builtFolder, "main.js");

/** Builds it once for all tests. */
export default async function setup(): Promise<() => void> {
  await build(builtFolder);
  return () => rmSync(builtFolder, { recursive: true, force: true });
}
