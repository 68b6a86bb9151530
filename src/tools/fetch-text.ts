import { lookup } from "node:dns/promises";
import { type ClientRequest, type IncomingMessage, request as overHttp } from "node:http";
import { request as overHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { DragomanError, messageOf } from "../core/errors.ts";
import { isPublicAddress } from "./public-address.ts";

// A text from an address that someone else may have written: it must not lead to this machine, or into the network around it.

const MOST_REDIRECTS = 5;

export interface FetchTextOptions {
  maxBytes: number;
  timeoutMs: number;
  /** Hosts, with or without a port, that are asked wherever they are: the user said so. */
  allowedHosts: string[];
  /** What to do about a host that is refused for where it is. */
  ifInside(host: string): string;
  accept?: string;
  /** How far it is; `total` if the server says. */
  onProgress?(bytes: number, total: number | undefined): void;
}

export async function fetchText(address: string, options: FetchTextOptions): Promise<string> {
  const signal = AbortSignal.timeout(options.timeoutMs);
  let url = checkedUrl(address);
  for (let hop = 0; hop <= MOST_REDIRECTS; hop++) {
    const answer = await send(url, options, signal).catch((error) => {
      throw explained(error, url, options.timeoutMs, signal);
    });
    if (typeof answer === "string") return answer;
    url = checkedUrl(answer.to, url);
  }
  throw failed(`${url.host} sends from one address to the next, more than ${MOST_REDIRECTS} times.`);
}

const failed = (message: string) => new DragomanError("tool_failed", message);

function checkedUrl(address: string, from?: URL): URL {
  const url = URL.canParse(address, from?.href) ? new URL(address, from) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new DragomanError("invalid_params", `Only http and https addresses can be read: ${address}`);
  if (url.username || url.password)
    throw new DragomanError("invalid_params", "The address holds a user name or password. Download the file yourself.");
  return url;
}

async function send(url: URL, options: FetchTextOptions, signal: AbortSignal): Promise<string | { to: string }> {
  const addresses = await addressesOf(url, options);
  const response = await answered(startRequest(url, addresses, options, signal));
  const { statusCode = 0, headers } = response;
  if (statusCode >= 300 && statusCode < 400 && headers.location !== undefined) {
    response.destroy();
    return { to: headers.location };
  }
  if (statusCode !== 200) {
    response.destroy();
    throw failed(`${url.host} answered ${statusCode} ${response.statusMessage ?? ""}`.trimEnd());
  }
  return readAll(response, url, options);
}

interface Address {
  address: string;
  family: number;
}

/** They are looked up once, and it is these that are connected to: a name that means something else a moment later gains nothing. */
async function addressesOf(url: URL, { allowedHosts, ifInside }: FetchTextOptions): Promise<Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const addresses = isIP(host) ? [{ address: host, family: isIP(host) }] : await lookup(host, { all: true });
  if (allowedHosts.includes(url.host) || allowedHosts.includes(url.hostname)) return addresses;
  const inside = addresses.find(({ address }) => !isPublicAddress(address));
  if (!inside) return addresses;
  const named = inside.address === host ? host : `${host} (${inside.address})`;
  const why = `${named} is on this machine or in a private network, so it is not read.`;
  throw new DragomanError("denied", `${why} ${ifInside(url.host)}`);
}

function startRequest(url: URL, addresses: Address[], options: FetchTextOptions, signal: AbortSignal): ClientRequest {
  const pinned: LookupFunction = (_host, { all }, done) => {
    const [first] = addresses;
    if (all) done(null, addresses);
    else done(null, first?.address ?? "", first?.family);
  };
  const headers = { Accept: options.accept ?? "*/*", "User-Agent": "dragoman", "Accept-Encoding": "identity" };
  const start = url.protocol === "https:" ? overHttps : overHttp;
  return start(url, { lookup: pinned, headers, signal, agent: false });
}

function answered(request: ClientRequest): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request.on("response", resolve);
    request.on("error", reject);
    request.end();
  });
}

async function readAll(response: IncomingMessage, url: URL, options: FetchTextOptions): Promise<string> {
  const said = Number(response.headers["content-length"]);
  const total = Number.isSafeInteger(said) ? said : undefined;
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of response) {
    bytes += part.length;
    if (bytes > options.maxBytes || (total ?? 0) > options.maxBytes) {
      response.destroy();
      const most = Math.round(options.maxBytes / 1024 / 1024);
      throw new DragomanError("too_large", `What ${url.host} sends is larger than ${most} MB.`);
    }
    parts.push(part);
    options.onProgress?.(bytes, total);
  }
  return Buffer.concat(parts).toString("utf8");
}

function explained(error: unknown, url: URL, timeoutMs: number, signal: AbortSignal): DragomanError {
  if (error instanceof DragomanError) return error;
  if (signal.aborted) return new DragomanError("timeout", `${url.host} did not send it within ${timeoutMs / 1000} s.`);
  return failed(`${url.host} cannot be read: ${messageOf(error)}`);
}
