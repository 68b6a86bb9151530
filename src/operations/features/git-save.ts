import { access } from "node:fs/promises";
import { join } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import { documentNames } from "../documents.ts";
import {
  checkIfMatch,
  checkSignal,
  checkUnmoved,
  type Etags,
  etagOf,
  etagsOf,
  fileNames,
  savedAs,
  unknownOutcome,
} from "./document-content.ts";
import { documentsIn, pathIn } from "./document-files.ts";
import type { Change, Saved, SaveOptions } from "./feature-store.ts";
import { type BuiltCommit, buildCommit, type Identity, identityFor } from "./git-commit.ts";
import type { GitRepository } from "./git-repository.ts";
import { featureFolder, isForeign, lookAt, type Sight } from "./git-sight.ts";
import { IndexLock } from "./index-lock.ts";
import { settleLeftSaves } from "./left-saves.ts";
import { SaveRecord } from "./save-record.ts";
import { foreignBranch, refuseShared } from "./shared-branches.ts";
import { type FileChange, StagedFiles } from "./staged-files.ts";
import { followInWorkingTree } from "./working-copies.ts";

/** How often it is put upon a branch that has moved, as long as nobody touched the documents themselves. */
const MOST_RETRIES = 5;

interface Attempt {
  repository: GitRepository;
  feature: string;
  sight: Sight;
  changes: readonly Change[];
  options: SaveOptions;
  identity: Identity;
  pathOf(name: Change["name"]): string;
}

/** Commits the changes upon the feature's branch. Whatever fails, branch, files and index are as they were. */
export async function saveInGit(
  repository: GitRepository,
  feature: string,
  changes: readonly Change[],
  options: SaveOptions,
  remote: string,
): Promise<Saved> {
  refuseShared(feature, await repository.defaultBranch(remote));
  await settleLeftSaves(repository);
  const identity = await identityFor(repository, options.by);
  let first: Etags | undefined;
  for (let attempt = 0; attempt <= MOST_RETRIES; attempt++) {
    checkSignal(options.signal);
    const sight = await lookAt(repository, feature, documentNames, remote);
    const etags = etagsOf(changes, sight.documents);
    if (first) checkUnmoved(first, etags);
    else checkIfMatch(changes, etags);
    first ??= etags;
    await refuseUnfit(repository, feature, sight);
    const pathOf = (name: Change["name"]) =>
      sight.documents.find((one) => one.name === name)?.path ??
      pathIn(featureFolder(feature), fileNames[name][0] ?? "");
    const one: Attempt = { repository, feature, sight, changes, options, identity, pathOf };
    const saved = await (sight.at === "here" ? saveHere(one) : saveOnBranch(one));
    if (saved) return { documents: savedAs(changes, pathOf), branch: feature, ...saved };
  }
  throw await neverStill(repository, feature);
}

/** Fails where nothing can be saved on the branch of that name as it is. */
export async function checkBranch(repository: GitRepository, feature: string, remote: string): Promise<void> {
  refuseShared(feature, await repository.defaultBranch(remote));
  await refuseUnfit(repository, feature, await lookAt(repository, feature, documentNames, remote));
}

async function refuseUnfit(repository: GitRepository, feature: string, sight: Sight): Promise<void> {
  const { at, facts } = sight;
  const refuse = (why: string, what: string) => {
    throw new DragomanError("conflict", `${why} ${what}`);
  };
  if (facts.below !== undefined) {
    refuse(
      `git cannot have a branch ${feature} beside ${facts.below}.`,
      "Rename that branch, or choose another feature name.",
    );
  }
  if (at === "elsewhere") {
    refuse(
      `The branch ${feature} is checked out in ${facts.worktree}.`,
      "Save it there, or check out another branch there.",
    );
  }
  if (await isForeign(repository, feature, sight)) throw foreignBranch(feature);
  if (await repository.isBeingRebased(feature)) {
    refuse(
      `The branch ${feature} is being rebased.`,
      "End that with git rebase --continue or --abort, then try again.",
    );
  }
}

async function neverStill(repository: GitRepository, feature: string): Promise<DragomanError> {
  const lock = join(repository.place.commonDir, "refs", "heads", `${feature}.lock`);
  const isLocked = await access(lock).then(
    () => true,
    () => false,
  );
  const why = isLocked
    ? `Someone holds the branch ${feature}: ${lock} is there. Try again; if no git runs, take that file away.`
    : `The branch ${feature} moved each time that it was saved. Try again.`;
  return new DragomanError("conflict", why);
}

type Outcome = Pick<Saved, "commit" | "unchanged" | "branch" | "warning"> | undefined;

/** What is checked out stays as it is. */
async function saveOnBranch(one: Attempt): Promise<Outcome> {
  const { repository, feature, sight, options } = one;
  const { tip } = sight.facts;
  const base = await withCopies(one);
  const built = await buildCommit(repository, base, filesOf(one), options.message, one.identity);
  if (built.commit === sight.base && !built.changed) return { unchanged: true, branch: tip && feature };
  checkSignal(options.signal);
  const moved = await repository.uninterrupted().moveBranch(feature, tip, built.commit, reasonOf(options));
  if (!moved || built.commit === undefined) return undefined;
  const { documents } = sight;
  const about = { feature, changes: one.changes, documents, from: tip, to: built.commit, pathOf: one.pathOf };
  const warning = await followInWorkingTree({ ...about, repository: repository.uninterrupted() }).catch(
    () => undefined,
  );
  return { commit: built.commit, ...(warning ? { warning } : {}) };
}

/**
 * Where copies in the working tree count, they go before in a commit of their own, as they are: so what the user wrote is kept, and
 * such a copy is known afterwards.
 */
async function withCopies({ repository, feature, sight, identity }: Attempt): Promise<string | undefined> {
  const copies = sight.documents.filter(({ from }) => from === "file");
  if (copies.length === 0) return sight.base;
  const message = `Take the documents of ${feature} as they are in the working tree`;
  return (await buildCommit(repository, sight.base, copies, message, identity)).commit;
}

const filesOf = ({ changes, sight, pathOf }: Attempt) =>
  changes.map(({ name, content }) => {
    const mode = sight.documents.find((one) => one.name === name)?.mode;
    return { path: pathOf(name), content, mode };
  });

const reasonOf = ({ message }: SaveOptions) => `dragoman: ${message.split("\n")[0]?.slice(0, 100) ?? ""}`;

/** The branch is checked out: its files and its entries in the index move with it. */
async function saveHere(one: Attempt): Promise<Outcome> {
  const { repository, sight, changes, options } = one;
  await refuseUnmerged(one);
  const built = await buildCommit(repository, sight.base, filesOf(one), options.message, one.identity);
  const isSame = ({ name, content }: Change) => sight.documents.find((each) => each.name === name)?.content === content;
  const differing = changes.filter((change) => !isSame(change));
  if (!built.changed && differing.length === 0) return { unchanged: true };
  const files = differing.map(({ name, content }) => {
    const before = sight.documents.find((each) => each.name === name)?.etag;
    return { name, root: repository.place.workspace, path: one.pathOf(name), content, before };
  });
  const record = await recordOf(one, built, files);
  try {
    const staged = await StagedFiles.prepare(files, record.save.mark);
    try {
      return await moveAll(one, built, staged, record);
    } finally {
      await staged.undo(); // nothing any more, if all went well
    }
  } finally {
    await record.remove();
  }
}

function recordOf(one: Attempt, built: BuiltCommit, files: FileChange[]): Promise<SaveRecord> {
  const { feature, sight, repository } = one;
  return SaveRecord.write(repository.place, {
    feature,
    from: sight.facts.tip,
    to: built.commit ?? "",
    files: files.map(({ name, path, before, content }) => ({ name, path, before, after: etagOf(content) })),
    entries: built.entries,
  });
}

async function moveAll(one: Attempt, built: BuiltCommit, staged: StagedFiles, record: SaveRecord): Promise<Outcome> {
  const { feature, sight, options } = one;
  const repository = one.repository.uninterrupted();
  const lock = await IndexLock.take(repository, record.lock, { signal: options.signal });
  try {
    if (!(await isAsSeen(one))) return undefined;
    await lock.write(built.entries);
    checkSignal(options.signal);
    const move = (from: string | undefined, to: string | undefined, why: string) =>
      from === to ? Promise.resolve(true) : repository.moveBranch(feature, from, to, why);
    if (!(await move(sight.facts.tip, built.commit, reasonOf(options)))) return undefined;
    try {
      await staged.place();
      await lock.commit();
    } catch (error) {
      await staged.undo();
      const why = "dragoman: undone, the files could not be written";
      if (!(await move(built.commit, sight.facts.tip, why).catch(() => false))) throw unknownOutcome(feature, error);
      throw error;
    }
    await staged.finish();
    return built.changed ? { commit: built.commit } : {};
  } finally {
    await lock.release();
  }
}

/** Looked at again once nobody else can stage or check out. The branch itself is looked at when it moves. */
async function isAsSeen({ repository, feature, sight, changes }: Attempt): Promise<boolean> {
  if ((await repository.headRef()) !== `refs/heads/${feature}`) return false;
  const names = changes.map(({ name }) => name);
  const now = await documentsIn({ root: repository.place.workspace, path: featureFolder(feature) }, names);
  const [before, after] = [etagsOf(changes, sight.documents), etagsOf(changes, now)];
  return names.every((name) => before.get(name) === after.get(name));
}

async function refuseUnmerged({ repository, changes, pathOf }: Attempt): Promise<void> {
  const paths = changes.map(({ name }) => pathOf(name));
  if ((await repository.text(["ls-files", "--unmerged", "--", ...paths])) === "") return;
  throw new DragomanError("conflict", `There is a merge conflict in ${paths.join(", ")}. Settle it, then try again.`);
}
