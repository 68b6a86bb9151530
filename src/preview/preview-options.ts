import type { Caller } from "../core/roles.ts";
import type { DescribedApi } from "./described-api.ts";
import type { FrameBundles } from "./frame-bundles.ts";
import type { Vault } from "./vault.ts";
import type { Resolve } from "./where-it-leads.ts";

/** The text of a description, with the name of the file it came from. */
export interface GivenDescription {
  name: string;
  text: string;
}

/** What the preview knows of sessions. A session that the caller may not see is not there. */
export interface PreviewSessions {
  /** The code of that version, or of the latest; nothing where there is none. */
  codeOf(sessionId: string, version: number | undefined, caller: Caller): Promise<string | undefined>;
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
  /** Where names lead, in place of what the system says. */
  resolve?: Resolve;
}
