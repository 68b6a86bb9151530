import { studio } from "../dialects/studio/index.ts";
import { type Attached, type Services, StudioServer } from "../dialects/studio/server/index.ts";
import { lineLink } from "./line-link.ts";
import type { LinkEvents, MessageLink } from "./message-link.ts";
import { type RpcConnection, type RpcConnectionOptions, rpcConnection, type Streams } from "./rpc-connection.ts";
import { RpcPeer } from "./rpc-peer.ts";

interface StudioPeerOptions extends RpcConnectionOptions<Services> {
  /** The session that the connection is for, if it has an address that says so. */
  attach?: Attached;
  /** The host said that this may end. */
  onExit(): void;
}

type StudioStreamOptions = Omit<StudioPeerOptions, "caller" | "attach"> & Streams;

/** Speaks `studio` over a pair of byte streams. */
export function connectStudio({ input, output, maxLineBytes, ...options }: StudioStreamOptions): RpcConnection {
  return speakStudio(options, (events) => lineLink({ input, output, maxLineBytes }, events));
}

/** Speaks `studio` over a link. */
export function speakStudio(options: StudioPeerOptions, open: (events: LinkEvents) => MessageLink): RpcConnection {
  const { services, caller, attach, onEnd, onExit, onFault, onError } = options;
  return rpcConnection(onEnd, open, ({ sink, send, room, hold }) => {
    const server = new StudioServer({ services, caller, attach, sink, send, room, onExit, onError });
    const peer = new RpcPeer({
      calls: studio.calls,
      errors: studio.errors,
      handlers: server.handlers,
      allow: (method) => server.allow(method),
      isAnsweredLater: (id) => server.isAnsweredLater(id),
      onReply: () => {}, // nothing is ever asked of a host by a request
      send,
      hold,
      onFault,
    });
    return { server, peer };
  });
}
