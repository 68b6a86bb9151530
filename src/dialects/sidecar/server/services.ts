import type { Clock } from "../../../core/clock.ts";
import type { Runtime } from "../../../core/runtime.ts";
import type { SessionSummary } from "../../../core/summary.ts";
import type { Logged } from "../../logged.ts";
import type { Post } from "./post.ts";

/** What a server for plugins is made of; whoever starts it brings it along. */
export interface Services {
  runtime: Runtime;
  /** Of new sessions. */
  engine: string;
  model?: string;
  /** The folder that is served. */
  workspace: string;
  callbacks: {
    /** Where callbacks may go besides this machine. */
    allowedHosts: readonly string[];
    /** Of sessions that name none. */
    url?: string;
  };
  /** What a callback for a session of that token is signed with; nothing when the token is gone. */
  callbackKey(tokenId: string): Buffer | undefined;
  post: Post;
  /** Where a session is found in each protocol; nothing where only this one is served. */
  addresses?(summary: SessionSummary): Record<string, string>;
  clock: Clock;
  log(entry: Logged): void;
}
