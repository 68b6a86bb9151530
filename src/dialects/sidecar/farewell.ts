import { randomId } from "../../core/ids.ts";
import type { Frame } from "../dialect.ts";
import type { Message } from "./messages.ts";

const content = "The server stops. Your sessions are kept: connect again when it is back.";

/** What a stream ends with when the server stops. Without an id: it is of the connection, not of the session. */
export function farewell(): Frame {
  const message: Message = { event: "timeline.message", data: { messageId: randomId(), role: "system", content } };
  return { event: message.event, text: JSON.stringify(message.data), skippable: false, message };
}
