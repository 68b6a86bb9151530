import type { Saved } from "../features/feature-store.ts";

/** Where something was saved, as the end of a sentence. */
export function savedWhere({ commit, branch, pushed, unchanged }: Saved): string {
  if (unchanged) return ", as it was there already";
  const where = branch ? ` on ${branch}` : "";
  return commit ? `, commit ${commit.slice(0, 8)}${where}${pushed ? ", pushed" : ""}` : "";
}
