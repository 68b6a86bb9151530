import type { ClientOptions } from "./client-options.ts";
import type { WebSocketTarget } from "./web-socket-link.ts";

/** Where a server is, and the session there that is watched from the start; `addresses.ui` of a listed session says both. */
export interface ServerOptions extends WebSocketTarget {
  session?: string;
  /** A number of the session's log; without it, what comes from now on is told. */
  after?: number;
}

/** A server that is away comes back, so that there is no end to the attempts. */
export function lastingRestart(restart: ClientOptions["restart"]): ClientOptions["restart"] {
  return restart === false ? false : { mostAttempts: Number.POSITIVE_INFINITY, ...restart };
}

export interface Watched {
  sessionId: string;
  after: number | undefined;
}

/**
 * The session is asked for, and does not stand in the address: a connection that is made again goes on where the one before was.
 * Throws where the address is none.
 */
export function splitTarget(options: ServerOptions): { target: WebSocketTarget; watched: Watched | undefined } {
  const { url, token, WebSocket, fetch, session, after } = options;
  const address = new URL(url);
  const { searchParams } = address;
  const sessionId = session ?? searchParams.get("session");
  const from = after ?? (session === undefined ? numberIn(searchParams.get("after")) : undefined);
  for (const name of ["session", "after"]) searchParams.delete(name);
  const watched = sessionId === null ? undefined : { sessionId, after: from };
  return { target: { url: address.href, token, WebSocket, fetch }, watched };
}

/** What is no number is told as such by the server. */
function numberIn(text: string | null): number | undefined {
  return text === null ? undefined : Number(text.trim() || Number.NaN);
}
