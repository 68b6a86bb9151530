import { isAbsolute } from "node:path";
import type { Target, ToolContext } from "../core/tool.ts";
import type { ReadCommandLine } from "./command-line.ts";
import { opacityOf } from "./command-line-opacity.ts";
import type { NamedFile, Piece } from "./command-line-pieces.ts";
import { isPattern, telling } from "./shell-globs.ts";
import { onlyReads, pathsIn, pathsInWord } from "./shell-paths.ts";
import { targetOf } from "./workspace-path.ts";

/** More are not looked at, and the line is asked about. */
const MAX_LOOKED_AT = 300;
const MAX_FOLDERS = 8;

const TOO_MANY = "it names too many files to look at each";

export interface FoundTargets {
  targets: Target[];
  problem?: string;
}

/**
 * What a line names that lies outside of the workspace or decides what is allowed in it. A word is looked at from every folder that
 * the line may have gone to before.
 */
export async function findTargets(line: ReadCommandLine, context: ToolContext): Promise<FoundTargets> {
  const folders = ["."];
  const wanted = new Map<string, NamedFile>();
  for (const piece of line.segments) {
    for (const { path, writes } of filesOf(piece)) {
      for (const folder of isAbsolute(path) ? ["."] : folders) {
        const from = folder === "." || isAbsolute(path) ? path : `${folder}/${path}`;
        wanted.set(`${writes} ${from}`, { path: from, writes });
      }
    }
    folders.push(...foldersAfter(piece, folders));
    if (wanted.size > MAX_LOOKED_AT || folders.length > MAX_FOLDERS) {
      return { targets: [], problem: TOO_MANY };
    }
  }
  const files = await withPatterns([...wanted.values()], context);
  if (!files || files.length > MAX_LOOKED_AT) return { targets: [], problem: TOO_MANY };
  const targets = await Promise.all(files.map(({ path, writes }) => lookedAt(path, context, writes)));
  return { targets: distinct(targets.flatMap((target) => target ?? [])) };
}

/** A pattern may become the name of a link that leads out, which its own text does not tell. */
async function withPatterns(files: NamedFile[], { workspace }: ToolContext): Promise<NamedFile[] | undefined> {
  const patterns = files.filter(({ path }) => isPattern(path));
  const found = await Promise.all(
    patterns.map(async ({ path, writes }) => ({ paths: await telling(path, workspace), writes })),
  );
  if (found.some(({ paths }) => paths === undefined)) return undefined;
  return [...files, ...found.flatMap(({ paths = [], writes }) => paths.map((path) => ({ path, writes })))];
}

function filesOf({ words, runs = [], files }: Piece): NamedFile[] {
  const fromWords = [words, ...runs].flatMap((each) =>
    pathsIn(each).map((path) => ({ path, writes: !onlyReads(each) || opacityOf(each) !== undefined })),
  );
  return [
    ...files.flatMap(({ path, writes }) => pathsInWord(path).map((each) => ({ path: each, writes }))),
    ...fromWords,
  ];
}

/** Every folder that some command of the line may be called in, as far as there are few of them. */
export function foldersIn({ segments }: ReadCommandLine): string[] {
  const folders = ["."];
  for (const piece of segments) if (folders.length <= MAX_FOLDERS) folders.push(...foldersAfter(piece, folders));
  return folders.slice(0, MAX_FOLDERS);
}

function foldersAfter({ words, runs = [] }: Piece, before: string[]): string[] {
  const gone = [words, ...runs].flatMap((each) => {
    if (each[0] === "cd" || each[0] === "pushd") return [each.at(-1) ?? ""];
    return each.filter((_, at) => each[at - 1] === "-C");
  });
  return gone.flatMap((path) => before.map((folder) => (isAbsolute(path) ? path : `${folder}/${path}`)));
}

/** A path that cannot be followed is one that the command cannot follow either, or a text that only looks like a path. */
async function lookedAt(path: string, context: ToolContext, writes: boolean): Promise<Target | undefined> {
  const target = await targetOf(path, context, { writes }).catch(() => undefined);
  return target && (target.outside || target.control) ? target : undefined;
}

function distinct(targets: Target[]): Target[] {
  const known = new Map<string, Target>();
  for (const target of targets) {
    const same = known.get(target.real);
    if (!same || (target.writes && !same.writes)) known.set(target.real, target);
  }
  return [...known.values()];
}
