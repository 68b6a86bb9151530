import { readdir } from "node:fs/promises";
import { resolve } from "node:path";
import { fitsWildcard } from "../core/wildcard.ts";
import { isControlName } from "./control-files.ts";

/** Names that are looked at for one line. More, and the line is asked about. */
export const MAX_NAMES = 20_000;

/**
 * Of the paths that a pattern may become those that are more than they seem: links, and what decides what is allowed. Read more
 * widely than by any shell, since a quoted pattern is still one for git. Nothing if there are too many to say.
 */
export async function telling(pattern: string, workspace: string): Promise<string[] | undefined> {
  let found = [""];
  let left = MAX_NAMES;
  const parts = pattern.split("/");
  for (const [at, part] of parts.entries()) {
    const next: string[] = [];
    for (const folder of found) {
      if (!isPattern(part)) {
        next.push(`${folder}${part}`);
        continue;
      }
      const entries = await readdir(resolve(workspace, folder || "."), { withFileTypes: true }).catch(() => []);
      left -= entries.length;
      if (left < 0) return undefined;
      const isLast = at === parts.length - 1;
      const wanted = entries.filter((entry) => !isLast || entry.isSymbolicLink() || isControlName(entry.name));
      next.push(
        ...wanted
          .map(({ name }) => name)
          .filter(fitting(part))
          .map((name) => folder + name),
      );
    }
    found = at < parts.length - 1 ? next.map((path) => `${path}/`) : next;
  }
  return found;
}

export const isPattern = (text: string) => /[*?[]/.test(text);

function fitting(part: string): (name: string) => boolean {
  const pattern = part.replaceAll("\\", "\\\\").replace(/\[.*\]/s, "*");
  return (name) => fitsWildcard(pattern, name);
}
