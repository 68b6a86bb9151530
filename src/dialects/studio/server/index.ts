import { asDragomanError, DragomanError } from "../../../core/errors.ts";
import type { Caller } from "../../../core/roles.ts";
import type { Sink } from "../../feed.ts";
import { notification, type RpcId, rpcError } from "../../json-rpc.ts";
import { errors } from "../errors.ts";
import { ConnectionSessions } from "./connection-sessions.ts";
import type { FollowedSession } from "./followed-session.ts";
import { FollowedSessions } from "./followed-sessions.ts";
import { type StudioHandlers, studioHandlers, type Told } from "./handlers.ts";
import { OpenRequests } from "./open-requests.ts";
import { demandFor, type Method } from "./permitted.ts";
import type { Services } from "./services.ts";
import { VisibleSessions } from "./visible-sessions.ts";

export type { Services } from "./services.ts";

/** The session that a connection is for, by its address. */
export interface Attached {
  sessionId: string;
  /** The last event of its log that the host has; what happens from now on, if not said. */
  after?: number;
}

interface StudioServerOptions {
  services: Services;
  /** Who is at the other end; without one it is the user, who may do everything. */
  caller?: Caller;
  attach?: Attached;
  sink: Sink;
  /** Sends what belongs to a call. */
  send(json: string): void;
  /** Resolves when there is room to send more. */
  room(): Promise<void>;
  /** The host wants this to end. */
  onExit(): void;
  onError(error: unknown): void;
}

/** A runtime's side of one connection in the `studio` dialect. */
export class StudioServer {
  readonly handlers: StudioHandlers;
  readonly #options: StudioServerOptions;
  readonly #told: Told;
  readonly #requests = new OpenRequests();
  readonly #followed: FollowedSessions;
  readonly #sessions: ConnectionSessions;
  readonly #gone = new AbortController();

  constructor(options: StudioServerOptions) {
    const { services, caller, attach, sink, room, onExit } = options;
    this.#options = options;
    this.#told = { client: "studio", caller };
    // Who comes by an address of ours knows of asks, and is told of those that come before it says what it can.
    const manner = { streaming: true, asks: attach !== undefined, answers: [] };
    const onLost = (followed: FollowedSession, error: unknown) => this.#lost(followed, error);
    const shared = { services, visible: new VisibleSessions(services, caller), requests: this.#requests };
    this.#followed = new FollowedSessions({ ...shared, manner, sink, onLost });
    this.#sessions = new ConnectionSessions({ ...shared, followed: this.#followed });
    const { signal: gone } = this.#gone;
    const roomIfThere = async () => {
      await room();
      gone.throwIfAborted();
    };
    this.handlers = studioHandlers({
      ...shared,
      sessions: this.#sessions,
      followed: this.#followed,
      told: this.#told,
      room: roomIfThere,
      gone,
      onExit,
    });
    if (attach) this.#begin(attach);
  }

  /** Throws where the caller may not do that. */
  allow(method: Method): void {
    demandFor(method, this.#told.caller);
  }

  /** Whether a request is answered by the end of its run. */
  isAnsweredLater(id: RpcId): boolean {
    return this.#requests.get(id) !== undefined;
  }

  /** To be called when something that was sent has left. */
  pump(): void {
    this.#followed.pump();
  }

  /** The host will answer nothing any more, and may still listen. */
  detach(): void {
    this.#followed.detach();
  }

  caughtUp(): Promise<boolean> {
    return this.#followed.caughtUp();
  }

  close(): void {
    this.#gone.abort(new DragomanError("cancelled", "The host is gone."));
    this.#followed.close();
  }

  /** Nobody asked in a message, so what is wrong is told under no id. */
  #begin({ sessionId, after }: Attached): void {
    this.#sessions.beginWith(sessionId, after).catch((error) => this.#fail(null, asDragomanError(error)));
  }

  /** Where the log cannot be read or written any more a run has no end in it, and the host would wait for one forever. */
  #lost({ stamp, session }: FollowedSession, error: unknown): void {
    const known = asDragomanError(error);
    for (const id of this.#requests.under(stamp)) {
      this.#requests.remove(id);
      this.#fail(id, known);
    }
    const told = { kind: "error", message: known.message, sessionId: session.id };
    this.#options.send(JSON.stringify(notification("progress", told)));
    this.#options.onError(error);
  }

  #fail(id: RpcId | null, error: DragomanError): void {
    this.#options.send(JSON.stringify({ jsonrpc: "2.0", id, error: rpcError(errors, error) }));
  }
}
