import { type Clock, systemClock } from "../core/clock.ts";
import { DragomanError } from "../core/errors.ts";
import { type Grant, newEnd } from "./grant.ts";
import { Passes } from "./passes.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

export const LINK_MS = 10 * MINUTE;
export const SIGN_IN_MS = DAY;
export const TICKET_MS = 30 * SECOND;

/** What stands for a token where the token itself must not be: in a link, a browser's cookie, a stream's address. */
export class SignIns {
  readonly #links: Passes;
  readonly #cookies: Passes;
  readonly #tickets: Passes;
  /** Which token's grant a sign-in goes back to. */
  readonly #roots = new WeakMap<Grant, Grant>();

  constructor({ clock = systemClock }: { clock?: Clock } = {}) {
    this.#links = new Passes(clock, LINK_MS);
    this.#cookies = new Passes(clock, SIGN_IN_MS);
    this.#tickets = new Passes(clock, TICKET_MS);
  }

  /** A code that signs in once, within 10 minutes. Who follows it stays when whoever made it signs out. */
  newLink(grant: Grant): string {
    return this.#links.issue(this.#rootOf(grant));
  }

  /** The value of a cookie, if the code is good. */
  redeem(code: string): string | undefined {
    const grant = this.#links.take(code);
    return grant && this.begin(grant);
  }

  /** The value of a cookie for someone who brought the token itself: good for a day, and as long as the token is. */
  begin(grant: Grant): string {
    const root = this.#rootOf(grant);
    const end = newEnd();
    const endWithToken = () => end.abort(root.revoked.reason);
    root.revoked.addEventListener("abort", endWithToken);
    if (root.revoked.aborted) endWithToken();
    const signIn: Grant = { caller: root.caller, revoked: end.signal };
    this.#roots.set(signIn, root);
    return this.#cookies.issue(signIn, () => {
      root.revoked.removeEventListener("abort", endWithToken);
      end.abort(signedOut());
    });
  }

  grantOf(cookie: string): Grant | undefined {
    return this.#cookies.find(cookie);
  }

  end(cookie: string): void {
    this.#cookies.drop(cookie);
  }

  /** Good once, within 30 seconds, for whoever may say who it is only in an address. */
  newTicket(grant: Grant): string {
    return this.#tickets.issue(grant);
  }

  takeTicket(ticket: string): Grant | undefined {
    return this.#tickets.take(ticket);
  }

  #rootOf(grant: Grant): Grant {
    return this.#roots.get(grant) ?? grant;
  }
}

const signedOut = () => new DragomanError("unauthorized", "This sign-in has ended. Sign in anew.");
