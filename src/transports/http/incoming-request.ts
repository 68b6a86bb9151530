import { randomUUID } from "node:crypto";
import { IncomingMessage } from "node:http";

/**
 * A request that asks for an upgrade only if it asks for a WebSocket. Node hands over the connection of every request that asks for
 * any, and some clients ask for HTTP/2 with their first one, body and all (Java's does): they get their answer in HTTP/1.1 instead.
 */
export class IncomingRequest extends IncomingMessage {
  // Written by Node's constructor already, so it is no private field.
  declare asksForUpgrade: boolean | null;
  /** By which an answer, a line of the log and what a person tells of it are brought together. What a client calls it counts for nothing. */
  readonly id = randomUUID();

  get upgrade(): boolean | null {
    return this.asksForUpgrade && (this.method === "CONNECT" || asksForWebSocket(this));
  }

  set upgrade(value: boolean | null) {
    this.asksForUpgrade = value;
  }
}

/** Also of a request to a server that is not ours, which has none. */
export function requestIdOf(request: IncomingMessage): string {
  return request instanceof IncomingRequest ? request.id : "";
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
