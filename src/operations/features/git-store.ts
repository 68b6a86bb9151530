import { type DocumentName, documentNames } from "../documents.ts";
import { checkChanges, checkFeature, inOrder, notFound } from "./document-content.ts";
import type {
  Change,
  FeatureInfo,
  FeatureSettings,
  FeatureStore,
  Saved,
  SaveOptions,
  StoredDocument,
} from "./feature-store.ts";
import { listInGit } from "./git-list.ts";
import type { GitPlace } from "./git-place.ts";
import { pushFeature } from "./git-push.ts";
import { GitRepository } from "./git-repository.ts";
import { checkBranch, saveInGit } from "./git-save.ts";
import { lookAt } from "./git-sight.ts";
import { settleLeftSaves } from "./left-saves.ts";

/** Features in a git repository, each on the branch that is called as it is. `Sight` says which of its documents count. */
export class GitStore implements FeatureStore {
  readonly kind = "git";
  readonly #place: GitPlace;
  readonly #settings: FeatureSettings;

  constructor(place: GitPlace, settings: FeatureSettings) {
    this.#place = place;
    this.#settings = settings;
  }

  get #remote(): string {
    return this.#settings.remote ?? "origin";
  }

  get pushes(): boolean {
    return this.#settings.push ?? false;
  }

  async list(limit: number): Promise<FeatureInfo[]> {
    const repository = new GitRepository(this.#place);
    await settleLeftSaves(repository);
    return listInGit(repository, limit, this.#remote);
  }

  async read(feature: string, names: readonly DocumentName[] = documentNames): Promise<StoredDocument[]> {
    checkFeature(feature);
    const repository = new GitRepository(this.#place);
    await settleLeftSaves(repository);
    const sight = await lookAt(repository, feature, documentNames, this.#remote);
    if (sight.documents.length === 0) throw notFound(feature, this.#place.workspace);
    const wanted = inOrder(names);
    return sight.documents
      .filter(({ name }) => wanted.includes(name))
      .map(({ name, path, content, etag }) => ({ name, path, content, etag }));
  }

  async checkSavable(feature: string): Promise<void> {
    checkFeature(feature);
    await checkBranch(new GitRepository(this.#place), feature, this.#remote);
  }

  async save(feature: string, changes: readonly Change[], options: SaveOptions): Promise<Saved> {
    checkFeature(feature);
    checkChanges(changes);
    const repository = new GitRepository(this.#place, options.signal);
    const saved = await saveInGit(repository, feature, changes, options, this.#remote);
    const { trusted = false } = this.#settings;
    if (!(options.push ?? this.pushes) || saved.branch === undefined) return saved;
    const push = await pushFeature(repository, feature, this.#remote, trusted, options);
    const warnings = [saved.warning, push.warning].filter((one) => one !== undefined);
    return { ...saved, ...push, ...(warnings.length > 0 ? { warning: warnings.join("\n") } : {}) };
  }
}
