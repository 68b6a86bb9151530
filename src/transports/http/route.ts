import type { IncomingMessage, ServerResponse } from "node:http";
import type { Duplex } from "node:stream";
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
  /** As the answer's X-Request-Id and the log have it. */
  readonly requestId: string;
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
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
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

/** What is known of an upgrade that was let in. In `query` a sign-in is not the text that was sent but its `signIn`. */
export interface AboutUpgrade extends Pick<KnownExchange, "params" | "query" | "caller" | "revoked"> {
  readonly requestId?: string;
  /** Stands for the sign-in it came with, if it came with one: the same for all of its sockets, and no secret. */
  readonly signIn?: string;
}

/** What is known of a WebSocket when it opens. */
export interface AboutSocket extends AboutUpgrade {
  /**
   * What carries the socket. Whole frames that were made once for many may be written to it while the socket is OPEN, and if none is sent
   * by `socket.send` at the same time that is being compressed; pings and the close go between them. What it holds counts as unsent.
   */
  readonly stream: Duplex;
  /** Aborts when the sign-in ends or its token does. A route that listens hears of it while the socket is still OPEN. */
  readonly revoked: AbortSignal;
  /** Messages may be compressed (RFC 7692), each by itself and with a window of 15 bits. */
  readonly deflate: boolean;
}

/** What is spoken over a WebSocket. */
export interface SocketRoute {
  path: string;
  access: Role;
  /** The parameter of the query that may bring a sign-in of a program, which then is enough by itself: "session_id". */
  signInParam?: string;
  /** For so long the other side may leave pings unanswered; else until the next one. */
  silenceMs?: number;
  /** Of one message of the other side, where it may be less than elsewhere. A larger one closes with 1009. */
  messageBytes?: number;
  /** Whether compression is agreed to, if the client offers it; else it is not. */
  compression?(query: URLSearchParams): boolean;
  /** `drained` resolves when the other side was told everything: a server that stops waits for that, within its grace. */
  accept(socket: WebSocket, about: AboutSocket): { drained(): Promise<void> } | void;
}
