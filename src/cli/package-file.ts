import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "../core/package-folder.ts";

/** A file that comes with the package. */
export const packageFile = (path: string) => readFileSync(join(packageFolder(), path), "utf8");
