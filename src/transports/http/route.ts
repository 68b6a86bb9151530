import type { IncomingMessage, ServerResponse } from "node:http";
import type { WebSocket } from "ws";
import type { Grant } from "../../access/grant.ts";
import type { Caller, Role } from "../../core/roles.ts";

/** One request and what is answered to it. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The parts of the path that the route names, decoded. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  /** Aborts when the server stops: what would go on for ever then says so and ends. */
  readonly stopping: AbortSignal;
  /** Reads the body once. Fails with `too_large` beyond `maxBytes`, the server's own bound if not said. */
  body(maxBytes?: number): Promise<Buffer>;
  /** Counts so much of the answer among what is held for those who have yet to read it; false when there is no room, or nobody to. */
  hold(bytes: number): boolean;
}

/** Of someone who is known. */
export interface KnownExchange extends Exchange {
  readonly caller: Caller;
  /** Aborts when the caller's token is revoked, rotated or expires, or its sign-in ends: what is open then closes. */
  readonly revoked: AbortSignal;
  /** Both of these, as they were given: what is made from it (a ticket, a link) ends with it. */
  readonly grant: Grant;
}

interface AnyRoute {
  method: "GET" | "POST" | "DELETE";
  /** With `:name` for a part that may be anything: "/stream/:sessionId". */
  path: string;
  /** The answer goes on for as long as it likes. Such a GET may come with a ticket, and HEAD is answered without asking the route. */
  stream?: true;
}

/** `open` to everyone, or to callers of that role. What a handler throws is answered in the one way for errors. */
export type Route = AnyRoute &
  (
    | { access: "open"; handle(exchange: Exchange): void | Promise<void> }
    | { access: Role; handle(exchange: KnownExchange): void | Promise<void> }
  );

/** What is known of a WebSocket when it opens. */
export type AboutSocket = Pick<KnownExchange, "params" | "query" | "caller" | "revoked">;

/** What is spoken over a WebSocket. */
export interface SocketRoute {
  path: string;
  access: Role;
  /** `drained` resolves when the other side was told everything: a server that stops waits for that, within its grace. */
  accept(socket: WebSocket, about: AboutSocket): { drained(): Promise<void> } | void;
}
