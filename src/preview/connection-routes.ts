import * as z from "zod";
import { DragomanError } from "../core/errors.ts";
import { answerJson, answerNothing } from "../transports/http/answer.ts";
import { checkJson } from "../transports/http/check-json.ts";
import type { KnownExchange, Route } from "../transports/http/route.ts";
import { parseJson } from "../transports/json.ts";
import type { PreviewOptions } from "./preview-options.ts";
import type { RequestLog } from "./request-log.ts";
import { credentialSchema, originOf } from "./vault.ts";
import { leadsInside, type Resolve } from "./where-it-leads.ts";

const MOST_BYTES = 512 * 1024;

const wantedSchema = z.strictObject({
  server: z.string().max(2000).trim(),
  credentials: z.record(z.string().max(200), credentialSchema.nullable()).default({}),
});
const EXAMPLE = '{"server": "https://api.example.com", "credentials": {"<scheme>": {"token": "…"}}}';

interface ConnectionRoutesOptions extends Pick<PreviewOptions, "sessions" | "vault"> {
  log: RequestLog;
  resolve: Resolve;
}

/** Which API a session is connected to, and what is kept for it: that something is there is told, and never what. */
export function connectionRoutes({ sessions, vault, log, resolve }: ConnectionRoutesOptions): Route[] {
  async function known({ params, caller }: KnownExchange) {
    const { sessionId = "" } = params;
    const api = await sessions.apiOf(sessionId, caller);
    if (!api) throw new DragomanError("session_not_found", "There is no such session with an interface.");
    return { api, sessionId, owner: caller.id };
  }

  async function tell(exchange: KnownExchange): Promise<void> {
    const { api, sessionId, owner } = await known(exchange);
    const server = vault.serverOf(owner, sessionId) ?? null;
    const kept = vault.told(owner).map(({ origin, schemes }) => ({ origin, schemes }));
    answerJson(exchange.response, 200, { server, ...api, kept });
  }

  async function connect(exchange: KnownExchange): Promise<void> {
    const { api, sessionId, owner } = await known(exchange);
    const { server, credentials } = await wanted(exchange);
    const isKnown = (id: string) => api.auth.some((scheme) => scheme.id === id);
    // What is kept for a scheme that a new description no longer has can still be taken away.
    const unknown = Object.keys(credentials).find((id) => credentials[id] !== null && !isKnown(id));
    if (unknown !== undefined) throw new DragomanError("invalid_params", "The API has no such scheme.");
    const inside = await leadsInside(originOf(server), resolve);
    await vault.connect({ owner, sessionId, server, credentials, inside });
    answerJson(exchange.response, 200, { server });
  }

  async function disconnect(exchange: KnownExchange): Promise<void> {
    const { sessionId, owner } = await known(exchange);
    const server = vault.serverOf(owner, sessionId);
    if (server !== undefined && exchange.query.has("forget")) await vault.forget(owner, originOf(server));
    else await vault.disconnect(owner, sessionId);
    answerNothing(exchange.response);
  }

  /** Also where no session is connected to it any more. */
  async function forget({ response, caller, query }: KnownExchange): Promise<void> {
    const origin = query.get("origin");
    if (origin === null)
      throw new DragomanError("invalid_params", "Say of which API: ?origin=https://api.example.com.");
    await vault.forget(caller.id, originOf(origin));
    answerNothing(response);
  }

  const list = ({ response, caller }: KnownExchange) =>
    answerJson(response, 200, { connections: vault.told(caller.id) });

  const requests = ({ response, caller, params, query }: KnownExchange) => {
    const after = Number(query.get("after") ?? 0);
    const { sessionId = "" } = params;
    answerJson(response, 200, { requests: log.list(caller.id, sessionId, Number.isFinite(after) ? after : 0) });
  };

  const clear = ({ response, caller, params }: KnownExchange) => {
    log.clear(caller.id, params.sessionId ?? "");
    answerNothing(response);
  };

  const [connection, logged] = ["/preview/connections/:sessionId", "/preview/requests/:sessionId"];
  return [
    { method: "GET", path: "/preview/connections", access: "prompt", handle: list },
    { method: "DELETE", path: "/preview/connections", access: "prompt", handle: forget },
    { method: "GET", path: connection, access: "prompt", handle: tell },
    { method: "PUT", path: connection, access: "prompt", handle: connect },
    { method: "DELETE", path: connection, access: "prompt", handle: disconnect },
    { method: "GET", path: logged, access: "prompt", handle: requests },
    { method: "DELETE", path: logged, access: "prompt", handle: clear },
  ];
}

/** It holds credentials: what is wrong with it is told by what it should be. */
async function wanted(exchange: KnownExchange): Promise<z.infer<typeof wantedSchema>> {
  checkJson(exchange.request);
  const text = (await exchange.body(MOST_BYTES)).toString("utf8");
  const read = wantedSchema.safeParse(jsonIn(text));
  if (read.success) return read.data;
  throw new DragomanError("invalid_params", `Send ${EXAMPLE}.`);
}

function jsonIn(text: string): unknown {
  try {
    return parseJson(text);
  } catch {
    return undefined;
  }
}
