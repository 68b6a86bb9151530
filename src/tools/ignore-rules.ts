import { lstat } from "node:fs/promises";
import { dirname, join, relative, sep } from "node:path";
import { type IgnoreFile, ignores, parseGitignore } from "./gitignore.ts";
import { openFile } from "./open-file.ts";
import { isWithin } from "./real-path.ts";

/** More of an ignore file is not read: each rule is tried on every name. */
const MAX_BYTES = 128 * 1024;

/** The ignore files that count in a folder, those of the folders above it included. What is nearer counts more. */
export type IgnoreRules = readonly { folder: string; file: IgnoreFile }[];

/**
 * The rules of all folders above the given one, up to the one that is a repository; where there is none, up to `top`. Whether the
 * folder is ignored itself does not matter: someone asked for it.
 */
export async function rulesAbove(folder: string, top: string): Promise<IgnoreRules> {
  const above: string[] = [];
  for (let at = folder; dirname(at) !== at && !(await isRepository(at)); ) {
    at = dirname(at);
    above.unshift(at);
  }
  const inRepository = await isRepository(above[0] ?? folder);
  const counted = inRepository ? above : above.filter((at) => isWithin(top, at));
  let rules: IgnoreRules = [];
  for (const at of counted) rules = await rulesIn(at, rules);
  return rules;
}

/** With the folder's own rules. A repository in a repository starts anew. */
export async function rulesIn(folder: string, above: IgnoreRules): Promise<IgnoreRules> {
  const isRoot = await isRepository(folder);
  const own = [...(isRoot ? [join(".git", "info", "exclude")] : []), ".gitignore"];
  const texts = await Promise.all(own.map((name) => beginningOf(join(folder, name))));
  const files = texts.map(parseGitignore).filter((file) => file.length > 0);
  return [...(isRoot ? [] : above), ...files.map((file) => ({ folder, file }))];
}

export function isIgnored(rules: IgnoreRules, path: string, isFolder: boolean): boolean {
  for (const { folder, file } of rules.toReversed()) {
    const verdict = ignores(file, relative(folder, path).split(sep), isFolder);
    if (verdict !== undefined) return verdict;
  }
  return false;
}

const isRepository = (folder: string) =>
  lstat(join(folder, ".git")).then(
    () => true,
    () => false,
  );

/** Nothing, if it cannot be read: then nothing is ignored. */
async function beginningOf(path: string): Promise<string> {
  try {
    const handle = await openFile({ path, real: path });
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
      return buffer.toString("utf8", 0, bytesRead);
    } finally {
      await handle.close();
    }
  } catch {
    return "";
  }
}
