import type { Writable } from "node:stream";
import type { DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import type { Sink } from "../dialects/feed.ts";
import type { Source } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import type { Line } from "./ndjson.ts";

/** What is said of every connection, whichever dialect of JSON-RPC is spoken on it. */
export interface RpcConnectionOptions<Services> {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  /** The other side sends no more, or reads no more. */
  onEnd(): void;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** The session's log could not be read. */
  onError(error: unknown): void;
}

/** A pair of byte streams, on which one line is one message. */
export interface Streams {
  input: Source;
  output: Writable;
  maxLineBytes?: number;
}

export interface RpcConnection {
  /** The other side is gone or going: it answers nothing any more, but gets what is still said. */
  detach(): void;
  /** Resolves when everything that the other side sent has been dealt with; a run that it asked for may go on. */
  settled(): Promise<void>;
  /** Resolves when the other side has been sent everything of its sessions, or cannot be. */
  drained(): Promise<void>;
  close(): void;
}

/** How the two that speak reach the other side. */
interface Wire {
  sink: Sink;
  send(json: string): void;
  room(): Promise<void>;
  hold(): () => void;
}

interface Speakers {
  /** Tells of the sessions. */
  server: { pump(): void; detach(): void; caughtUp(): Promise<boolean>; close(): void };
  /** Answers the calls. */
  peer: { receive(line: Line): void; settled(): Promise<void> };
}

/** Joins a link with those who speak on it. */
export function rpcConnection(
  onEnd: () => void,
  open: (events: LinkEvents) => MessageLink,
  speakersOn: (wire: Wire) => Speakers,
): RpcConnection {
  const link: MessageLink = open({
    onMessage: (line) => peer.receive(line),
    onSent: () => server.pump(),
    onEnd,
    onClosed: onEnd,
  });
  const sink = {
    write: (frames: { text: string }[]) => {
      for (const { text } of frames) link.send(text);
    },
    get unsent() {
      return link.unsent;
    },
  };
  const send = (json: string) => link.send(json);
  const { server, peer } = speakersOn({ sink, send, room: () => link.room(), hold: () => link.hold() });
  return {
    detach: () => server.detach(),
    settled: () => peer.settled(),
    drained: () => link.drained(() => server.caughtUp()),
    close: () => server.close(),
  };
}
