import type { IncomingMessage } from "node:http";
import type { Grant } from "../../access/grant.ts";
import { DragomanError } from "../../core/errors.ts";
import type { Credentials, Gatekeeper } from "./gatekeeper.ts";
import type { OwnAddresses } from "./own-addresses.ts";
import { type RequestTarget, requestTarget } from "./request-target.ts";

/** The checks of every request and every upgrade, before anything is read or done. */
export class Admission {
  readonly #addresses: OwnAddresses;
  readonly #gatekeeper: Gatekeeper;

  constructor(addresses: OwnAddresses, gatekeeper: Gatekeeper) {
    this.#addresses = addresses;
    this.#gatekeeper = gatekeeper;
  }

  /** Whether it was meant for us, and where it goes. */
  target(request: IncomingMessage): RequestTarget {
    this.#addresses.check(request.headers, request.rawHeaders);
    const target = requestTarget(request.url ?? "");
    if (target.authority !== undefined) this.#addresses.checkHost(target.authority);
    return target;
  }

  grant(request: IncomingMessage, credentials: Credentials): Grant {
    const grant = this.#gatekeeper.grantOf(request, credentials);
    if (grant) return grant;
    const { ticket, signIn = null } = credentials;
    const brought = request.headers.authorization !== undefined || ticket !== null || signIn !== null;
    throw new DragomanError("unauthorized", brought ? NOT_VALID : NOTHING_BROUGHT);
  }
}

const NOTHING_BROUGHT =
  "This takes a token: send it as Authorization: Bearer. The file `token` in Dragoman's folder has one, and `dragoman token create` makes one.";
const NOT_VALID =
  "What was sent is not a valid token, sign-in or ticket: it was revoked, rotated or used before, or it is too old.";
