import { matchesPattern, type PathPattern, pathPattern } from "./wildcard.ts";

interface Rule {
  pattern: PathPattern;
  negated: boolean;
  foldersOnly: boolean;
}

/** One ignore file's rules, for what lies in its folder. */
export type IgnoreFile = Rule[];

export function parseGitignore(text: string): IgnoreFile {
  return text
    .replace(/^\uFEFF/, "")
    .split(/\r?\n/)
    .flatMap((line) => ruleOf(line) ?? []);
}

/**
 * What the file says about a path, given by its names from the file's folder: `undefined` if nothing. The last rule that matches
 * counts.
 */
export function ignores(file: IgnoreFile, names: readonly string[], isFolder: boolean): boolean | undefined {
  const rule = file.findLast(
    ({ pattern, foldersOnly }) => (isFolder || !foldersOnly) && matchesPattern(pattern, names),
  );
  return rule && !rule.negated;
}

function ruleOf(line: string): Rule | undefined {
  let text = withoutTrailingSpaces(line);
  if (text === "" || text.startsWith("#")) return undefined;
  const negated = text.startsWith("!");
  if (negated) text = text.slice(1);
  const foldersOnly = text.endsWith("/");
  if (foldersOnly) text = text.slice(0, -1);
  // A pattern with a slash is about one place; one without is about a name, wherever it is.
  const place = text.includes("/") ? text.replace(/^\//, "") : `**/${text}`;
  const pattern = text === "" ? undefined : pathPattern(place);
  return pattern && { pattern, negated, foldersOnly };
}

/** Except those with a backslash before them. */
function withoutTrailingSpaces(line: string): string {
  let end = 0;
  for (let i = 0; i < line.length; i++) {
    if (line[i] === " ") continue;
    if (line[i] === "\\") i++;
    end = i + 1;
  }
  return line.slice(0, end);
}
