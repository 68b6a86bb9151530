import { lstat, readlink } from "node:fs/promises";
import { dirname, isAbsolute, join, parse, resolve, sep } from "node:path";
import { DragomanError, messageOf } from "../core/errors.ts";

const MAX_LINKS = 40;

/**
 * Where a path really leads, symlinks followed as far as it exists: what is written to it lands there. A dangling link leads to
 * where it points, not to itself, and `..` behind a link is the folder above the link's target, as it is for the kernel. Joining the
 * text of a path first (`path.resolve`) would make another path of it.
 */
export async function realPath(path: string, from = "/"): Promise<string> {
  const start = isAbsolute(path) ? parse(path).root : await realPath(resolve(from));
  const parts = partsOf(path);
  let links = 0;
  let at = start;
  for (let part = parts.shift(); part !== undefined; part = parts.shift()) {
    if (part === "..") {
      at = dirname(at);
      continue;
    }
    const next = join(at, part);
    const link = await linkAt(next);
    if (link === undefined) {
      at = next;
      continue;
    }
    links += 1;
    if (links > MAX_LINKS) throw new DragomanError("tool_failed", `${path} leads through too many symbolic links.`);
    if (isAbsolute(link)) at = parse(link).root;
    parts.unshift(...partsOf(link));
  }
  return at;
}

/** Of paths that are real: whether one is the folder or lies in it. `/w/app-evil` does not lie in `/w/app`. */
export function isWithin(folder: string, path: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
}

/** Of whatever was thrown, in this realm or another one. */
export function codeOf(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

export const isMissing = (error: unknown) => codeOf(error) === "ENOENT" || codeOf(error) === "ENOTDIR";

function partsOf(path: string): string[] {
  const text = path.slice(parse(path).root.length);
  return text.split(sep === "\\" ? /[\\/]/ : "/").filter((part) => part !== "" && part !== ".");
}

async function linkAt(path: string): Promise<string | undefined> {
  try {
    return (await lstat(path)).isSymbolicLink() ? await readlink(path) : undefined;
  } catch (error) {
    if (isMissing(error)) return undefined;
    throw new DragomanError("tool_failed", `${path} cannot be looked at: ${messageOf(error)}.`);
  }
}
