import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";

/** Copilot's SDK is a part of Dragoman that may be missing. */
export const COPILOT_PACKAGE = "@github/copilot-sdk";

export interface FoundPackage {
  folder: string;
  version: string;
}

/** The package as an import in this folder finds it. It is not loaded. */
export function findPackage(name: string, from: string): FoundPackage | undefined {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = basename(folder) === "node_modules" ? undefined : join(folder, "node_modules", name);
    const version = place && versionAt(place);
    if (place && version !== undefined) return { folder: place, version };
    if (folder === dirname(folder)) return undefined;
  }
}

function versionAt(folder: string): string | undefined {
  try {
    return String(JSON.parse(readFileSync(join(folder, "package.json"), "utf8")).version);
  } catch {
    return undefined;
  }
}
