import type { FeatureSettings, FeatureStore } from "./feature-store.ts";
import { GithubStore } from "./github-store.ts";
import { WorkspaceStore } from "./workspace-store.ts";

export { etagOf, isFeatureName } from "./document-content.ts";
export type * from "./feature-store.ts";
export { type FileStore, fileStore } from "./file-store.ts";

/** Where the features of a workspace are: on GitHub where that is configured, else in its git repository, else in plain files. */
export function featureStore(workspace: string, settings: FeatureSettings): FeatureStore {
  return settings.github ? new GithubStore(settings.github) : new WorkspaceStore(workspace, settings);
}
