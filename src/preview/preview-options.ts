import type { Caller } from "../core/roles.ts";
import type { DescribedApi } from "./described-api.ts";
import type { FrameBundles } from "./frame-bundles.ts";
import type { Vault } from "./vault.ts";

/** A version of the interface of a session. */
export interface InterfaceVersion {
  code: string;
  version: number;
}

/** The text of a description, with the name of the file it came from. */
export interface GivenDescription {
  name: string;
  text: string;
}

/** What the preview knows of sessions. A session that the caller may not see is not there. */
export interface PreviewSessions {
  /** That version, or the latest; nothing where there is none. */
  codeOf(sessionId: string, version: number | undefined, caller: Caller): Promise<InterfaceVersion | undefined>;
  /** What its interface was generated for. */
  apiOf(sessionId: string, caller: Caller): Promise<DescribedApi | undefined>;
  /** Has an interface made of the description, in that session or a new one. Resolves when that has begun. */
  begin(
    sessionId: string | undefined,
    description: GivenDescription,
    caller: Caller,
  ): Promise<{ sessionId: string; runId: string }>;
}

export interface PreviewOptions {
  sessions: PreviewSessions;
  vault: Vault;
  bundles: FrameBundles;
}
