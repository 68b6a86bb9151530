import { join } from "node:path";
import { CONFIG_FILE, type ConfigFile, readConfigFile } from "./config-file.ts";
import { type Trust, trustOf } from "./trust.ts";
import { readRecord, realWorkspace, type WorkspaceRecord } from "./workspace-record.ts";

export interface SourcesOptions {
  workspace: string;
  /** Dragoman's data folder. */
  home: string;
}

/** Everything on disk that has a say in a workspace, read once, so that what is trusted is what is used. */
export interface Sources {
  /** The real path. */
  workspace: string;
  project?: ConfigFile;
  user?: ConfigFile;
  record: WorkspaceRecord;
  trust: Trust;
}

export async function readSources({ workspace, home }: SourcesOptions): Promise<Sources> {
  const real = await realWorkspace(workspace);
  const [project, user, record] = await Promise.all([
    readConfigFile(join(real, CONFIG_FILE), "project"),
    readConfigFile(join(home, CONFIG_FILE), "user"),
    readRecord(home, real),
  ]);
  return { workspace: real, project, user, record, trust: trustOf(record, project?.sha256 ?? "absent") };
}
