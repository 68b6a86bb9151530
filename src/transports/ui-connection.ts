import { asDragomanError, type DragomanError } from "../core/errors.ts";
import { type RpcCall, rpcError } from "../dialects/json-rpc.ts";
import { ui } from "../dialects/ui/index.ts";
import { type Services, UiServer } from "../dialects/ui/server/index.ts";
import { lineLink } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import { type RpcConnection, type RpcConnectionOptions, rpcConnection, type Streams } from "./rpc-connection.ts";
import { checkedParams } from "./rpc-params.ts";
import { RpcPeer } from "./rpc-peer.ts";

interface UiPeerOptions extends RpcConnectionOptions<Services> {
  /** What the address that the UI connected to says: as if it called `session.watch` with that right after `initialize`. */
  watch?: { session_id: string; after?: number };
}

type UiStreamOptions = Omit<UiPeerOptions, "caller" | "watch"> & Streams;

/** Speaks `ui` over a pair of byte streams. */
export function connectUi({ input, output, maxLineBytes, ...options }: UiStreamOptions): RpcConnection {
  return speakUi(options, (events) => lineLink({ input, output, maxLineBytes }, events));
}

/** Speaks `ui` over a link. */
export function speakUi(options: UiPeerOptions, open: (events: LinkEvents) => MessageLink): RpcConnection {
  const { services, caller, watch, onEnd, onFault, onError } = options;
  return rpcConnection(onEnd, open, ({ sink, send, room, hold }) => {
    const server = new UiServer({ services, caller, sink, send, room, onError });
    const peer = new RpcPeer({
      calls: ui.calls,
      errors: ui.errors,
      handlers: watch ? { ...server.handlers, initialize: greeted(server, watch, send, onFault) } : server.handlers,
      allow: (method) => server.allow(method),
      onReply: (reply) => server.onReply(reply),
      send,
      hold,
      onFault,
    });
    return { server, peer };
  });
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
