const MOST_FILES = 100;
const header = /^(?:---|\+\+\+) (?:[ab]\/)?([^\t\n]+)/gm;
const pathArguments = ["path", "file_path", "filePath", "file"] as const;

interface Changed {
  kind?: string;
  args?: unknown;
  diff?: string;
}

/** The files that a call has changed, as its diff names them, or its arguments where it has none. */
export function touchedFiles({ kind, args, diff }: Changed): string[] | undefined {
  const files = diff === undefined ? [] : pathsIn(diff);
  if (files.length === 0 && kind === "edit") files.push(...pathOf(args));
  return files.length > 0 ? files : undefined;
}

function pathsIn(diff: string): string[] {
  const paths = new Set<string>();
  // Only what comes before a hunk: within one, a line that was taken away may look like a header.
  for (const head of diff.split(/^@@.*(?:\n(?:[ +\\-].*)?$)*/m)) {
    for (const [, path = ""] of head.matchAll(header)) if (path !== "/dev/null") paths.add(path);
    if (paths.size >= MOST_FILES) break;
  }
  return [...paths].slice(0, MOST_FILES);
}

function pathOf(args: unknown): string[] {
  if (typeof args !== "object" || args === null) return [];
  const given = args as Record<string, unknown>;
  const path = pathArguments.map((name) => given[name]).find((value) => typeof value === "string");
  return typeof path === "string" && path !== "" ? [path] : [];
}
