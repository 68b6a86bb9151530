import type { Writable } from "node:stream";
import { atMost } from "../core/at-most.ts";
import { DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { LiveServer, type Services } from "../dialects/live/server/index.ts";
import { parseJson } from "./json.ts";
import { lineLink, type Source } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import type { Line } from "./ndjson.ts";

/** What was said last may still be on its way; who does not read is not waited for longer. */
const LONGEST_FAREWELL_MS = 5000;

export interface LivePeerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  over: "pipe" | "socket";
  /** A session that is followed from the start, as the address of a socket may say, or what is wrong with what it says. */
  attach?: { sessionId: string; after?: number } | DragomanError;
  /** The client sends no more, or reads no more. */
  onEnd(): void;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** A session's log could not be read. */
  onError(error: unknown): void;
  /** The connection is to be closed: the client was told why. */
  close(): void;
}

export interface Connection {
  /** Tells it from others, also in the log of sessions. */
  readonly id: string;
  /** The client is gone or going: it answers nothing any more, but gets what is still said. */
  detach(): void;
  /** Resolves when everything that the client sent has been dealt with. */
  settled(): Promise<void>;
  /** Resolves when the runs that the client began have ended, as far as it follows them, and it was told so. */
  runsEnded(): Promise<void>;
  /** Resolves when the client has been sent everything of its sessions, or cannot be. */
  drained(): Promise<void>;
  close(): void;
}

interface LiveConnectionOptions extends LivePeerOptions {
  input: Source;
  output: Writable;
  maxLineBytes?: number;
}

/** Speaks `live` over a pair of byte streams, a line a message. */
export function connectLive({ input, output, maxLineBytes, ...options }: LiveConnectionOptions): Connection {
  return speakLive(options, (events) => lineLink({ input, output, maxLineBytes }, events));
}

/** Speaks `live` over a link. */
export function speakLive(options: LivePeerOptions, open: (events: LinkEvents) => MessageLink): Connection {
  const { services, caller, over, attach, onEnd, onFault, onError } = options;
  let ended = false;
  const end = () => {
    ended = true;
    onEnd();
  };
  const link: MessageLink = open({
    onMessage: (line) => take(server, line),
    onSent: () => server.pump(),
    onEnd: end,
    onClosed: end,
  });
  const close = () => void atMost(LONGEST_FAREWELL_MS, link.flushed()).then(() => options.close());
  const server = new LiveServer({ services, caller, link, over, close, onFault, onError });
  if (attach instanceof DragomanError) server.refuse(attach);
  else if (attach) {
    const { sessionId, after } = attach;
    server.receive({ type: "session_start", session_id: sessionId, data: { after } }, 0);
  }
  // While the client could still send, it is this process that is about to end.
  const farewell = () => void (ended || server.stopping());
  return {
    id: server.connection,
    detach: () => {
      farewell();
      server.detach();
    },
    settled: () => server.settled(),
    runsEnded: () => server.runsEnded(),
    drained: async () => {
      farewell();
      await link.drained(() => server.caughtUp());
    },
    close: () => server.close(),
  };
}

function take(server: LiveServer, line: Line): void {
  let value: unknown;
  try {
    if (typeof line !== "string") throw line;
    value = parseJson(line);
  } catch (error) {
    server.refuse(error);
    return;
  }
  server.receive(value, typeof line === "string" ? line.length : 0);
}
