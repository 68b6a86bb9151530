import { existsSync } from "node:fs";
import { fileURLToPath } from "node:url";

/** Where the package is, found from the source tree and from the bundle alike. */
export function packageFolder(): string {
  let folder = new URL(".", import.meta.url);
  while (!existsSync(new URL("package.json", folder))) {
    const above = new URL("..", folder);
    if (above.href === folder.href) throw new Error("package.json is missing from the package");
    folder = above;
  }
  return fileURLToPath(folder).replace(/[\\/]$/, "");
}
