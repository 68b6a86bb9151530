import { type DocumentName, documentNames } from "../documents.ts";
import {
  checkChanges,
  checkFeature,
  checkIfMatch,
  checkSignal,
  etagsOf,
  fileNames,
  inOrder,
  notFound,
  SPECS,
  savedAs,
} from "./document-content.ts";
import { type DocumentFolder, documentsIn, pathIn } from "./document-files.ts";
import type { Change, FeatureInfo, FeatureStore, Saved, SaveOptions, StoredDocument } from "./feature-store.ts";
import { folderFeatures } from "./folder-list.ts";
import { lockFolder, settleFolder } from "./folder-lock.ts";
import { StagedFiles } from "./staged-files.ts";

/** Features in a folder without git: plain files, and nothing to go back to. */
export class FolderStore implements FeatureStore {
  readonly kind = "folder";
  readonly pushes = false;
  readonly #workspace: string;

  /** A real path. */
  constructor(workspace: string) {
    this.#workspace = workspace;
  }

  async list(limit: number): Promise<FeatureInfo[]> {
    const found = await folderFeatures(this.#workspace, limit);
    return [...found].map(([id, { title, documents }]) => ({ id, ...(title ? { title } : {}), documents }));
  }

  async read(feature: string, names: readonly DocumentName[] = documentNames): Promise<StoredDocument[]> {
    checkFeature(feature);
    await settleFolder(this.#folder(feature)).catch(() => {}); // it is read as it is
    const documents = await documentsIn(this.#folder(feature), documentNames);
    if (documents.length === 0) throw notFound(feature, this.#workspace);
    return documents.filter(({ name }) => inOrder(names).includes(name));
  }

  async checkSavable(feature: string): Promise<void> {
    checkFeature(feature);
  }

  async save(feature: string, changes: readonly Change[], options: SaveOptions): Promise<Saved> {
    checkFeature(feature);
    checkChanges(changes);
    return saveFiles(this.#folder(feature), changes, options);
  }

  #folder(feature: string): DocumentFolder {
    return { root: this.#workspace, path: `${SPECS}/${feature}` };
  }
}

/** Writes documents as files, all of them or none. Of those who save at the same time, one goes first. */
export async function saveFiles(
  folder: DocumentFolder,
  changes: readonly Change[],
  { signal }: Pick<SaveOptions, "signal">,
): Promise<Saved> {
  const lock = await lockFolder(folder, signal);
  try {
    const documents = await documentsIn(folder, documentNames);
    checkIfMatch(changes, etagsOf(changes, documents));
    const pathOf = (name: DocumentName) =>
      documents.find((one) => one.name === name)?.path ??
      pathIn(folder.path, folder.names?.[name] ?? fileNames[name][0] ?? "");
    const before = (name: DocumentName) => documents.find((one) => one.name === name);
    const differing = changes.filter(({ name, content }) => before(name)?.content !== content);
    if (differing.length === 0) return { documents: savedAs(changes, pathOf), unchanged: true };
    const files = differing.map(({ name, content }) => {
      return { name, root: folder.root, path: pathOf(name), content, before: before(name)?.etag };
    });
    await lock.tell(files);
    const staged = await StagedFiles.prepare(files, lock.mark);
    try {
      checkSignal(signal);
      await staged.place();
      await staged.finish();
    } finally {
      await staged.undo(); // nothing any more, if all went well
    }
    return { documents: savedAs(changes, pathOf) };
  } finally {
    await lock.release();
  }
}
