import type { Configuration, ConfiguredServer } from "./configuration.ts";

export interface ListedServer {
  id: string;
  transport: "http" | "stdio";
  source: "project" | "global";
  enabled: boolean;
  state: "disabled" | "error";
  lastError?: string;
}

const NOT_CONNECTED = "Not connected: this version of Dragoman lists MCP servers, it does not connect to them yet.";

/**
 * `configured` is every entry that is written down, `loaded` one of each id: the one in effect, or else the project's that waits
 * for trust. How a server is reached stays here: headers and variables hold secrets.
 */
export function listMcpServers({ servers }: Configuration, scope: "loaded" | "configured"): ListedServer[] {
  const shown = scope === "configured" ? servers : servers.filter((server) => isLoaded(server, servers));
  return shown.map(listed);
}

function isLoaded(server: ConfiguredServer, servers: ConfiguredServer[]): boolean {
  return server.idle === undefined || servers.every((other) => other === server || other.id !== server.id);
}

function listed({ id, source, value, idle }: ConfiguredServer): ListedServer {
  const enabled = value.enabled && idle === undefined;
  const lastError = idle ?? (enabled ? NOT_CONNECTED : undefined);
  return {
    id,
    transport: value.transport,
    source: source === "user" ? "global" : "project",
    enabled,
    state: enabled ? "error" : "disabled",
    ...(lastError === undefined ? {} : { lastError }),
  };
}
