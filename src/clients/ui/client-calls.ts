import type { Method, Params, Result, UiContext } from "./protocol.ts";
import { UiError } from "./ui-error.ts";

export interface CallOptions {
  /** Instead of the usual one for that method; `Infinity` waits for ever. */
  timeoutMs?: number;
  signal?: AbortSignal;
}

type Given<T> = T & CallOptions;
/** A session that is left out is the connection's current one. */
type OfSession = { sessionId?: string };

/** The calls by name, for whoever can make a call. */
export abstract class ClientCalls {
  abstract call<M extends Method>(method: M, params: Params<M>, options?: CallOptions): Promise<Result<M>>;

  async sessions(given: Given<{ limit?: number; workspaceRoot?: string }> = {}) {
    const { limit, workspaceRoot: workspace_root } = given;
    return (await this.call("session.list", { limit, workspace_root }, given)).sessions;
  }

  /** Those of an engine; of the session's, if none is named. */
  models(given: Given<OfSession & { provider?: string; includeDetails?: boolean; engine?: string }> = {}) {
    const { provider, includeDetails: include_details, engine, sessionId: session_id } = given;
    return this.call("model.list", { provider, include_details, engine, session_id }, given);
  }

  /** From the next run on; where no session is named, also for those that begin later on this connection. */
  setModel(name: string, given: Given<OfSession & { provider?: string }> = {}) {
    const { provider, sessionId: session_id } = given;
    return this.call("model.set", { name, provider, session_id }, given);
  }

  /** What there is to do the work, and which the session has. */
  engines(given: Given<OfSession> = {}) {
    return this.call("engine.list", { session_id: given.sessionId }, given);
  }

  /** As `setModel`. */
  setEngine(name: string, given: Given<OfSession & { model?: string }> = {}) {
    const { model, sessionId: session_id } = given;
    return this.call("engine.set", { name, model, session_id }, given);
  }

  async mcp(given: Given<{ scope?: "loaded" | "configured" }> = {}) {
    return (await this.call("mcp.list", { scope: given.scope }, given)).servers;
  }

  skills(given: Given<{ cwd?: string; forceReload?: boolean }> = {}) {
    const { cwd, forceReload: force_reload } = given;
    return this.call("skills.list", { cwd, force_reload }, given);
  }

  async updateContext(context: UiContext, options?: CallOptions): Promise<void> {
    await this.call("ui.context.update", context, options);
  }

  todos(given: Given<OfSession> = {}) {
    return this.call("todos.list", { session_id: given.sessionId }, given);
  }

  /** All of them, asked for a page of `limit` at a time. */
  async *artifacts(given: Given<OfSession & { limit?: number }> = {}) {
    const { sessionId: session_id, limit } = given;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Result<"artifact.list"> = await this.call("artifact.list", { session_id, limit, after }, given);
      yield* page.artifacts;
      after = nextAfter(page.next_after, after);
    }
  }

  readArtifact(artifactId: string, given: Given<OfSession & { offset?: number; limit?: number }> = {}) {
    const { sessionId: session_id, offset, limit } = given;
    return this.call("artifact.read", { artifact_id: artifactId, session_id, offset, limit }, given);
  }

  /** The parts of the export in order, each of at most `limit` events. */
  async *exportHistory(given: Given<OfSession & { format?: "jsonl" | "markdown"; limit?: number }> = {}) {
    const { sessionId: session_id, format, limit } = given;
    for (let after: number | undefined = 0; after !== undefined; ) {
      const page: Result<"history.export"> = await this.call(
        "history.export",
        { session_id, format, limit, after },
        given,
      );
      yield page;
      after = nextAfter(page.next_after, after);
    }
  }

  readonly workspace = {
    list: (path = ".", given: Given<{ depth?: number; limit?: number }> = {}) =>
      this.call("workspace.list", { path, depth: given.depth, limit: given.limit }, given),
    read: (path: string, given: Given<{ startLine?: number; maxLines?: number }> = {}) =>
      this.call("workspace.read", { path, start_line: given.startLine, max_lines: given.maxLines }, given),
    search: (query: string, given: Given<SearchOptions> = {}) => {
      const { regex, caseSensitive: case_sensitive, path, glob, limit } = given;
      return this.call("workspace.search", { query, regex, case_sensitive, path, glob, limit }, given);
    },
  };
}

export interface SearchOptions {
  regex?: boolean;
  caseSensitive?: boolean;
  path?: string;
  glob?: string;
  limit?: number;
}

/** A cursor that does not advance would be asked for without end. */
function nextAfter(next: number | undefined, after: number): number | undefined {
  if (next === undefined || next > after) return next;
  throw new UiError("protocol", `The runtime's next page begins at ${next}, which is not after ${after}`);
}
