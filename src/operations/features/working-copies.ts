import { documentNames } from "../documents.ts";
import { etagOf, fileNames } from "./document-content.ts";
import { documentsIn, pathIn } from "./document-files.ts";
import type { Change, StoredDocument } from "./feature-store.ts";
import type { GitRepository } from "./git-repository.ts";
import { featureFolder } from "./git-sight.ts";
import { SaveRecord } from "./save-record.ts";
import { type FileChange, StagedFiles } from "./staged-files.ts";

export interface CommittedElsewhere {
  repository: GitRepository;
  feature: string;
  changes: readonly Change[];
  /** The documents as they were read. */
  documents: readonly StoredDocument[];
  /** Where the feature's branch was, and is. */
  from?: string;
  to: string;
  pathOf(name: Change["name"]): string;
}

/**
 * Where the user writes the documents in the working tree of another branch, which knows nothing of them, what was committed on the
 * feature's branch is written there too, so that they see it: but only over what was read. Gives what is to be said of it.
 */
export async function followInWorkingTree(saved: CommittedElsewhere): Promise<string | undefined> {
  const { repository, feature, changes, documents } = saved;
  const folder = { root: repository.place.workspace, path: featureFolder(feature) };
  const files = await documentsIn(folder, documentNames).catch(() => []);
  if (files.length === 0 || (await isTracked(repository, feature))) return undefined;
  const as = (all: readonly StoredDocument[], name: Change["name"]) => all.find((one) => one.name === name);
  const isAsRead = ({ name }: Change) =>
    as(files, name)?.etag === as(documents, name)?.etag && as(files, name)?.path === as(documents, name)?.path;
  const isWritten = await write(
    saved,
    changes.filter(isAsRead).map(({ name, content }) => {
      return { name, root: folder.root, path: saved.pathOf(name), content, before: as(documents, name)?.etag };
    }),
  );
  const behind = changes.filter((change) => as(files, change.name) && !(isWritten && isAsRead(change)));
  if (behind.length === 0) {
    return `The documents are committed on the branch ${feature}. To work there: git add ${folder.path} && git switch ${feature}`;
  }
  const paths = behind.map(({ name }) => as(files, name)?.path).join(", ");
  const advice = `To see it: git show ${feature}:${repository.fromTop(saved.pathOf(behind[0]?.name ?? "spec"))}`;
  return `What is saved is on the branch ${feature}. In the working tree ${paths} is another version, and stays as it is. ${advice}`;
}

async function isTracked(repository: GitRepository, feature: string): Promise<boolean> {
  const paths = documentNames.flatMap((name) => fileNames[name].map((file) => pathIn(featureFolder(feature), file)));
  return (await repository.text(["ls-files", "--", ...paths])) !== "";
}

/** `false` where they cannot be written; they are committed all the same. */
async function write({ repository, feature, from, to }: CommittedElsewhere, files: FileChange[]): Promise<boolean> {
  if (files.length === 0) return true;
  const recorded = files.map(({ name, path, before, content }) => ({ name, path, before, after: etagOf(content) }));
  try {
    const about = { feature, from, to, files: recorded, entries: [] };
    const record = await SaveRecord.write(repository.place, about);
    try {
      const staged = await StagedFiles.prepare(files, record.save.mark);
      await staged.place();
      await staged.finish();
    } finally {
      await record.remove();
    }
    return true;
  } catch {
    return false;
  }
}
