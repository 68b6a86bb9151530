import { DragomanError } from "../../../core/errors.ts";
import type { Desk, Handlers } from "./desk.ts";

const nothing = () => {};

type Handled = "auth" | "flow_control" | "ack" | "heartbeat" | "status_update" | "error";
type ConnectionHandlers = Pick<Handlers, Handled | "tool_execution_status" | "backpressure_alert">;

/** What a connection works by. */
export function connectionHandlers(desk: Desk): ConnectionHandlers {
  const { credit, followed, inflow, speaker, unacknowledged } = desk;
  return {
    auth: nothing, // it is known who this is
    heartbeat: nothing, // that something came is all it says
    status_update: nothing,
    error: nothing,
    tool_execution_status: nothing,
    backpressure_alert: nothing,
    flow_control: ({ data, session_id: sessionId, correlation_id: correlationId }) => {
      credit.grant(data.available_capacity);
      followed.pump();
      const { requested_capacity } = data;
      if (requested_capacity === undefined) return;
      const available_capacity = Math.min(requested_capacity, inflow.free);
      speaker.say("flow_control", { available_capacity, requested_capacity }, { sessionId, correlationId });
    },
    ack: ({ data, session_id }) => {
      const { ids } = followed;
      const sessionId = session_id ?? (ids.length === 1 ? ids[0] : undefined);
      if (data.seq === undefined) return;
      if (sessionId === undefined) {
        const message = "An ack names the session_id of what it acknowledges, where not just one session is followed.";
        throw new DragomanError("invalid_params", message, {
          error_code: "MISSING_REQUIRED_FIELD",
          field: "session_id",
        });
      }
      unacknowledged.acknowledge(sessionId, data.seq);
    },
  };
}
