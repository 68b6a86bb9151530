import * as z from "zod";
import type { Grant } from "../access/grant.ts";
import { type Clock, systemClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { Failures } from "./auth-routes-failures.ts";
import { grantedScopes, SCOPE, scopeProblem } from "./auth-routes-scopes.ts";
import { answerJson } from "./http/answer.ts";
import { declaredBytes } from "./http/declared-bytes.ts";
import type { ErrorForm } from "./http/error-form.ts";
import type { Access } from "./http/gatekeeper.ts";
import type { Exchange, KnownExchange, Route } from "./http/route.ts";
import { secretBody } from "./http/secret-body.ts";
import { notKept } from "./http/sign-in-routes.ts";

/** Both are in use. */
const PREFIXES = ["", "/api/v1"];

const MOST_SCOPES = 20;

const toVerify = z.looseObject({
  token: z.string().min(1),
  scopes: z.array(z.string().regex(SCOPE)).max(MOST_SCOPES).default([]),
});
const toLogOut = z.looseObject({ session_id: z.string().optional() });

interface AuthRoutesOptions extends Access {
  clock?: Clock;
}

/** How a program of the `operations` protocol signs in and out. */
export function authRoutes({ tokens, signIns, clock = systemClock }: AuthRoutesOptions): Route[] {
  const failures = new Failures(clock);

  async function verify(exchange: Exchange): Promise<void> {
    const { request, response } = exchange;
    const { token, scopes } = await secretBody(exchange, toVerify, '{"token": "drg_…", "scopes": ["prompt"]}');
    const refuse = (error: string) => {
      const headers = { "WWW-Authenticate": "Bearer" };
      answerJson(response, 401, { valid: false, error, required_scopes: scopes }, headers);
    };
    const grant = tokens.verify(token.trim());
    if (!grant) {
      failures.note(request.socket.remoteAddress ?? "");
      return refuse(NOT_VALID);
    }
    const problem = scopeProblem(grant.caller, scopes);
    if (problem) return refuse(problem);
    const session_id = signIns.beginProgram(grant);
    await signIns.saved();
    const { id, name } = grant.caller;
    const user = { login: name, id, name, avatar_url: null };
    answerJson(response, 200, { valid: true, session_id, user, scopes_granted: grantedScopes(grant.caller, scopes) });
  }

  async function logOut(exchange: KnownExchange): Promise<void> {
    const isNamed = declaredBytes(exchange.request) > 0;
    const { session_id } = isNamed ? await secretBody(exchange, toLogOut, '{"session_id": "sess_…"}') : {};
    const ended = session_id === undefined ? exchange.grant : signInOf(exchange.grant, session_id);
    if (!signIns.endOf(ended)) throw new DragomanError("invalid_params", NO_SIGN_IN);
    if (!(await signIns.saved())) throw notKept();
    answerJson(exchange.response, 200, { ok: true });
  }

  /** Whoever has a token may end all that goes back to it, and does not learn of any other. */
  function signInOf({ caller }: Grant, signIn: string): Grant {
    const grant = signIns.programGrantOf(signIn);
    if (grant?.caller.id === caller.id) return grant;
    throw new DragomanError("session_not_found", "This token has no such sign-in. It may have ended already.");
  }

  return PREFIXES.flatMap((prefix): Route[] => [
    { method: "POST", path: `${prefix}/auth/verify`, access: "open", handle: verify },
    { method: "POST", path: `${prefix}/auth/logout`, access: "observe", handle: logOut },
  ]);
}

/** The same form of errors for those of its paths that are not below the protocol's own. */
export function authErrors(like: ErrorForm): ErrorForm[] {
  return ["/auth/verify", "/auth/logout"].map((prefix) => ({ ...like, prefix }));
}

const NOT_VALID =
  "This token is not valid: it was revoked or rotated, or it expired. `dragoman token create` makes one.";
const NO_SIGN_IN =
  "There is no sign-in to end here: a token was shown itself. Send its session_id, or end the token: dragoman token revoke.";
