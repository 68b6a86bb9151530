import type { Writable } from "node:stream";
import { asDragomanError, type DragomanError } from "../core/errors.ts";
import type { Caller } from "../core/roles.ts";
import { type RpcCall, rpcError } from "../dialects/json-rpc.ts";
import { ui } from "../dialects/ui/index.ts";
import { type Services, UiServer } from "../dialects/ui/server/index.ts";
import { lineLink, type Source } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import { checkedParams } from "./rpc-params.ts";
import { RpcPeer } from "./rpc-peer.ts";

interface UiPeerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  /** What the address that the UI connected to says: as if it called `session.watch` with that right after `initialize`. */
  watch?: { session_id: string; after?: number };
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

interface UiConnectionOptions extends Omit<UiPeerOptions, "caller" | "watch"> {
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
  const { services, caller, watch, onEnd, onFault, onError } = options;
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
    handlers: watch ? { ...server.handlers, initialize: greeted(server, watch, send, onFault) } : server.handlers,
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

type Initialize = UiServer["handlers"]["initialize"];

/** Nobody waits for an answer about the session of the address, so that only what is wrong with it is told, under no id. */
function greeted(
  server: UiServer,
  watch: object,
  send: (json: string) => void,
  onFault: (error: DragomanError) => void,
): Initialize {
  let isFirst = true;
  const follow = async () => {
    const afterwards: (() => void)[] = [];
    const call: RpcCall = { id: undefined, afterwards: (action) => afterwards.push(action) };
    try {
      const params = checkedParams("session.watch", ui.calls["session.watch"].params, watch);
      await server.handlers["session.watch"](params as Parameters<(typeof server.handlers)["session.watch"]>[0], call);
    } catch (error) {
      const known = asDragomanError(error);
      if (known.code === "internal") onFault(known);
      send(JSON.stringify({ jsonrpc: "2.0", id: null, error: rpcError(ui.errors, known) }));
    }
    for (const action of afterwards) action();
  };
  return (params, call) => {
    if (isFirst) call.afterwards(() => void follow());
    isFirst = false;
    return server.handlers.initialize(params, call);
  };
}
