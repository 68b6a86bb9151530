import type { Writable } from "node:stream";
import type { DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { ui } from "../dialects/ui/index.ts";
import { type Services, UiServer } from "../dialects/ui/server/index.ts";
import { lineLink, type Source } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import { RpcPeer } from "./rpc-peer.ts";

interface UiPeerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  /** The UI sends no more, or reads no more. */
  onEnd(): void;
  /** A fault of ours, for whoever looks after this process. */
  onFault(error: DragomanError): void;
  /** The session's log could not be read. */
  onError(error: unknown): void;
}

export interface UiConnection {
  /** The UI is gone or going: it answers nothing any more, but gets what is still said. */
  detach(): void;
  /** Resolves when everything that the UI sent has been dealt with. */
  settled(): Promise<void>;
  /** Resolves when the UI has been sent everything of its sessions, or cannot be. */
  drained(): Promise<void>;
  close(): void;
}

interface UiConnectionOptions extends Omit<UiPeerOptions, "caller"> {
  input: Source;
  output: Writable;
  maxLineBytes?: number;
}

/** Speaks `ui` over a pair of byte streams. */
export function connectUi({ input, output, maxLineBytes, ...options }: UiConnectionOptions): UiConnection {
  return speakUi(options, (events) => lineLink({ input, output, maxLineBytes }, events));
}

/** Speaks `ui` over a link. */
export function speakUi(options: UiPeerOptions, open: (events: LinkEvents) => MessageLink): UiConnection {
  const { services, caller, onEnd, onFault, onError } = options;
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
  const server = new UiServer({ services, caller, sink, send, room: () => link.room(), onError });
  const peer = new RpcPeer({
    calls: ui.calls,
    errors: ui.errors,
    handlers: server.handlers,
    allow: (method) => server.allow(method),
    onReply: (reply) => server.onReply(reply),
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
