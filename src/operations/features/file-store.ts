import { existsSync } from "node:fs";
import { readFile, realpath, stat } from "node:fs/promises";
import { basename, dirname, join, relative, resolve, sep } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import { type DocumentName, documentLimits, documentNames } from "../documents.ts";
import { checkChanges, fileNames, inOrder, isFeatureName, SPECS } from "./document-content.ts";
import { type DocumentFolder, documentsIn } from "./document-files.ts";
import type { Change, FeatureSettings, Saved, SaveOptions, StoredDocument } from "./feature-store.ts";
import { settleFolder } from "./folder-lock.ts";
import { saveFiles } from "./folder-store.ts";
import { gitPlaceOf } from "./git-place.ts";
import { GitRepository } from "./git-repository.ts";
import { GitStore } from "./git-store.ts";
import { settleLeftSaves } from "./left-saves.ts";

const MOST_LINES = 2000;

/** The documents beside a file that someone names. */
export interface FileStore {
  /** Their folder, without links. */
  folder(): Promise<string>;
  /** Where a document is, or would be written. */
  pathOf(name: DocumentName): Promise<string>;
  read(names?: readonly DocumentName[]): Promise<StoredDocument[]>;
  /** Where the file is a document of a feature whose branch is checked out, it is committed there; else it is written only. */
  save(changes: readonly Change[], options: SaveOptions): Promise<Saved>;
}

export interface FileStoreOptions extends FeatureSettings {
  /** The folder that paths are told from, where they lie in it. */
  from?: string;
}

/** A file of another name than a document's counts as the one that its content looks like: the spec, if nothing else. */
export function fileStore(file: string, options: FileStoreOptions = {}): FileStore {
  return new BesideFile(resolve(options.from ?? ".", file), options);
}

class BesideFile implements FileStore {
  readonly #file: string;
  readonly #options: FileStoreOptions;

  constructor(file: string, options: FileStoreOptions) {
    this.#file = file;
    this.#options = options;
  }

  async folder(): Promise<string> {
    return (await this.#place()).root;
  }

  async pathOf(name: DocumentName): Promise<string> {
    const place = await this.#place();
    const [there] = await documentsIn(place, [name]);
    return this.#shown(place, there?.path ?? place.names?.[name] ?? fileNames[name][0] ?? "");
  }

  async read(names: readonly DocumentName[] = documentNames): Promise<StoredDocument[]> {
    const place = await this.#place();
    await this.#settle(place).catch(() => {}); // they are read as they are
    const documents = await documentsIn(place, documentNames);
    if (documents.length === 0) throw missing(this.#file);
    const wanted = documents.filter(({ name }) => inOrder(names).includes(name));
    return wanted.map((document) => ({ ...document, path: this.#shown(place, document.path) }));
  }

  async save(changes: readonly Change[], options: SaveOptions): Promise<Saved> {
    checkChanges(changes);
    const place = await this.#place();
    const git = await this.#branchHere(place);
    const saved = git ? await git.store.save(git.feature, changes, options) : await saveFiles(place, changes, options);
    const documents = saved.documents.map((one) => ({ ...one, path: this.#shown(place, basename(one.path)) }));
    return { ...saved, documents };
  }

  #shown({ root }: DocumentFolder, file: string): string {
    const path = join(root, file);
    const from = this.#options.from === undefined ? "" : relative(this.#options.from, path);
    return from === "" || from.startsWith(`..${sep}`) ? path : from.split(sep).join("/");
  }

  async #place(): Promise<DocumentFolder> {
    const real = await realpath(this.#file).catch(async () => {
      const folder = await realpath(dirname(this.#file)).catch(() => {
        throw missing(this.#file);
      });
      return join(folder, basename(this.#file));
    });
    const file = basename(real);
    const named = documentNames.find((name) => fileNames[name].includes(file)) ?? (await documentLike(real));
    return { root: dirname(real), path: "", names: { [named]: file } };
  }

  /** Ends what someone had begun to save here who is no more. */
  async #settle(place: DocumentFolder): Promise<void> {
    await settleFolder(place);
    const git = await gitPlaceOf(place.root, this.#options.trusted ?? false);
    if (git) await settleLeftSaves(new GitRepository(git));
  }

  /** The store of a feature whose branch is checked out, if that is what the folder belongs to. */
  async #branchHere({ root, names = {} }: DocumentFolder): Promise<{ store: GitStore; feature: string } | undefined> {
    const [feature, specs] = [basename(root), dirname(root)];
    // Of two files for the same document a store takes the first, and here that is not the one that was named.
    const isUsual = documentNames.every((name) => {
      const at = fileNames[name].indexOf(names[name] ?? fileNames[name][0] ?? "");
      return at === 0 || (at > 0 && !existsSync(join(root, fileNames[name][0] ?? "")));
    });
    if (!isUsual || basename(specs) !== SPECS || !isFeatureName(feature)) return undefined;
    const place = await gitPlaceOf(dirname(specs), this.#options.trusted ?? false);
    if (!place || (await new GitRepository(place).headRef()) !== `refs/heads/${feature}`) return undefined;
    return { store: new GitStore(place, this.#options), feature };
  }
}

const missing = (file: string) =>
  new DragomanError("document_not_found", `There is no ${file}. Name the spec, or another document beside it.`);

/** Which document a file of any name is, by what is in it. */
async function documentLike(real: string): Promise<DocumentName> {
  const stats = await stat(real).catch(() => undefined);
  if (!stats) throw missing(real);
  if (!stats.isFile()) throw new DragomanError("tool_failed", `${real} is not a file. Name a document in it.`);
  if (stats.size > documentLimits.task) return "spec"; // which says that it is too large
  const lines = (await readFile(real, "utf8")).split("\n", MOST_LINES);
  if (lines.some((line) => /^ {0,8}[-*] \[[ xX]\] \**T\d/.test(line))) return "task";
  const heading = lines.find((line) => line.startsWith("# ")) ?? "";
  return /\bplan\b/i.test(heading.slice(0, 200)) ? "plan" : "spec";
}
