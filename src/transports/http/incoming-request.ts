import { IncomingMessage } from "node:http";

/**
 * A request that asks for an upgrade only if it asks for a WebSocket. Node hands over the connection of every request that asks for
 * any, and some clients ask for HTTP/2 with their first one, body and all (Java's does): they get their answer in HTTP/1.1 instead.
 */
export class IncomingRequest extends IncomingMessage {
  // Written by Node's constructor already, so it is no private field.
  declare asksForUpgrade: boolean | null;

  get upgrade(): boolean | null {
    return this.asksForUpgrade && (this.method === "CONNECT" || asksForWebSocket(this));
  }

  set upgrade(value: boolean | null) {
    this.asksForUpgrade = value;
  }
}

function asksForWebSocket({ headers }: IncomingMessage): boolean {
  return headers.upgrade?.toLowerCase() === "websocket";
}
