import { isIP } from "node:net";
import { DragomanError } from "../../core/errors.ts";
import { isLoopback } from "../../core/loopback.ts";

// Where tool callbacks may go: to this machine, and to hosts that whoever started the server has named.

export interface CallbackTarget {
  url: URL;
  /** Whether it was named by whoever started the server. Otherwise it counts only as long as it is on this machine. */
  allowed: boolean;
}

/** Fails for what is not to be called. A name is looked at again when it is resolved, so that it cannot lead elsewhere by then. */
export function callbackTarget(given: string, allowedHosts: Iterable<string>): CallbackTarget {
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !/^https?:$/.test(url.protocol)) throw refused(given, "it is no http or https address");
  if (url.username || url.password) throw refused(url.host, "a name or password in an address is not sent");
  const allowed = [...allowedHosts].some((host) => isHost(host, url));
  if (allowed || url.hostname === "localhost" || isLoopback(withoutBrackets(url.hostname))) return { url, allowed };
  throw refused(
    url.host,
    "callbacks go to this machine, and to hosts that serve.callbackHosts of the configuration names",
  );
}

const withoutBrackets = (hostname: string) => hostname.replace(/^\[(.*)\]$/, "$1");

/** `host` is a name or an address, with a port or for every port. */
function isHost(host: string, { hostname, port, protocol }: URL): boolean {
  const written = isIP(host) === 6 ? `[${host}]` : host;
  const named = URL.canParse(`${protocol}//${written}`) ? new URL(`${protocol}//${written}`) : undefined;
  if (named?.hostname !== hostname) return false;
  return !/:\d+$/.test(written) || named.port === port;
}

function refused(what: string, why: string): DragomanError {
  return new DragomanError(
    "invalid_params",
    `There can be no callback to ${JSON.stringify(what.slice(0, 200))}: ${why}.`,
  );
}
