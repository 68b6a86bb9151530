import type { DragomanError } from "../core/errors.ts";
import type { Attached, Services } from "../dialects/studio/server/index.ts";
import type { SocketRoute } from "./http/route.ts";
import { socketLink } from "./http/websocket-link.ts";
import { speakStudio } from "./studio-connection.ts";

interface StudioSocketOptions {
  services: Services;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** A session's log could not be read. */
  onError(error: unknown): void;
}

const NORMAL = 1000;

/** Speaks `studio` over WebSockets: each is a host of its own, and may do what its caller may. A run goes on when its socket closes. */
export function studioSocket({ services, onFault, onError }: StudioSocketOptions): SocketRoute {
  return {
    path: "/studio",
    access: "observe",
    accept: (socket, { caller, query }) => {
      const onEnd = () => connection.close();
      const onExit = () => socket.close(NORMAL);
      const about = { services, caller, attach: attachedBy(query), onEnd, onExit, onFault, onError };
      const connection = speakStudio(about, (events) => socketLink(socket, events));
      return connection;
    },
  };
}

/** The session that the address names: `?session=<id>&after=<seq>`. A number that is none is told as such. */
function attachedBy(query: URLSearchParams): Attached | undefined {
  const sessionId = query.get("session");
  const after = query.get("after");
  if (sessionId === null) return undefined;
  return { sessionId, ...(after !== null && { after: /^\d{1,15}$/.test(after) ? Number(after) : Number.NaN }) };
}
