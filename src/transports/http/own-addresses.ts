import type { IncomingHttpHeaders } from "node:http";
import { isIPv6 } from "node:net";
import { DragomanError } from "../../core/errors.ts";
import { loggable } from "./log.ts";

interface Place {
  scheme: "http" | "https";
  host: string;
  port: number;
  /** More names under which this server is known, with our port unless they say another. */
  hosts: readonly string[];
}

/**
 * The names under which browsers may know this server. A name of somebody else that leads here was made to lead here (DNS rebinding),
 * and a page of another origin has no business with us.
 */
export class OwnAddresses {
  readonly #hosts: ReadonlySet<string>;
  readonly #origins: ReadonlySet<string>;

  constructor({ scheme, host, port, hosts }: Place) {
    const names = ["127.0.0.1", "localhost", "[::1]", bracketed(host), ...hosts.map(bracketed)];
    const withPort = names.map((name) => (/:\d+$/.test(name) ? name : `${name}:${port}`).toLowerCase());
    const usualPort = scheme === "https" ? ":443" : ":80";
    const own = withPort.flatMap((name) => [name, withoutPort(name, usualPort)]);
    this.#hosts = new Set(own);
    this.#origins = new Set(own.map((name) => `${scheme}://${name}`));
  }

  /** `raw` are the headers as they were sent, names and values in turn. */
  check({ host, origin }: Pick<IncomingHttpHeaders, "host" | "origin">, raw: readonly string[]): void {
    if (host === undefined || hasSeveralHosts(raw)) {
      throw new DragomanError("invalid_request", "A request has one Host header.");
    }
    this.checkHost(host);
    if (origin !== undefined && !this.#origins.has(origin) && !this.#origins.has(origin.toLowerCase())) {
      const message = `Pages of ${quoted(origin)} may not talk to this server. Only its own page may.`;
      throw new DragomanError("forbidden", message);
    }
  }

  checkHost(host: string): void {
    if (this.#hosts.has(host) || this.#hosts.has(host.toLowerCase())) return;
    const message = `This server is not known as ${quoted(host)}. Use its own address, or start it with --allow-host and that name.`;
    throw new DragomanError("forbidden", message);
  }
}

const bracketed = (host: string) => (isIPv6(host) ? `[${host}]` : host);

const withoutPort = (name: string, port: string) => (name.endsWith(port) ? name.slice(0, -port.length) : name);

const quoted = (text: string) => JSON.stringify(loggable(text.slice(0, 100)));

function hasSeveralHosts(raw: readonly string[]): boolean {
  let found = 0;
  for (let at = 0; at < raw.length; at += 2) {
    const name = raw[at];
    if (name?.length === 4 && name.toLowerCase() === "host") found++;
  }
  return found > 1;
}
