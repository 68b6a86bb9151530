import { DragomanError } from "../core/errors.ts";

export function isBeyond(): DragomanError {
  const advice = "Connect without last_received_sequence to have them all.";
  return new DragomanError(
    "invalid_params",
    `The operation has fewer messages than last_received_sequence says. ${advice}`,
  );
}

export const wasRemoved = () => new DragomanError("run_not_found", "The operation was removed from the log meanwhile.");

export function isFlood(most: number): DragomanError {
  const message = `More than ${most} messages came within a second. Connect again, and send less.`;
  return new DragomanError("rate_limited", message);
}
