import { isAbsolute } from "node:path";
import type { Target, ToolContext } from "../core/tool.ts";
import type { ReadCommandLine } from "./command-line.ts";
import type { NamedFile, Piece } from "./command-line-pieces.ts";
import { onlyReads, pathsIn, pathsInWord } from "./shell-paths.ts";
import { targetOf } from "./workspace-path.ts";

/** More are not looked at, and the line is asked about. */
const MAX_LOOKED_AT = 300;
const MAX_FOLDERS = 8;

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
      return { targets: [], problem: "it names too many files to look at each" };
    }
  }
  const targets = await Promise.all([...wanted.values()].map(({ path, writes }) => lookedAt(path, context, writes)));
  return { targets: distinct(targets.flatMap((target) => target ?? [])) };
}

function filesOf({ words, runs = [], files }: Piece): NamedFile[] {
  const fromWords = [words, ...runs].flatMap((each) =>
    pathsIn(each).map((path) => ({ path, writes: !onlyReads(each) })),
  );
  return [
    ...files.flatMap(({ path, writes }) => pathsInWord(path).map((each) => ({ path: each, writes }))),
    ...fromWords,
  ];
}

function foldersAfter({ words, runs = [] }: Piece, before: string[]): string[] {
  const gone = [words, ...runs].filter(([name]) => name === "cd" || name === "pushd").map((each) => each.at(-1) ?? "");
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
