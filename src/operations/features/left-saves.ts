import { existsSync } from "node:fs";
import { unlink } from "node:fs/promises";
import { join } from "node:path";
import { fileNames, isFeatureName } from "./document-content.ts";
import { checkFilePlace, documentsIn } from "./document-files.ts";
import { isSameFile } from "./exclusive-lock.ts";
import { GitRepository } from "./git-repository.ts";
import { featureFolder } from "./git-sight.ts";
import { IndexLock, indexOf, lockOf } from "./index-lock.ts";
import { clearBeside, ProcessLock } from "./process-lock.ts";
import { SaveRecord } from "./save-record.ts";
import { StagedFiles } from "./staged-files.ts";

const LONGEST_WAIT_FOR_INDEX_MS = 500;

/**
 * Ends what processes that are no more had begun to save: where the branch has moved, files and index follow, but for what someone has
 * written since; where it has not, all is as before. What cannot be ended now stays for the next who looks.
 */
export async function settleLeftSaves(repository: GitRepository): Promise<void> {
  const { gitDir } = repository.place;
  const left = () => SaveRecord.left(gitDir).catch(() => []);
  if ((await left()).length === 0) return;
  const lock = join(gitDir, "dragoman-settling.lock");
  const settling = await ProcessLock.take(lock).catch(() => undefined);
  if (!settling) return;
  try {
    for (const record of await left()) await settle(asRecorded(repository, record), record).catch(() => {});
  } finally {
    await settling.release();
    await clearBeside(lock).catch(() => {});
  }
}

/** Whoever saved may have worked in another folder of the same working tree. */
function asRecorded({ place }: GitRepository, { save: { prefix } }: SaveRecord): GitRepository {
  return new GitRepository({ ...place, prefix, workspace: join(place.top, prefix) });
}

async function settle(repository: GitRepository, record: SaveRecord): Promise<void> {
  const { feature, from, to } = record.save;
  if (record.save.prefix.split("/").includes("..")) return;
  const staged = await stagedBy(repository, record);
  if (!staged) return;
  const lock = lockOf(repository);
  const tip = isFeatureName(feature) ? (await repository.branch(feature, "origin")).tip : undefined;
  const isMoved = tip === to && (await repository.headRef()) === `refs/heads/${feature}`;
  // Once its lock has become the index, all files are in their places.
  const isPlaced = !existsSync(record.lock) || (await isSameFile(record.lock, indexOf(repository)));
  if (isMoved && !isPlaced) return finish(repository, record, staged);
  if (tip === from && from !== to) await staged.undo();
  else await staged.finish();
  if (await isSameFile(record.lock, lock)) await unlink(lock);
  await record.remove();
}

/** Its temporary files; nothing where the record names files that no save of ours writes. */
async function stagedBy(repository: GitRepository, { save }: SaveRecord): Promise<StagedFiles | undefined> {
  const { workspace: root, top, prefix } = repository.place;
  for (const { name, path } of save.files) {
    const folder = featureFolder(save.feature);
    if (!isFeatureName(save.feature) || !fileNames[name].some((file) => path === `${folder}/${file}`)) return undefined;
    await checkFilePlace(top, `${prefix}${path}`);
  }
  return StagedFiles.left(save.files, root, save.mark);
}

/** The lock of the dead is taken over, so that nobody comes between. */
async function finish(repository: GitRepository, record: SaveRecord, left: StagedFiles): Promise<void> {
  const { feature, to, files, entries, mark } = record.save;
  const { workspace: root } = repository.place;
  const lock = await IndexLock.take(repository, record.lock, { longestWaitMs: LONGEST_WAIT_FOR_INDEX_MS });
  try {
    const names = files.map(({ name }) => name);
    const committed = await repository.documentsAt(to, featureFolder(feature), names);
    const now = await documentsIn({ root, path: featureFolder(feature) }, names);
    const changes = files.flatMap(({ name, path, before }) => {
      const content = committed.find((one) => one.path === path)?.content;
      const isAsBefore = now.find((one) => one.path === path)?.etag === before;
      return isAsBefore && content !== undefined ? [{ name, root, path, content, before }] : [];
    });
    await left.finish();
    const staged = await StagedFiles.prepare(changes, mark);
    await staged.place();
    await lock.write(entries);
    await lock.commit();
    await staged.finish();
  } catch (error) {
    await lock.leave(); // as the dead left it: without it nobody would know that there is something to end
    throw error;
  }
  await lock.release();
  await record.remove();
}
