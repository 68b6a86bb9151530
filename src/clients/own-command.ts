import { existsSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath, pathToFileURL } from "node:url";

const NAME = "dragoman";

export const commandMissing = `The ${NAME} command was not found; say what to start by "command" and "args"`;

/** The command of the package that this module comes with, or of the one that is installed where it was bundled into. */
export function ownCommand(): string | undefined {
  const folder = ownPackage(new URL(".", import.meta.url)) ?? installedPackage();
  const script = folder && new URL("dist/main.js", folder);
  return script && existsSync(script) ? fileURLToPath(script) : undefined;
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
