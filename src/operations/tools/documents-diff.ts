import { boundedDiff, fileDiff } from "../../tools/file-diff.ts";

export interface DiffedDocument {
  path: string;
  /** Nothing for a new one. */
  before?: string;
  after: string;
}

/** One unified diff of all; nothing where nothing changes. */
export function documentsDiff(documents: readonly DiffedDocument[]): string | undefined {
  const diffs = documents.flatMap(({ path, before, after }) => fileDiff(path, before, after) ?? []);
  return diffs.length === 0 ? undefined : boundedDiff(diffs.join(""));
}
