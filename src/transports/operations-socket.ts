import { type Clock, systemClock } from "../core/clock.ts";
import type { OperationsServer } from "../dialects/operations/server/index.ts";
import type { Views } from "../dialects/views.ts";
import type { Log } from "./http/log.ts";
import type { SocketRoute } from "./http/route.ts";
import { OperationsConnection } from "./operations-socket-connection.ts";
import { SocketRound } from "./operations-socket-round.ts";

/** The document's: a client may be silent for so long. */
const SILENCE_MS = 5 * 60_000;

/** Much more than the longest answer; who sends it is not to make us read megabytes. */
const MOST_MESSAGE_BYTES = 256 * 1024;

interface OperationsSocketOptions {
  server: OperationsServer;
  views: Views;
  log: Log;
  clock?: Clock;
}

/** Brings operations to whoever watches them, and takes their answers: `/ws?operation_id&session_id&last_received_sequence`. */
export function operationsSocket({ server, views, log, clock = systemClock }: OperationsSocketOptions): SocketRoute {
  const around = { server, views, log, clock, round: new SocketRound(clock) };
  return {
    path: "/ws",
    access: "observe",
    signInParam: "session_id",
    silenceMs: SILENCE_MS,
    messageBytes: MOST_MESSAGE_BYTES,
    compression: (query) => query.get("compress") === "1",
    accept: (socket, about) => new OperationsConnection(socket, about, around),
  };
}
