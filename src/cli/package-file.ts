import { existsSync, readFileSync } from "node:fs";

/** A file that comes with the package, found from the source tree and from the bundle alike. */
export function packageFile(path: string): string {
  for (let folder = new URL(".", import.meta.url); ; folder = new URL("..", folder)) {
    if (existsSync(new URL("package.json", folder))) return readFileSync(new URL(path, folder), "utf8");
    if (folder.pathname === "/") throw new Error(`${path} is missing from the package`);
  }
}
