import { lookup as resolveName } from "node:dns";
import { type ClientRequest, request as httpRequest, type IncomingMessage } from "node:http";
import { request as httpsRequest } from "node:https";
import type { LookupFunction } from "node:net";
import { messageOf } from "../core/errors.ts";
import { isLoopback } from "../core/loopback.ts";
import { type CallbackTarget, callbackTarget } from "../dialects/sidecar/callback-target.ts";
import type { CallbackPost, Posted } from "../dialects/sidecar/server/post.ts";
import { SIGNATURE_HEADER } from "../dialects/sidecar/server/signature.ts";
import { parseJson } from "./json.ts";

const LARGEST_REPLY = 16 * 1024 * 1024;

interface PostOptions {
  /** In place of the system's own. */
  resolve?: typeof resolveName;
  largestReply?: number;
}

/** Brings tool callbacks to plugins over HTTP: one connection for each, no redirect, and to nowhere but where they may go. */
export function callbackPost(options: PostOptions = {}): (request: CallbackPost) => Promise<Posted> {
  return async (request) => {
    try {
      return await send(callbackTarget(request.url, request.allowedHosts), request, options);
    } catch (error) {
      return { outcome: "failed", why: messageOf(error) };
    }
  };
}

function send(target: CallbackTarget, given: CallbackPost, options: PostOptions): Promise<Posted> {
  const { url } = target;
  const body = Buffer.from(given.body);
  const request = (url.protocol === "https:" ? httpsRequest : httpRequest)(url, {
    method: "POST",
    agent: false, // a connection that was kept may be closed by the time it is used
    headers: {
      "content-type": "application/json",
      "content-length": body.length,
      accept: "application/json",
      connection: "close",
      ...given.headers,
    },
    lookup: target.allowed ? options.resolve : loopbackOnly(options.resolve ?? resolveName),
    signal: given.signal,
  });
  return new Promise((resolve) => {
    request.on("error", (error) => resolve(broken(request, error)));
    request.on("response", (response) => resolve(answerIn(response, options.largestReply ?? LARGEST_REPLY)));
    request.end(body);
  });
}

/** Whether it can be tried again depends on whether anything has come back. */
function broken({ socket }: ClientRequest, error: NodeJS.ErrnoException): Posted {
  const why = error.code ?? error.message;
  const isRefusedHere = error.code === "ENOTLOOPBACK";
  const outcome = !isRefusedHere && (socket?.bytesRead ?? 0) === 0 ? "unreachable" : "failed";
  return { outcome, why: isRefusedHere ? error.message : why };
}

async function answerIn(response: IncomingMessage, largest: number): Promise<Posted> {
  const { statusCode: status = 0, headers } = response;
  try {
    const body = await textOf(response, largest);
    const signature = headers[SIGNATURE_HEADER];
    const isGood = status >= 200 && status < 300;
    return {
      outcome: "answered",
      status,
      signature: Array.isArray(signature) ? undefined : signature,
      body,
      json: isGood ? parseJson(body) : undefined,
    };
  } catch (error) {
    return { outcome: "failed", why: messageOf(error) };
  }
}

async function textOf(response: IncomingMessage, largest: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > largest) throw new Error(`the reply is larger than ${largest} bytes`); // which closes the connection
    chunks.push(chunk);
  }
  return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(chunks));
}

/** A name counts only as far as it leads to this machine now. */
function loopbackOnly(resolve: typeof resolveName): LookupFunction {
  return (hostname, options, callback) => {
    resolve(hostname, { ...options, all: true }, (error, addresses) => {
      const here = error ? [] : addresses.filter(({ address }) => isLoopback(address));
      const [first] = here;
      if (error || !first) callback(error ?? notHere(hostname), "", 0);
      else if (options.all) callback(null, here);
      else callback(null, first.address, first.family);
    });
  };
}

function notHere(hostname: string): NodeJS.ErrnoException {
  const message = `${hostname} is not on this machine, and callbacks go to this machine only`;
  return Object.assign(new Error(message), { code: "ENOTLOOPBACK" });
}
