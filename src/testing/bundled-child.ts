import { mkdirSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../../scripts/build.mjs";

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/**
 * Bundles a file of this folder, which is given without its ending, into another folder as the command is bundled, since that starts
 * fast and is how it will run. Gives the path of the script.
 */
export async function bundledChild(name: string, folder: string): Promise<string> {
  const into = join(folder, `built-${name}`);
  mkdirSync(into);
  symlinkSync(here("../../node_modules"), join(into, "node_modules"));
  symlinkSync(here("../page"), join(into, "page"));
  await bundle({ [name]: here(`${name}.ts`) }, into);
  return join(into, `${name}.js`);
}
