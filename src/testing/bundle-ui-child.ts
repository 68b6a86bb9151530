import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

/** Bundles the scripted runtime, since that starts fast; gives the path of what to start. */
export async function bundleUiChild(folder: string): Promise<string> {
  const outfile = join(folder, "ui-child.mjs");
  const entry = fileURLToPath(new URL("ui-child.ts", import.meta.url));
  await build({ entryPoints: [entry], outfile, bundle: true, format: "esm", platform: "node" });
  return outfile;
}
