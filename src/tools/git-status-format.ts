const MAX_FILES = 1000;

export interface ChangedFile {
  path: string;
  status: "added" | "modified" | "deleted" | "renamed" | "copied" | "conflicted" | "untracked";
}

export interface RepositoryStatus {
  /** `(detached)` when a commit is checked out and no branch. */
  branch: string;
  upstream?: string;
  ahead: number;
  behind: number;
  clean: boolean;
  files: ChangedFile[];
  /** There are more files. */
  truncated?: true;
}

const letters: Record<string, ChangedFile["status"]> = {
  A: "added",
  M: "modified",
  T: "modified",
  D: "deleted",
  R: "renamed",
  C: "copied",
};

/** Reads `git status --porcelain=v2 --branch -z`. */
export function parseStatus(text: string, truncated = false): RepositoryStatus {
  const entries = text.split("\0").slice(0, -1);
  const header = (name: string) => entries.find((entry) => entry.startsWith(`# ${name} `))?.slice(name.length + 3);
  const [ahead = 0, behind = 0] =
    header("branch.ab")
      ?.split(" ")
      .map((count) => Math.abs(Number(count))) ?? [];
  const upstream = header("branch.upstream");
  const files = filesIn(entries);
  return {
    branch: header("branch.head") ?? "(detached)",
    ...(upstream === undefined ? {} : { upstream }),
    ahead,
    behind,
    clean: files.length === 0,
    files: files.slice(0, MAX_FILES),
    ...(truncated || files.length > MAX_FILES ? { truncated: true } : {}),
  };
}

function filesIn(entries: string[]): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let at = 0; at < entries.length; at += 1) {
    const entry = entries[at] ?? "";
    const file = fileOf(entry);
    if (file) files.push(file);
    // The name that a renamed file had comes after it, by itself.
    if (entry.startsWith("2 ")) at += 1;
  }
  return files;
}

/** How many fields stand before the path. */
const fieldsBefore: Record<string, number> = { "1": 8, "2": 9, u: 10, "?": 1 };

function fileOf(entry: string): ChangedFile | undefined {
  const kind = entry.charAt(0);
  const fields = fieldsBefore[kind];
  if (fields === undefined) return undefined;
  const path = entry.split(" ").slice(fields).join(" ");
  if (kind === "?") return { path, status: "untracked" };
  if (kind === "u") return { path, status: "conflicted" };
  const [index = ".", folder = "."] = entry.slice(2, 4);
  return { path, status: letters[index] ?? letters[folder] ?? "modified" };
}
