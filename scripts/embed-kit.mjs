// The generator does no I/O, so the kit that it copies into interfaces comes to it as a module, made from the kit's files.
import { readdir, readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const generator = fileURLToPath(new URL("../src/generator/", import.meta.url));
const module = join(generator, "kit-sources.ts");

/** Tests of the kit go with it into a project, if they need nothing that the project does not have. */
const goesAlong = (path, text) =>
  /\.(tsx?|css)$/.test(path) && (!path.includes(".test.") || !/ from "(?!vitest"|\.)/.test(text));

export async function embedKit() {
  const kit = join(generator, "kit");
  const paths = (await readdir(kit, { recursive: true })).map((path) => path.replaceAll("\\", "/")).sort();
  const files = paths.filter((path) => /\.\w+$/.test(path));
  const texts = await Promise.all(files.map(async (path) => [path, await readFile(join(kit, path), "utf8")]));
  const sources = Object.fromEntries(texts.filter(([path, text]) => goesAlong(path, text)));
  const text = `export const kitSources: Record<string, string> = ${JSON.stringify(sources, null, 2)};\n`;
  if (text === (await readFile(module, "utf8").catch(() => ""))) return;
  // Other processes may be reading it.
  const unfinished = `${module}.${process.pid}`;
  await writeFile(unfinished, text);
  await rename(unfinished, module);
}
