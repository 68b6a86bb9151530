import { FILE_HEADERS_ONLY, formatPatch, type StructuredPatch, structuredPatch } from "diff";

const CONTEXT_LINES = 3;
/** Nothing else happens while it is worked out. */
const TIMEOUT_MS = 300;
const MAX_CHARACTERS = 200_000;

/** A unified diff, or `undefined` where nothing changes. `before` is left out for a new file. */
export function fileDiff(path: string, before: string | undefined, after: string): string | undefined {
  if (before === after) return undefined;
  const names = [before === undefined ? "/dev/null" : `a/${path}`, `b/${path}`] as const;
  const old = before ?? "";
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS };
  const patch = structuredPatch(...names, old, after, undefined, undefined, options) ?? coarsePatch(names, old, after);
  return boundedDiff(formatPatch(patch, FILE_HEADERS_ONLY));
}

/** For two texts with so little in common that the shortest way from one to the other takes too long to find. */
function coarsePatch(names: readonly [string, string], before: string, after: string): StructuredPatch {
  const [old, fresh] = [linesOf(before), linesOf(after)];
  let same = 0;
  while (same < old.length && same < fresh.length && old[same] === fresh[same]) same++;
  const [removed, added] = [old.slice(same), fresh.slice(same)];
  const hunk = {
    oldStart: same + 1,
    oldLines: removed.length,
    newStart: same + 1,
    newLines: added.length,
    lines: [...marked("-", removed), ...marked("+", added)],
  };
  return { oldFileName: names[0], newFileName: names[1], oldHeader: undefined, newHeader: undefined, hunks: [hunk] };
}

const linesOf = (text: string) => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

function marked(sign: string, lines: string[]): string[] {
  return lines.flatMap((line) =>
    line.endsWith("\n") ? sign + line.slice(0, -1) : [sign + line, "\\ No newline at end of file"],
  );
}

/** Nobody reads more of it. */
export function boundedDiff(diff: string): string {
  if (diff.length <= MAX_CHARACTERS) return diff;
  const end = diff.lastIndexOf("\n", MAX_CHARACTERS);
  const shown = diff.slice(0, end < 0 ? MAX_CHARACTERS : end).toWellFormed();
  return `${shown}\n\\ The diff is cut here: it has ${diff.length} characters.\n`;
}
