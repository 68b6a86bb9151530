import { existsSync, readFileSync } from "node:fs";

/** A file that comes with the package, found from the source tree and from the bundle alike. */
export function packageFile(path: string): string {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error(`${path} is missing from the package`);
    folder = above;
  }
  return readFileSync(new URL(path, folder), "utf8");
}
