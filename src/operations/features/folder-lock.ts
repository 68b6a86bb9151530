import { basename, join } from "node:path";
import { checkFilePlace, type DocumentFolder, pathIn } from "./document-files.ts";
import { clearBeside, ProcessLock, type Settle, settleLeft } from "./process-lock.ts";
import { StagedFiles } from "./staged-files.ts";

/** Held by one who saves in a folder without git. */
export async function lockFolder(folder: DocumentFolder, signal: AbortSignal | undefined): Promise<ProcessLock> {
  await settleFolder(folder);
  return ProcessLock.take(lockOf(folder), settlerOf(folder), { signal });
}

/** Of those who are no more: all that they wrote is there, or nothing of it. */
export async function settleFolder(folder: DocumentFolder): Promise<void> {
  const path = lockOf(folder);
  await clearBeside(path);
  await settleLeft(path, settlerOf(folder));
}

const settlerOf =
  ({ root, path: within }: DocumentFolder): Settle =>
  async (files, mark) => {
    if (!files.every(({ path }) => path === pathIn(within, basename(path)))) return; // no save of ours writes those
    for (const { path } of files) await checkFilePlace(root, path);
    await StagedFiles.left(files, root, mark).settle();
  };

/** Beside the folder of the feature, which may not be there yet, and stays away if nothing is saved. */
function lockOf({ root, path }: DocumentFolder): string {
  const parts = path.split("/").filter((part) => part !== "");
  return join(root, `.dragoman-${parts.at(-1) ?? "documents"}.lock`);
}
