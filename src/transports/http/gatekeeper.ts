import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import type { Grant } from "../../access/grant.ts";
import type { SignIns } from "../../access/sign-ins.ts";
import { looksLikeSignIn } from "../../access/token.ts";
import type { TokenBook } from "../../access/token-book.ts";
import { DragomanError } from "../../core/errors.ts";
import type { SignInCookie } from "./sign-in-cookie.ts";

/** What decides who may come in. */
export interface Access {
  tokens: Pick<TokenBook, "verify">;
  signIns: SignIns;
}

export interface Credentials {
  /** Where one will do. */
  ticket: string | null;
  /** A sign-in of a program, where the query may bring one. */
  signIn?: string | null;
  /** The request changes something or opens a socket: who is known by its cookie alone must then say where it comes from. */
  needsOrigin: boolean;
}

/** For so long a token that was good is good for the same connection, unless it was revoked here: to look it up takes a file. */
const REMEMBERED_MS = 100;

interface Remembered {
  authorization: string;
  grant: Grant;
  until: number;
}

/** Says who a request comes from. What it says of itself counts for nothing; what it holds does. */
export class Gatekeeper {
  readonly #access: Access;
  readonly #cookie: SignInCookie;
  readonly #remembered = new WeakMap<Socket, Remembered>();

  constructor(access: Access, cookie: SignInCookie) {
    this.#access = access;
    this.#cookie = cookie;
  }

  /** What was brought on purpose goes before the cookie, which a browser sends by itself, and must be right. */
  grantOf(request: IncomingMessage, { ticket, signIn = null, needsOrigin }: Credentials): Grant | undefined {
    const { authorization } = request.headers;
    if (signIn !== null) return this.#bySignIn(signIn, request);
    if (authorization !== undefined) return this.#byHeader(authorization, request.socket);
    if (ticket !== null) return this.#access.signIns.takeTicket(ticket);
    return this.#byCookie(request, needsOrigin);
  }

  /** The sign-in is what counts, and ends what it opened. A header beside it must be right, too, and of the same token. */
  #bySignIn(signIn: string, { headers: { authorization }, socket }: IncomingMessage): Grant | undefined {
    const grant = this.#access.signIns.programGrantOf(signIn);
    if (authorization === undefined) return grant;
    return this.#byHeader(authorization, socket)?.caller.id === grant?.caller.id ? grant : undefined;
  }

  #byHeader(authorization: string, socket: Socket): Grant | undefined {
    const known = this.#remembered.get(socket);
    // It is only ever compared with what the same connection has sent before.
    const isSame = known?.authorization === authorization && !known.grant.revoked.aborted;
    if (known && isSame && performance.now() < known.until) return known.grant;
    if (authorization.slice(0, 7).toLowerCase() !== "bearer ") return undefined;
    const grant = this.#byText(authorization.slice(7).trim());
    if (grant) this.#remembered.set(socket, { authorization, grant, until: performance.now() + REMEMBERED_MS });
    return grant;
  }

  #byText(text: string): Grant | undefined {
    const { tokens, signIns } = this.#access;
    return looksLikeSignIn(text) ? signIns.programGrantOf(text) : tokens.verify(text);
  }

  #byCookie(request: IncomingMessage, needsOrigin: boolean): Grant | undefined {
    const values = this.#cookie.valuesIn(request);
    const grant = values.map((value) => this.#access.signIns.grantOf(value)).find((found) => found !== undefined);
    if (!grant) return undefined;
    const { origin, "sec-fetch-site": site } = request.headers;
    if (site !== undefined && site !== "same-origin" && site !== "none") throw fromElsewhere();
    if (needsOrigin && origin === undefined) throw fromElsewhere();
    return grant;
  }
}

function fromElsewhere(): DragomanError {
  const advice = "Programs use a token: Authorization: Bearer.";
  return new DragomanError("forbidden", `A sign-in counts only for what this server's own page asks for. ${advice}`);
}
