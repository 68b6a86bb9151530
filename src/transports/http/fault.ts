import { randomUUID } from "node:crypto";
import { asDragomanError, DragomanError } from "../../core/errors.ts";
import { type Log, loggable } from "./log.ts";

/** What may be told of an error. Of a fault of ours that is a reference, under which the log has the rest. */
export function tellable(thrown: unknown, route: string | undefined, log: Log): DragomanError {
  const error = asDragomanError(thrown);
  if (error.code !== "internal") return error;
  const reference = randomUUID();
  const { stack, message } = error.cause instanceof Error ? error.cause : error;
  const said = loggable((stack ?? message).replaceAll(/\s*\n\s*/g, " "));
  log({ level: "error", event: "http.failed", route: route ?? "", reference, error: said });
  const advice = `The server's log says more about it, under ${reference}.`;
  return new DragomanError("internal", `Something went wrong here that is not your fault. ${advice}`);
}
