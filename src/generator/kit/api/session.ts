import type { InterfaceDescriptor, Settings } from "../descriptor.ts";
import type { Backend } from "./backend.ts";
import type { Credentials } from "./credentials.ts";
import { httpBackend } from "./http-backend.ts";
import { mockBackend } from "./mock-backend.ts";
import { fetchTransport, type Transport } from "./transport.ts";

export interface Connection {
  mode: "mock" | "live";
  server: string;
  credentials: Credentials;
}

/**
 * Who shows the interface, sends its requests and keeps the credentials, if that is not the page
 * itself. Nothing secret is entered here then.
 */
export interface InterfaceHost {
  connection(): Pick<Connection, "mode" | "server">;
  /** Undefined: the one that the interface is made with. */
  theme(): Settings["theme"] | undefined;
  /** Lets the person connect, or end that. */
  openConnection(): void;
  /** Calls after each change of these; what comes back ends that. */
  subscribe(listener: () => void): () => void;
}

/** Which API is talked to, and as whom. All of it is in memory and gone with the page. */
export interface Session {
  /** The same object until something changes. */
  connection(): Connection;
  /** Whether a key can travel in a cookie: a host can send one, a page cannot. */
  canSetCookies: boolean;
  /** Sample data, or the API itself. */
  backend(): Backend;
  connect(server: string, credentials: Credentials): void;
  /** Back to sample data; credentials are forgotten. */
  disconnect(): void;
  /** Calls after each change; what comes back ends that. */
  subscribe(listener: () => void): () => void;
}

export interface SessionOptions {
  /** Instead of the sample data. */
  mock?: Backend;
  transport?: Transport;
  host?: InterfaceHost;
}

export function createSession(
  descriptor: InterfaceDescriptor,
  options: SessionOptions = {},
): Session {
  const sampleConnection = (server: string): Connection => ({
    mode: "mock",
    server,
    credentials: {},
  });
  const { host } = options;
  let current = host
    ? { ...host.connection(), credentials: {} }
    : sampleConnection(descriptor.api.servers[0] ?? "");
  const listeners = new Set<() => void>();
  const change = (connection: Connection) => {
    current = connection;
    for (const listener of listeners) listener();
  };
  host?.subscribe(() => {
    const { mode, server } = host.connection();
    if (mode !== current.mode || server !== current.server)
      change({ mode, server, credentials: {} });
  });
  const mock = options.mock ?? mockBackend(descriptor);
  const live = httpBackend(descriptor.api, () => current, options.transport ?? fetchTransport);
  return {
    connection: () => current,
    canSetCookies: options.transport !== undefined,
    backend: () => (current.mode === "live" ? live : mock),
    connect: (server, credentials) => change({ mode: "live", server: server.trim(), credentials }),
    disconnect: () => change(sampleConnection(current.server)),
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
