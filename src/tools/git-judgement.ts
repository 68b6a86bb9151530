import { DragomanError } from "../core/errors.ts";
import { isLinked, oddityOf, placeIn } from "./git-place.ts";

/** Why a repository is not worked with until its folder is trusted. */
export type GitVerdict = { obeyed: string } | { odd: string };

/** What is wrong with the repository of a folder, by where git says that it is and by what its configuration would have obeyed. */
export async function judge(answer: string, folder: string, obeyed: string[]): Promise<GitVerdict | undefined> {
  const place = await placeIn(answer, folder);
  const isWorktree = (key: string) => /^core\.worktree$/i.test(key);
  const hasWorktree = obeyed.some(isWorktree);
  const odd = typeof place === "object" ? await oddityOf(place, hasWorktree) : place;
  // git itself writes it for a submodule.
  const isExcused = typeof place === "object" && odd === undefined && isLinked(place);
  const told = obeyed.find((key) => !(isExcused && isWorktree(key)));
  if (told !== undefined) return { obeyed: told };
  return odd === undefined ? undefined : { odd };
}

export function refuse(verdict: GitVerdict): never {
  if ("obeyed" in verdict) {
    const why = `The repository's configuration has "${verdict.obeyed}", which git would obey.`;
    throw new DragomanError("tool_failed", `${why} Look at it, and trust the folder if you want that.`);
  }
  throw new DragomanError(
    "forbidden",
    `git would use a repository that is not this folder's own: ${verdict.odd}. Look at it; dragoman trust lifts this.`,
  );
}
