import { createTwoFilesPatch, FILE_HEADERS_ONLY } from "diff";

const CONTEXT_LINES = 3;
/** Nothing else happens while it is worked out. */
const TIMEOUT_MS = 300;
const MAX_CHARACTERS = 200_000;

export interface DiffedDocument {
  path: string;
  /** Nothing for a new one. */
  before?: string;
  after: string;
}

/** One unified diff of all; nothing where nothing changes. */
export function documentsDiff(documents: readonly DiffedDocument[]): string | undefined {
  const patches = documents.filter(({ before, after }) => before !== after).map(patchOf);
  if (patches.length === 0) return undefined;
  const diff = patches.join("");
  if (diff.length <= MAX_CHARACTERS) return diff;
  const shown = diff.slice(0, diff.lastIndexOf("\n", MAX_CHARACTERS)).toWellFormed();
  return `${shown}\n\\ The diff is cut here: it has ${diff.length} characters.\n`;
}

function patchOf({ path, before, after }: DiffedDocument): string {
  const names = [before === undefined ? "/dev/null" : `a/${path}`, `b/${path}`] as const;
  const options = { context: CONTEXT_LINES, timeout: TIMEOUT_MS, headerOptions: FILE_HEADERS_ONLY };
  const patch = createTwoFilesPatch(...names, before ?? "", after, undefined, undefined, options);
  // Two texts with so little in common that the shortest way from one to the other takes too long to find.
  return patch ?? wholePatch(names, before ?? "", after);
}

function wholePatch([from, to]: readonly [string, string], before: string, after: string): string {
  const [removed, added] = [before, after].map((text) => text.match(/[^\n]*\n|[^\n]+$/g) ?? []);
  const lines = [...marked("-", removed ?? []), ...marked("+", added ?? [])];
  return `--- ${from}\n+++ ${to}\n@@ -1,${removed?.length} +1,${added?.length} @@\n${lines.join("\n")}\n`;
}

const marked = (sign: string, lines: string[]) =>
  lines.flatMap((line) =>
    line.endsWith("\n") ? sign + line.slice(0, -1) : [sign + line, "\\ No newline at end of file"],
  );
