import { existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { DragomanError } from "../../core/errors.ts";
import type { DocumentName } from "../documents.ts";
import type {
  Change,
  FeatureInfo,
  FeatureSettings,
  FeatureStore,
  Saved,
  SaveOptions,
  StoredDocument,
} from "./feature-store.ts";
import { FolderStore } from "./folder-store.ts";
import { gitPlaceOf } from "./git-place.ts";
import { GitStore } from "./git-store.ts";

/** The features of a folder, looked at anew each time: a repository may have been made of it meanwhile. */
export class WorkspaceStore implements FeatureStore {
  readonly #workspace: string;
  readonly #settings: FeatureSettings;

  constructor(workspace: string, settings: FeatureSettings) {
    this.#workspace = resolve(workspace);
    this.#settings = settings;
  }

  get kind(): "git" | "folder" {
    return hasRepository(this.#workspace) ? "git" : "folder";
  }

  get pushes(): boolean {
    return this.#settings.push ?? false;
  }

  async list(limit: number): Promise<FeatureInfo[]> {
    return (await this.#open()).list(limit);
  }

  async read(feature: string, names?: readonly DocumentName[]): Promise<StoredDocument[]> {
    return (await this.#open()).read(feature, names);
  }

  async checkSavable(feature: string): Promise<void> {
    return (await this.#open()).checkSavable(feature);
  }

  async save(feature: string, changes: readonly Change[], options: SaveOptions): Promise<Saved> {
    return (await this.#open()).save(feature, changes, options);
  }

  async #open(): Promise<FeatureStore> {
    const real = await realpath(this.#workspace).catch(() => {
      const message = `The workspace ${this.#workspace} is gone. Put the folder back, or use another one.`;
      throw new DragomanError("tool_failed", message);
    });
    const place = hasRepository(real) ? await gitPlaceOf(real, this.#settings.trusted ?? false) : undefined;
    return place ? new GitStore(place, this.#settings) : new FolderStore(real);
  }
}

/** Whether git would find one; where there is none, git need not even be installed. */
function hasRepository(folder: string): boolean {
  if (existsSync(join(folder, ".git"))) return true;
  return dirname(folder) !== folder && hasRepository(dirname(folder));
}
