import type { Supervise } from "../../core/supervision.ts";
import type { ToolIO } from "../../core/tool.ts";
import type { DocumentName } from "../documents.ts";

export interface FeatureInfo {
  id: string;
  /** The first heading of its spec. */
  title?: string;
  /** Its branch, where it has one. */
  branch?: string;
  documents: DocumentName[];
}

export interface StoredDocument {
  name: DocumentName;
  /** From the workspace: `specs/001-x/spec.md`. */
  path: string;
  content: string;
  etag: string;
}

export interface Change {
  name: DocumentName;
  content: string;
  /** The etag that the document must have now; null: it must not be there. */
  ifMatch?: string | null;
}

export interface SaveOptions {
  /** Of the commit. */
  message: string;
  /** Goes before what is configured. */
  push?: boolean;
  /** Whose change it is: a name, or `Name <address>`. */
  by?: string;
  /** Up to the moment at which the branch moves it calls everything off; after that nothing is left undone. */
  signal?: AbortSignal;
  /** Of the run that saves, for a push: what it starts is known to whoever has to end it. */
  supervise?: Supervise;
  onKill?: ToolIO["onKill"];
}

export interface Saved {
  documents: { name: DocumentName; path: string; etag: string }[];
  branch?: string;
  commit?: string;
  pushed?: boolean;
  /** What did not work although the documents are saved, and what to do about it. */
  warning?: string;
  /** Everything was there already, so there is no new commit. */
  unchanged?: boolean;
}

/**
 * Where the documents of features are. What is refused: `invalid_params` for a name that is none, `document_not_found`,
 * `precondition_failed` where `ifMatch` differs, `conflict` where a document moved while it was saved, `too_large`. Where it cannot be
 * told whether it is saved: `timeout`.
 */
export interface FeatureStore {
  readonly kind: "git" | "github" | "folder";
  /** Whether what is saved leaves this machine where who saves says nothing of it: it is configured so. */
  readonly pushes: boolean;
  list(limit: number): Promise<FeatureInfo[]>;
  /** Those that there are; fails where the feature has none at all. */
  read(feature: string, names?: readonly DocumentName[]): Promise<StoredDocument[]>;
  /** Fails with `conflict` where the feature's branch is not one to save on: everyone's, or someone else's. */
  checkSavable(feature: string): Promise<void>;
  /** All of it or nothing. */
  save(feature: string, changes: readonly Change[], options: SaveOptions): Promise<Saved>;
}

export interface GithubSettings {
  /** `owner/name`. */
  repository: string;
  baseUrl: string;
  token: string;
  /** The name of the variable that has the token, for messages. */
  tokenVariable?: string;
  /** The branch that features start from; the repository's default branch, if not said. */
  base?: string;
}

export interface FeatureSettings {
  push?: boolean;
  /** `origin`, if not said. */
  remote?: string;
  /** In place of the git repository of the workspace. */
  github?: GithubSettings;
  /** Whether what the repository's own configuration names may be run when it is pushed. Hooks never are. */
  trusted?: boolean;
}
