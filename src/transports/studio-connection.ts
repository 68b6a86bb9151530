import type { Writable } from "node:stream";
import type { DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { studio } from "../dialects/studio/index.ts";
import { type Attached, type Services, StudioServer } from "../dialects/studio/server/index.ts";
import { lineLink, type Source } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import { RpcPeer } from "./rpc-peer.ts";

interface StudioPeerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  /** The session that the connection is for, if it has an address that says so. */
  attach?: Attached;
  /** The host sends no more, or reads no more. */
  onEnd(): void;
  /** The host said that this may end. */
  onExit(): void;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** The session's log could not be read. */
  onError(error: unknown): void;
}

export interface StudioConnection {
  /** The host is gone or going: it answers nothing any more, but gets what is still said. */
  detach(): void;
  /** Resolves when everything that the host sent has been dealt with, but for the runs that it asked for. */
  settled(): Promise<void>;
  /** Resolves when the host has been sent everything of its sessions, or cannot be. */
  drained(): Promise<void>;
  close(): void;
}

interface StudioConnectionOptions extends Omit<StudioPeerOptions, "caller" | "attach"> {
  input: Source;
  output: Writable;
  maxLineBytes?: number;
}

/** Speaks `studio` over a pair of byte streams. */
export function connectStudio({ input, output, maxLineBytes, ...options }: StudioConnectionOptions): StudioConnection {
  return speakStudio(options, (events) => lineLink({ input, output, maxLineBytes }, events));
}

/** Speaks `studio` over a link. */
export function speakStudio(options: StudioPeerOptions, open: (events: LinkEvents) => MessageLink): StudioConnection {
  const { services, caller, attach, onEnd, onExit, onFault, onError } = options;
  const link: MessageLink = open({
    onMessage: (text) => peer.receive(text),
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
  const room = () => link.room();
  const server = new StudioServer({ services, caller, attach, sink, send, room, onExit, onError });
  const peer = new RpcPeer({
    calls: studio.calls,
    errors: studio.errors,
    handlers: server.handlers,
    allow: (method) => server.allow(method),
    isAnsweredLater: (id) => server.isAnsweredLater(id),
    onReply: () => {}, // nothing is ever asked of a host by a request
    send,
    hold: () => link.hold(),
    onFault,
  });
  return {
    detach: () => server.detach(),
    settled: () => peer.settled(),
    drained: async () => {
      while (!link.closed && !(await server.caughtUp())) await new Promise((resolve) => setTimeout(resolve, 5));
      await link.flushed();
    },
    close: () => server.close(),
  };
}
