import { type Clock, systemClock } from "../core/clock.ts";
import type { DragomanError } from "../core/errors.ts";
import type { Grant } from "./grant.ts";
import { Passes } from "./passes.ts";
import { type KeptIn, SignInBook } from "./sign-in-book.ts";

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const DAY = 24 * 60 * MINUTE;

export const LINK_MS = 10 * MINUTE;
export const SIGN_IN_MS = DAY;
export const TICKET_MS = 30 * SECOND;

interface SignInsOptions {
  clock?: Clock;
  /** Sign-ins outlive this process; links and tickets do not. */
  keptIn?: KeptIn;
  /** Told when the file of sign-ins cannot be read or written, once for each thing that is wrong. What cannot be read is taken for empty. */
  onProblem?(error: DragomanError): void;
  /** Told the text of each sign-in of a program when it is first shown here, so that it can be kept out of what is written down. */
  onShown?(signIn: string): void;
}

/** What stands for a token where the token itself must not be: in a link, a browser's cookie, a stream's or a socket's address. */
export class SignIns {
  readonly #links: Passes;
  readonly #tickets: Passes;
  readonly #book: SignInBook;

  constructor({ clock = systemClock, ...options }: SignInsOptions = {}) {
    this.#links = new Passes(clock, LINK_MS);
    this.#tickets = new Passes(clock, TICKET_MS);
    this.#book = new SignInBook({ clock, lifetimeMs: SIGN_IN_MS, ...options });
  }

  /** A code that signs in once, within 10 minutes. Who follows it stays when whoever made it signs out. */
  newLink(grant: Grant): string {
    return this.#links.issue(this.#book.rootOf(grant));
  }

  /** The value of a cookie, if the code is good. */
  redeem(code: string): string | undefined {
    const grant = this.#links.take(code);
    return grant && this.begin(grant);
  }

  /** The value of a cookie for someone who brought the token itself: good for a day, and as long as the token is. */
  begin(grant: Grant): string {
    return this.#book.begin("page", this.#book.rootOf(grant));
  }

  grantOf(cookie: string): Grant | undefined {
    return this.#book.find("page", cookie);
  }

  end(cookie: string): void {
    this.endOf(this.grantOf(cookie));
  }

  /** As `begin`, for a program that shows it itself. */
  beginProgram(grant: Grant): string {
    return this.#book.begin("program", this.#book.rootOf(grant));
  }

  programGrantOf(signIn: string): Grant | undefined {
    return this.#book.find("program", signIn);
  }

  /** Ends the sign-in by which the grant was given. False if it was given for a token itself, or that has ended. */
  endOf(grant: Grant | undefined): boolean {
    return grant?.signIn !== undefined && this.#book.end(grant.signIn);
  }

  /** Resolves when what was begun and ended until now is kept; with false if it could not be written. */
  saved(): Promise<boolean> {
    return this.#book.saved();
  }

  /** Good once, within 30 seconds, for whoever may say who it is only in an address. */
  newTicket(grant: Grant): string {
    return this.#tickets.issue(grant);
  }

  takeTicket(ticket: string): Grant | undefined {
    return this.#tickets.take(ticket);
  }

  /** Waits for what is being written, and looks no more at what others change. */
  close(): Promise<void> {
    return this.#book.close();
  }
}
