import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";
import { UiError } from "./ui-error.ts";

const NAME = "dragoman";

/** The command of the package that this module comes with, or of the one that is installed where it was bundled into. */
export function runtimeScript(): string {
  const folder = ownPackage(new URL(".", import.meta.url)) ?? installedPackage();
  const script = folder && new URL("dist/main.js", folder);
  if (script && existsSync(script)) return fileURLToPath(script);
  throw new UiError("closed", `The ${NAME} command was not found; say what to start by "command" and "args"`);
}

function ownPackage(start: URL): URL | undefined {
  for (let folder = start; ; folder = new URL("..", folder)) {
    const file = new URL("package.json", folder);
    // Any other package's would be the program that we are bundled into, and must not be started in our stead.
    if (existsSync(file) && JSON.parse(readFileSync(file, "utf8")).name === NAME) return folder;
    if (new URL("..", folder).href === folder.href) return undefined;
  }
}

function installedPackage(): URL | undefined {
  try {
    return new URL(".", pathToFileURL(createRequire(import.meta.url).resolve(`${NAME}/package.json`)));
  } catch {
    return undefined;
  }
}
