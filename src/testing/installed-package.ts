import { cpSync, mkdirSync, readdirSync, symlinkSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { builtCommand } from "./built-command.ts";

const root = fileURLToPath(new URL("../../", import.meta.url));

/** Makes of a folder a project that has installed the package, with examples of it; gives the folder. */
export function installPackage(folder: string, ...examples: string[]): string {
  const modules = join(folder, "node_modules");
  mkdirSync(join(modules, "dragoman"), { recursive: true });
  for (const name of readdirSync(join(root, "node_modules"))) {
    if (!name.startsWith(".")) symlinkSync(join(root, "node_modules", name), join(modules, name));
  }
  cpSync(join(root, "package.json"), join(modules, "dragoman", "package.json"));
  cpSync(dirname(builtCommand), join(modules, "dragoman", "dist"), { recursive: true });
  for (const name of ["terminal.mjs", ...examples])
    cpSync(join(root, "examples", name), join(folder, name), { recursive: true });
  return folder;
}
