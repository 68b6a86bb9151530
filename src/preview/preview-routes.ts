import { DragomanError } from "../core/errors.ts";
import { answerJson } from "../transports/http/answer.ts";
import type { KnownExchange, Route } from "../transports/http/route.ts";
import { ApiProxy } from "./api-proxy.ts";
import { checkBytes } from "./byte-body.ts";
import { connectionRoutes } from "./connection-routes.ts";
import { frameRoute } from "./frame-route.ts";
import type { PreviewOptions, PreviewSessions } from "./preview-options.ts";
import { RequestLog } from "./request-log.ts";
import { requestRoute } from "./request-route.ts";

/** As large as a description may be. */
const MOST_DESCRIPTION_BYTES = 50 * 1024 * 1024;
const LONGEST_NAME = 200;

/** All that the page of the preview asks for, besides what it says over the `studio` protocol. */
export function previewRoutes({ sessions, vault, bundles }: PreviewOptions): Route[] {
  const log = new RequestLog();
  const proxy = new ApiProxy({ vault, log });
  return [
    frameRoute({ sessions, bundles }),
    requestRoute(proxy, sessions),
    ...connectionRoutes({ sessions, vault, log }),
    generateRoute(sessions),
  ];
}

/** Begins with a description, whose text is the body: `?name=<file>`, and `&session=<id>` to do so in a session that is there. */
function generateRoute(sessions: PreviewSessions): Route {
  async function generate(exchange: KnownExchange): Promise<void> {
    const { request, response, query, caller } = exchange;
    checkBytes(request);
    const name = (query.get("name") ?? "").slice(0, LONGEST_NAME) || "description";
    const text = decoded(await exchange.body(MOST_DESCRIPTION_BYTES));
    const begun = await sessions.begin(query.get("session") ?? undefined, { name, text }, caller);
    answerJson(response, 202, begun);
  }
  return { method: "POST", path: "/preview/generate", access: "prompt", handle: generate };
}

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new DragomanError("spec_invalid", "This is not UTF-8 text, so it is no description. Save it as UTF-8.");
  }
}
