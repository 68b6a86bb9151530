import { WebSocket } from "ws";
import { asDragomanError, type DragomanError } from "../core/errors.ts";
import type { Services } from "../dialects/live/server/index.ts";
import type { SocketRoute } from "./http/route.ts";
import { socketLink } from "./http/websocket-link.ts";
import { speakLive } from "./live-connection.ts";
import { fatalNotice } from "./live-notice.ts";

/** With what a socket is closed after an `error` that said why. */
const AFTER_ERROR = 1008;

interface LiveSocketOptions {
  services: Services;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** A session's log could not be read. */
  onError(error: unknown): void;
}

/** Speaks `live` over WebSockets: `/live?session=<id>&after=<seq>`, or `/live` alone. A run goes on when its socket closes. */
export function liveSocket({ services, onFault, onError }: LiveSocketOptions): SocketRoute {
  return {
    path: "/live",
    access: "observe",
    accept: (socket, { caller, query, revoked }) => {
      const connection = speakLive(
        {
          ...{ services, caller, onFault, onError },
          attach: attachedBy(query),
          over: "socket",
          onEnd: () => connection.close(),
          close: () => socket.close(AFTER_ERROR),
        },
        (events) => socketLink(socket, events),
      );
      const tellRevoked = () => {
        connection.close();
        if (socket.readyState !== WebSocket.OPEN) return;
        socket.send(fatalNotice(asDragomanError(revoked.reason), services.clock));
      };
      revoked.addEventListener("abort", tellRevoked);
      socket.once("close", () => revoked.removeEventListener("abort", tellRevoked));
      return connection;
    },
  };
}

/** The session that the address names: `?session=<id>&after=<seq>`. A number that is none is told as such. */
function attachedBy(query: URLSearchParams): { sessionId: string; after?: number } | undefined {
  const [sessionId, after] = [query.get("session"), query.get("after")];
  if (sessionId === null) return undefined;
  return { sessionId, ...(after !== null && { after: /^\d{1,15}$/.test(after) ? Number(after) : Number.NaN }) };
}
