import { WebSocket } from "ws";
import { asDragomanError, DragomanError } from "../core/errors.ts";
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

/** The session that the address names: `?session=<id>&after=<seq>`; nothing where it names none. */
function attachedBy(query: URLSearchParams): { sessionId: string; after?: number } | DragomanError | undefined {
  const [sessionId, after] = [query.get("session"), query.get("after")];
  if (after !== null && !/^\d{1,15}$/.test(after))
    return wrongAddress(`after is ${JSON.stringify(shown(after))}, and no seq`);
  if (sessionId !== null) return { sessionId, ...(after !== null && { after: Number(after) }) };
  return after === null ? undefined : wrongAddress("after is there, and no session");
}

const shown = (text: string) => (text.length > 20 ? `${text.slice(0, 20)}…` : text);

function wrongAddress(why: string): DragomanError {
  const message = `In the address ${why}. It takes /live?session=<id>&after=<seq>, where after is a whole number, or /live alone. The connection goes on.`;
  return new DragomanError("invalid_params", message, { field: "after" });
}
