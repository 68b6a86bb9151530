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
    accept: (socket, { caller }) => {
      const onEnd = () => connection.close();
      const connection = speakUi({ services, caller, onEnd, onFault, onError }, (events) => socketLink(socket, events));
      return connection;
    },
  };
}
