import { DragomanError } from "../core/errors.ts";
import { may } from "../core/roles.ts";
import { fetchDescription } from "../tools/fetch-description.ts";
import { answerJson } from "../transports/http/answer.ts";
import type { KnownExchange, Route } from "../transports/http/route.ts";
import { ApiProxy } from "./api-proxy.ts";
import { checkBytes } from "./byte-body.ts";
import { connectionRoutes } from "./connection-routes.ts";
import { frameRoute } from "./frame-route.ts";
import type { GivenDescription, PreviewOptions, PreviewSessions } from "./preview-options.ts";
import { RequestLog } from "./request-log.ts";
import { requestRoute } from "./request-route.ts";
import { systemResolve } from "./where-it-leads.ts";

/** As large as a description may be. */
const MOST_DESCRIPTION_BYTES = 50 * 1024 * 1024;
const LONGEST_NAME = 200;

/** All that the page of the preview asks for, besides what it says over the `studio` protocol. */
export function previewRoutes({ sessions, vault, bundles, resolve = systemResolve }: PreviewOptions): Route[] {
  const log = new RequestLog();
  const proxy = new ApiProxy({ vault, log, resolve });
  return [
    frameRoute({ sessions, bundles }),
    requestRoute(proxy, sessions),
    ...connectionRoutes({ sessions, vault, log, resolve }),
    generateRoute(sessions),
  ];
}

/**
 * Begins with a description: its text is the body (`?name=<file>`), or it is read from `?address=<url>`. `&session=<id>` to do so in a session
 * that is there. An address on this machine or in the network around it is read where an admin says so (`&inside`).
 */
function generateRoute(sessions: PreviewSessions): Route {
  async function generate(exchange: KnownExchange): Promise<void> {
    const { request, response, query, caller } = exchange;
    checkBytes(request);
    const address = query.get("address");
    const description = address === null ? await sent(exchange) : await readFrom(address, exchange);
    const begun = await sessions.begin(query.get("session") ?? undefined, description, caller);
    answerJson(response, 202, begun);
  }
  return { method: "POST", path: "/preview/generate", access: "prompt", handle: generate };
}

async function sent(exchange: KnownExchange): Promise<GivenDescription> {
  const name = (exchange.query.get("name") ?? "").slice(0, LONGEST_NAME) || "description";
  return { name, text: decoded(await exchange.body(MOST_DESCRIPTION_BYTES)) };
}

function readFrom(address: string, { caller, query }: KnownExchange): Promise<GivenDescription> {
  const mayAllow = may(caller, "admin");
  const allowedHosts = mayAllow && query.has("inside") && URL.canParse(address) ? [new URL(address).host] : [];
  const ifInside = () =>
    mayAllow ? "If you mean it, read it all the same." : "Download it, and give it as a file, or ask an admin.";
  return fetchDescription(address, { allowedHosts, ifInside });
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DragomanError("spec_invalid", "This is not UTF-8 text, so it is no description. Save it as UTF-8.");
  }
}
