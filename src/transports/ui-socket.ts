import type { DragomanError } from "../core/errors.ts";
import type { Services } from "../dialects/ui/server/index.ts";
import type { SocketRoute } from "./http/route.ts";
import { socketLink } from "./http/websocket-link.ts";
import { speakUi } from "./ui-connection.ts";

interface UiSocketOptions {
  services: Services;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** A session's log could not be read. */
  onError(error: unknown): void;
}

/** Speaks `ui` over WebSockets: each is a UI of its own, and may do what its caller may. A run goes on when its socket closes. */
export function uiSocket({ services, onFault, onError }: UiSocketOptions): SocketRoute {
  return {
    path: "/ui",
    access: "observe",
    accept: (socket, { caller, query }) => {
      const onEnd = () => connection.close();
      const options = { services, caller, watch: watchIn(query), onEnd, onFault, onError };
      const connection = speakUi(options, (events) => socketLink(socket, events));
      return connection;
    },
  };
}

/** `?session=<id>&after=<seq>`. What is no number is told as such when it is looked at. */
function watchIn(query: URLSearchParams): { session_id: string; after?: number } | undefined {
  const session_id = query.get("session");
  const after = query.get("after");
  if (session_id === null) return undefined;
  return { session_id, ...(after !== null && { after: after.trim() === "" ? Number.NaN : Number(after) }) };
}
