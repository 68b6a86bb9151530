import { DragomanError } from "../../../core/errors.ts";
import type { Origin } from "../../../core/events.ts";
import type { Caller } from "../../../core/roles.ts";
import type { ClientMessage } from "../parse.ts";
import type { CreditGate } from "./credit.ts";
import type { FollowedSessions } from "./followed-sessions.ts";
import type { Inflow } from "./inflow.ts";
import type { LiveLink } from "./services.ts";
import type { Sessions } from "./sessions.ts";
import type { Speaker } from "./speaker.ts";
import type { Unacknowledged } from "./unacknowledged.ts";

export type CallType = ClientMessage["type"];
export type MessageOf<Type extends CallType> = Extract<ClientMessage, { type: Type }>;
export type Handlers = { [Type in CallType]: (message: MessageOf<Type>) => void | Promise<void> };

/** What a connection is made of, for those who deal with its messages. */
export interface Desk {
  caller?: Caller;
  /** Tells this connection from others in the log. */
  connection: string;
  link: LiveLink;
  sessions: Sessions;
  followed: FollowedSessions;
  speaker: Speaker;
  credit: CreditGate;
  unacknowledged: Unacknowledged;
  inflow: Inflow;
}

/** Who does it, and for which message of theirs. */
export function originOf({ caller, connection }: Desk, message: { correlation_id?: string }): Origin {
  const { correlation_id: requestId } = message;
  return {
    dialect: "live",
    ...(caller && { user: caller.name }),
    connection,
    ...(requestId !== undefined && { requestId }),
  };
}

/** The session that a message names, or the current one. */
export function namedSession({ followed }: Desk, { session_id }: { session_id?: string }): string {
  const id = session_id ?? followed.current;
  if (id !== undefined) return id;
  const message =
    "There is no session on this connection yet. Name one as session_id, or begin one with session_start.";
  throw new DragomanError("session_not_found", message);
}
