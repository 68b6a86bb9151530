import * as z from "zod";
import { LINK_MS, TICKET_MS } from "../../access/sign-ins.ts";
import { DragomanError } from "../../core/errors.ts";
import { answer, answerJson, answerNothing } from "./answer.ts";
import type { Access } from "./gatekeeper.ts";
import type { Exchange, KnownExchange, Route } from "./route.ts";
import { secretBody } from "./secret-body.ts";
import type { SignInCookie } from "./sign-in-cookie.ts";

interface SignInRoutesOptions extends Access {
  cookie: SignInCookie;
  scheme: "http" | "https";
}

/** How a browser gets in and out, and what it is told of itself. A link leads to one of our pages, and to nothing that it could name. */
export function signInRoutes({ tokens, signIns, cookie, scheme }: SignInRoutesOptions): Route[] {
  async function followLink({ request, response, query }: Exchange): Promise<void> {
    // Programs that only look where a link leads must not use it up.
    const value = request.method === "HEAD" ? undefined : signIns.redeem(query.get("code") ?? "");
    await signIns.saved();
    const isSignedIn = () => cookie.valuesIn(request).some((held) => signIns.grantOf(held));
    const to = { Location: query.get("to") === "preview" ? "/preview" : "/" };
    if (value !== undefined) answerNothing(response, 303, { ...to, ...cookie.holding(value) });
    else if (isSignedIn()) answerNothing(response, 303, to);
    else answer(response, 401, "text/html; charset=utf-8", OLD_LINK);
  }

  async function signIn(exchange: Exchange): Promise<void> {
    const { token } = await secretBody(exchange, withToken, '{"token": "drg_…"}');
    const grant = tokens.verify(token.trim());
    if (!grant)
      throw new DragomanError("unauthorized", "This token is not valid: it was revoked or rotated, or it expired.");
    const { name, roles } = grant.caller;
    const value = signIns.begin(grant);
    await signIns.saved();
    answerJson(exchange.response, 200, { name, roles }, cookie.holding(value));
  }

  async function signOut({ request, response, grant }: KnownExchange): Promise<void> {
    for (const value of cookie.valuesIn(request)) signIns.end(value);
    signIns.endOf(grant);
    if (!(await signIns.saved())) throw notKept();
    answerNothing(response, 204, cookie.gone());
  }

  const me = ({ response, caller: { name, roles } }: KnownExchange) => answerJson(response, 200, { name, roles });

  const newTicket = ({ response, grant }: KnownExchange) =>
    answerJson(response, 200, { ticket: signIns.newTicket(grant), expiresInSeconds: TICKET_MS / 1000 });

  const newLink = ({ request, response, grant }: KnownExchange) => {
    // A cookie knows no port, and an address may be seen: whoever came by what was meant for us gets no others by it.
    if (grant.signIn !== undefined) throw new DragomanError("forbidden", BY_TOKEN_ONLY);
    const url = `${scheme}://${request.headers.host}/sign-in?code=${signIns.newLink(grant)}`;
    answerJson(response, 200, { url, expiresInSeconds: LINK_MS / 1000 });
  };

  return [
    { method: "GET", path: "/sign-in", access: "open", handle: followLink },
    { method: "POST", path: "/auth/sign-in", access: "open", handle: signIn },
    { method: "POST", path: "/auth/sign-out", access: "observe", handle: signOut },
    { method: "GET", path: "/auth/me", access: "observe", handle: me },
    { method: "POST", path: "/auth/tickets", access: "observe", handle: newTicket },
    { method: "POST", path: "/auth/links", access: "admin", handle: newLink },
  ];
}

/** It is over here, but the next process would find it good. */
export const notKept = () =>
  new DragomanError(
    "store_failed",
    "You are signed out here, but that could not be written down yet: see the log. The server tries again every second.",
  );

const BY_TOKEN_ONLY = "A link is made with the token itself, not with a sign-in. Run: dragoman token link";

const withToken = z.object({ token: z.string() });

const OLD_LINK = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<title>Dragoman: sign in</title>
<h1>This link does not sign in any more</h1>
<p>It was used before, or it is older than ten minutes.</p>
<p>Run <code>dragoman token link</code> in a terminal: it prints a new one. Or <a href="/">paste a token</a>.</p>
</html>
`;
