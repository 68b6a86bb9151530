import { ServerSocket, type ServerTarget, serverAddress } from "../server-socket.ts";
import { type Connect, MOST_BYTES } from "./link.ts";

/** What the package `ws` holds on top of a message while it is unpacked. */
const MOST_PAYLOAD = MOST_BYTES + 1024;

export type WebSocketTarget = ServerTarget;

/** A link over a WebSocket, in a browser and in Node. */
export function webSocketLink(target: WebSocketTarget): Connect {
  const address = serverAddress(target.url, "/live");
  return (events) => {
    const message = (data: unknown) => {
      if (typeof data === "string" && data.length <= MOST_BYTES) events.message(data);
      else events.unreadable("A message came that is no text, or is too long");
    };
    return new ServerSocket(
      { target, address, mostBytes: MOST_PAYLOAD },
      { opened: () => events.opened(), message, closed: (end) => events.closed(end) },
    );
  };
}
