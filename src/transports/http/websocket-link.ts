import { WebSocket } from "ws";
import { DragomanError } from "../../core/errors.ts";
import { type LinkEvents, MessageLink } from "../message-link.ts";

/** Less than what a socket is cut for: a slow reader is listened to less before it comes to that. */
const MOST_UNSENT_BYTES = 1024 * 1024;

/** One message a text frame, in and out. From a socket that is closing nothing more is taken. */
export function socketLink(socket: WebSocket, events: LinkEvents): MessageLink {
  const link = new MessageLink({
    write: (messages, sent) => {
      for (const message of messages.slice(0, -1)) socket.send(message);
      socket.send(messages.at(-1) ?? "", () => sent());
    },
    pause: () => socket.pause(),
    resume: () => socket.resume(),
    mostUnsentBytes: MOST_UNSENT_BYTES,
    onSent: () => events.onSent?.(),
    onClosed: () => events.onClosed?.(),
  });
  socket.on("message", (data, isBinary) => {
    if (socket.readyState !== WebSocket.OPEN) return;
    events.onMessage(isBinary ? new DragomanError("invalid_request", "A message is a text frame.") : data.toString());
  });
  socket.once("close", () => {
    events.onEnd();
    link.close();
  });
  return link;
}
