import { isObject } from "../is-object.ts";
import { OperationsError } from "./operations-error.ts";
import type { SignedIn } from "./protocol.ts";
import { type CallOptions, type RestLink, unreachable } from "./rest-link.ts";

/** Who calls: one of the three. With a `sessionId` alone nothing can be done when it has ended. */
export interface Identity {
  /** A token of the server's; it is sent to `auth/verify` and nowhere else. */
  token?: string;
  /** What an `auth/verify` gave. */
  sessionId?: string;
  /** Gives a `session_id`, for a page whose own server has the token. It is asked again when one has ended. */
  signIn?(): Promise<string>;
}

const NO_BLANKS = /^[\x21-\x7e]+$/;

/** The sign-in that everything is called with, made when it is first needed. */
export class SignIn {
  readonly #identity: Identity;
  readonly #link: RestLink;
  readonly #scopes: string[];
  #sessionId: string | undefined;
  #renewing: Promise<string> | undefined;
  readonly #pending = new Set<Promise<unknown>>();

  constructor(identity: Identity, link: RestLink, scopes: string[] = []) {
    const { token, sessionId, signIn } = identity;
    if (token === undefined && sessionId === undefined && !signIn) {
      throw new OperationsError("invalid", "Say who calls: give a token, a sessionId or a signIn function");
    }
    for (const word of [token, sessionId]) if (word !== undefined) checkWord(word);
    this.#identity = identity;
    this.#link = link;
    this.#scopes = scopes;
    this.#sessionId = sessionId;
  }

  /** The session id that is known, without asking anybody. */
  get known(): string | undefined {
    return this.#sessionId;
  }

  current(): Promise<string> {
    return this.#sessionId === undefined ? this.renew(undefined) : Promise.resolve(this.#sessionId);
  }

  /** Another one than `stale`, which was refused; those who ask at the same time share it. */
  async renew(stale: string | undefined): Promise<string> {
    if (this.#sessionId !== undefined && this.#sessionId !== stale) return this.#sessionId;
    this.forget();
    this.#renewing ??= this.#track(this.#signIn().finally(() => (this.#renewing = undefined)));
    return this.#renewing;
  }

  /** Asks the server who it is that has this token. */
  verify(options?: CallOptions): Promise<SignedIn> {
    return this.#track(this.#verify(options));
  }

  /** Resolves when none is under way any more, whatever came of them. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#pending);
  }

  /** It has ended; the next call needs another one. */
  forget(): void {
    this.#sessionId = undefined;
  }

  #track<T>(made: Promise<T>): Promise<T> {
    const tracked = made.finally(() => this.#pending.delete(tracked));
    this.#pending.add(tracked);
    return tracked;
  }

  async #verify(options?: CallOptions): Promise<SignedIn> {
    const { token } = this.#identity;
    if (token === undefined) {
      throw new OperationsError("invalid", "There is no token to verify; the client was made without one");
    }
    const request = { method: "POST", path: "auth/verify", body: { token, scopes: this.#scopes } } as const;
    const result = await this.#link.send(request, undefined, options);
    if (!isObject(result) || typeof result.session_id !== "string") {
      throw new OperationsError("protocol", "auth/verify was answered without a session_id");
    }
    this.#sessionId = checkWord(result.session_id);
    return result as SignedIn;
  }

  async #signIn(): Promise<string> {
    const { token, signIn } = this.#identity;
    if (signIn) {
      this.#sessionId = checkWord(await signIn().catch(asUnauthorized));
      return this.#sessionId;
    }
    if (token !== undefined) return (await this.verify()).session_id;
    throw new OperationsError("unauthorized", "The sign-in has ended. Sign in anew, and make a client with that.");
  }
}

function checkWord(word: unknown): string {
  if (typeof word === "string" && NO_BLANKS.test(word)) return word;
  throw new OperationsError("invalid", "A token or a session id is empty or has characters in it that none has");
}

function asUnauthorized(error: unknown): never {
  if (error instanceof OperationsError) throw error;
  if (error instanceof TypeError) throw unreachable("the sign-in", error); // that is what `fetch` throws without a network
  const text = `The sign-in failed: ${error instanceof Error ? error.message : String(error)}`;
  throw new OperationsError("unauthorized", text, {}, { cause: error });
}
